/** Cursor's form, as its documentation has it. */
import { describe, expect, it } from "vitest";
import { cursor } from "../../../../src/agents/cursor/agent.ts";
import { cursorHook } from "../../../../src/agents/cursor/hook.ts";
import { readCursorCall } from "../../../../src/agents/cursor/read-call.ts";
import { cursorSetup } from "../../../../src/agents/cursor/setup.ts";
import { installedInto, installing } from "../installing.ts";
import { denies, rewrites, says, silence, talkingTo, whole } from "../talking.ts";

const common = {
  conversation_id: "c-1",
  generation_id: "g-1",
  model: "default",
  cursor_version: "3.9.16",
  workspace_roots: ["/work/project"],
  user_email: null,
  transcript_path: null,
};
const sent = {
  ...common,
  hook_event_name: "preToolUse",
  tool_name: "Shell",
  tool_input: { command: "npm install", working_directory: "/work/project" },
  tool_use_id: "abc123",
  cwd: "",
};
const mcp = {
  ...common,
  hook_event_name: "beforeMCPExecution",
  tool_name: "create_issue",
  tool_input: '{"title":"Odd"}',
  mcp_server_name: "git hub",
  command: "npx x",
};
const shell = { ...common, hook_event_name: "beforeShellExecution", command: "ls", cwd: "/work" };
const file = { ...common, hook_event_name: "beforeReadFile", file_path: "/work/.env", content: "A=1" };
const ended = { ...sent, hook_event_name: "postToolUse", tool_output: '{"exitCode":0}', duration: 7.5 };

const read = (value: object, isAskedByServer = false) =>
  readCursorCall(JSON.stringify(value), () => isAskedByServer);
/** By whoever answers that very call. */
const answerTo = (call: object) => {
  const { speaker, input } = whole(read(call));
  const { answer } = talkingTo({ ...cursorHook, ...speaker });
  return (decision: Parameters<typeof answer>[0], event?: Parameters<typeof answer>[2]) =>
    answer(decision, input.input, event);
};

describe("a call of Cursor", () => {
  it("is read as it is sent; where it says no folder, the workspace counts", () => {
    expect(whole(read(sent)).input).toEqual({
      event: "PreToolUse",
      tool: "Shell",
      input: sent.tool_input,
      mode: "act",
      sessionId: "c-1",
      toolUseId: "abc123",
      agentVersion: "3.9.16",
      cwd: "/work/project",
    });
  });

  const prompt = { ...common, hook_event_name: "beforeSubmitPrompt", prompt: "go" };
  const failed = { ...sent, hook_event_name: "postToolUseFailure", error_message: "no" };
  it.for<readonly [string, object, object]>([
    [
      "of an MCP server holds its input as a text, and gets the name that rules know",
      mcp,
      { tool: "mcp__git_hub__create_issue", agentTool: "MCP:create_issue", input: { title: "Odd" } },
    ],
    [
      "is understood in the event for a shell, too",
      shell,
      { tool: "Shell", input: { command: "ls", cwd: "/work" }, cwd: "/work" },
    ],
    [
      "is understood in the event for a file, too",
      file,
      { tool: "Read", input: { file_path: "/work/.env" } },
    ],
    [
      "that has ended brings what came of it",
      ended,
      { event: "PostToolUse", response: '{"exitCode":0}', durationMs: 7.5 },
    ],
    ["that failed brings the error", failed, { event: "PostToolUseFailure", error: "no" }],
    ["is none when a person says something", prompt, { event: "UserPromptSubmit", sessionId: "c-1" }],
  ])("%s", ([, call, input]) => expect(whole(read(call)).input).toMatchObject(input));

  it("of an MCP server is refused where nobody says which one, or where its input cannot be read", () => {
    const { mcp_server_name: _, ...nameless } = mcp;
    expect(read(nameless)).toMatchObject({ ok: false, message: expect.stringContaining("does not name") });
    for (const tool_input of ["{", "[]", "", null, '{"a":1,"a":2}'])
      expect(read({ ...mcp, tool_input }), String(tool_input)).toMatchObject({ ok: false });
    const generic = { ...sent, tool_name: "MCP:create_issue", tool_input: {} };
    expect(read(generic)).toMatchObject({ ok: false, message: expect.stringContaining("install cursor") });
    expect(read(generic, true)).toMatchObject({ ok: true });
  });

  it("that cannot be read is refused", () => {
    for (const call of [
      { ...sent, tool_input: "x" },
      { ...sent, hook_event_name: "stop" },
      { ...shell, command: "" },
      { ...file, file_path: undefined },
    ])
      expect(read(call)).toMatchObject({ ok: false });
    expect(readCursorCall("{", () => false)).toMatchObject({ ok: false });
  });

  it("from an entry in another agent's settings is known by its version", () => {
    expect(cursor.sends?.(sent)).toBe(true);
    expect(cursor.sends?.({ tool_name: "Bash" })).toBe(false);
  });
});

describe("the answer to Cursor", () => {
  it("is never nothing before a call: with failClosed that would stop it", () => {
    const pass = says({ permission: "allow" });
    expect(answerTo(sent)({ contexts: ["A remark."] })).toEqual(pass);
    expect(answerTo(sent)({ verdict: "allow", reason: "Fine." })).toEqual(pass);
    expect(answerTo(mcp)({})).toEqual(pass);
  });

  it("denies by JSON, text and exit code at once, and never asks", () => {
    const text = "No.\n\nA remark.";
    const denied = denies(text, { permission: "deny", user_message: text, agent_message: text });
    for (const verdict of ["deny", "ask"] as const)
      for (const call of [sent, mcp])
        expect(answerTo(call)({ verdict, reason: "No.", contexts: ["A remark."] })).toEqual(denied);
    expect(answerTo(file)({ verdict: "deny", reason: "No." })).toEqual(
      denies("No.", { permission: "deny", user_message: "No." }),
    );
  });

  it("hands a new input over before a tool; it must arrive", () => {
    const input = { command: "npm ci" };
    expect(answerTo(sent)({ input })).toEqual(rewrites({ permission: "allow", updated_input: input }));
  });

  it("refuses a changed call of an MCP server: there is no place for a new input", () => {
    const changed = answerTo(mcp)({ verdict: "allow", input: { title: "Even" } });
    const stderr = "A rule changes this call; run this instead: Even\n";
    expect(changed).toMatchObject({ exitCode: 2, stderr });
  });

  it("after a call is a context", () => {
    expect(answerTo(ended)({}, "PostToolUse")).toEqual(silence);
    const said = { additional_context: "One.\n\nOver." };
    expect(answerTo(ended)({ contexts: ["One."], taskEnd: "Over." }, "PostToolUse")).toEqual(says(said));
  });
});

describe("Cursor's set-up", () => {
  const settings = "home/.cursor/hooks.json";

  it("asks once for each call, closed where it fails, and is undone to the byte", () => {
    const mine = '{\n  "version": 1,\n  "hooks": { "stop": [{ "command": "./audit.sh" }] }\n}\n';
    const asking = { command: "HOOK cursor NODE 300 KEY || exit 2", timeout: 300, failClosed: true };
    const looking = { command: "HOOK cursor NODE after:30 KEY", timeout: 30 };
    const written = JSON.parse(installedInto(cursorSetup, settings, mine));
    expect(written).toEqual({
      version: 1,
      hooks: {
        stop: [{ command: "./audit.sh" }],
        preToolUse: [{ ...asking, matcher: expect.any(String) }],
        beforeMCPExecution: [asking],
        postToolUse: [looking],
        postToolUseFailure: [looking],
        beforeSubmitPrompt: [{ command: "HOOK cursor NODE task:30 KEY", timeout: 30 }],
      },
    });
    const matcher = new RegExp(written.hooks.preToolUse[0].matcher);
    for (const tool of ["Shell", "Read", "Write", "MCP", "M", "MCPX", "Move", "MC:", "Task", ""])
      expect(matcher.test(tool), tool).toBe(true);
    for (const tool of ["MCP:create_issue", "MCP:"]) expect(matcher.test(tool), tool).toBe(false);
  });

  it("is known to an entry of ours in Claude Code's settings, which Cursor starts, too", () => {
    const { world, install, request } = installing(cursorSetup);
    const isInstalled = () => cursorHook.isInstalled?.({ ...request, projectDir: undefined });
    expect(isInstalled()).toBe(false);
    install();
    expect(isInstalled()).toBe(true);
    world.edit(settings, (text) => {
      const { hooks } = JSON.parse(text);
      hooks.preToolUse[0].matcher = "Read";
      return JSON.stringify({ hooks });
    });
    expect(isInstalled()).toBe(false);
    world.write(settings, { hooks: { preToolUse: [{ command: "/x/hook.sh cursor node 30 || true" }] } });
    expect(isInstalled()).toBe(false);
  });
});
