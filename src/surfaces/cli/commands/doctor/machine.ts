/** What the machine must offer: a Node that is new enough, folders of our own, a sandbox if asked for. */
import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { info, ok, problem, type SetupFinding, warning } from "../../../../agents/setup-finding.ts";
import type { Settings } from "../../../../config/loaded-config.ts";
import { type SandboxMode, strictestSandbox } from "../../../../core/tool/sandbox-rules.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { findBubblewrap, sandboxWorks } from "../../../../safe/sandbox/find-bubblewrap.ts";

const neededNode = [22, 18] as const;

type MachineConfig = Pick<OpenConfig, "folders" | "projectDir" | "settings">;

export async function checkMachine({
  folders,
  projectDir,
  settings,
}: MachineConfig): Promise<SetupFinding[]> {
  return [
    checkNode(process.versions.node),
    checkFolder("state", folders.state),
    checkFolder("cache", folders.cache),
    await checkSandbox(projectDir, askedFor(settings)),
  ];
}

export function checkNode(version: string): SetupFinding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isEnough = major > neededNode[0] || (major === neededNode[0] && minor >= neededNode[1]);
  if (isEnough) return ok("node", `Node ${version}.`);
  const needed = neededNode.join(".");
  const message = `Node ${version} is too old: toolgate needs ${needed} (the hook alone runs on 18).`;
  return problem("node", message, "Update Node.");
}

/** What others may write could hold rules or trust that nobody gave. */
export function checkFolder(name: "state" | "cache", folder: string): SetupFinding {
  const check = `${name}-folder`;
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) {
    const above = nearestFolder(folder);
    return isWritable(above)
      ? ok(check, `The ${name} folder ${folder} will be made when it is needed.`)
      : problem(
          check,
          `The ${name} folder ${folder} cannot be made: ${above} is not writable.`,
          "Make it writable.",
        );
  }
  if (!stats.isDirectory()) return problem(check, `${folder} is not a folder.`, "Move that file away.");
  if (process.platform !== "win32") {
    const uid = process.getuid?.();
    if (uid !== undefined && stats.uid !== uid)
      return problem(
        check,
        `The ${name} folder ${folder} belongs to somebody else.`,
        `Take it back: chown -R $(id -u) ${folder}`,
      );
    if ((stats.mode & 0o022) !== 0)
      return problem(check, `Others can write in the ${name} folder ${folder}.`, `Run: chmod 700 ${folder}`);
    if ((stats.mode & 0o055) !== 0)
      return warning(check, `Others can read the ${name} folder ${folder}.`, `Run: chmod 700 ${folder}`);
  }
  return isWritable(folder)
    ? ok(check, `The ${name} folder ${folder} is private and writable.`)
    : problem(check, `The ${name} folder ${folder} is not writable.`, `Run: chmod 700 ${folder}`);
}

/** The most that any file asks for, whichever tool it is for. */
function askedFor({ sandbox = [], upstreams = [] }: Settings): SandboxMode {
  const rules = sandbox.flatMap(({ mode = "off", categories = {}, tools = {} }) => [
    mode,
    ...Object.values(categories),
    ...Object.values(tools),
  ]);
  const servers = upstreams.flatMap(({ enabled, transport }) =>
    enabled && transport.kind === "stdio" ? [transport.sandbox] : [],
  );
  return strictestSandbox([...rules, ...servers]);
}

export async function checkSandbox(
  projectDir: string,
  asked: SandboxMode,
  find = findBubblewrap,
): Promise<SetupFinding> {
  const bwrap = find([projectDir]);
  const test = bwrap === undefined ? undefined : await sandboxWorks(bwrap);
  if (test?.works === true) return ok("sandbox", `bubblewrap isolates (${bwrap}).`);
  const why =
    process.platform !== "linux"
      ? "There is no sandbox on this system."
      : test === undefined
        ? "bubblewrap is not installed."
        : `bubblewrap is there but does not work here: ${test.why}`;
  if (asked === "off") return info("sandbox", `${why} Nothing here asks for it.`);
  const todo = `Install bubblewrap and allow user namespaces, or take the sandbox out of the configuration.`;
  return asked === "required"
    ? problem("sandbox", `${why} The configuration requires it, so those tools refuse to run.`, todo)
    : warning("sandbox", `${why} The configuration prefers it, so those tools run without.`, todo);
}

function nearestFolder(folder: string): string {
  const above = dirname(folder);
  return above === folder || statSync(above, { throwIfNoEntry: false }) !== undefined
    ? above
    : nearestFolder(above);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
