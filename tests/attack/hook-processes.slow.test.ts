/** The hook as a process, among hostile input, broken places and a crowd of its own kind. */
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
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRuleCache } from "../../src/config/rule-cache/read-cache.ts";
import { readSealKey } from "../../src/config/rule-cache/seal.ts";
import { hasInvisible } from "../../src/core/text/visible.ts";
import {
  bash,
  createProcessWorld,
  type Ended,
  ended,
  type ProcessWorld,
  rules,
  verdictOf,
} from "./hook-process.ts";

let world: ProcessWorld;

/** One home with rules that are compiled and settled, for all tests that do not spoil it. */
beforeAll(async () => {
  world = createProcessWorld();
  world.write(join(world.home, ".config/toolgate/config.yaml"), rules);
  await sleep(90);
  for (const command of ["ls", "git push --force", "git log", "echo"]) await world.run(bash(command));
});
afterAll(() => world.close());

/** A home of its own for a test that spoils it. */
async function inNewWorld(test: (world: ProcessWorld) => Promise<void>): Promise<void> {
  const own = createProcessWorld();
  try {
    own.write(join(own.home, ".config/toolgate/config.yaml"), rules);
    await test(own);
  } finally {
    own.close();
  }
}

function today({ spoolFolder }: ProcessWorld): string {
  return join(spoolFolder, `${new Date().toISOString().slice(0, 10)}.jsonl`);
}

async function verdict(stdin: unknown, options: Parameters<ProcessWorld["run"]>[1] = {}, of = world) {
  return verdictOf(await of.run(stdin, options));
}

describe("the hook as a process", () => {
  it("gives each of its answers in the form that the client reads", async () => {
    expect(await verdict(bash("git push --force"))).toBe("deny");
    expect(await verdict(bash("git log"))).toBe("rewrite");
    expect(await verdict(bash("ls"))).toBe("allow");
    expect(await verdict(bash("echo hello"))).toBe("abstain");
  });

  it("gives each of its answers by exit codes alone", async () => {
    const neutral = { agent: undefined };
    const blocked = await world.run(bash("git push --force"), neutral);
    expect(blocked).toMatchObject({ code: 2, out: "" });
    expect(blocked.err).toContain("Open a pull request.");
    expect(await world.run(bash("git log"), neutral)).toMatchObject({ code: 2, out: "" });
    expect(await world.run(bash("ls"), neutral)).toEqual({ code: 0, signal: null, out: "", err: "" });
  });
});

describe("standard input that", () => {
  it("ends at once is denied", async () => {
    expect(await verdict("")).toBe("deny");
    const nothing = await ended(
      world.start({ agent: "claude-code", spawn: { stdio: ["ignore", "pipe", "pipe"] } }),
    );
    expect(verdictOf(nothing)).toBe("deny");
    expect(nothing.err).toContain("Standard input is empty.");
  });

  it("is not open at all is denied", async () => {
    const argv = ["-c", 'exec "$0" "$1" claude-code <&-', process.execPath, world.hook];
    const { status, stdout } = spawnSync("/bin/sh", argv, {
      cwd: world.project,
      env: { HOME: world.home },
      encoding: "utf8",
    });
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  });

  it("is a file is read", async () => {
    for (const [command, expected] of [
      ["git push --force", "deny"],
      ["ls", "allow"],
    ]) {
      const fd = openSync(world.write(`${world.base}/call.json`, JSON.stringify(bash(command))), "r");
      const child = world.start({ agent: "claude-code", spawn: { stdio: [fd, "pipe", "pipe"] } });
      expect(verdictOf(await ended(child))).toBe(expected);
      closeSync(fd);
    }
  });

  it("comes byte by byte is read to its end", async () => {
    for (const [command, expected] of [
      ["git push --force é😀", "deny"],
      ["echo é😀", "abstain"],
    ]) {
      const child = world.start({ agent: "claude-code" });
      const answer = ended(child);
      for (const byte of Buffer.from(JSON.stringify(bash(command)))) {
        child.stdin?.write(Buffer.from([byte]));
        await new Promise((next) => setImmediate(next));
      }
      child.stdin?.end();
      expect(verdictOf(await answer)).toBe(expected);
    }
  });

  it("is larger than any call is denied, also when its writer goes on", async () => {
    const long = JSON.stringify(bash("x".repeat(4 * 1024 * 1024)));
    const answer = await world.run(long);
    expect(verdictOf(answer)).toBe("deny");
    expect(answer.err).toContain("larger than 4194304 bytes");
    const most = JSON.stringify(bash("x"));
    const padded = (bytes: number) => most.replace('"x"', `"${"x".repeat(bytes - most.length + 1)}"`);
    expect(await verdict(padded(4 * 1024 * 1024 + 1))).toBe("deny");
    expect(padded(4 * 1024 * 1024 + 1).length).toBe(4 * 1024 * 1024 + 1);
    expect((await world.run(padded(4 * 1024 * 1024 - 200))).err).not.toContain("larger than 4194304 bytes");
  });

  it.each<[what: string, bytes: Buffer]>([
    [
      "is not UTF-8",
      Buffer.concat([
        Buffer.from('{"tool_name":"Bash","tool_input":{"command":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}}'),
      ]),
    ],
    ["is UTF-16", Buffer.from(JSON.stringify(bash("ls")), "utf16le")],
    [
      "holds half of a character",
      Buffer.concat([Buffer.from(JSON.stringify(bash("ls"))), Buffer.from([0xe2, 0x82])]),
    ],
    ["holds a bare NUL", Buffer.from('{"tool_name":"Bash","tool_input":{"command":"l\0s"}}')],
    ["is nothing but NULs", Buffer.alloc(1_000)],
    ["is two calls", Buffer.from(`${JSON.stringify(bash("ls"))}\n${JSON.stringify(bash("ls"))}`)],
    ["is cut in the middle", Buffer.from('{"tool_name":"Bash","tool_input":{"comm')],
    ["is a list of 100,000 levels", Buffer.from("[".repeat(100_000) + "]".repeat(100_000))],
    ["is an object of 100,000 levels", Buffer.from(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`)],
    [
      "has an input of 100,000 levels",
      Buffer.from(
        `{"tool_name":"Bash","tool_input":{"command":"ls","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`,
      ),
    ],
    [
      "has 200,000 keys",
      Buffer.from(
        `{"tool_name":"Bash","tool_input":{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":1`).join()}}}`,
      ),
    ],
  ])("%s is denied", async (_, bytes) => {
    const answer = await world.run(bytes);
    expect(verdictOf(answer)).toBe("deny");
    expect(answer.err.length).toBeLessThan(1_000);
  });

  it("spells a NUL out is judged with it", async () => {
    expect(await verdict('{"tool_name":"Bash","tool_input":{"command":"git push \\u0000 --force"}}')).toBe(
      "deny",
    );
  });

  it("hides something in __proto__ hides nothing", async () => {
    const call = (input: string, more = "") => `{"tool_name":"Bash","tool_input":${input}${more}}`;
    expect(await verdict(call('{"__proto__":{"command":"ls"},"command":"git push --force"}'))).toBe("deny");
    expect(await verdict(call('{"__proto__":{"command":"ls"}}'))).toBe("deny");
    expect(await verdict(call('{"command":"git push --force"}', ',"__proto__":{"tool_name":"Read"}'))).toBe(
      "deny",
    );
    expect(await verdict('{"__proto__":{"tool_name":"Bash","tool_input":{"command":"ls"}}}')).toBe("deny");
    for (const name of ["__proto__", "constructor", "toString"])
      expect(await verdict(`{"tool_name":"${name}","tool_input":{"command":"ls"}}`)).toBe("abstain");
  });

  it("says something twice is refused: other readers take the other one", async () => {
    const call = (first: string, second: string) =>
      `{"tool_name":"Bash","tool_input":{"command":${JSON.stringify(first)},"command":${JSON.stringify(second)}}}`;
    expect(await verdict(call("ls", "git push --force"))).toBe("deny");
    expect(await verdict(call("git push --force", "ls"))).toBe("deny");
    expect(
      await verdict('{"tool_name":"Read","tool_name":"Bash","tool_input":{"command":"git push --force"}}'),
    ).toBe("deny");
  });
});

describe("the end of a call", () => {
  const ending = (response: unknown) => ({
    ...bash("ls"),
    hook_event_name: "PostToolUse",
    tool_response: response,
  });

  it("is silent", async () => {
    expect(await world.run(ending({ stdout: "a.txt" }))).toEqual({ code: 0, signal: null, out: "", err: "" });
  });

  // Reading an image gives an answer of megabytes. The tool has run: a denial now only confuses the model.
  it("is silent also when the tool answered more than is read", async () => {
    const answer = await world.run(ending("x".repeat(5 * 1024 * 1024)));
    expect(answer).toEqual({ code: 0, signal: null, out: "", err: "" });
  });
});

describe("a call that says of itself that it has ended", () => {
  it("is judged all the same, wherever it says so and however long it is", async () => {
    const said = '"hook_event_name":"PostToolUse"';
    const input = { command: `git push --force ${said}`, hook_event_name: "PostToolUse" };
    expect(await verdict({ ...bash(""), tool_input: input })).toBe("deny");
    expect(await verdict({ tool_input: input, tool_name: "Bash" })).toBe("deny");
    expect(await verdict({ tool_name: said, tool_input: input })).not.toBe("allow");
    expect(await verdict({ ...bash(""), tool_input: { ...input, x: said.repeat(200_000) } })).toBe("deny");
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

  it("is empty denies nothing and takes no rules", async () => {
    await inNewWorld(async (own) => {
      rmSync(join(own.home, ".config"), { recursive: true });
      expect(await verdict(bash("git push --force"), {}, own)).toBe("abstain");
    });
  });
});

describe("a place that", () => {
  it("is a file where the rule cache should be denies, and says what to do", async () => {
    await inNewWorld(async (own) => {
      own.write(own.rulesFolder, "");
      const answer = await own.run(bash("ls"));
      expect(verdictOf(answer)).toBe("deny");
      expect(answer.err).toContain("is not a folder: remove it.");
    });
  });

  // Neither cache can even remove its temporary file there.
  it("is a file where all caches should be costs time, not the verdict", async () => {
    await inNewWorld(async (own) => {
      own.write(join(own.home, ".cache/toolgate"), "");
      expect(await verdict(bash("ls"), {}, own)).toBe("allow");
      expect(await verdict(bash("git push --force"), {}, own)).toBe("deny");
    });
  });

  it("is a file where the compiled code should be costs time, not the verdict", async () => {
    await inNewWorld(async (own) => {
      expect(await verdict(bash("ls"), {}, own)).toBe("allow");
      rmSync(own.codeFolder, { recursive: true, force: true });
      own.write(own.codeFolder, "");
      for (let count = 0; count < 2; count++) expect(await verdict(bash("ls"), {}, own)).toBe("allow");
    });
  });

  it("holds compiled code that was damaged does not run it", async () => {
    await inNewWorld(async (own) => {
      await sleep(90);
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
  });

  it("is a pipe where the record should be denies, and nothing waits for it", async () => {
    await inNewWorld(async (own) => {
      mkdirSync(own.spoolFolder, { recursive: true });
      execFileSync("mkfifo", ["-m", "600", today(own)]);
      const answer = await own.run(bash("ls"));
      expect(verdictOf(answer)).toBe("deny");
      expect(answer.err).toContain("could not be recorded");
    });
  });

  it("is a link where the record should be gets no line from us", async () => {
    await inNewWorld(async (own) => {
      mkdirSync(own.spoolFolder, { recursive: true });
      const elsewhere = own.write(`${own.base}/elsewhere`, "");
      symlinkSync(elsewhere, today(own));
      expect(await verdict(bash("ls"), {}, own)).toBe("deny");
      expect(readFileSync(elsewhere, "utf8")).toBe("");
    });
  });

  it("names itself in a way that a terminal would obey is shown, also where no part of ours can be loaded", async () => {
    await inNewWorld(async (own) => {
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
  });

  it("was removed while we stood in it is judged by the project that the agent names", async () => {
    const gone = join(world.base, "gone-too");
    mkdirSync(gone);
    const script = 'rmdir "$PWD"; exec "$0" "$1" claude-code';
    const ask = (command: string) => {
      mkdirSync(gone, { recursive: true });
      const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", script, process.execPath, world.hook], {
        cwd: gone,
        env: { HOME: world.home, CLAUDE_PROJECT_DIR: world.project },
        input: JSON.stringify({ ...bash(command), cwd: gone }),
        encoding: "utf8",
      });
      return verdictOf({ code: status, signal: null, out: stdout, err: stderr });
    };
    expect([ask("git push --force"), ask(`ls ${world.project}`)]).toEqual(["deny", "abstain"]);
  });

  it("was removed while we stood in it denies", async () => {
    const gone = join(world.base, "gone");
    mkdirSync(gone);
    const script = 'rmdir "$PWD"; exec "$0" "$1" claude-code';
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", script, process.execPath, world.hook], {
      cwd: gone,
      env: { HOME: world.home },
      input: JSON.stringify(bash("ls")),
      encoding: "utf8",
    });
    expect(verdictOf({ code: status, signal: null, out: stdout, err: stderr })).toBe("deny");
  });
});

describe("a user who may not", () => {
  const nobody = 65_534;
  const isRoot = process.getuid?.() === 0;
  const asOther = isRoot ? { uid: nobody, gid: nobody } : {};
  const canRun = () => spawnSync(process.execPath, ["-e", "0"], { ...asOther, cwd: "/" }).status === 0;

  async function asUser(test: (own: ProcessWorld, run: (call: unknown) => Promise<Ended>) => Promise<void>) {
    await inNewWorld(async (own) => {
      chmodSync(own.base, 0o755);
      for (const folder of [own.home, own.project]) give(folder);
      await test(own, (call) => own.run(call, { spawn: asOther }));
    });
  }

  function give(path: string): void {
    if (!isRoot) return;
    execFileSync("chown", ["-R", `${nobody}:${nobody}`, path]);
  }

  it.runIf(canRun())("write to his home is denied, because nothing can be recorded", async () => {
    await asUser(async (own, run) => {
      chmodSync(own.home, 0o555);
      const answer = await run(bash("ls"));
      expect(verdictOf(answer)).toBe("deny");
      expect(answer.err).toContain("could not be recorded");
    });
  });

  it.runIf(canRun())(
    "read the rule file is denied, or held to the last rules that he could read",
    async () => {
      await asUser(async (own, run) => {
        const file = join(own.home, ".config/toolgate/config.yaml");
        chmodSync(file, 0o000);
        const answer = await run(bash("ls"));
        expect(verdictOf(answer)).toBe("deny");
        expect(answer.err).toContain(file);
        chmodSync(file, 0o600);
        expect(verdictOf(await run(bash("ls")))).toBe("allow");
        chmodSync(file, 0o000);
        expect(verdictOf(await run(bash("git push --force")))).toBe("deny");
        const passed = await run(bash("ls"));
        expect(verdictOf(passed)).toBe("allow");
        expect(passed.out).toContain("still hold");
      });
    },
  );

  // The temporary file that could not be made cannot be removed either.
  it.runIf(canRun())("read the rule cache gets the verdict all the same", async () => {
    await asUser(async (own, run) => {
      await run(bash("ls"));
      chmodSync(own.rulesFolder, 0o000);
      expect(verdictOf(await run(bash("ls")))).toBe("allow");
      expect(verdictOf(await run(bash("git push --force")))).toBe("deny");
      chmodSync(own.rulesFolder, 0o700);
    });
  });

  it.runIf(canRun() && isRoot)("own the cache folder is not led by what is in it", async () => {
    await asUser(async (own, run) => {
      await run(bash("ls"));
      chownSync(own.rulesFolder, 0, 0);
      const answer = await run(bash("ls"));
      expect(verdictOf(answer)).toBe("deny");
      expect(answer.err).toContain("belongs to user 0");
    });
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
    expect(denied.err).toContain("Open a pull request.");
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

  it("cannot turn a denial into anything else by going away: nobody reads", async () => {
    for (const command of ["git push --force", "git log"]) {
      const child = world.start({ agent: "claude-code" });
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.stdin?.end(JSON.stringify(bash(command)));
      const [code] = await new Promise<[number | null]>((done) =>
        child.on("exit", (exitCode) => done([exitCode])),
      );
      if (command === "git push --force") expect(code).toBe(2);
      else expect([0, 2]).toContain(code);
    }
  });

  it.runIf(existsSync("/dev/full"))(
    "cannot turn a denial into anything else by taking no more output",
    async () => {
      const full = openSync("/dev/full", "w");
      const child = world.start({ agent: "claude-code", spawn: { stdio: ["pipe", full, full] } });
      child.stdin?.end(JSON.stringify(bash("git push --force")));
      expect((await ended(child)).code).toBe(2);
      closeSync(full);
    },
  );

  // A rewrite that did not reach the client is no rewrite.
  it.runIf(existsSync("/dev/full"))(
    "cannot let the original command run by taking no more output",
    async () => {
      const full = openSync("/dev/full", "w");
      const child = world.start({ agent: "claude-code", spawn: { stdio: ["pipe", full, "pipe"] } });
      child.stdin?.end(JSON.stringify(bash("git log")));
      const { code } = await ended(child);
      closeSync(full);
      expect(code).toBe(2);
    },
  );

  it("may end it in the middle: it never ends with 0 then, and half an answer is none", async () => {
    for (const waitMs of [0, 15, 40]) {
      const child = world.start({ agent: "claude-code" });
      const answer = ended(child);
      child.stdin?.write('{"tool_name":"Bash",');
      await sleep(waitMs);
      child.kill("SIGTERM");
      const { code, signal, out } = await answer;
      expect(signal === "SIGTERM" || code === 2, `${code} ${signal}`).toBe(true);
      expect(out).toBe("");
    }
  });

  it("may be a missing part of itself: then it denies", async () => {
    await inNewWorld(async (own) => {
      for (const part of ["main", "slow"]) {
        const file = join(own.base, "program", "hook", `${part}.cjs`);
        const text = readFileSync(file);
        rmSync(file);
        const missing = await own.run(bash("ls"));
        expect(verdictOf(missing), part).toBe("deny");
        expect(missing.err).toContain(`${part}.cjs cannot be read; install toolgate again`);
        writeFileSync(file, text.subarray(0, text.length / 2));
        expect(verdictOf(await own.run(bash("ls"))), part).toBe("deny");
        writeFileSync(file, text);
      }
      expect(await verdict(bash("ls"), {}, own)).toBe("allow");
    });
  });
});

describe("twenty hooks at the same time on an empty cache", () => {
  it("all say the same, leave one whole cache and twenty whole lines", { timeout: 60_000 }, async () => {
    await inNewWorld(async (own) => {
      await sleep(90);
      const calls = Array.from({ length: 20 }, (_, index) => own.run(bash(`git push --force # ${index}`)));
      const answers = await Promise.all(calls);
      expect(answers.map(verdictOf)).toEqual(answers.map(() => "deny"));
      expect(new Set(answers.map(({ out }) => out)).size).toBe(1);
      const lines = own.spoolText().trimEnd().split("\n");
      const commands = lines.map(
        (line) => (JSON.parse(line) as { input: { command: string } }).input.command,
      );
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
      expect([...(cache?.rules.routesFor(() => true) ?? [])].map(({ ref }) => ref.name)).toContain(
        "no-force",
      );
      cache?.close();
      if (existsSync(own.codeFolder))
        expect(readdirSync(own.codeFolder).filter((file) => file.endsWith(".tmp"))).toEqual([]);
    });
  });
});
