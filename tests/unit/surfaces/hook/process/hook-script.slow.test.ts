/** The hook's script with a real server and a stand-in for the process: what it hands on, for whom it waits, and whom it ends. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { promptVariables } from "../../../../../src/agents/all-agents.ts";
import { trackEnvironment } from "../../../../../src/config/rule-cache/tracked-environment.ts";
import { openConfig } from "../../../../../src/open/open-config.ts";
import { placeVariables } from "../../../../../src/surfaces/hook/process/find-place.ts";
import { bash, createFastHookWorld, type FastHookWorld, rules } from "../../../../fast-hook-world.ts";

const session = "636fab57-2c2f-4d99-bb09-336e9a2d1688";
const env = { CLAUDE_CODE_SESSION_ID: session };
const before = { session_id: session, ...bash("make", { tool_use_id: "t1" }) };
const ended = { ...before, hook_event_name: "PostToolUse", tool_response: { stdout: "out" } };
const prompt = { session_id: session, hook_event_name: "UserPromptSubmit", prompt: "Go on." };
const byProcess = { code: 2, out: "", err: "by a process\n" };
const silence = { code: 0, out: "", err: "" };

function mark(world: FastHookWorld, folder: string, name: string): void {
  mkdirSync(join(world.state, folder), { recursive: true });
  writeFileSync(join(world.state, folder, name), "");
}

const args = (world: FastHookWorld, wait: string, agent = "claude-code") => [
  agent,
  join(world.base, "process"),
  wait,
  "key",
];

const hook = (script: string) =>
  `hooks: { commands: { look: { type: PostToolUse, command: ${JSON.stringify(script)} } } }\n`;

describe("the script before a call", () => {
  it("hands on what the server says, and no process is started", async () => {
    const world = createFastHookWorld();
    world.user(rules);
    await world.serve();
    const ofClaude = (answer: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...answer } });
    const denied = await world.ask(bash("git push --force"));
    expect(denied.code).toBe(2);
    expect(denied.err).toContain("Do not use --force; open a pull request.\n(route no-force, ");
    expect(JSON.parse(denied.out)).toEqual(
      ofClaude({ permissionDecision: "deny", permissionDecisionReason: denied.err.trimEnd() }),
    );
    const rewritten = await world.ask(bash("git log"));
    const updatedInput = { command: "git --no-pager log -n 20" };
    expect([rewritten.code, JSON.parse(rewritten.out)]).toEqual([0, ofClaude({ updatedInput })]);
    const allowed = await world.ask(bash("ls"));
    expect(JSON.parse(allowed.out)).toEqual(ofClaude({ permissionDecision: "allow" }));
    expect(await world.ask(bash("echo hello"))).toEqual(silence);
    expect(world.fallback()).toBeUndefined();
  });

  it("asks the process when the server ends while a person is asked", async () => {
    const world = createFastHookWorld();
    world.user(rules);
    const server = await world.serve();
    const asked = world.ask(bash("deploy prod"));
    await expect.poll(() => server.store.approvals.pending()).toHaveLength(1);
    await server.close();
    expect((await asked).code).toBe(2);
  });

  it("asks the process where no rules have worked yet", async () => {
    const world = createFastHookWorld();
    world.user("routes: [");
    await world.serve();
    expect(await world.ask(bash("ls"))).toEqual(byProcess);
  });

  it("sends every variable on which the rules depend", async () => {
    const world = createFastHookWorld();
    world.user(rules);
    const tracked = trackEnvironment({ HOME: world.home });
    await openConfig({ cwd: world.project, env: tracked.env });
    // Where things are cached changes no rule.
    const needed = tracked.read().flatMap(([name]) => (name === "XDG_CACHE_HOME" ? [] : [name]));
    expect(placeVariables).toEqual(expect.arrayContaining(needed));
    const script = readFileSync(join(world.base, "hook", "hook.sh"), "utf8");
    const listed = /for tg_name in ([^;]+);/.exec(script)?.[1]?.split(/[\s\\]+/);
    expect(listed).toEqual(["PWD", ...placeVariables, ...promptVariables]);
  });
});

describe("the script after a call", () => {
  it.for(["after:30", "after:0"])(
    "does not wait where no hook looks at it; the record is written: %s",
    async (wait) => {
      const world = createFastHookWorld();
      expect(await world.ask(ended, { env, args: args(world, wait) })).toEqual(silence);
      await expect.poll(() => world.fallback()?.toString()).toBe(JSON.stringify(ended));
    },
  );

  it.for(["after:30", "after:0"])("waits where one does: %s", async (wait) => {
    const world = createFastHookWorld();
    mark(world, "after-hooks", session);
    expect(await world.ask(ended, { env, args: args(world, wait) })).toEqual(byProcess);
    expect(world.fallback()?.toString()).toBe(JSON.stringify(ended));
  });

  it.for([undefined, "other", "../after-hooks", "UPPER", "x".repeat(65)])(
    "waits where it cannot tell whose call it is: %s",
    async (name) => {
      const world = createFastHookWorld();
      const given = { env: { CLAUDE_CODE_SESSION_ID: name }, args: args(world, "after:30") };
      expect(await world.ask(ended, given)).toEqual(byProcess);
    },
  );

  it("waits with what is too large to be kept in a variable", async () => {
    const world = createFastHookWorld();
    const large = { ...ended, tool_response: { stdout: "x".repeat(300_000) } };
    expect(await world.ask(large, { env, args: args(world, "after:30") })).toEqual(byProcess);
    expect(world.fallback()?.length).toBe(JSON.stringify(large).length);
  });

  it("denies nothing where no process can be started", async () => {
    const world = createFastHookWorld();
    mark(world, "after-hooks", session);
    const given = ["claude-code", "/no/node", "after:30"];
    expect(await world.ask(ended, { env, args: given })).toMatchObject({ code: 1, out: "" });
  });

  it("asks the server, and hands on what its hooks say", async () => {
    const world = createFastHookWorld();
    world.user(hook("cat >/dev/null; echo Remember."));
    await world.serve();
    expect(await world.ask(before, { env })).toEqual(silence);
    // The check left the note.
    const end = await world.ask(ended, { env, args: args(world, "after:30") });
    expect(end).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(end.out)).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "Remember." },
    });
    expect(world.fallback()).toBeUndefined();
  });
});

describe("the script at a new prompt", () => {
  it("starts nothing where no task was ended, and reads nothing", async () => {
    const world = createFastHookWorld();
    expect(await world.ask(prompt, { env, args: args(world, "task:30"), keepOpen: true })).toEqual(silence);
    expect(world.fallback()).toBeUndefined();
  });

  it("starts a new task where one was", async () => {
    const world = createFastHookWorld();
    mark(world, "ended-tasks", `local.${session}`);
    const ask = () => world.ask(prompt, { env, args: args(world, "task:30") });
    expect(await ask()).toEqual(byProcess);
    await world.serve();
    for (let count = 0; count < 2; count++) expect(await ask()).toEqual(silence);
    expect(world.fallback()).toBeUndefined();
  });

  it("lets the server go on with a task that a hook has ended", async () => {
    const world = createFastHookWorld();
    world.user(hook(`echo '{"cancel":true,"errorMessage":"Over."}'`));
    await world.serve();
    expect((await world.ask(before, { env })).code).toBe(0);
    const end = await world.ask(ended, { env, args: args(world, "after:30") });
    expect(JSON.parse(end.out)).toMatchObject({ continue: false, stopReason: "Over." });
    const refused = await world.ask(before, { env });
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("Over.")]);
    expect(await world.ask(prompt, { env, args: args(world, "task:30") })).toEqual(silence);
    expect((await world.ask(before, { env })).code).toBe(0);
  });
});

describe("the script of an agent that names the session only in what it sends", () => {
  it("does not wait after a call where no hook looks at it, and waits where one does", async () => {
    const world = createFastHookWorld();
    const ask = () => world.ask(ended, { args: args(world, "after:30", "codex") });
    expect(await ask()).toEqual(silence);
    await expect.poll(() => world.fallback()?.toString()).toBe(JSON.stringify(ended));
    mark(world, "after-hooks", session);
    expect(await ask()).toEqual(byProcess);
  });

  it("starts nothing at a new prompt, unless a task was ended", async () => {
    const world = createFastHookWorld();
    const ask = () => world.ask(prompt, { args: args(world, "task:30", "codex") });
    expect(await ask()).toEqual(silence);
    expect(world.fallback()).toBeUndefined();
    mark(world, "ended-tasks", `local.${session}`);
    expect(await ask()).toEqual(byProcess);
  });

  const { session_id: _, ...rest } = ended;
  it.for<readonly [string, object]>([
    ["at the end", { ...rest, session_id: session }],
    ["that is a path", { ...ended, session_id: "../after-hooks" }],
    ["that is too long", { ...ended, session_id: "x".repeat(65) }],
    ["that is empty", { ...ended, session_id: "" }],
  ])("believes no name %s", async ([, call]) => {
    const world = createFastHookWorld();
    expect(await world.ask(call, { args: args(world, "after:30", "codex") })).toEqual(byProcess);
  });
});

/** Agents run the call when they have waited long enough, so the script ends a process that hangs before. */
describe.skipIf(process.platform !== "linux").concurrent("a process that the script started", () => {
  const call = { sessionId: "s-1", cwd: "/", toolName: "bash", toolArgs: { command: "ls" } };

  /** Stands for node. */
  function standIn(world: FastHookWorld, body: string): string {
    const file = join(world.base, "slow");
    writeFileSync(file, `#!/bin/bash\n${body}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** Processes that carry the world's home in their environment. */
  function leftOf(world: FastHookWorld): string[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${world.home}`);
        } catch {
          return false;
        }
      });
  }

  it("and that hangs is killed before the agent gives up, and says so", async ({
    expect,
    onTestFinished,
  }) => {
    const world = createFastHookWorld(onTestFinished);
    const node = standIn(world, "cat >/dev/null; exec /bin/sleep 600");
    const end = await world.ask(call, { args: ["copilot", node, "4"] });
    expect(end).toMatchObject({ out: "", err: expect.stringContaining("did not answer in time") });
    // A shell's line sees a signal, and says `|| exit 2`.
    expect(end.code).not.toBe(0);
    await expect.poll(() => leftOf(world)).toEqual([]);
  });

  it("and that hangs with more on its standard input than fits into a variable is killed, too", async ({
    expect,
    onTestFinished,
  }) => {
    const world = createFastHookWorld(onTestFinished);
    const node = standIn(world, "exec /bin/sleep 600");
    const large = { ...call, toolArgs: { command: "x".repeat(300_000) } };
    const end = await world.ask(large, { args: ["grok", node, "4"] });
    expect(end.code).not.toBe(0);
    expect(end.err).toContain("did not answer in time");
  });

  it("and that hangs after others were waited for has only the rest of the time", async ({
    expect,
    onTestFinished,
  }) => {
    /** How often the process could say that it lives. */
    const livedAfter = async (waitedMs: number) => {
      const world = createFastHookWorld(onTestFinished);
      const node = standIn(world, `while :; do echo >> "${world.base}/lived"; sleep 0.5; done`);
      const end = await world.ask(call, { args: ["copilot", node, "14"], endAfterMs: waitedMs });
      expect(end.err).toContain("did not answer in time");
      return readFileSync(join(world.base, "lived")).length;
    };
    // Four seconds instead of twelve, at the same time on the same machine.
    const [rest, all] = await Promise.all([livedAfter(8_000), livedAfter(0)]);
    expect(rest).toBeLessThan(all * 0.75);
  });

  it("and that answers is heard, and nobody is left to watch it", async ({ expect, onTestFinished }) => {
    const world = createFastHookWorld(onTestFinished);
    const node = standIn(world, "cat >/dev/null; echo '{\"a\":1}'; echo why >&2; exit 2");
    const end = await world.ask(call, { args: ["copilot", node, "300"] });
    expect(end).toEqual({ code: 2, out: '{"a":1}\n', err: "why\n" });
    await expect.poll(() => leftOf(world)).toEqual([]);
  });
});
