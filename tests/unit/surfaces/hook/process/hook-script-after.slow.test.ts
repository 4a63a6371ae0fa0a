/** The hook's script after a call and at a new prompt: who waits, and for whom. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFastHookWorld, type FastHookWorld } from "../../../../fast-hook-world.ts";

const session = "636fab57-2c2f-4d99-bb09-336e9a2d1688";
const ended = {
  session_id: session,
  hook_event_name: "PostToolUse",
  tool_name: "Bash",
  tool_input: { command: "make" },
  tool_response: { stdout: "out" },
  tool_use_id: "t1",
};
const prompt = { session_id: session, hook_event_name: "UserPromptSubmit", prompt: "Go on." };
const env = { CLAUDE_CODE_SESSION_ID: session };
const byProcess = { code: 2, out: "", err: "by a process\n" };
const silence = { code: 0, out: "", err: "" };

function mark(world: FastHookWorld, folder: string, name: string): void {
  mkdirSync(join(world.state, folder), { recursive: true });
  writeFileSync(join(world.state, folder, name), "");
}

const args = (world: FastHookWorld, wait: string) => [
  "claude-code",
  join(world.base, "process"),
  wait,
  "key",
];

describe("the script after a call", () => {
  it.for(["after:30", "after:0"])(
    "does not wait where no hook looks at it; the record is written: %s",
    async (wait) => {
      const world = createFastHookWorld();
      expect(await world.ask(ended, { env, args: args(world, wait) })).toEqual(silence);
      await expect.poll(() => world.fallback()?.toString(), { timeout: 20_000 }).toBe(JSON.stringify(ended));
    },
  );

  it.for(["after:30", "after:0"])("waits where one does: %s", async (wait) => {
    const world = createFastHookWorld();
    mark(world, "after-hooks", session);
    expect(await world.ask(ended, { env, args: args(world, wait) })).toEqual(byProcess);
    expect(world.fallback()?.toString()).toBe(JSON.stringify(ended));
  });

  it("waits where it cannot tell whose call it is", async () => {
    const world = createFastHookWorld();
    const given = args(world, "after:30");
    for (const name of [undefined, "other", "../after-hooks", "UPPER", "x".repeat(65)])
      expect(await world.ask(ended, { env: { CLAUDE_CODE_SESSION_ID: name }, args: given }), name).toEqual(
        byProcess,
      );
  });

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
    world.user(
      "hooks: { commands: { look: { type: PostToolUse, command: 'cat >/dev/null; echo Remember.' } } }\n",
    );
    const server = await world.serve();
    const before = { ...ended, hook_event_name: "PreToolUse" };
    expect(await world.ask(before, { env })).toEqual(silence);
    // The check left the note.
    const end = await world.ask(ended, { env, args: args(world, "after:30") });
    expect(end).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(end.out)).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "Remember." },
    });
    expect(world.fallback()).toBeUndefined();
    await server.close();
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
    expect(await world.ask(prompt, { env, args: args(world, "task:30") })).toEqual(byProcess);
    const server = await world.serve();
    expect(await world.ask(prompt, { env, args: args(world, "task:30") })).toEqual(silence);
    expect(world.fallback()).toBeUndefined();
    expect(await world.ask(prompt, { env, args: args(world, "task:30") })).toEqual(silence);
    await server.close();
  });
});

describe("the script of an agent that names the session only in what it sends", () => {
  const ofCodex = (world: FastHookWorld, wait: string) => ["codex", join(world.base, "process"), wait, "key"];

  it("does not wait after a call where no hook looks at it, and waits where one does", async () => {
    const world = createFastHookWorld();
    expect(await world.ask(ended, { args: ofCodex(world, "after:30") })).toEqual(silence);
    await expect.poll(() => world.fallback()?.toString(), { timeout: 20_000 }).toBe(JSON.stringify(ended));
    mark(world, "after-hooks", session);
    expect(await world.ask(ended, { args: ofCodex(world, "after:30") })).toEqual(byProcess);
  });

  it("starts nothing at a new prompt, unless a task was ended", async () => {
    const world = createFastHookWorld();
    expect(await world.ask(prompt, { args: ofCodex(world, "task:30") })).toEqual(silence);
    expect(world.fallback()).toBeUndefined();
    mark(world, "ended-tasks", `local.${session}`);
    expect(await world.ask(prompt, { args: ofCodex(world, "task:30") })).toEqual(byProcess);
  });

  it("believes no name of another place or form", async () => {
    const world = createFastHookWorld();
    const { session_id: _, ...rest } = ended;
    for (const call of [
      { ...rest, session_id: session },
      { ...ended, session_id: "../after-hooks" },
      { ...ended, session_id: "x".repeat(65) },
      { ...ended, session_id: "" },
    ])
      expect(await world.ask(call, { args: ofCodex(world, "after:30") })).toEqual(byProcess);
  });
});

describe("a task that a hook ended", () => {
  it("is over for the server, until the next prompt", async () => {
    const world = createFastHookWorld();
    world.user(
      'hooks: { commands: { look: { type: PostToolUse, command: \'echo {\\"cancel\\":true,\\"errorMessage\\":\\"Over.\\"}\' } } }\n',
    );
    const server = await world.serve();
    const before = { ...ended, hook_event_name: "PreToolUse" };
    expect((await world.ask(before, { env })).code).toBe(0);
    expect(JSON.parse((await world.ask(ended, { env, args: args(world, "after:30") })).out)).toMatchObject({
      continue: false,
      stopReason: "Over.",
    });
    const refused = await world.ask(before, { env });
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("Over.")]);
    expect(await world.ask(prompt, { env, args: args(world, "task:30") })).toEqual(silence);
    expect((await world.ask(before, { env })).code).toBe(0);
    await server.close();
  });
});
