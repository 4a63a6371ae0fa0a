/** The hook as a process: one of each answer, and then hostile input, broken places and a crowd of its own kind. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openRuleCache } from "../../src/config/rule-cache/read-cache.ts";
import { readSealKey } from "../../src/config/rule-cache/seal.ts";
import { hasInvisible } from "../../src/core/text/visible.ts";
import { bash, ended, rules, settle } from "../hook-home.ts";
import { createProcessWorld, type ProcessWorld, verdictOf } from "./hook-process.ts";

let world: ProcessWorld;

/** One home with rules that are compiled and settled, for all tests that do not spoil it. */
beforeAll(async () => {
  world = createProcessWorld();
  world.user(rules);
  await settle();
  for (const command of ["ls", "git push --force", "git log", "echo"]) await world.run(bash(command));
});
afterAll(() => world.remove());

/** A home of its own for a test that spoils it. */
function newWorld(): ProcessWorld {
  const own = createProcessWorld();
  onTestFinished(own.remove);
  own.user(rules);
  return own;
}

async function verdict(stdin: unknown, options: Parameters<ProcessWorld["run"]>[1] = {}, of = world) {
  return verdictOf(await of.run(stdin, options));
}

/** As Claude Code, with something else than a pipe for standard input. */
const withStdin = (stdin: number | "ignore") =>
  ended(world.start({ agent: "claude-code", spawn: { stdio: [stdin, "pipe", "pipe"] } }));

/** Through a shell that does something before it becomes the hook. */
function afterShell(script: string, cwd: string, env: Record<string, string>, input?: unknown) {
  const { status, stdout, stderr } = spawnSync(
    "/bin/sh",
    ["-c", `${script}; exec "$0" "$1" claude-code`, process.execPath, world.hook],
    { cwd, env: { HOME: world.home, ...env }, encoding: "utf8", input: JSON.stringify(input) },
  );
  return verdictOf({ code: status, signal: null, out: stdout, err: stderr });
}

describe("the hook as a process", () => {
  it.each([
    ["deny", "git push --force"],
    ["rewrite", "git log"],
    ["allow", "ls"],
    ["abstain", "echo hello"],
  ])("says %s in the form that the client reads: %s", async (expected, command) => {
    expect(await verdict(bash(command))).toBe(expected);
  });

  it("gives each of its answers by exit codes alone", async () => {
    const neutral = { agent: undefined };
    const blocked = await world.run(bash("git push --force"), neutral);
    expect(blocked).toMatchObject({ code: 2, out: "" });
    expect(blocked.err).toContain("open a pull request.");
    expect(await world.run(bash("git log"), neutral)).toMatchObject({ code: 2, out: "" });
    expect(await world.run(bash("ls"), neutral)).toEqual({ code: 0, signal: null, out: "", err: "" });
  });
});

describe("standard input that", () => {
  it("ends at once is denied", async () => {
    expect(await verdict("")).toBe("deny");
    const nothing = await withStdin("ignore");
    expect(verdictOf(nothing)).toBe("deny");
    expect(nothing.err).toContain("Standard input is empty.");
  });

  it("is not open at all is denied", () => {
    expect(afterShell("exec <&-", world.project, {})).toBe("deny");
  });

  it.each([
    ["deny", "git push --force é😀"],
    ["abstain", "echo é😀"],
  ])("comes byte by byte is read to its end: %s for %s", async (expected, command) => {
    const child = world.start({ agent: "claude-code" });
    const answer = ended(child);
    for (const byte of Buffer.from(JSON.stringify(bash(command)))) {
      child.stdin?.write(Buffer.from([byte]));
      await new Promise((next) => setImmediate(next));
    }
    child.stdin?.end();
    expect(verdictOf(await answer)).toBe(expected);
  });

  it("is larger than any call is read to its end, and denied", async () => {
    const answer = await world.run(bash("x".repeat(4 * 1024 * 1024)));
    expect(verdictOf(answer)).toBe("deny");
    expect(answer.err).toContain("larger than 4194304 bytes");
  });

  it("is not UTF-8 is denied", async () => {
    expect(await verdict(Buffer.from('{"tool_name":"Bash","tool_input":{"command":"\xff"}}', "latin1"))).toBe(
      "deny",
    );
  });
});

/** Whoever never finishes to speak is not waited for longer than the client would wait for us. */
describe.concurrent("standard input that is not finished", () => {
  const call = JSON.stringify(bash("ls"));

  it.each<[what: string, agent: "claude-code" | undefined, pieces: readonly string[]]>([
    ["has said nothing", "claude-code", []],
    ["has said half a call", "claude-code", ['{"tool_name":"Bash",']],
    ["has said a whole call but does not end", "claude-code", [call]],
    ["has said a whole call but does not end, to nobody's agent", undefined, [call]],
    ["drips", "claude-code", [...call]],
  ])("and %s is denied after ten seconds", async (_, agent, pieces) => {
    const child = world.start({ agent });
    child.stdin?.on("error", () => {});
    const answer = ended(child);
    const dripping = pieces.length > 1 ? setInterval(() => child.stdin?.write(" "), 500) : undefined;
    for (const piece of pieces) child.stdin?.write(piece);
    const end = await answer;
    clearInterval(dripping);
    expect(verdictOf(end)).toBe("deny");
    expect(end.err).toContain("Standard input was not finished within 10 seconds.");
    if (agent !== undefined) expect(end.out).not.toBe("");
  });

  it("in time is no different from any other: an agent on a slow machine may need some seconds", async () => {
    const child = world.start({ agent: "claude-code" });
    const answer = ended(child);
    for (const piece of [call.slice(0, 20), call.slice(20)]) {
      await sleep(2_000);
      child.stdin?.write(piece);
    }
    child.stdin?.end();
    expect(verdictOf(await answer)).toBe("allow");
  });

  it("from a pipe that somebody else keeps open is denied, too", async () => {
    const pipe = join(world.base, "pipe");
    execFileSync("mkfifo", [pipe]);
    const fd = openSync(pipe, "r+");
    const end = await withStdin(fd);
    closeSync(fd);
    expect(verdictOf(end)).toBe("deny");
  });
});

describe("a home that", () => {
  it("nobody named is not needed where the folders are named", async () => {
    const env = {
      HOME: undefined,
      XDG_CONFIG_HOME: join(world.home, ".config"),
      XDG_STATE_HOME: join(world.base, "state"),
      XDG_CACHE_HOME: join(world.base, "cache"),
      CLAUDE_CONFIG_DIR: join(world.base, "claude"),
    };
    expect(await verdict(bash("git push --force"), { env })).toBe("deny");
    expect(await verdict(bash("ls"), { env })).toBe("allow");
    expect(existsSync(join(world.base, "state/toolgate/spool"))).toBe(true);
  });

  it.each([
    ["cannot be there", "/dev/null/home"],
    ["is a folder that takes no files", "/sys"],
  ])("%s denies, because the call cannot be recorded", async (_, home) => {
    const answer = await world.run(bash("ls"), { env: { HOME: home } });
    expect(verdictOf(answer)).toBe("deny");
  });
});

describe("a place that", () => {
  it("is a file where the compiled code should be costs time, not the verdict", async () => {
    const own = newWorld();
    expect(await verdict(bash("ls"), {}, own)).toBe("allow");
    rmSync(own.codeFolder, { recursive: true, force: true });
    own.write(own.codeFolder, "");
    for (let count = 0; count < 2; count++) expect(await verdict(bash("ls"), {}, own)).toBe("allow");
  });

  it("holds compiled code that was damaged does not run it", async () => {
    const own = newWorld();
    await settle();
    for (let count = 0; count < 3; count++) await own.run(bash("ls"));
    const files = readdirSync(own.codeFolder).map((name) => join(own.codeFolder, name));
    expect(files.length).toBeGreaterThan(0);
    const whole = files.map((file) => readFileSync(file));
    const damages: readonly ((bytes: Buffer) => Buffer)[] = [
      (bytes) => bytes.subarray(0, bytes.length / 2),
      (bytes) => bytes.subarray(0, 100),
      () => Buffer.alloc(0),
      () => Buffer.from("something else"),
      ...[0.1, 0.3, 0.49, 0.6, 0.9].map((part) => (bytes: Buffer) => {
        const copy = Buffer.from(bytes);
        const at = Math.floor(copy.length * part);
        copy[at] = (copy[at] as number) ^ 4;
        return copy;
      }),
    ];
    for (const [index, damage] of damages.entries()) {
      for (const [at, file] of files.entries()) writeFileSync(file, damage(whole[at] as Buffer));
      const command = index % 2 === 0 ? "git push --force" : "ls";
      expect(await verdict(bash(command), {}, own), `${index}`).toBe(index % 2 === 0 ? "deny" : "allow");
    }
  });

  it("names itself in a way that a terminal would obey is shown, also where no part of ours can be loaded", async () => {
    const own = newWorld();
    own.write(
      join(own.base, "program", "hook", "main.cjs"),
      '(function () { throw new Error("\\u001b[2J\\u202eallowed\\u{e0041}\\r"); })',
    );
    const { code, out, err } = await own.run(bash("ls"));
    const { permissionDecisionReason: reason } = JSON.parse(out).hookSpecificOutput;
    expect([code, err]).toEqual([2, `${reason}\n`]);
    expect(reason).toContain("\\u{1B}[2J\\u{202E}allowed\\u{E0041}\\u{D}");
    expect(hasInvisible(reason, { keepNewlines: true })).toBe(false);
  });

  it("was removed while we stood in it is judged by the project that the agent names, or denied", () => {
    const gone = join(world.base, "gone");
    const ask = (command: string, env: Record<string, string>) => {
      mkdirSync(gone, { recursive: true });
      return afterShell('rmdir "$PWD"', gone, env, { ...bash(command), cwd: gone });
    };
    const named = { CLAUDE_PROJECT_DIR: world.project };
    expect(ask("git push --force", named)).toBe("deny");
    expect(ask(`ls ${world.project}`, named)).toBe("abstain");
    expect(ask("ls", {})).toBe("deny");
  });
});

describe("a user who may not", () => {
  const nobody = 65_534;
  const isRoot = process.getuid?.() === 0;
  const asOther = isRoot ? { uid: nobody, gid: nobody } : {};
  const canRun = spawnSync(process.execPath, ["-e", "0"], { ...asOther, cwd: "/" }).status === 0;

  function asUser() {
    const own = newWorld();
    chmodSync(own.base, 0o755);
    if (isRoot) execFileSync("chown", ["-R", `${nobody}:${nobody}`, own.home, own.project]);
    return { own, run: (command: string) => own.run(bash(command), { spawn: asOther }) };
  }

  it.runIf(canRun)("write to his home is denied, because nothing can be recorded", async () => {
    const { own, run } = asUser();
    chmodSync(own.home, 0o555);
    const answer = await run("ls");
    expect(verdictOf(answer)).toBe("deny");
    expect(answer.err).toContain("could not be recorded");
  });

  it.runIf(canRun)("read the rule file is denied, or held to the last rules that he could read", async () => {
    const { own, run } = asUser();
    chmodSync(own.userFile, 0o000);
    const answer = await run("ls");
    expect(verdictOf(answer)).toBe("deny");
    expect(answer.err).toContain(own.userFile);
    chmodSync(own.userFile, 0o600);
    expect(verdictOf(await run("ls"))).toBe("allow");
    chmodSync(own.userFile, 0o000);
    expect(verdictOf(await run("git push --force"))).toBe("deny");
    const passed = await run("ls");
    expect(verdictOf(passed)).toBe("allow");
    expect(passed.out).toContain("still hold");
  });

  // The temporary file that could not be made cannot be removed either.
  it.runIf(canRun)("read the rule cache gets the verdict all the same", async () => {
    const { own, run } = asUser();
    await run("ls");
    chmodSync(own.rulesFolder, 0o000);
    expect(verdictOf(await run("ls"))).toBe("allow");
    expect(verdictOf(await run("git push --force"))).toBe("deny");
    chmodSync(own.rulesFolder, 0o700);
  });

  it.runIf(canRun && isRoot)("own the cache folder is not led by what is in it", async () => {
    const { own, run } = asUser();
    await run("ls");
    chownSync(own.rulesFolder, 0, 0);
    const answer = await run("ls");
    expect(verdictOf(answer)).toBe("deny");
    expect(answer.err).toContain("belongs to user 0");
  });
});

describe("what stands around the hook", () => {
  it.each([
    "--trace-warnings",
    "--trace-deprecation --pending-deprecation",
    "--no-warnings --max-old-space-size=200",
  ])("does not change its answer: NODE_OPTIONS=%s", async (options) => {
    const env = { NODE_OPTIONS: options };
    for (let count = 0; count < 2; count++) {
      const answer = await world.run(bash("git log"), { env });
      expect(verdictOf(answer)).toBe("rewrite");
      expect(answer.err).toBe("");
    }
    expect(await verdict(bash("git push --force"), { env })).toBe("deny");
    expect(await verdict(bash("echo hello"), { env })).toBe("abstain");
  });

  const noisy = (name: string, text: string) => ({
    NODE_OPTIONS: `--require ${world.write(`${world.base}/${name}.cjs`, text)}`,
  });

  it("cannot turn a denial into anything else by talking before it", async () => {
    const env = noisy("talks", 'console.log("Welcome to node!");');
    const denied = await world.run(bash("git push --force"), { env });
    expect(denied.code).toBe(2);
    expect(denied.err).toContain("open a pull request.");
  });

  it("cannot let the original command run by talking before a rewrite", async () => {
    const env = noisy("talks", 'console.log("Welcome to node!");');
    const { code, err } = await world.run(bash("git log"), { env });
    // The client reads no JSON where something else stands before it, and would run what it asked for.
    expect(code).toBe(2);
    expect(err).not.toBe("");
  });

  // Others may have handlers for the end of the process.
  it("cannot let the original command run by talking after a rewrite", async () => {
    const env = noisy("says-bye", 'process.on("exit", () => console.log("Bye!"));');
    const { code, out } = await world.run(bash("git log"), { env });
    if (code === 0)
      expect(JSON.parse(out)).toMatchObject({ hookSpecificOutput: { hookEventName: "PreToolUse" } });
    else expect(code).toBe(2);
  });

  it.each([
    ["git push --force", [2]],
    ["git log", [0, 2]],
  ])(
    "cannot turn a denial into anything else by going away, so that nobody reads: %s",
    async (command, codes) => {
      const child = world.start({ agent: "claude-code" });
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.stdin?.end(JSON.stringify(bash(command)));
      expect(codes).toContain(await new Promise((done) => child.on("exit", done)));
    },
  );

  // A rewrite that did not reach the client is no rewrite.
  it.runIf(existsSync("/dev/full")).each(["git push --force", "git log"])(
    "cannot let the original command run by taking no more output: %s",
    async (command) => {
      const full = openSync("/dev/full", "w");
      onTestFinished(() => closeSync(full));
      const stderr = command === "git log" ? "pipe" : full;
      const child = world.start({ agent: "claude-code", spawn: { stdio: ["pipe", full, stderr] } });
      child.stdin?.end(JSON.stringify(bash(command)));
      expect((await ended(child)).code).toBe(2);
    },
  );

  it.each([0, 15, 40])(
    "may end it in the middle, after %s ms: it never ends with 0 then, and half an answer is none",
    async (waitMs) => {
      const child = world.start({ agent: "claude-code" });
      const answer = ended(child);
      child.stdin?.write('{"tool_name":"Bash",');
      await sleep(waitMs);
      child.kill("SIGTERM");
      const { code, signal, out } = await answer;
      expect(signal === "SIGTERM" || code === 2, `${code} ${signal}`).toBe(true);
      expect(out).toBe("");
    },
  );

  it.each(["main", "slow"])("may be a missing part of itself, %s: then it denies", async (part) => {
    const own = newWorld();
    const file = join(own.base, "program", "hook", `${part}.cjs`);
    const text = readFileSync(file);
    rmSync(file);
    const missing = await own.run(bash("ls"));
    expect(verdictOf(missing)).toBe("deny");
    expect(missing.err).toContain(`${part}.cjs cannot be read; install toolgate again`);
    writeFileSync(file, text.subarray(0, text.length / 2));
    expect(await verdict(bash("ls"), {}, own)).toBe("deny");
    writeFileSync(file, text);
    expect(await verdict(bash("ls"), {}, own)).toBe("allow");
  });
});

describe("twenty hooks at the same time on an empty cache", () => {
  it("all say the same, leave one whole cache and twenty whole lines", { timeout: 60_000 }, async () => {
    const own = newWorld();
    await settle();
    const calls = Array.from({ length: 20 }, (_, index) => own.run(bash(`git push --force # ${index}`)));
    const answers = await Promise.all(calls);
    expect(answers.map(verdictOf)).toEqual(answers.map(() => "deny"));
    expect(new Set(answers.map(({ out }) => out)).size).toBe(1);
    const lines = own.spoolText().trimEnd().split("\n");
    const commands = lines.map((line) => (JSON.parse(line) as { input: { command: string } }).input.command);
    expect(commands.sort()).toEqual(
      Array.from({ length: 20 }, (_, index) => `git push --force # ${index}`).sort(),
    );
    const [name = "", ...more] = readdirSync(own.rulesFolder);
    expect([name.endsWith(".rules"), more]).toEqual([true, []]);
    const file = readFileSync(join(own.rulesFolder, name));
    const bytes = file.subarray(0, file.readUInt32LE(file.length - 8));
    expect(bytes.subarray(0, bytes.length / 2).equals(bytes.subarray(bytes.length / 2))).toBe(true);
    const key = /"key":("(?:[^"\\]|\\.)*")/.exec(bytes.toString("utf8"))?.[1] ?? '""';
    const seal = readSealKey(join(own.home, ".local/state/toolgate")) as Buffer;
    const cache = openRuleCache(join(own.rulesFolder, name), JSON.parse(key) as string, seal);
    expect([...(cache?.rules.routesFor(() => true) ?? [])].map(({ ref }) => ref.name)).toContain("no-force");
    cache?.close();
    if (existsSync(own.codeFolder))
      expect(readdirSync(own.codeFolder).filter((file) => file.endsWith(".tmp"))).toEqual([]);
  });
});
