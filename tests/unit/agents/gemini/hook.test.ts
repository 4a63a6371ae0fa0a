/** As 0.61.0 sends and takes it. */
import { describe, expect, it } from "vitest";
import { geminiHook } from "../../../../src/agents/gemini/hook.ts";
import { createWorld } from "../claude-code/world.ts";
import { denies, rewrites, says, silence, talkingTo } from "../talking.ts";

const sent = {
  session_id: "0a1b2c3d-0000-4000-8000-000000000000",
  transcript_path: "/home/ann/.gemini/tmp/app/chats/session-2026-11-17.json",
  cwd: "/home/ann/app",
  hook_event_name: "BeforeTool",
  timestamp: "2026-11-17T10:00:00.000Z",
  tool_name: "run_shell_command",
  tool_input: { command: "ls" },
};
const { read, taken, refusal, answer } = talkingTo(geminiHook);

describe("a call of Gemini CLI", () => {
  it("is read with its session and its folder, and has no id", () => {
    const call = taken({ ...sent, tool_use_id: "made up" });
    expect(call).toMatchObject({
      event: "PreToolUse",
      tool: "run_shell_command",
      input: { command: "ls" },
      mode: "act",
      sessionId: sent.session_id,
      cwd: "/home/ann/app",
    });
    expect(call).not.toHaveProperty("toolUseId");
  });

  it("of an MCP server has the names that the context says, however they are glued together", () => {
    const mcp_context = { server_name: "my_files", tool_name: "read_all", command: "node", args: ["s.mjs"] };
    const call = { ...sent, tool_name: "mcp_my_files_read_all", tool_input: {}, mcp_context };
    expect(taken(call)).toMatchObject({
      tool: "mcp__my_files__read_all",
      agentTool: "mcp_my_files_read_all",
    });
    const odd = { ...call, mcp_context: { server_name: "my files!", tool_name: "read.all" } };
    expect(taken(odd).tool).toBe("mcp__my_files___read_all");
  });

  it("of an MCP server that it does not name is refused", () => {
    const half = { server_name: "a" };
    for (const mcp_context of [undefined, null, {}, half, { server_name: 1, tool_name: "b" }, "a"])
      expect(refusal({ ...sent, tool_name: "mcp_a_b", mcp_context })).toContain("mcp_context");
    expect(refusal({ ...sent, mcp_context: half })).not.toBe("");
  });

  const prompt = "Compare https://a.example/x with (HTTPS://B.example), in short.";
  it.for<readonly [string, object, object]>([
    [
      "shows the rules the addresses in its text",
      { prompt },
      { prompt, urls: ["https://a.example/x", "https://b.example/"] },
    ],
    ["has one address in a field already", { url: "https://a.example/" }, { url: "https://a.example/" }],
  ])("that fetches %s", ([, tool_input, seen]) => {
    expect(taken({ ...sent, tool_name: "web_fetch", tool_input }).input).toEqual(seen);
  });

  it("that fetches and says by itself which addresses these are is refused", () => {
    const tool_input = { prompt: "https://evil.example/", urls: ["https://good.example/"] };
    expect(refusal({ ...sent, tool_name: "web_fetch", tool_input })).not.toBe("");
  });

  const inProject = (tool_name: string, file_path: string) => {
    const { write, project } = createWorld();
    write("project/here.txt", "");
    return { ...sent, cwd: project, tool_name, tool_input: { file_path } };
  };

  // It takes the sign and the NUL away, and looks for the name in the whole workspace.
  it.for([
    ["read_file", "@secret.txt"],
    ["write_file", "@/secret.txt"],
    ["write_file", "sec\0ret.txt"],
    ["replace", "secret.txt"],
    ["replace", "../elsewhere/secret.txt"],
  ] as const)("whose path means another file than it says is refused: %s %j", ([tool, path]) => {
    expect(refusal(inProject(tool, path))).toContain("Write");
  });

  it.for([
    ["replace", "here.txt"],
    ["replace", "/elsewhere/secret.txt"],
    ["write_file", "new.txt"],
    ["read_file", "packages/@ann/a.ts"],
    ["other_tool", "new.txt"],
  ] as const)("whose path means what it says is taken: %s %j", ([tool, path]) => {
    expect(taken(inProject(tool, path)).input).toEqual({ file_path: path });
  });

  it("has ended, well or not", () => {
    const after = { ...sent, hook_event_name: "AfterTool" };
    const tool_response = { llmContent: "Output: a", returnDisplay: "a" };
    expect(taken({ ...after, tool_response })).toMatchObject({ event: "PostToolUse", response: "Output: a" });
    const error = { message: "It is not there.", type: "execution_failed" };
    expect(taken({ ...after, tool_response: { ...tool_response, error } })).toMatchObject({
      event: "PostToolUseFailure",
      response: "Output: a",
      error: "It is not there.",
    });
    expect(taken(after)).toMatchObject({ event: "PostToolUse" });
  });

  it("is none when a person says what to do next", () => {
    const { tool_name: _, tool_input: __, ...rest } = sent;
    const said = { ...rest, hook_event_name: "BeforeAgent", prompt: "Go on." };
    expect(taken(said)).toMatchObject({ event: "UserPromptSubmit", sessionId: sent.session_id });
  });

  it.for<readonly [unknown, string]>([
    [{ ...sent, hook_event_name: "PreToolUse" }, "BeforeTool"],
    [{ ...sent, hook_event_name: "BeforeModel" }, "BeforeTool"],
    [{ ...sent, tool_name: "" }, "tool_name"],
    [{ ...sent, tool_input: "ls" }, "tool_input"],
    [[], "JSON object"],
    ["", ""],
    ['{"tool_name":"a","tool_name":"b","tool_input":{}}', ""],
  ])("is refused in any other form, with what to send: %j", ([call, word]) => {
    expect(read(call)).toMatchObject({ ok: false, message: expect.stringContaining(word) });
  });
});

const denied = (reason: string, more: object = {}) => denies(reason, { decision: "deny", reason, ...more });

describe("the answer to Gemini CLI before a call", () => {
  it("is silence unless something is wrong: its own policies decide", () => {
    expect(answer({})).toEqual(silence);
    expect(answer({ verdict: "allow", reason: "policy tests" })).toEqual(silence);
    // It would reach nobody.
    expect(answer({ contexts: ["One."] })).toEqual(silence);
  });

  it("denies by its own words and by the exit code, and says what a hook had to say", () => {
    expect(answer({ verdict: "deny", reason: "No.", contexts: ["One.", " ", "Two."] })).toEqual(
      denied("No.\n\nOne.\n\nTwo."),
    );
  });

  it("hands over a changed input, which must arrive", () => {
    const asked = { command: "git log", description: "history" };
    const input = { command: "git --no-pager log", description: "history" };
    const said = { hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: input } };
    for (const verdict of ["abstain", "allow"] as const)
      expect(answer({ verdict, input }, asked)).toEqual(rewrites(said));
  });

  it("denies what would take a field away, with what to run instead", () => {
    const input = { command: "rm -r x" };
    expect(answer({ verdict: "allow", input }, { ...input, dir_path: "/" })).toEqual(
      denied('A rule changes this call; run this instead: {"command":"rm -r x"}'),
    );
  });

  it("denies a changed text that it fetches from: no rule has seen the new addresses", () => {
    const asked = { prompt: "Read http://a.example/", urls: ["http://a.example/"] };
    expect(answer({ input: { ...asked, prompt: "Read https://b.example/" } }, asked)).toEqual(
      denied("A rule changes this call; run this instead: Read https://b.example/"),
    );
  });

  it("shows warnings to the person only", () => {
    const warnings = ["The rules are old.", "Run doctor."];
    expect(answer({ warnings })).toEqual(says({ systemMessage: "The rules are old.\n\nRun doctor." }));
    const systemMessage = "Old.";
    expect(answer({ verdict: "deny", reason: "No.", warnings: ["Old."] })).toEqual(
      denied("No.", { systemMessage }),
    );
  });
});

describe("the answer to Gemini CLI after a call", () => {
  const context = (additionalContext: string) => ({
    hookSpecificOutput: { hookEventName: "AfterTool", additionalContext },
  });

  // With an exit code its text would be all that the model hears of the call.
  it.for(["PostToolUse", "PostToolUseFailure"] as const)("is what hooks said about it: %s", (event) => {
    expect(answer({}, {}, event)).toEqual(silence);
    expect(answer({ contexts: ["One.", " ", "Two."] }, {}, event)).toEqual(says(context("One.\n\nTwo.")));
    expect(answer({ reason: "A hook failed.", warnings: ["Old rules."] }, {}, event)).toEqual(
      says({ decision: "deny", reason: "A hook failed.", systemMessage: "Old rules." }),
    );
  });

  it("ends the turn where a hook ended the task", () => {
    const said = { continue: false, stopReason: "Enough.", ...context("Enough.") };
    const { stdout, ...rest } = answer({ contexts: ["Enough."], taskEnd: "Enough." }, {}, "PostToolUse");
    expect([JSON.parse(stdout), rest]).toEqual([said, { stderr: "", exitCode: 0 }]);
  });

  it("never takes a person's words away", () => {
    const said = { verdict: "deny", reason: "No.", warnings: ["Old."] } as const;
    expect(answer(said, {}, "UserPromptSubmit")).toEqual(says({ systemMessage: "Old." }));
  });
});
