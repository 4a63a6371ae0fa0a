/** The form of VS Code, by its documentation; its calls come through Copilot's entry as well as its own. */
import { describe, expect, it } from "vitest";
import { copilotHook } from "../../../../src/agents/copilot/hook.ts";
import { vscodeHook } from "../../../../src/agents/vscode/hook.ts";
import { createWorld } from "../claude-code/world.ts";
import { beforeCall, denial, denies, nobody, rewrites, says, silence, talkingTo, whole } from "../talking.ts";

const sent = (tool_name: string, tool_input: unknown, more: object = {}) => ({
  timestamp: "2026-02-09T10:30:00.000Z",
  cwd: "/work/shop",
  sessionId: "session-identifier",
  hookEventName: "PreToolUse",
  transcript_path: "/tmp/transcript.json",
  tool_name,
  tool_input,
  tool_use_id: "tool-123",
  ...more,
});
const shell = sent("run_in_terminal", { command: "ls" });
/** As Copilot CLI sends it to a hook in a project's settings of Claude Code. */
const second = {
  hook_event_name: "PreToolUse",
  session_id: "74589075",
  timestamp: "2026-11-17T09:50:49.324Z",
  cwd: "/work/shop",
  tool_name: "store-look",
  tool_input: {},
};

describe.each([
  ["its own entry", vscodeHook],
  ["Copilot's entry", copilotHook],
] as const)("a call of VS Code through %s", (_, hook) => {
  const talking = talkingTo(hook);
  const read = (call: object) => whole(talking.read(call));
  const answerTo = (call: object) => talkingTo({ ...hook, ...read(call).speaker }).answer;

  it("is read, and is VS Code's", () => {
    const { input, speaker } = read(shell);
    expect(input).toEqual({
      event: "PreToolUse",
      tool: "run_in_terminal",
      input: { command: "ls" },
      mode: "act",
      sessionId: "session-identifier",
      toolUseId: "tool-123",
      cwd: "/work/shop",
    });
    expect(speaker?.name).toBe("vscode");
  });

  it("is answered in VS Code's form", () => {
    expect(answerTo(shell)({ verdict: "deny", reason: "No." })).toEqual(denies("No.", denial("No.")));
  });

  it("is read in snake case, too", () => {
    const snake = { hookEventName: undefined, hook_event_name: "PostToolUse", sessionId: undefined };
    const { input, speaker } = read(sent("a", {}, { ...snake, session_id: "s", tool_response: "done" }));
    expect(input).toMatchObject({ event: "PostToolUse", sessionId: "s", response: "done" });
    expect(speaker?.name).toBe("vscode");
  });

  it("of Copilot in its second form is Copilot's, and answered in that form", () => {
    const { input, speaker } = read(second);
    expect(input).toMatchObject({ tool: "mcp__store__look", agentTool: "store-look", sessionId: "74589075" });
    expect(speaker?.name).toBe("copilot");
    const answer = answerTo(second);
    expect(answer({ input: { a: 1 }, contexts: ["one"], warnings: ["w"] })).toEqual(
      rewrites(beforeCall({ updatedInput: { a: 1 }, additionalContext: "one" })),
    );
    expect(answer({ verdict: "deny", reason: "No." })).toEqual(
      denies("No.", { permissionDecision: "deny", permissionDecisionReason: "No." }),
    );
  });

  it.each([
    ["without an input", sent("a", undefined)],
    ["whose input is text", sent("a", "{}")],
    ["without a name", sent("", {})],
    ["of an event that nobody knows", sent("a", {}, { hookEventName: "Stop" })],
  ])("%s is refused", (_what, call) => expect(talking.read(call).ok).toBe(false));
});

const { taken, refusal, answer } = talkingTo(vscodeHook);

describe("a tool of an MCP server in VS Code", () => {
  const placeWith = (...servers: string[]) => {
    const world = createWorld();
    const entries = servers.map((name) => [name, {}]);
    world.write("project/.vscode/mcp.json", { servers: Object.fromEntries(entries) });
    return { ...nobody, projectDir: world.project };
  };

  it.for<readonly [string, string]>([
    ["mcp_my_db_drop", "mcp__my_db__drop"],
    ["mcp_shop_look", "mcp__shop__look"],
    ["mcp_a_very_long_s_look_up", "mcp__A_Very_Long_Server__look_up"],
  ])("is found by the project's own list, however it is shortened there: %s", ([tool, name]) => {
    expect(taken(sent(tool, {}), placeWith("my_db", "shop", "A Very Long Server")).tool).toBe(name);
  });

  it("is refused where two servers could have it: a repository's list would choose whose rules hold", () => {
    const place = placeWith("github", "github_create");
    expect(refusal(sent("mcp_github_create_issue", {}), place)).toContain("two MCP servers");
    expect(taken(sent("mcp_github_look", {}), place).tool).toBe("mcp__github__look");
  });

  it.for<readonly [string, string]>([
    ["mcp_github_create_issue", "mcp__github__create_issue"],
    ["mcp_odd", "mcp_odd"],
    ["create_file", "create_file"],
  ])("else has the first part of its name as the server: %s", ([tool, name]) => {
    expect(taken(sent(tool, {})).tool).toBe(name);
  });
});

describe("the answer to VS Code", () => {
  it("is silence when no rule speaks: an allow would skip its own prompts", () => {
    expect(answer({})).toEqual(silence);
    const allowed = beforeCall({ permissionDecision: "allow", additionalContext: "one" });
    expect(answer({ verdict: "allow", contexts: ["one"], warnings: ["old rules"] })).toEqual(
      says({ ...allowed, systemMessage: "old rules" }),
    );
  });

  it("denies what a rule changes, with what to run instead: a new input can be ignored", () => {
    const text = "A rule changes this call; run this instead: ls";
    expect(answer({ input: { command: "ls" } }, { command: "dir" })).toEqual(denies(text, denial(text)));
  });

  it("after a call adds a note, and ends the turn with the task", () => {
    const said = { contexts: ["one"], reason: "A hook failed.", taskEnd: "Over." };
    const additionalContext = "one\n\nA hook failed.";
    expect(answer(said, {}, "PostToolUse")).toEqual(
      says({
        hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext },
        continue: false,
        stopReason: "Over.",
      }),
    );
  });
});
