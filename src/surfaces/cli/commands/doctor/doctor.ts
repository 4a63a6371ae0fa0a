/** `toolgate doctor`: would a forbidden call really be stopped here? Looks at everything on the way, then tries it. */
import { checkSetup } from "../../../../agents/claude-code/doctor/check-setup.ts";
import { findUntrustedFiles } from "../../../../agents/claude-code/folder-trust.ts";
import type { SetupFinding } from "../../../../agents/setup-finding.ts";
import { visible } from "../../../../core/text/visible.ts";
import { openConfig } from "../../../../open/open-config.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { type CliIo, exitCodes } from "../../terminal/io.ts";
import { checkLedgerAnchors } from "./anchors.ts";
import { releaseCanary } from "./canary.ts";
import { askClient, type Client, findClient } from "./client.ts";
import { releaseClientCanary } from "./client-canary.ts";
import { checkConfiguration } from "./configuration.ts";
import { checkDirectServers } from "./direct-servers.ts";
import { checkMachine } from "./machine.ts";
import { checkUpstreamServers } from "./upstreams.ts";

export interface DoctorOptions {
  readonly json?: boolean | undefined;
  /** Where an administrator's settings of Claude Code are; only tests move it. */
  readonly managedDir?: string | undefined;
}

export async function runDoctor(options: DoctorOptions, io: CliIo): Promise<number> {
  const findings = await examine(options, io);
  const isFine = !findings.some(({ level }) => level === "problem");
  const proven = isProven(findings);
  io.out(
    options.json === true
      ? `${JSON.stringify({ ok: isFine, proven, findings }, null, 2)}\n`
      : describe(findings, io),
  );
  return isFine ? exitCodes.ok : exitCodes.failed;
}

/** The client itself was seen to be stopped: what is in its files is what it reads in them. */
function isProven(findings: readonly SetupFinding[]): boolean {
  return findings.some(({ check, level }) => check === "client-canary" && level === "ok");
}

async function examine({ managedDir }: DoctorOptions, io: CliIo): Promise<SetupFinding[]> {
  const config = await openConfig({ cwd: io.cwd, env: io.env });
  const { projectDir, folders, notes } = config;
  const { home } = folders;
  // The question is about sessions in this folder, whatever session this command itself runs in.
  const env = { ...io.env, CLAUDE_PROJECT_DIR: undefined, CLAUDE_PLUGIN_ROOT: undefined };
  const setup = checkSetup({ home, env, projectDir, ...(managedDir !== undefined && { managedDir }) });
  const said = new Set(setup.findings.map(({ message }) => message));
  const findings: SetupFinding[] = [...setup.findings];
  const untrusted = findUntrustedFiles({ home, env, projectDir });
  for (const hook of setup.installed)
    if (!untrusted.includes(hook.file)) findings.push(...(await releaseCanary(hook, home, io)));
  findings.push(
    ...checkConfiguration(config, io),
    ...(await checkUpstreamServers(config, io)),
    ...checkDirectServers(config, { env, cwd: io.cwd }),
    ...notes
      .filter((note) => !said.has(note) && !note.includes(" is skipped: "))
      .map((message): SetupFinding => ({ check: "notes", level: "warning", message })),
    ...(await checkMachine(config)),
    ...(await checkLedgerAnchors(config)),
    ...notTried(untrusted),
    ...(await tryClient(findClient(projectDir, home, io), {
      isInstalled: setup.installed.length > 0,
      isTrusted: untrusted.length === 0,
    })),
  );
  return findings;
}

function notTried(untrusted: readonly string[]): SetupFinding[] {
  if (untrusted.length === 0) return [];
  return [
    {
      check: "folder-trust",
      level: "warning",
      message: `Nothing was started that this folder names (${untrusted.join(", ")}): Claude Code was never told to trust it.`,
      todo: "Look at these files, start claude here and trust the folder, then run doctor again.",
    },
  ];
}

async function tryClient(
  client: Client | undefined,
  { isInstalled, isTrusted }: { readonly isInstalled: boolean; readonly isTrusted: boolean },
): Promise<SetupFinding[]> {
  if (client === undefined)
    return [
      {
        check: "client",
        level: "info",
        message: "No claude on the PATH: what it makes of its files was not tried.",
      },
    ];
  const said = await askClient(client, isTrusted);
  return isInstalled && isTrusted ? [...said, await releaseClientCanary(client)] : said;
}

function describe(findings: readonly SetupFinding[], io: CliIo): string {
  const colours = coloursFor(io);
  const signs = {
    ok: colours.green("✓"),
    info: colours.dim("-"),
    warning: colours.yellow("!"),
    problem: colours.red("✗"),
  };
  const lines = findings.map(({ level, message, todo }) => {
    const told = visible(message, { keepNewlines: true }).replaceAll("\n", "\n  ");
    return `${signs[level]} ${told}\n${todo === undefined ? "" : `  ${colours.dim("→")} ${visible(todo)}\n`}`;
  });
  const count = (level: SetupFinding["level"]) => findings.filter((one) => one.level === level).length;
  const problems = count("problem");
  const warnings = count("warning");
  const end =
    problems + warnings === 0
      ? isProven(findings)
        ? "Everything is in place."
        : "Nothing wrong was found, but Claude Code itself was not asked. With claude on the PATH, doctor tries a forbidden call in it."
      : `${problems} ${problems === 1 ? "problem" : "problems"}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}.`;
  return `${lines.join("")}\n${end}\n`;
}
