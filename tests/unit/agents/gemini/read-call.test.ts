import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readCall } from "../../../../src/agents/gemini/read-call.ts";

/** As 0.61.0 sends it. */
const sent = {
  session_id: "0a1b2c3d-0000-4000-8000-000000000000",
  transcript_path: "/home/ann/.gemini/tmp/app/chats/session-2026-11-17.json",
  cwd: "/home/ann/app",
  hook_event_name: "BeforeTool",
  timestamp: "2026-11-17T10:00:00.000Z",
  tool_name: "run_shell_command",
  tool_input: { command: "ls" },
};

const read = (call: object) => readCall(JSON.stringify(call));

function taken(call: object) {
  const result = read(call);
  if (!result.ok) throw new Error(result.message);
  return result.input;
}

describe("a call of Gemini CLI", () => {
  it("is read with its session and its folder, and has no id", () => {
    expect(taken({ ...sent, tool_use_id: "made up" })).toMatchObject({
      event: "PreToolUse",
      tool: "run_shell_command",
      input: { command: "ls" },
      mode: "act",
      sessionId: sent.session_id,
      cwd: "/home/ann/app",
    });
    expect(taken({ ...sent, tool_use_id: "made up" })).not.toHaveProperty("toolUseId");
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
    for (const mcp_context of [
      undefined,
      null,
      {},
      { server_name: "a" },
      { server_name: 1, tool_name: "b" },
      "a",
    ])
      expect(read({ ...sent, tool_name: "mcp_a_b", mcp_context })).toMatchObject({
        ok: false,
        message: expect.stringContaining("mcp_context"),
      });
    expect(read({ ...sent, mcp_context: { server_name: "a" } })).toMatchObject({ ok: false });
  });

  it("that fetches shows the rules the addresses in its text", () => {
    const prompt = "Compare https://a.example/x with (HTTPS://B.example), in short.";
    const { input } = taken({ ...sent, tool_name: "web_fetch", tool_input: { prompt } });
    expect(input).toEqual({ prompt, urls: ["https://a.example/x", "https://b.example/"] });
  });

  it("that fetches one address has it in a field already", () => {
    const tool_input = { url: "https://a.example/" };
    expect(taken({ ...sent, tool_name: "web_fetch", tool_input }).input).toEqual(tool_input);
  });

  it("that fetches and says by itself which addresses these are is refused", () => {
    const tool_input = { prompt: "https://evil.example/", urls: ["https://good.example/"] };
    expect(read({ ...sent, tool_name: "web_fetch", tool_input })).toMatchObject({ ok: false });
  });

  it("whose path means another file than it says is refused, with what to write instead", () => {
    const project = mkdtempSync(join(tmpdir(), "toolgate-gemini-"));
    onTestFinished(() => rmSync(project, { recursive: true }));
    writeFileSync(join(project, "here.txt"), "");
    const call = (tool_name: string, file_path: string) =>
      read({ ...sent, cwd: project, tool_name, tool_input: { file_path } });
    // It takes the sign and the NUL away, and looks for the name in the whole workspace.
    for (const [tool, path] of [
      ["read_file", "@secret.txt"],
      ["write_file", "@/secret.txt"],
      ["write_file", "sec\0ret.txt"],
      ["replace", "secret.txt"],
      ["replace", "../elsewhere/secret.txt"],
    ] as const)
      expect(call(tool, path), path).toMatchObject({ ok: false, message: expect.stringContaining("Write") });
    for (const [tool, path] of [
      ["replace", "here.txt"],
      ["replace", "/elsewhere/secret.txt"],
      ["write_file", "new.txt"],
      ["read_file", "packages/@ann/a.ts"],
      ["other_tool", "new.txt"],
    ] as const)
      expect(call(tool, path), path).toMatchObject({ ok: true, input: { input: { file_path: path } } });
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
    const prompt = { ...rest, hook_event_name: "BeforeAgent", prompt: "Go on." };
    expect(taken(prompt)).toMatchObject({ event: "UserPromptSubmit", sessionId: sent.session_id });
  });

  it("is refused in any other form, with what to send", () => {
    for (const [call, word] of [
      [{ ...sent, hook_event_name: "PreToolUse" }, "BeforeTool"],
      [{ ...sent, hook_event_name: "BeforeModel" }, "BeforeTool"],
      [{ ...sent, tool_name: "" }, "tool_name"],
      [{ ...sent, tool_input: "ls" }, "tool_input"],
      [[], "JSON object"],
    ] as const)
      expect(read(call)).toMatchObject({ ok: false, message: expect.stringContaining(word) });
    expect(readCall("")).toMatchObject({ ok: false });
    expect(readCall('{"tool_name":"a","tool_name":"b","tool_input":{}}')).toMatchObject({ ok: false });
  });
});
