import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { type CommandHook, createGate, type Gate, type Outcome } from "../../src/index.ts";
import { codeOf, tool } from "../unit/paper-gate.ts";
import { isAlive, isGone } from "./spawn-attacks.ts";

const onLinux = process.platform === "linux";
const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-command-hooks-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const echo = tool({ roles: {}, run: (args: unknown) => args });

/** A folder of its own for each case, so that they can run side by side. */
function createCase() {
  const folder = mkdtempSync(join(base, "case-"));
  const gateOf = (hook: Partial<CommandHook>, concurrency?: number): Promise<Gate> =>
    createGate({
      tools: [echo],
      roots: [folder],
      hooks: [{ name: "guard", type: "PreToolUse", command: "true", ...hook }],
      ...(concurrency !== undefined && { hookConcurrency: concurrency }),
    });
  return {
    folder,
    gateOf,
    /** One call through a gate that is closed before it is looked at: by then nothing of the hook may be left. */
    async call(hook: Partial<CommandHook>, input: object = { n: 1 }): Promise<Outcome> {
      await using gate = await gateOf(hook);
      return await gate.dispatch({ tool: "x.run", input, sessionId: "s" });
    },
    /** Processes write their pids into files of this folder. */
    pids: (): number[] =>
      readdirSync(folder)
        .filter((name) => name.endsWith(".pid"))
        .map((name) => Number(readFileSync(join(folder, name), "utf8"))),
  };
}

const note = (name: string) => `echo $$ > ${name}.new && mv ${name}.new ${name}.pid`;
const stubborn = "trap '' TERM HUP INT; while :; do sleep 0.1; done";

/** Enough to start a shell on a busy machine. */
const patienceMs = 1_500;
const late = "within 1.5s";
const loop = (answer: string) => `${note("a")}; while read -r call; do echo '${answer}'; done`;
const daemon = (command: CommandHook["command"]) => ({ mode: "daemon", command }) as const;

/** How each hook misbehaves, and what its failure says. */
const broken: readonly (readonly [how: string, hook: Partial<CommandHook>, says: string])[] = [
  ["hangs", { command: `${note("a")}; sleep 60`, timeoutMs: patienceMs }, late],
  [
    "hangs and ignores every polite signal",
    { command: `${note("a")}; ${stubborn}`, timeoutMs: patienceMs },
    late,
  ],
  [
    "answers after the time-out",
    { command: `${note("a")}; sleep 9; echo '{"cancel":false}'`, timeoutMs: patienceMs },
    late,
  ],
  ["crashes", { command: "echo no such module >&2; exit 1" }, "code 1: no such module"],
  ["is killed", { command: "kill -SEGV $$" }, "ended by SIGSEGV"],
  ["prints garbage that looks like an answer", { command: `echo '{"cancel": tru'` }, "not valid JSON"],
  ["prints an unknown key", { command: `echo '{"cansel": true}'` }, 'did you mean "cancel"'],
  ["prints a list", { command: "echo '[true]'" }, "a list"],
  [
    "gives parameters that are none",
    { command: `echo '{"modifiedParams": 5}'`, failMode: "closed" },
    "cannot be taken",
  ],
  ["is missing", { command: ["no-such-program"] }, "Command not found"],
  ["is missing on the author's own line", { command: "no-such-program" }, "code 127"],
  ["is not executable", { command: ["./plain.txt"] }, "not an executable file"],
  ["runs in a folder that is not there", { cwd: "nowhere" }, "not an existing folder"],
  ["floods", { command: `${note("a")}; yes flood` }, "more than 1048576 bytes"],
  ["floods its standard error", { command: `${note("a")}; yes flood >&2` }, "more than"],
  ["is a daemon that is missing", daemon(["no-such-program"]), "Command not found"],
  ["is a daemon that ends at once", daemon("exit 3"), "code 3"],
  [
    "is a daemon that dies in the middle of a call",
    daemon(`${note("a")}; read -r call; echo boom >&2; exit 9`),
    "code 9: boom",
  ],
  [
    "is a daemon that answers nothing",
    { ...daemon(`${note("a")}; ${stubborn}`), timeoutMs: patienceMs },
    late,
  ],
  [
    "is a daemon that answers for another call",
    { ...daemon(loop('{"id":99,"cancel":false}')), timeoutMs: patienceMs },
    late,
  ],
  ["is a daemon that answers without an id", daemon(loop('{"cancel":false}')), "without the id"],
  ["is a daemon that prints garbage", daemon(loop('{"id":1,')), "not valid JSON"],
  [
    "is a daemon that never ends its line",
    daemon(`${note("a")}; yes '{' | tr -d '\\n'`),
    "line of more than",
  ],
  [
    "is a daemon that closes its standard input",
    { ...daemon(`exec 0<&-; ${note("a")}; sleep 60`), timeoutMs: patienceMs },
    // Whether the call was written before or after, it is not answered.
    'Hook "guard" failed',
  ],
  [
    "is a daemon that prints without end",
    daemon(`${note("a")}; yes "$(printf %01000d 0)" | tr x y`),
    "prints without end",
  ],
  [
    "is a daemon that says no word about the call",
    daemon(`${note("a")}; read -r call; echo '{"id":1,"cansel":true}'; sleep 60`),
    'did you mean "cancel"',
  ],
];

describe.skipIf(!onLinux).concurrent("a hook that misbehaves (these need Linux)", () => {
  it.each(broken)("%s: it stops the call, says why and leaves no process", async (_, hook, says) => {
    const { folder, call, pids } = createCase();
    writeFileSync(join(folder, "plain.txt"), "no program\n");
    const end = await call(hook);
    expect(codeOf(end)).toBe("hook_failed");
    expect(end.ok ? "" : end.error.message).toContain(says);
    if (JSON.stringify(hook.command)?.includes(".pid")) expect(pids()).toHaveLength(1);
    expect(pids().filter(isAlive)).toEqual([]);
  });

  it.each(broken.filter(([, { failMode }]) => failMode === undefined))(
    "%s: it lets the call pass if it fails open, and leaves no process",
    async (_, hook) => {
      const { folder, call, pids } = createCase();
      writeFileSync(join(folder, "plain.txt"), "no program\n");
      expect(codeOf(await call({ ...hook, failMode: "open" }))).toBe("ran");
      expect(pids().filter(isAlive)).toEqual([]);
    },
  );
});

describe.skipIf(!onLinux).concurrent("a hook that does odd but lawful things (these need Linux)", () => {
  it("prints a stray line before its answer", async () => {
    const { call } = createCase();
    const end = await call({
      command: `echo 'DEBUG: on'; echo '{"cancel":true,"errorMessage":"not today"}'`,
    });
    expect(end).toMatchObject({ ok: false, error: { code: "hook_cancelled", message: "not today" } });
  });

  it("exits with 2: the call is cancelled with what it wrote to standard error, also if it fails open", async () => {
    const { call } = createCase();
    const end = await call({ command: "echo 'use git mv' >&2; exit 2", failMode: "open" });
    expect(end).toMatchObject({ ok: false, error: { code: "hook_cancelled", message: "use git mv" } });
  });

  it("closes its standard input, or never reads a call that is larger than a pipe", async () => {
    const { call } = createCase();
    const large = { text: "x".repeat(1_000_000) };
    expect(codeOf(await call({ command: "exec 0<&-; echo fine" }, large))).toBe("ran");
    expect(codeOf(await call({ command: "echo fine" }, large))).toBe("ran");
  });

  it("forks a child that leaves the session, keeps the pipe and ignores signals: it ends with the hook", async () => {
    const { call, pids } = createCase();
    const child = `setsid sh -c '${note("child").replaceAll("'", "")}; trap "" TERM HUP; while :; do sleep 0.1; done' &`;
    const end = await call({
      command: `${child}\nwhile [ ! -e child.pid ]; do sleep 0.01; done; echo looked`,
    });
    expect(end.contexts).toEqual(["looked"]);
    expect(pids()).toHaveLength(1);
    expect(pids().filter(isAlive)).toEqual([]);
  });

  it("is never handed anything of the call but by its standard input", async () => {
    const { folder, call } = createCase();
    const evil = "$(touch PWNED) `touch PWNED` '; touch PWNED; ' \n touch PWNED";
    const end = await call({ command: `cat > seen; env >> seen; echo "$0" "$@" >> seen` }, { text: evil });
    expect(codeOf(end)).toBe("ran");
    expect(existsSync(join(folder, "PWNED"))).toBe(false);
    const [first = "", ...rest] = readFileSync(join(folder, "seen"), "utf8").split("\n");
    expect(JSON.parse(first)).toMatchObject({
      preToolUse: { toolName: "x.run", parameters: { text: evil } },
    });
    expect(rest.join("\n")).not.toContain("touch");
  });

  it("sees no variable that was not named", async () => {
    const { folder, call } = createCase();
    process.env.PLANTED_TOKEN = "canary-1";
    process.env.PLANTED_NAMED = "canary-2";
    try {
      await call({ command: "env > seen", env: ["PLANTED_NAMED"] });
    } finally {
      delete process.env.PLANTED_TOKEN;
      delete process.env.PLANTED_NAMED;
    }
    const seen = readFileSync(join(folder, "seen"), "utf8");
    expect(seen).not.toContain("canary-1");
    expect(seen).toContain("canary-2");
  });

  it("does not run in the folder to which the agent walked", async () => {
    const { folder, gateOf } = createCase();
    const elsewhere = mkdtempSync(join(base, "elsewhere-"));
    writeFileSync(join(elsewhere, "check.sh"), "#!/bin/sh\ntouch PWNED\n", { mode: 0o755 });
    writeFileSync(join(folder, "check.sh"), "#!/bin/sh\necho ours\n", { mode: 0o755 });
    await using gate = await gateOf({ command: ["./check.sh"] });
    const end = await gate.dispatch({ tool: "x.run", input: {}, cwd: elsewhere });
    expect(end.contexts).toEqual(["ours"]);
  });
});

describe.skipIf(!onLinux).concurrent("a cancelled call (these need Linux)", () => {
  async function cancelled(hook: Partial<CommandHook>) {
    const { folder, gateOf, pids } = createCase();
    const gate = await gateOf(hook);
    const leaving = new AbortController();
    const end = gate.dispatch({ tool: "x.run", input: {}, signal: leaving.signal });
    while (pids().length === 0) await sleep(5);
    leaving.abort();
    return { gate, end, folder, pids };
  }

  it("ends the hook that looks at it", async () => {
    const { gate, end, pids } = await cancelled({ command: `${note("a")}; sleep 60; touch finished` });
    expect(codeOf(await end)).toBe("cancelled");
    expect(await isGone(pids()[0] ?? 0)).toBe(true);
    await gate.close();
  });

  it("lets a hook that is not cancellable come to its end", async () => {
    const { gate, end, folder } = await cancelled({
      command: `${note("a")}; sleep 0.3; touch finished`,
      isCancellable: false,
    });
    expect(codeOf(await end)).toBe("cancelled");
    expect(existsSync(join(folder, "finished"))).toBe(true);
    await gate.close();
  });
});

describe.skipIf(!onLinux).concurrent("many calls at once (these need Linux)", () => {
  it("never run more hooks at a time than allowed", async () => {
    const { folder, gateOf } = createCase();
    // The first waits until it is not alone, however long that takes.
    const meet = "until [ -e met ] || [ $(ls -d in.* | wc -l) -gt 1 ]; do sleep 0.01; done; touch met";
    const command = `mkdir in.$$; ${meet}; ls -d in.* | wc -l > count.$$; sleep 0.05; rmdir in.$$`;
    await using gate = await gateOf({ command }, 3);
    const ends = await Promise.all(
      Array.from({ length: 12 }, () => gate.dispatch({ tool: "x.run", input: {} })),
    );
    expect(ends.map(codeOf)).toEqual(Array(12).fill("ran"));
    const counts = readdirSync(folder)
      .filter((name) => name.startsWith("count."))
      .map((name) => Number(readFileSync(join(folder, name), "utf8")));
    expect(counts).toHaveLength(12);
    expect(Math.max(...counts)).toBeLessThanOrEqual(3);
    expect(Math.max(...counts)).toBeGreaterThan(1);
  });

  it("count the wait for a place as time of the hook", async () => {
    const { gateOf, pids } = createCase();
    await using gate = await gateOf({ command: `${note("$$")}; ${stubborn}`, timeoutMs: patienceMs }, 1);
    const ends = await Promise.all([1, 2, 3].map(() => gate.dispatch({ tool: "x.run", input: {} })));
    expect(ends.map(codeOf)).toEqual(["hook_failed", "hook_failed", "hook_failed"]);
    expect(pids()).toHaveLength(1);
  });
});
