/** The form of Grok 1.0.41, as it was recorded. */
import { describe, expect, it } from "vitest";
import { grokHook } from "../../../../src/agents/grok/hook.ts";
import {
  afterCall,
  beforeCall,
  denial,
  denies,
  rewrites,
  says,
  silence,
  talkingTo,
  whole,
} from "../talking.ts";

const id = "01a1e8ec-f174-7eb0-ae7a-1782177e3b64";

/** What it sends, in both spellings. */
const sent = (toolName: string, toolInput: unknown, more: object = {}) => ({
  hookEventName: "pre_tool_use",
  sessionId: id,
  cwd: "/work/shop",
  workspaceRoot: "/work/shop",
  timestamp: "2026-11-17T09:48:40.711700920+00:00",
  transcriptPath: "/home/ann/.grok/sessions/updates.jsonl",
  permissionMode: "bypassPermissions",
  toolName,
  toolUseId: "call_0",
  toolInput,
  toolInputTruncated: false,
  hook_event_name: "PreToolUse",
  session_id: id,
  permission_mode: "bypassPermissions",
  tool_name: toolName,
  tool_input: toolInput,
  tool_use_id: "call_0",
  ...more,
});
const { read, taken, refusal, answer } = talkingTo(grokHook);
const wrapped = { tool_name: "store__look", tool_input: { shelf: 1 } };

describe("a call of Grok", () => {
  it("is read with its session, its id and its folder", () => {
    expect(taken(sent("run_terminal_command", { command: "ls", description: "x" }))).toEqual({
      event: "PreToolUse",
      tool: "run_terminal_command",
      input: { command: "ls", description: "x" },
      mode: "act",
      permissionMode: "bypassPermissions",
      sessionId: id,
      toolUseId: "call_0",
      cwd: "/work/shop",
    });
  });

  it("of which only the beginning came is refused", () => {
    const beginning = '{"file_path":"/work/shop/big.txt","content":"aaaaaa';
    for (const input of [beginning, { file_path: "a" }])
      expect(refusal(sent("write", input, { toolInputTruncated: true }))).toContain(
        "shows only the beginning",
      );
  });

  it.each([
    ["without an input", sent("write", undefined)],
    ["whose input is text", sent("write", "{}")],
    ["whose input is a list", sent("write", [])],
    ["without a name", sent("", {})],
    ["of an event that nobody knows", sent("write", {}, { hookEventName: "pre_everything" })],
    ["of an event of another spelling", sent("write", {}, { hookEventName: "PreToolUse" })],
    ["that is no JSON", "{"],
    ["that is nothing", ""],
    ["with a key twice", '{"hookEventName":"pre_tool_use","toolName":"a","toolName":"b","toolInput":{}}'],
  ])("%s is refused", (_, call) => expect(refusal(call)).not.toBe(""));

  const result = { type: "Bash", output_for_prompt: "exit: 0\nhi", exit_code: 0 };
  const after = {
    hookEventName: "post_tool_use",
    toolResult: { ...result, output: [104, 105] },
    durationMs: 9,
  };
  const failed = { hookEventName: "post_tool_use_failure", error: "no such tool" };
  const named = { tool: "mcp__store__look", input: { shelf: 1 } };
  it.for<readonly [string, object, object]>([
    [
      "of an MCP server's tool has the name and the input that rules know",
      sent("store__look", wrapped),
      { ...named, agentTool: "store__look" },
    ],
    ["of an MCP server's tool may be the tool's input itself", sent("store__look", { shelf: 1 }), named],
    ["that Grok only passes on is that of its target", sent("use_tool", wrapped), named],
    ["of a sub-agent says so", sent("a", {}, { subagentType: "b" }), { agentType: "b", agentId: id }],
    ["in plan mode is one", sent("write", {}, { permissionMode: "plan" }), { mode: "plan" }],
    [
      "that has ended brings what the model reads, not its bytes as numbers",
      sent("run_terminal_command", { command: "echo hi" }, after),
      { event: "PostToolUse", response: result, durationMs: 9 },
    ],
    [
      "that failed brings the error",
      sent("a", {}, failed),
      { event: "PostToolUseFailure", error: "no such tool" },
    ],
  ])("%s", ([, call, input]) => {
    expect(taken(call)).toMatchObject(input);
    expect(taken(call).response ?? {}).not.toHaveProperty("output");
  });

  it("of an MCP server's tool whose input is not where it should be is refused: no rule would see its fields", () => {
    for (const input of [
      { tool_name: "store__drop", tool_input: { shelf: 1 } },
      { tool_name: " store__look", tool_input: { shelf: 1 } },
      { tool_name: "store__look", tool_input: '{"shelf":1}' },
      { tool_input: { shelf: 1 } },
    ])
      expect(refusal(sent("store__look", input))).toContain("no rule could look at it");
  });

  it("that Grok only passes on is refused without a target", () => {
    for (const target of [undefined, "", "look", 1])
      expect(refusal(sent("use_tool", { ...wrapped, tool_name: target }))).not.toBe("");
  });

  it("starts a new task only at a person's word", () => {
    const prompt = { hookEventName: "user_prompt_submit", prompt: "go", toolName: undefined };
    expect(taken(sent("", undefined, prompt))).toMatchObject({ event: "UserPromptSubmit", sessionId: id });
    expect(taken(sent("", undefined, { ...prompt, subagentType: "explore" })).sessionId).toBeUndefined();
  });
});

describe("the answer to Grok", () => {
  it("is silence where nothing is to be said", () => {
    for (const decision of [{}, { verdict: "allow" }, { warnings: ["old rules"] }] as const)
      expect(answer(decision)).toEqual(silence);
  });

  it("denies by JSON and by exit code", () => {
    const text = "Use `gh`.\n\nLook there.";
    expect(
      answer({ verdict: "deny", reason: "Use `gh`.", contexts: ["Look there."], warnings: ["w"] }),
    ).toEqual(denies(text, denial(text)));
  });

  it("changes the call, and that must arrive", () => {
    const said = beforeCall({ updatedInput: { command: "ls" }, additionalContext: "one\n\ntwo" });
    expect(answer({ input: { command: "ls" }, contexts: ["one", "two"] })).toEqual(rewrites(said));
  });

  it("puts a changed input of an MCP server's tool back where Grok had it", () => {
    const { speaker } = whole(read(sent("store__look", wrapped)));
    const said = talkingTo({ ...grokHook, ...speaker }).answer({ input: { shelf: 2 } }, { shelf: 1 });
    expect(JSON.parse(said.stdout)).toEqual(
      beforeCall({ updatedInput: { ...wrapped, tool_input: { shelf: 2 } } }),
    );
  });

  it("after a call only adds a note; that the task is over is one, too", () => {
    const said = { contexts: ["one"], reason: "A hook failed.", taskEnd: "It is over.", warnings: ["w"] };
    for (const event of ["PostToolUse", "PostToolUseFailure"] as const)
      expect(answer(said, {}, event)).toEqual(says(afterCall("one\n\nA hook failed.\n\nIt is over.", event)));
    expect(answer(said, {}, "UserPromptSubmit")).toEqual(silence);
  });
});
