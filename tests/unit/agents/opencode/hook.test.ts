import { describe, expect, it } from "vitest";
import { opencodeHook } from "../../../../src/agents/opencode/hook.ts";
import { denies, rewrites, says, silence, talkingTo } from "../talking.ts";

const call = {
  event: "PreToolUse",
  tool: "bash",
  input: { command: "ls" },
  session: "ses_1",
  call: "call_1",
  cwd: "/project",
};
const { read, taken, refusal, answer } = talkingTo(opencodeHook);

describe("a call that our plugin sends", () => {
  it("is read with everything that it says", () => {
    expect(taken({ ...call, agent: "ses_2", agentType: "general", version: "1.18.33" })).toEqual({
      event: "PreToolUse",
      tool: "bash",
      input: { command: "ls" },
      mode: "act",
      sessionId: "ses_1",
      toolUseId: "call_1",
      cwd: "/project",
      agentVersion: "1.18.33",
      agentId: "ses_2",
      agentType: "general",
    });
  });

  it("is read after it ran, too, with what came of it", () => {
    const ended = taken({ ...call, event: "PostToolUse", response: "done" });
    expect(ended).toMatchObject({ event: "PostToolUse", response: "done" });
  });

  it("may be no call but a new task", () => {
    const task = taken({ event: "UserPromptSubmit", session: "ses_1", cwd: "/project" });
    expect(task).toMatchObject({ event: "UserPromptSubmit", sessionId: "ses_1" });
  });

  it.each([
    ["no JSON", "{"],
    ["no object", []],
    ["another event", { ...call, event: "tool_call" }],
    ["no tool", { ...call, tool: "" }],
    ["no input", { ...call, input: undefined }],
    ["an input that is no object", { ...call, input: ["ls"] }],
    ["a key twice", '{"event":"PreToolUse","tool":"bash","input":{"command":"ls","command":"rm"}}'],
  ])("is refused with %s", (_what, value) => expect(read(value).ok).toBe(false));
});

describe("a tool of an MCP server", () => {
  const named = (tool: string, servers?: readonly string[]) => ({ ...call, tool, servers });

  it("is named as in rules, and keeps the agent's own name", () => {
    expect(taken(named("my_store_drop_all", ["other", "my_store"]))).toMatchObject({
      tool: "mcp__my_store__drop_all",
      agentTool: "my_store_drop_all",
    });
  });

  it("is found by the server's name as the agent writes it", () => {
    expect(taken(named("my_store_drop", ["my.store"])).tool).toBe("mcp__my_store__drop");
  });

  it("is none when no server has such a name", () => {
    for (const tool of ["todo_write", "store_"]) expect(taken(named(tool, ["store"])).tool).toBe(tool);
  });

  it("is refused when it could be another server's, or the agent's own", () => {
    expect(refusal(named("git_hub_push", ["git", "git_hub"]))).toBe(
      "git_hub_push could be a tool of the MCP server git or of the MCP server git_hub. Give the server another name.",
    );
    expect(refusal(named("apply_patch", ["apply"]))).not.toBe("");
  });

  it("is refused where nobody says which servers there are, if it could be one of theirs", () => {
    expect(refusal(named("store_drop"))).toContain("which servers it has");
    for (const tool of ["apply_patch", "bash"]) expect(taken(named(tool)).tool).toBe(tool);
  });
});

describe("an answer to our plugin", () => {
  const asked = { command: "y" };

  it("is silence where there is nothing to say", () => {
    expect(answer({}, asked)).toEqual(silence);
    expect(answer({ verdict: "allow", reason: "fine" }, asked)).toEqual(silence);
  });

  it("denies with the reason, the blocking exit code, and what the person should know", () => {
    const said = { deny: "No.", notice: "Look." };
    expect(answer({ verdict: "deny", reason: "No.", warnings: ["Look."] }, asked)).toEqual(
      denies("No.", said),
    );
  });

  it("changes the input, and must arrive then", () => {
    const said = { input: { command: "x" }, context: "a\n\nb" };
    expect(answer({ input: { command: "x" }, contexts: ["a", "b"] }, asked)).toEqual(rewrites(said));
  });

  it("denies what a rule changed in a field that the call did not have", () => {
    const deny = "A rule changes this call; run this instead: a";
    expect(answer({ input: { command: "y", file_path: "a" } }, asked)).toEqual(denies(deny, { deny }));
  });

  it("says after a call what the hooks said, and that the task is over", () => {
    const after = answer({ contexts: ["a"], reason: "too large", taskEnd: "Enough." }, asked, "PostToolUse");
    expect(after).toEqual(says({ end: "Enough.", context: "too large\n\na" }));
  });
});
