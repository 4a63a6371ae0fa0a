/** Attacks from inside a sandbox; each answers what went wrong, or nothing. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProcess } from "../../src/safe/process/spawn.ts";
import type { SandboxPlan } from "../../src/safe/sandbox/sandbox-process.ts";

export interface SandboxScene {
  readonly workspace: string;
  readonly home: string;
  readonly state: string;
  readonly outside: string;
}

type Attack = (scene: SandboxScene, sh: (script: string) => Promise<string>) => Promise<string | undefined>;

const wroteTo = (path: string, text = "evil"): string | undefined =>
  existsSync(path) && readFileSync(path, "utf8").includes(text) ? `wrote ${path}` : undefined;

export const sandboxAttacks: Readonly<Record<string, Attack>> = {
  "write outside of the workspace": async ({ outside, home }, sh) => {
    await sh(
      `echo evil > ${outside}/file; echo evil > ${home}/.bashrc; mkdir ${outside}/folder; rm -rf ${outside}/kept`,
    );
    if (!existsSync(join(outside, "kept"))) return "deleted a file";
    return wroteTo(join(outside, "file")) ?? wroteTo(join(home, ".bashrc"));
  },
  "read a key": async ({ home }, sh) => {
    const text = await sh(
      `cat ${home}/.ssh/id_ed25519 ${home}/.aws/credentials ${home}/.netrc; ls -la ${home}/.ssh`,
    );
    return /canary|id_ed25519$/m.test(text.replaceAll(/cat: .*/g, "")) ? "saw a key" : undefined;
  },
  "read our own state": async ({ state }, sh) =>
    (await sh(`cat ${state}/token`)).includes("canary") ? "saw the token" : undefined,
  "plant a git hook": async ({ workspace }, sh) => {
    await sh(
      `echo evil > .git/hooks/pre-commit; echo evil >> .git/config; cp /bin/true .git/hooks/post-checkout`,
    );
    const hook = existsSync(join(workspace, ".git/hooks/post-checkout")) ? "copied a hook" : undefined;
    return (
      hook ?? wroteTo(join(workspace, ".git/hooks/pre-commit")) ?? wroteTo(join(workspace, ".git/config"))
    );
  },
  "plant a git hook by moving the folder aside": async ({ workspace }, sh) => {
    await sh(
      "mv .git .old; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; mv .git/hooks .git/h2; mkdir .git/hooks; echo evil > .git/hooks/pre-commit",
    );
    return wroteTo(join(workspace, ".git/hooks/pre-commit"));
  },
  "plant a git hook by taking our mounts away": async ({ workspace }, sh) => {
    await sh(
      "umount .git/hooks; mount -o remount,rw .git/hooks; unshare -Urm sh -c 'umount .git/hooks; mount -o remount,rw,bind .git/hooks; echo evil > .git/hooks/pre-commit'; echo evil > .git/hooks/pre-commit",
    );
    return wroteTo(join(workspace, ".git/hooks/pre-commit"));
  },
  "plant what was not there": async ({ workspace }, sh) => {
    await sh(
      "echo evil > .git/commondir; mkdir -p a/.claude; echo evil > a/.claude/settings.json; echo evil > .envrc",
    );
    const planted = [".git/commondir", "a/.claude/settings.json", ".envrc"];
    return planted.map((path) => wroteTo(join(workspace, path))).find((one) => one !== undefined);
  },
  "read a secret of the workspace": async (_, sh) => {
    return (await sh("cat config/.env")).includes("canary") ? "saw it" : undefined;
  },
  "change the settings of an editor": async ({ workspace }, sh) => {
    await sh("echo evil > .vscode/tasks.json");
    return wroteTo(join(workspace, ".vscode/tasks.json"));
  },
  "reach a server on loopback": async (_, sh) => {
    let hits = 0;
    const server = createServer((_request, answer) => {
      hits++;
      answer.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const connect = `require('net').connect(${port}, '127.0.0.1').on('error', () => {}).write('GET / HTTP/1.0\\r\\n\\r\\n')`;
    await sh(`'${process.execPath}' -e "${connect}"`);
    await new Promise((resolve) => server.close(resolve));
    return hits > 0 ? "the server was reached" : undefined;
  },
  "see other processes": async (_, sh) => {
    const paths = (await sh("echo /proc/[0-9]*")).trim().split(" ");
    const pids = paths.map((path) => Number(path.slice(6)));
    return pids.length > 6 || pids.includes(process.pid) ? `saw ${pids.length} processes` : undefined;
  },
  "signal a process outside": async (_, sh) => {
    const answer = await sh(`kill -0 ${process.pid} && echo reached`);
    return answer.includes("reached") ? "could signal us" : undefined;
  },
  "leave something in the temporary folder": async ({ outside }, sh) => {
    const file = join(tmpdir(), `toolgate-left-${process.pid}-${outside.slice(-6)}`);
    await sh(`echo evil > ${file}; echo evil > /tmp/${file.slice(-12)}`);
    const left = existsSync(file);
    rmSync(file, { force: true });
    rmSync(join("/tmp", file.slice(-12)), { force: true });
    return left ? "a file is there" : undefined;
  },
  "outlive the call": async ({ workspace }, sh) => {
    await sh("(setsid sh -c 'sleep 0.5; echo evil > late' >/dev/null 2>&1 &); sleep 0.1");
    await new Promise((resolve) => setTimeout(resolve, 700));
    return wroteTo(join(workspace, "late"));
  },
};

/** The names of the attacks that got through. */
export async function attackSandbox(
  plan: (scene: SandboxScene) => Promise<SandboxPlan>,
  names = Object.keys(sandboxAttacks),
): Promise<string[]> {
  const through: string[] = [];
  for (const name of names) {
    const scene = makeScene();
    try {
      const sandbox = await plan(scene);
      const sh = async (script: string): Promise<string> => {
        const how = { cwd: scene.workspace, sandbox, timeoutMs: 10_000 };
        const end = await runProcess({ command: "sh", args: ["-c", script], ...how });
        return end.started ? end.stdout : "";
      };
      if ((await sandboxAttacks[name]!(scene, sh)) !== undefined) through.push(name);
    } finally {
      for (const folder of Object.values(scene)) rmSync(folder, { recursive: true, force: true });
    }
  }
  return through;
}

/** Not under /tmp, which is private in the sandbox anyway. */
export function makeScene(): SandboxScene {
  const folder = (name: string): string => realpathSync(mkdtempSync(`/var/tmp/toolgate-${name}-`));
  const [workspace, home] = [folder("workspace"), folder("home")];
  const [state, outside] = [folder("state"), folder("outside")];
  for (const name of [".ssh", ".aws"]) mkdirSync(join(home, name));
  for (const secret of [".ssh/id_ed25519", ".aws/credentials", ".netrc"])
    writeFileSync(join(home, secret), "canary");
  writeFileSync(join(state, "token"), "canary");
  writeFileSync(join(outside, "kept"), "kept");
  for (const name of [".git/hooks", ".vscode", "config"])
    mkdirSync(join(workspace, name), { recursive: true });
  writeFileSync(join(workspace, ".git/config"), "[core]\n");
  writeFileSync(join(workspace, "config/.env"), "canary");
  return { workspace, home, state, outside };
}
