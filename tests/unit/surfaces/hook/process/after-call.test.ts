/** After a call of an agent: what hooks say reaches it, and a task that they end stays ended. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createHookWorld, type HookWorld, settle } from "../hook-world.ts";

const session = "636fab57-2c2f-4d99-bb09-336e9a2d1688";
const asking = (command: string, more: object = {}) => ({
  session_id: session,
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: "t1",
  ...more,
});
const ended = (command: string, more: object = {}) => ({
  ...asking(command),
  hook_event_name: "PostToolUse",
  tool_response: { stdout: "out" },
  ...more,
});
const prompt = { session_id: session, hook_event_name: "UserPromptSubmit", prompt: "Go on." };
const silence = { stdout: "", stderr: "", exitCode: 0 };

/** One hook that looks at Bash after it ran, and does what the script says. */
function withHook(script: string, more = ""): HookWorld {
  const world = createHookWorld();
  world.user(
    `hooks:\n  commands:\n    look:\n      type: PostToolUse\n      toolPatterns: Bash\n${more}      command: |\n        ${script}\n`,
  );
  return world;
}

const endsTask = `case $(cat) in *poison*) echo '{"cancel":true,"errorMessage":"Poison."}' ;; *) echo fine ;; esac`;

describe("hooks that look at an agent's call after it ran", () => {
  it("add context for the model", async () => {
    const world = withHook("cat >/dev/null; echo 'Run the tests, too.'");
    expect(await world.claude(ended("make"))).toEqual({
      ...silence,
      stdout: `${JSON.stringify({ hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "Run the tests, too." } })}\n`,
    });
    const failed = ended("make", { hook_event_name: "PostToolUseFailure", error: "Exit code 1" });
    expect(JSON.parse((await world.claude(failed)).stdout)).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext: "Run the tests, too." },
    });
    expect(await world.claude({ ...ended("make"), tool_name: "Read", tool_input: {} })).toEqual(silence);
  });

  it("leave it to the next check to say what of a project's file does not count", async () => {
    const world = createHookWorld();
    await world.claude(asking("make"));
    world.write("toolgate.yaml", "routes:\n  fine: { tool: Bash, pattern: make, action: allow }\n");
    await settle();
    expect(await world.claude(ended("make"))).toEqual(silence);
    expect((await world.claude(asking("make"))).stdout).toContain("is ignored");
    expect((await world.claude(asking("make"))).stdout).not.toContain("is ignored");
  });

  it("show nothing hidden in what they say", async () => {
    const world = withHook("cat >/dev/null; printf 'a\\342\\200\\256b'");
    expect((await world.claude(ended("make"))).stdout).toContain("a\\\\u{202E}b");
  });

  it("that fail closed are told to the model; the call has run", async () => {
    const world = withHook("exit 7");
    const { stdout, exitCode } = await world.claude(ended("make"));
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      decision: "block",
      reason: expect.stringContaining('hook "look" failed'),
    });
    expect(await withHook("exit 7", "      failMode: open\n").claude(ended("make"))).toEqual(silence);
  });

  it("are not deaf to an answer that is too large for them: the model is told", async () => {
    const world = withHook("cat >/dev/null; echo seen");
    const large = ended("make", { tool_response: { stdout: "x".repeat(5_000_000) } });
    expect(JSON.parse((await world.claude(large)).stdout)).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("too large"),
    });
  });

  it("end the task: the turn ends, and later calls are refused until the person says something", async () => {
    const world = withHook(endsTask);
    expect((await world.claude(asking("make"))).exitCode).toBe(0);
    expect(JSON.parse((await world.claude(ended("cat poison"))).stdout)).toMatchObject({
      continue: false,
      stopReason: "Poison.",
    });
    const refused = await world.claude(asking("make"));
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('Hook "look" ended the task of this session: Poison.');
    expect(world.spool().at(-1)).toMatchObject({ event: "check", verdict: "deny", code: "task_ended" });
    // Other sessions go on, and so do hooks about calls that were under way.
    expect((await world.claude(asking("make", { session_id: "other" }))).exitCode).toBe(0);
    expect((await world.claude(ended("make"))).stdout).toContain("fine");

    // What the model tells a sub-agent comes the same way, and is no person's word.
    expect(await world.claude({ ...prompt, agent_id: "a1", agent_type: "default" })).toEqual(silence);
    expect((await world.claude(asking("make"))).exitCode).toBe(2);
    expect(await world.claude(prompt)).toEqual(silence);
    expect((await world.claude(asking("make"))).exitCode).toBe(0);
  });

  it("say nothing in the bare form, which has no place for it", async () => {
    expect(await withHook(endsTask).run(ended("make"))).toEqual(silence);
  });
});

describe("a person's next words", () => {
  it("need no rules, no folder and no session", async () => {
    const world = createHookWorld();
    world.user("routes: {broken");
    expect(await world.claude(prompt)).toEqual(silence);
    expect(await world.claude({ hook_event_name: "UserPromptSubmit" })).toEqual(silence);
    expect(world.spool()).toEqual([]);
  });

  it("are never blocked, also when the task cannot be started", async () => {
    const world = createHookWorld();
    const inTheWay = join(world.home, ".local/state/toolgate/ended-tasks", `local.${session}`, "x");
    mkdirSync(inTheWay, { recursive: true });
    const { stdout, exitCode } = await world.claude(prompt);
    expect(exitCode).toBe(0);
    expect(Object.keys(JSON.parse(stdout))).toEqual(["systemMessage"]);
  });
});

describe("the note for the hook's script", () => {
  const noteOf = (world: HookWorld, name = session) =>
    existsSync(join(world.home, ".local/state/toolgate/after-hooks", name));

  it("is there while the rules of the session have hooks that look at a call after it ran", async () => {
    const world = withHook("true");
    await world.claude(asking("make"));
    expect(noteOf(world)).toBe(true);
    world.user("hooks: { commands: { look: { type: PreToolUse, command: 'true' } } }\n");
    await world.claude(asking("make"));
    expect(noteOf(world)).toBe(false);
  });

  it("is not made for a session whose name could be a path", async () => {
    const world = withHook("true");
    for (const name of ["../x", "a/b", ".", "A", "x".repeat(65), ""])
      expect((await world.claude(asking("make", { session_id: name }))).exitCode).toBe(0);
    const folder = join(world.home, ".local/state/toolgate");
    expect(readdirSync(folder)).not.toContain("after-hooks");
    expect(readdirSync(join(folder, ".."))).toEqual(["toolgate"]);
  });

  it("that cannot be left denies the call: hooks that nobody waits for would not be heard", async () => {
    const world = withHook("true");
    mkdirSync(join(world.home, ".local/state/toolgate"), { recursive: true });
    writeFileSync(join(world.home, ".local/state/toolgate/after-hooks"), "");
    expect((await world.claude(asking("make"))).exitCode).toBe(2);
  });
});
