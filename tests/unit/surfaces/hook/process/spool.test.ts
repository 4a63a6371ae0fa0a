import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { silence } from "../../../../../src/agents/agent-hook.ts";
import { dayOf } from "../../../../../src/surfaces/hook/process/spool.ts";
import { createRandom } from "../../../../attack/redact-samples.ts";
import { bash, createHookWorld, type HookWorld, rules, said } from "../hook-world.ts";

describe("the record of a call", () => {
  it("is one line for each, with verdict, rule and what was asked", async () => {
    const world = createHookWorld();
    world.user(rules);
    await world.claude(bash("git push --force", { session_id: "s1", tool_use_id: "t1", cwd: world.project }));
    await world.run(bash("echo hello"));
    await world.run(bash("ls"));
    await world.run(bash("deploy prod"));
    await world.run(bash("git log"));
    const lines = world.spool();
    expect(lines.map(({ verdict }) => verdict)).toEqual(["deny", "abstain", "allow", "ask", "abstain"]);
    expect(lines[0]).toMatchObject({
      v: 2,
      event: "check",
      agent: "claude-code",
      cwd: world.project,
      sessionId: "s1",
      toolUseId: "t1",
      askedFor: "Bash",
      tool: "shell.exec",
      input: { command: "git push --force" },
      verdict: "deny",
      ok: false,
      code: "route_blocked",
      surface: "hook",
      kind: "check",
      rule: { kind: "route", name: "no-force", tier: "user", source: { file: world.userFile, line: 2 } },
    });
    expect(lines[1]).toMatchObject({ agent: "neutral", ok: true, cwd: world.project });
    expect(lines[2]).toMatchObject({ rule: { kind: "policy", name: "fine" } });
    // What the agent is to run, not what it asked for.
    expect(lines[4]).toMatchObject({ input: { command: "git --no-pager log -n 20" } });
    expect(new Set(lines.map(({ callId }) => callId)).size).toBe(5);
  });

  it("is there for calls that could not be read and for rules that could not", async () => {
    const world = createHookWorld();
    await world.run("{");
    await world.run({ problem: "Standard input is larger than 4194304 bytes." });
    world.user("routes: 5\n");
    await world.run(bash("ls", { tool_use_id: "t9" }));
    const lines = world.spool();
    expect(lines.map(({ verdict, code }) => [verdict, code])).toEqual([
      ["deny", "bad_call"],
      ["deny", "bad_call"],
      ["deny", "internal_error"],
    ]);
    expect(lines[1]?.message).toContain("larger than");
    expect(lines[2]).toMatchObject({ askedFor: "Bash", toolUseId: "t9" });
  });

  it("is for this user alone", async () => {
    const world = createHookWorld();
    await world.run(bash("ls"));
    expect(statSync(world.today()).mode & 0o777).toBe(0o600);
    expect(statSync(world.spoolFolder).mode & 0o777).toBe(0o700);
    expect(readdirSync(world.spoolFolder)).toHaveLength(1);
  });

  it("holds no secret: not in a command, not in a named field, not in a message, not in a result", async () => {
    const world = createHookWorld();
    world.user("routes: {echo: {tool: Bash, pattern: 'say (.*)', message: 'Do not say $1.'}}\n");
    const r = createRandom(9);
    const key = ["sk", "-ant-", "api03-", r(80)].join("");
    const pass = "hunter2horse";
    await world.run(bash(`curl -H 'x-api-key: ${key}' https://api.example`));
    await world.run(bash(`curl https://bob:${pass}@api.example/`));
    await world.run({ tool_name: "mcp__x__login", tool_input: { user: "bob", password: pass } });
    await world.run(bash(`say ${key}`));
    await world.claude(
      bash("cat key", { hook_event_name: "PostToolUse", tool_response: { stdout: `the key is ${key}` } }),
    );
    await world.claude(
      bash("x", { hook_event_name: "PostToolUseFailure", error: `PASSWORD=${pass} is wrong` }),
    );
    const text = world.spoolText();
    expect(world.spool()).toHaveLength(6);
    expect(text).not.toContain(key);
    expect(text).not.toContain(key.slice(14, 60));
    expect(text).not.toContain(pass);
    expect(text).toContain("[redacted:");
  });

  it("is cut where it is long, and the verdict is about the whole call", async () => {
    const world = createHookWorld();
    world.user(rules);
    const long = `echo ${"many words ".repeat(40_000)}; git push --force`;
    expect((await world.run(bash(long))).exitCode).toBe(2);
    expect(world.spoolText().length).toBeLessThan(60_000);
    expect(JSON.stringify(world.spool()[0])).toContain("more characters)");
  });

  it("keeps apart what would look like the end of a line", async () => {
    const world = createHookWorld();
    await world.run(bash('a\nb\r\n\u2028{"v":1}', { session_id: "s\n1", cwd: "/a\nb" }));
    expect(world.spool()).toHaveLength(1);
    expect(world.spool()[0]).toMatchObject({
      input: { command: 'a\nb\r\n\u2028{"v":1}' },
      sessionId: "s\n1",
    });
  });
});

describe("the end of a call", () => {
  const after = { hook_event_name: "PostToolUse", session_id: "s1", tool_use_id: "t1", duration_ms: 12 };

  it("closes the record in silence", async () => {
    const world = createHookWorld();
    const answer = await world.claude(bash("ls", { ...after, tool_response: { stdout: "a.txt\n" } }));
    expect(answer).toEqual(silence);
    expect(world.spool()).toEqual([
      expect.objectContaining({
        event: "end",
        askedFor: "Bash",
        sessionId: "s1",
        toolUseId: "t1",
        ok: true,
        durationMs: 12,
        result: '{"stdout":"a.txt\\n"}',
      }),
    ]);
  });

  it("says that the tool failed, and why", async () => {
    const world = createHookWorld();
    await world.claude(
      bash("ls", { ...after, hook_event_name: "PostToolUseFailure", error: "no such file" }),
    );
    expect(world.spool()[0]).toMatchObject({ event: "end", ok: false, error: "no such file" });
  });

  it("keeps only the beginning of what the tool answered", async () => {
    const world = createHookWorld();
    await world.claude(bash("ls", { ...after, tool_response: "word ".repeat(50_000) }));
    expect(world.spoolText().length).toBeLessThan(1_500);
  });

  // Writing an answer that is nested too deep as text runs out of stack.
  const deep = JSON.stringify(bash("ls", { ...after, tool_response: "@" })).replace(
    '"@"',
    `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
  );
  it.for<readonly [string, (world: HookWorld) => unknown, unknown]>([
    ["it cannot be written", (world) => world.write(world.state, "a file"), bash("ls", after)],
    ["rules cannot be read", (world) => world.user("routes: 5\n"), bash("ls", after)],
    ["the answer is nested too deep to be written", () => {}, deep],
  ])("is silent also where %s: the tool has run", async ([, arrange, call]) => {
    const world = createHookWorld();
    arrange(world);
    expect(await world.claude(call)).toEqual(silence);
  });
});

describe("a call that cannot be recorded", () => {
  const pipe = (world: HookWorld) => {
    mkdirSync(world.spoolFolder, { recursive: true });
    execFileSync("mkfifo", ["-m", "600", world.today()]);
  };

  it.for<readonly [string, (world: HookWorld) => unknown]>([
    ["the folder cannot be made", (world) => world.write(world.state, "a file")],
    ["the file is a folder", (world) => mkdirSync(world.today(), { recursive: true })],
    [
      "others can write to the file",
      async (world) => {
        await world.run(bash("ls"));
        chmodSync(world.today(), 0o666);
      },
    ],
    ["the file is a pipe that nobody reads, and nothing waits for it", pipe],
    [
      "the file is a pipe that somebody reads: what goes into it is not on the disk",
      (world) => {
        pipe(world);
        const reader = openSync(world.today(), constants.O_RDONLY | constants.O_NONBLOCK);
        onTestFinished(() => closeSync(reader));
      },
    ],
  ])("is denied when %s", async ([, arrange]) => {
    const world = createHookWorld();
    await arrange(world);
    await expectDenied(world);
  });

  it("is denied when the file is a link, and nothing is written where it leads", async () => {
    const world = createHookWorld();
    const elsewhere = world.write(`${world.base}/elsewhere`, "");
    mkdirSync(world.spoolFolder, { recursive: true });
    symlinkSync(elsewhere, world.today());
    await expectDenied(world);
    expect(readFileSync(elsewhere, "utf8")).toBe("");
  });

  async function expectDenied(world: HookWorld): Promise<void> {
    const bare = await world.run(bash("echo hello"));
    expect([bare.stdout, bare.exitCode]).toEqual(["", 2]);
    expect(bare.stderr).toContain("could not be recorded");
    const claude = await world.claude(bash("echo hello"));
    expect([said(claude).permissionDecision, claude.exitCode]).toEqual(["deny", 2]);
  }

  it("keeps its own reason when it is denied anyway", async () => {
    const world = createHookWorld();
    world.write(world.state, "a file");
    const { stderr, exitCode } = await world.run("{");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("not valid JSON");
  });
});

describe("the spool", () => {
  it("has a file for each day, by the time of the world", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date(32_503_680_000_000), noInvalidDate: true }),
        (date) => {
          expect(dayOf(date.getTime())).toBe(date.toISOString().slice(0, 10));
        },
      ),
      { numRuns: 5_000 },
    );
    for (const day of ["2024-02-29", "2000-02-29", "2100-03-01", "1999-12-31", "2026-01-01"])
      expect(dayOf(Date.parse(`${day}T23:59:59.999Z`))).toBe(day);
  });
});
