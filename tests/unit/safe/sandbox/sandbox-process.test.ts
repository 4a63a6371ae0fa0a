import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EndedProcess, runProcess } from "../../../../src/safe/process/spawn.ts";
import { findBubblewrap } from "../../../../src/safe/sandbox/find-bubblewrap.ts";
import { isolationArguments } from "../../../../src/safe/sandbox/isolation.ts";
import { planSandbox, type SandboxOptions } from "../../../../src/safe/sandbox/sandbox-process.ts";
import { describeSandbox } from "./describe-sandbox.ts";

let workspace: string;
let home: string;
beforeAll(() => {
  workspace = mkdtempSync("/var/tmp/toolgate-sandbox-");
  home = mkdtempSync(join(tmpdir(), "toolgate-home-"));
});
afterAll(() => {
  for (const folder of [workspace, home]) rmSync(folder, { recursive: true, force: true });
});

const options = (more: Partial<SandboxOptions> = {}): SandboxOptions => ({
  mode: "required",
  writableRoots: [workspace],
  network: false,
  home,
  ...more,
});

async function run(script: string, more: Partial<SandboxOptions> = {}): Promise<EndedProcess> {
  const end = await start("sh", ["-c", script], 10_000, more);
  if (!end.started) throw new Error(end.message);
  return end;
}

async function start(command: string, args: string[], timeoutMs: number, more: Partial<SandboxOptions> = {}) {
  const sandbox = await planSandbox(options(more));
  if (!sandbox.ok) throw new Error(sandbox.message);
  return runProcess({ command, args, cwd: workspace, sandbox, timeoutMs });
}

describe("a plan without bubblewrap", () => {
  it("is refused when the sandbox is required, with how to install it", async () => {
    const plan = await planSandbox(options({ findBwrap: () => undefined }));
    expect(plan).toMatchObject({
      ok: false,
      message: expect.stringMatching(/required.*(apt install bubblewrap|no bubblewrap)/),
    });
  });

  it("runs when the sandbox is only preferred, and says so", async () => {
    const plan = await planSandbox(options({ mode: "preferred", findBwrap: () => undefined }));
    expect(plan).toMatchObject({ ok: true, active: false, note: expect.stringMatching(/without a sandbox/) });
    expect(plan.ok && plan.wrap("ls", ["-l"])).toEqual({ command: "ls", args: ["-l"] });
  });

  it("says nothing when the sandbox is off", async () => {
    const plan = await planSandbox(options({ mode: "off" }));
    expect(plan).toMatchObject({ ok: true, active: false });
    expect(plan).not.toHaveProperty("note");
  });

  it("is the same when bwrap is there but cannot work, or is something else", async () => {
    const fakes = {
      failing: "echo 'bwrap: No permissions to create new namespace' >&2; exit 1",
      pretending: 'while [ "$1" != "--" ]; do shift; done; shift; exec "$@"',
    };
    for (const [name, body] of Object.entries(fakes)) {
      const file = join(home, name);
      writeFileSync(file, `#!/bin/sh\n${body}\n`);
      chmodSync(file, 0o755);
      const refused = { ok: false, message: expect.stringMatching(/does not work here/) };
      expect(await planSandbox(options({ findBwrap: () => file }))).toMatchObject(refused);
    }
    expect((await planSandbox(options({ findBwrap: () => join(home, "renamed") }))).ok).toBe(false);
  });

  it("does not take a bwrap that lies in the workspace", () => {
    const file = join(workspace, "bwrap");
    writeFileSync(file, "#!/bin/sh\n");
    chmodSync(file, 0o755);
    expect(findBubblewrap([workspace], workspace)).not.toBe(file);
    rmSync(file);
  });
});

describe("the folders of a plan", () => {
  it("must exist, be absolute, be no system folder and not be hidden", async () => {
    const bad = { "/no/such/folder": /existing folder/, relative: /absolute/, "/": /system folder/ };
    const all = { ...bad, "/tmp": /system folder/, "/etc": /system folder/ };
    for (const [root, message] of Object.entries(all))
      expect(await planSandbox(options({ writableRoots: [root] }))).toMatchObject({ ok: false, message });
    const hidden = { protectedPaths: { hidden: [join(workspace, "..")] } };
    expect(await planSandbox(options(hidden))).toMatchObject({
      ok: false,
      message: expect.stringMatching(/hidden/),
    });
  });
});

describeSandbox("a sandboxed process", () => {
  it("works in the workspace and sees the system", async () => {
    const end = await run("echo text > made; cat made; pwd; echo $TMPDIR; ls /usr > /dev/null && echo ok");
    expect(end.stdout).toBe(`text\n${workspace}\n/tmp\nok\n`);
    expect(readFileSync(join(workspace, "made"), "utf8")).toBe("text\n");
  });

  it("passes exit codes and signals on, and gets the environment it was given", async () => {
    expect((await run("exit 42")).exitCode).toBe(42);
    expect((await run('test -n "$HOME" && echo "home [$SECRET]"')).stdout).toBe("home []\n");
  });

  it("hears SIGTERM before it is killed", async () => {
    const script = "trap 'echo saved; exit 7' TERM; echo begun; while :; do sleep 0.05; done";
    let end = await start("sh", ["-c", script], 500);
    // On a busy machine the time may be over before the script has begun.
    for (const timeoutMs of [3_000, 30_000])
      if (end.started && end.stdout === "") end = await start("sh", ["-c", script], timeoutMs);
    expect(end).toMatchObject({ timedOut: true, exitCode: 7, stdout: "begun\nsaved\n" });
  });

  it("is told about a command that does not exist", async () => {
    const end = await start("no-such-program", [], 10_000);
    expect(end).toMatchObject({ started: false, code: "command_not_found" });
  });

  it("reaches the network only when that is allowed", async () => {
    const server = createServer((_, answer) => answer.end("hello"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const script = `'${process.execPath}' -e "fetch('http://127.0.0.1:${port}').then((r) => r.text()).then(console.log, () => console.log('cut'))"`;
    const readOnlyRoots = [dirname(process.execPath)];
    expect((await run(script, { readOnlyRoots })).stdout).toBe("cut\n");
    expect((await run(script, { readOnlyRoots, network: true })).stdout).toBe("hello\n");
    server.close();
  });

  it("sees a folder under /tmp only when that is named", async () => {
    writeFileSync(join(home, "file"), "text");
    expect((await run(`cat ${home}/file`)).exitCode).toBe(1);
    const named = await run(`cat ${home}/file; echo x > ${home}/file`, { readOnlyRoots: [home] });
    expect(named.stdout).toBe("text");
    expect(readFileSync(join(home, "file"), "utf8")).toBe("text");
  });

  it("cannot exchange a symbolic link on the way to a protected path", async () => {
    const repository = mkdtempSync(join(workspace, "repository-"));
    for (const folder of [".git", "shared"]) mkdirSync(join(repository, folder));
    symlinkSync("../shared", join(repository, ".git/hooks"));
    const exchange = "rm .git/hooks; mkdir .git/hooks; echo evil > .git/hooks/a";
    await run(`cd ${repository}; echo evil > shared/a; ${exchange}`, { writableRoots: [repository] });
    expect(existsSync(join(repository, ".git/hooks/a"))).toBe(false);
  });

  it("cannot change what the caller protects, in a workspace that is otherwise writable", async () => {
    mkdirSync(join(workspace, "deep/er"), { recursive: true });
    writeFileSync(join(workspace, "deep/er/kept"), "kept");
    await run("echo evil > deep/er/kept; rm -rf deep; mv deep d2; echo fine > deep/other", {
      protectedPaths: { readOnly: [join(workspace, "deep/er/kept")] },
    });
    expect(readFileSync(join(workspace, "deep/er/kept"), "utf8")).toBe("kept");
    expect(existsSync(join(workspace, "deep/other"))).toBe(true);
  });
});

/** Without a sandbox the tests above are skipped; what it is asked for is said all the same. */
it("a sandbox is cut from the network, from other processes and from capabilities", () => {
  const isolated = isolationArguments({ network: false, canDisableNesting: true });
  const cuts = "--unshare-user --unshare-pid --unshare-ipc --unshare-net --disable-userns --die-with-parent";
  expect(isolated).toEqual(expect.arrayContaining([...cuts.split(" "), "--new-session"]));
  expect(isolated.join(" ")).toContain("--cap-drop ALL");
  expect(isolationArguments({ network: true, canDisableNesting: true })).not.toContain("--unshare-net");
});
