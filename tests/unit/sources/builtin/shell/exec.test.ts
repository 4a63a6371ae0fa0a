import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Progress } from "../../../../../src/core/call/call.ts";
import { createGate } from "../../../../../src/gate/create-gate.ts";
import { createShellTools } from "../../../../../src/sources/builtin/shell/shell-tools.ts";
import { isGone } from "../../../../attack/spawn-attacks.ts";
import { stopped } from "../../stopped.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { approveAll, approvePaths, shellGate } from "./shell-gate.ts";

describe("shell.exec", () => {
  it("answers the output and the exit code", async () => {
    const { text, data } = await shellGate();
    expect(await text("shell.exec", { command: "echo hello" })).toMatch(
      /^hello\n\[exit code 0 after \d+\.\d s\]$/,
    );
    expect(await data("shell.exec", { command: "true" })).toMatchObject({ exitCode: 0, timedOut: false });
    expect(await text("shell.exec", { command: "true" })).toMatch(/^\(no output\)\n\[exit code 0 /);
  });

  it("shows both streams in the order in which they were written", async () => {
    const { text } = await shellGate();
    const command = "for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done";
    const lines = [1, 2, 3, 4, 5].flatMap((i) => [`out${i}`, `err${i}`]);
    expect((await text("shell.exec", { command })).split("\n").slice(0, 10)).toEqual(lines);
  });

  it("does not call a command that ended with another code a failure: the code is its answer", async () => {
    const { call, text } = await shellGate();
    const outcome = await call("shell.exec", { command: "echo no such thing >&2; exit 3" });
    expect(outcome).toMatchObject({ ok: true, value: { exitCode: 3 } });
    expect(await text("shell.exec", { command: "echo something | grep nothing" })).toContain("[exit code 1 ");
    expect(await text("shell.exec", { command: "no-such-program" })).toMatch(
      /^bash: line 1: no-such-program: command not found\n\[exit code 127 /,
    );
    expect(await text("shell.exec", { command: "kill -9 $$" })).toContain("[killed by SIGKILL");
  });

  it("runs bash, without the person's start-up files", async () => {
    const home = temporaryFolder("home");
    writeFileSync(join(home, ".bashrc"), "echo from bashrc\n");
    writeFileSync(join(home, ".profile"), "echo from profile\n");
    const { text } = await shellGate({ env: { HOME: home, BASH_ENV: "" } });
    expect(await text("shell.exec", { command: "x=(a b); echo $" + "{x[1]} $0" })).toMatch(/^b bash\n\[/);
  });

  it("runs sh where the operator chose it", async () => {
    const { text } = await shellGate({ shell: "sh" });
    expect(await text("shell.exec", { command: "echo $0" })).toMatch(/^sh\n/);
  });

  it("says what is missing when there is no such shell outside of the workspace", async () => {
    const shell = createShellTools();
    const gate = await createGate({
      tools: shell.tools,
      roots: ["/usr"],
      enable: { enableAll: true },
      policies: [approveAll],
    });
    const outcome = await gate.dispatch({ tool: "Bash", input: { command: "true" } });
    expect(!outcome.ok && outcome.error.message).toContain("There is no bash on this machine");
  });

  it("gives the command an empty input", async () => {
    const { text } = await shellGate();
    expect(await text("shell.exec", { command: "cat; read x || echo nothing to read" })).toMatch(
      /^nothing to read\n/,
    );
  });

  it("works in a folder of the workspace", async () => {
    const { text, root } = await shellGate();
    expect(await text("shell.exec", { command: "pwd" })).toMatch(`${root}\n`);
    for (const cwd of ["sub", "./sub/", join(root, "sub")])
      expect(await text("shell.exec", { command: "pwd", cwd })).toMatch(`${root}/sub\n`);
  });

  it.each(["cwd", "workdir", "directory", "dir_path"])(
    "refuses a folder outside that nobody opened, named by %s",
    async (name) => {
      const { failure, outside, call } = await shellGate();
      for (const folder of ["..", outside, "folder-out", "/", "sub/../.."]) {
        const { code } = await failure("shell.exec", { command: "pwd", [name]: folder });
        // Asked by the rules first (nobody answers); by the tool itself where a rule opened it.
        expect(["no_approver", "outside_root"], folder).toContain(code);
      }
      const opened = await shellGate({}, { policies: [approveAll, approvePaths] });
      expect(await opened.text("shell.exec", { command: "pwd", [name]: opened.outside })).toMatch(
        `${opened.outside}\n`,
      );
      expect(await call("shell.exec", { command: "pwd", [name]: "missing" })).toMatchObject({ ok: false });
    },
  );

  it("refuses a file as the folder", async () => {
    const { failure, root } = await shellGate();
    writeFileSync(join(root, "file"), "");
    expect(await failure("shell.exec", { command: "pwd", cwd: "file" })).toMatchObject({
      code: "not_a_directory",
    });
  });

  it("stops a command that is out of time, and shows what it wrote until then", async () => {
    const { call } = await shellGate();
    const outcome = await call("shell.exec", { command: "echo begun; sleep 60", timeoutMs: 2_000 });
    expect(outcome).toMatchObject(stopped("tool_failed"));
    expect(!outcome.ok && outcome.error.message).toMatch(
      /^begun\n\[stopped after \d+\.\d s: out of time\]\n.*background: true/s,
    );
  });

  it("ends everything a cancelled command started", async () => {
    const { call, pid } = await shellGate();
    const controller = new AbortController();
    const command = "sh -c 'echo $$ > pid; while :; do sleep 0.1; done' & sleep 60";
    const running = call("shell.exec", { command }, { signal: controller.signal });
    const started = await pid();
    controller.abort();
    expect(await running).toMatchObject(stopped("cancelled"));
    expect(await isGone(started)).toBe(true);
  });

  it("ends what a command leaves running, and says so", async () => {
    const { text, pid } = await shellGate();
    const answer = await text("shell.exec", { command: "sleep 60 & echo $! > pid; echo done" });
    expect(answer).toContain("1 process it had left running was ended with it");
    expect(await isGone(await pid())).toBe(true);
  });

  it("keeps the first and the last part of a long output, and the gate keeps the whole in a file", async () => {
    const { text } = await shellGate();
    const answer = await text("shell.exec", { command: "seq 1 50000" });
    expect(answer).toMatch(/^1\n2\n/);
    expect(answer).toMatch(/50000\n\[exit code 0 after/);
    const path = /The whole output \(\d+ bytes\) is in (\S+);/.exec(answer)?.[1] ?? "";
    expect(readFileSync(path, "utf8")).toContain("\n25000\n");
  });

  it("tells the newest lines while it runs", async () => {
    const { call, root } = await shellGate();
    const seen: string[] = [];
    const until = (file: string) => `while [ ! -e ${file} ]; do sleep 0.05; done`;
    const command = `echo first; ${until("one")}; for i in $(seq 1 500); do echo line $i; done; ${until("two")}; echo last`;
    // The command goes on when what it wrote was told.
    const onProgress = ({ message = "" }: Progress) => {
      seen.push(message);
      if (message === "first") writeFileSync(join(root, "one"), "");
      if (message.endsWith("line 500")) writeFileSync(join(root, "two"), "");
    };
    await call("shell.exec", { command }, { onProgress });
    expect(seen[0]).toBe("first");
    expect(seen.some((message) => message.endsWith("line 500"))).toBe(true);
    expect(seen.every((message) => message.split("\n").length <= 10)).toBe(true);
    expect(seen.length).toBeLessThan(10);
  });

  it("takes colours, titles and overdrawn lines out of what it shows", async () => {
    const { text } = await shellGate();
    const command = String.raw`printf '\033[31mred\033[0m \033]0;title\007x\n 10%%\r 50%%\r100%%\nend\r\n'`;
    expect(await text("shell.exec", { command })).toMatch(/^red x\n100%\nend\n\[exit/);
  });

  it("hands on neither secrets of our environment nor our own settings", async () => {
    process.env.PLANTED_TOKEN = "canary-1";
    process.env.TOOLGATE_TOKEN = "canary-2";
    process.env.PLANTED_WANTED = "wanted-3";
    try {
      const { text } = await shellGate({ env: { CHOSEN: "chosen-4" }, allowEnv: ["PLANTED_WANTED"] });
      const answer = await text("shell.exec", { command: "env" });
      expect(answer).not.toContain("canary");
      expect(answer).toContain("wanted-3");
      expect(answer).toContain("chosen-4");
    } finally {
      for (const name of ["PLANTED_TOKEN", "TOOLGATE_TOKEN", "PLANTED_WANTED"]) delete process.env[name];
    }
  });

  it.each([
    [{ cmd: "echo x" }],
    [{ command: ["echo", "x"] }],
    [{ commands: ["true", "echo x"] }],
    [{ commands: "echo x" }],
    [{ command: "echo x", timeout: 5000, description: "Says x" }],
    [{ command: "echo x", requires_approval: false }],
    [{ cmd: "echo x", yield_time_ms: 1000, max_output_tokens: 100, workdir: "." }],
  ])("takes the shape %j", async (input) => {
    const { text } = await shellGate();
    expect(await text("shell.exec", input)).toMatch(/^x\n/);
  });

  it("runs a list of words as words", async () => {
    const { text } = await shellGate();
    expect(await text("shell.exec", { command: ["printf", "%s|", "a b", "$HOME", "it's"] })).toMatch(
      /^a b\|\$HOME\|it's\|\n/,
    );
  });

  it.each([
    [{}],
    [{ command: "" }],
    [{ command: 7 }],
    [{ command: ["a", 1] }],
    [{ command: "a", commands: ["b"] }],
    [{ commands: [] }],
    [{ command: "a", cmd: "b" }],
    [{ command: "a", surprise: 1 }],
    [{ command: "a", timeoutMs: 30 }],
    [{ command: "a", timeoutMs: 600_001 }],
    [{ command: "a", stdin: true }],
    [{ command: "a", background: true, timeoutMs: 5000 }],
  ])("refuses the input %j", async (input) => {
    const { code } = await shellGate();
    expect(await code("shell.exec", input)).toBe("invalid_input");
  });

  it("in plan mode runs only what reads", async () => {
    const { code, call } = await shellGate({}, { policies: [] });
    expect(await code("Bash", { command: "touch x" }, { mode: "plan" })).toBe("plan_mode");
    expect(await call("Bash", { command: "ls" }, { mode: "plan" })).toMatchObject({ ok: true });
  });

  it("throws for options that would silently mean something else", () => {
    expect(() => createShellTools({ sandbox: "on" as "off" })).toThrow('sandbox is "off"');
    expect(() => createShellTools({ shell: "zsh" as "sh" })).toThrow('shell is "bash"');
    expect(() => createShellTools({ maxProcesses: 0 })).toThrow("maxProcesses");
    expect(() => createShellTools({ defaultTimeoutMs: 700_000 })).toThrow("defaultTimeoutMs");
  });
});
