import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { childEnvironment } from "../../../../src/safe/process/environment.ts";
import {
  type EndedProcess,
  type RunOptions,
  runProcess,
  startProcess,
} from "../../../../src/safe/process/spawn.ts";

const cwd = mkdtempSync(join(tmpdir(), "toolgate-spawn-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function run(script: string, options: Partial<RunOptions> = {}): Promise<EndedProcess> {
  const end = await runProcess({ command: "sh", args: ["-c", script], cwd, ...options });
  if (!end.started) throw new Error(end.message);
  return end;
}

/** Ended after its time, which is made longer where a busy machine took it all before the process could say a word. */
async function runTooLong(script: string): Promise<EndedProcess> {
  for (const timeoutMs of [200, 2_000]) {
    const end = await run(script, { timeoutMs });
    if (end.stdout !== "") return end;
  }
  return run(script, { timeoutMs: 20_000 });
}

describe("runProcess", () => {
  it("answers exit code, both streams and the time it took", async () => {
    const end = await run("echo out; echo err >&2; exit 3");
    expect(end).toMatchObject({ exitCode: 3, signal: null, stdout: "out\n", stderr: "err\n" });
    const nothing = { truncated: false, timedOut: false, aborted: false, flooded: false, leftovers: 0 };
    expect(end).toMatchObject(nothing);
    expect(end.durationMs).toBeGreaterThan(0);
  });

  it("is watched over before it starts, so that nothing it plants first is missed", async () => {
    const file = join(cwd, "planted-first");
    let wasThere: boolean | undefined;
    await run("touch planted-first", {
      sandbox: {
        ok: true,
        active: false,
        wrap: (command, args) => ({ command, args }),
        guard() {
          // So long this process does nothing, as on a busy machine.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
          wasThere = existsSync(file);
          return async () => [];
        },
      },
    });
    expect(wasThere).toBe(false);
    expect(existsSync(file)).toBe(true);
  });

  it("hands over every argument as it is", async () => {
    const args = ["a b", "", "$HOME", "`id`", "*", "--", "-n", "ünï", "line\nbreak", "'\""];
    const end = await runProcess({ command: "printf", args: ["%s\\0", ...args], cwd });
    expect(end.started && end.stdout.split("\0").slice(0, -1)).toEqual(args);
  });

  it("gives an empty stdin unless there is input", async () => {
    expect((await run("cat; echo end")).stdout).toBe("end\n");
    expect((await run("cat", { input: "héllo" })).stdout).toBe("héllo");
    expect((await run("wc -c", { input: new Uint8Array(300_000) })).stdout.trim()).toBe("300000");
  });

  it("does not mind a process that leaves its input unread", async () => {
    expect((await run("exit 0", { input: "x".repeat(5_000_000) })).exitCode).toBe(0);
  });

  it("keeps the first and the last part of long output and says how much is missing", async () => {
    const end = await run("echo first; seq 1 20000; echo last", { maxOutputBytes: 1000 });
    expect(end.truncated).toBe(true);
    expect(end.stdout).toMatch(/^first\n/);
    expect(end.stdout).toMatch(/last\n$/);
    expect(end.stdout).toMatch(/\[\.\.\. \d+ bytes left out \.\.\.\]/);
    expect(end.stdout.length).toBeLessThan(1100);
  });

  it("does not cut a character in two", async () => {
    const end = await run("i=0; while [ $i -lt 400 ]; do printf 'äöü€😀'; i=$((i+1)); done", {
      maxOutputBytes: 1001,
    });
    expect(end.truncated).toBe(true);
    expect(end.stdout).not.toContain("\uFFFD");
  });

  it("writes all of it to a private file when a folder for that is given", async () => {
    const end = await run("seq 1 20000; echo oops >&2", { maxOutputBytes: 1000, spillDirectory: cwd });
    const expected = Array.from({ length: 20000 }, (_, at) => `${at + 1}\n`).join("");
    const text = readFileSync(end.spillPath!, "utf8");
    expect(text.replace("oops\n", "")).toBe(expected);
    expect(text).toContain("oops\n");
    expect(end.stdout).toContain(end.spillPath);
    expect(statSync(end.spillPath!).mode & 0o777).toBe(0o600);
  });

  it("makes no file when the output fits, and goes on when the folder is missing", async () => {
    expect(await run("echo short", { spillDirectory: cwd })).not.toHaveProperty("spillPath");
    const end = await run("seq 1 20000", { maxOutputBytes: 1000, spillDirectory: join(cwd, "nowhere") });
    expect(end).toMatchObject({ exitCode: 0, truncated: true });
    expect(end).not.toHaveProperty("spillPath");
  });

  it("ends a process that writes more than the hard limit", async () => {
    const end = await run("yes", { hardMaxBytes: 500_000, maxOutputBytes: 1000, spillDirectory: cwd });
    expect(end.flooded).toBe(true);
    expect(statSync(end.spillPath!).size).toBe(500_000);
  });

  it("ends a process after its time and says so", async () => {
    const end = await runTooLong("echo begun; sleep 60");
    expect(end).toMatchObject({ timedOut: true, exitCode: null, signal: "SIGTERM", stdout: "begun\n" });
  });

  it("lets a process that hears SIGTERM finish its work within the grace period", async () => {
    const end = await runTooLong("trap 'echo saved; exit 7' TERM; echo begun; while :; do sleep 0.05; done");
    expect(end).toMatchObject({ timedOut: true, exitCode: 7, stdout: "begun\nsaved\n" });
  });

  it("ends a process when the call is cancelled, and starts none when it already was", async () => {
    const controller = new AbortController();
    const onOutput = () => controller.abort();
    const cancelled = await run("echo; sleep 60", { signal: controller.signal, onOutput });
    expect(cancelled).toMatchObject({ aborted: true, timedOut: false });
    const marker = join(cwd, "started");
    const end = await runProcess({ command: "touch", args: [marker], cwd, signal: controller.signal });
    expect(end).toMatchObject({ started: false, code: "aborted" });
    expect(existsSync(marker)).toBe(false);
  });

  it("holds the process back while the reader is busy, and loses nothing", async () => {
    let bytes = 0;
    const end = await run("head -c 2000000 /dev/zero", {
      maxOutputBytes: 10,
      onOutput: async (chunk) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        bytes += chunk.length;
      },
    });
    expect(end.exitCode).toBe(0);
    expect(bytes).toBe(2_000_000);
  });

  it("ends a process whose reader fails", async () => {
    const fail = () => {
      throw new Error("reader");
    };
    for (const onOutput of [fail, async () => fail()])
      expect(await run("echo a; sleep 60", { onOutput })).toMatchObject({ aborted: true, stdout: "a\n" });
  });

  it("waits a moment for the end of a pipeline that outlives the main process", async () => {
    // It writes as soon as the main process is gone: the moment is short, and a busy machine slow to start things.
    const filter = "(while kill -0 $$ 2>/dev/null; do :; done; echo late)";
    expect((await run(`${filter} & echo now`)).stdout).toBe("now\nlate\n");
  });
});

describe("a process that cannot start", () => {
  const cases: [string, Partial<RunOptions>, string, RegExp][] = [
    ["an unknown command", { command: "nope" }, "command_not_found", /not found: "nope".*PATH/],
    ["a whole command line", { command: "ls -la" }, "command_not_found", /each argument separately/],
    ["a missing file", { command: "./nope" }, "command_not_found", /Check the path/],
    ["a file that is no program", { command: "/etc/passwd" }, "not_executable", /chmod/],
    ["a missing folder", { cwd: "/no/such/folder" }, "bad_directory", /working directory/],
    ["arguments that are too long", { args: ["x".repeat(200_000)] }, "arguments_too_long", /stdin or a file/],
    ["a NUL character", { args: ["a\0b"] }, "invalid_options", /NUL/],
    ["an empty command", { command: "" }, "invalid_options", /empty/],
    ["no time", { timeoutMs: 0 }, "invalid_options", /timeoutMs is 0/],
    ["too much time", { timeoutMs: 600_001 }, "invalid_options", /at most 600000/],
    ["no number for the time", { timeoutMs: Number.NaN }, "invalid_options", /NaN/],
    ["a wrong variable name", { env: { "A=B": "1" } }, "invalid_options", /not a variable name/],
    ["our own variable", { env: { TOOLGATE_CALL: "x" } }, "invalid_options", /reserved/],
    ["our own token", { allowEnv: ["TOOLGATE_TOKEN"] }, "invalid_options", /reserved/],
  ];
  it.each(cases)("is told about: %s", async (_, options, code, message) => {
    const end = await runProcess({ command: "true", args: [], cwd, ...options });
    expect(end).toMatchObject({ started: false, code });
    expect(end.started === false && end.message).toMatch(message);
  });
});

describe("the environment of a child", () => {
  const secrets = { SECRET: "s", AWS_KEY: "k", TOOLGATE_TOKEN: "t" };
  const source = { PATH: "/bin:.:node_modules/.bin::/usr/bin", LC_ALL: "C", ...secrets };

  it("has the short list, what was allowed and what was declared", () => {
    const made = childEnvironment({ source, allow: ["SECRET", "ABSENT"], declared: { MODE: "fast" } });
    const expected = { PATH: "/bin:/usr/bin", LC_ALL: "C", SECRET: "s", MODE: "fast" };
    expect(made.ok && { ...made.env }).toEqual(expected);
  });

  it("has no relative folder in PATH, also in a declared one", () => {
    const made = childEnvironment({ source, declared: { PATH: "/bin:bin" } });
    expect(made.ok && made.env.PATH).toBe("/bin");
  });
});

describe("startProcess", () => {
  it("takes input and gives its output from a cursor on", async () => {
    const process = await startProcess({ command: "cat", args: [], cwd, stdin: "open" });
    if (!process.started) throw new Error(process.message);
    expect(await process.write("one\n")).toBe(true);
    await expect.poll(() => process.read().text).toBe("one\n");
    const { cursor } = process.read();
    await process.write("two\n");
    await expect.poll(() => process.read(cursor).text).toBe("two\n");
    process.endInput();
    expect(await process.ended).toMatchObject({ exitCode: 0, stdout: "one\ntwo\n" });
    expect(await process.write("three")).toBe(false);
  });

  it("keeps only the latest output of a process that never stops, and says what was missed", async () => {
    const limits = { maxOutputBytes: 50_000, hardMaxBytes: 100_000 };
    const process = await startProcess({ command: "yes", args: ["abcdefg"], cwd, ...limits });
    if (!process.started) throw new Error(process.message);
    await expect.poll(() => process.read().missed).toBeGreaterThan(500_000);
    // Besides the limit at most one piece, as the pipe delivers it.
    expect(process.read().text.length).toBeLessThan(50_000 + 64 * 1024 + 1);
    expect(await process.kill()).toMatchObject({ aborted: true, flooded: false });
  });
});
