/** Cursor's form, as its documentation has it. */
import { describe, expect, it } from "vitest";
import type { AgentDecision, HookEvent, ReadHookInput } from "../../../../src/agents/agent-hook.ts";
import { cursor } from "../../../../src/agents/cursor/agent.ts";
import { cursorHook } from "../../../../src/agents/cursor/hook.ts";
import { readCursorCall } from "../../../../src/agents/cursor/read-call.ts";
import { cursorSetup } from "../../../../src/agents/cursor/setup.ts";
import { installing } from "../installing.ts";

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
const read = (value: object, isAskedByServer = false) =>
  readCursorCall(JSON.stringify(value), () => isAskedByServer);
const nothing = { contexts: [], warnings: [] };
const silence = { stdout: "", stderr: "", exitCode: 0 };

function answer(
  to: ReadHookInput,
  decision: Partial<AgentDecision> & Pick<AgentDecision, "verdict">,
  event: HookEvent = "PreToolUse",
) {
  if (!to.ok) throw new Error(to.message);
  const { write } = to.speaker ?? cursorHook;
  return write(event, { ...nothing, ...decision }, to.input.input);
}

describe("a call of Cursor", () => {
  it("is read as it is sent; where it says no folder, the workspace counts", () => {
    expect(read(sent)).toEqual({
      ok: true,
      input: {
        event: "PreToolUse",
        tool: "Shell",
        input: sent.tool_input,
        mode: "act",
        sessionId: "c-1",
        toolUseId: "abc123",
        agentVersion: "3.9.16",
        cwd: "/work/project",
      },
    });
  });

  it("of an MCP server holds its input as a text, and gets the name that rules know", () => {
    expect(read(mcp)).toMatchObject({
      ok: true,
      input: {
        tool: "mcp__git_hub__create_issue",
        agentTool: "MCP:create_issue",
        input: { title: "Odd" },
      },
    });
  });

  it("of an MCP server is refused where nobody says which one, or where its input cannot be read", () => {
    const { mcp_server_name: _, ...nameless } = mcp;
    expect(read(nameless)).toMatchObject({ ok: false, message: expect.stringContaining("does not name") });
    for (const tool_input of ["{", "[]", "", null, '{"a":1,"a":2}'])
      expect(read({ ...mcp, tool_input }), String(tool_input)).toMatchObject({ ok: false });
    const generic = { ...sent, tool_name: "MCP:create_issue", tool_input: {} };
    expect(read(generic)).toMatchObject({ ok: false, message: expect.stringContaining("install cursor") });
    expect(read(generic, true)).toMatchObject({ ok: true });
  });

  it("is understood in the events for a shell and a file, too", () => {
    const shell = { ...common, hook_event_name: "beforeShellExecution", command: "ls", cwd: "/work" };
    expect(read(shell)).toMatchObject({
      ok: true,
      input: { tool: "Shell", input: { command: "ls", cwd: "/work" }, cwd: "/work" },
    });
    const file = { ...common, hook_event_name: "beforeReadFile", file_path: "/work/.env", content: "A=1" };
    expect(read(file)).toMatchObject({
      ok: true,
      input: { tool: "Read", input: { file_path: "/work/.env" } },
    });
    expect(read({ ...shell, command: "" })).toMatchObject({ ok: false });
    expect(read({ ...file, file_path: undefined })).toMatchObject({ ok: false });
  });

  it("that has ended brings what came of it; a new task is no call", () => {
    const ended = { ...sent, hook_event_name: "postToolUse", tool_output: '{"exitCode":0}', duration: 7.5 };
    expect(read(ended)).toMatchObject({
      ok: true,
      input: { event: "PostToolUse", response: '{"exitCode":0}', durationMs: 7.5 },
    });
    const failed = { ...sent, hook_event_name: "postToolUseFailure", error_message: "no" };
    expect(read(failed)).toMatchObject({ ok: true, input: { event: "PostToolUseFailure", error: "no" } });
    expect(read({ ...common, hook_event_name: "beforeSubmitPrompt", prompt: "go" })).toMatchObject({
      ok: true,
      input: { event: "UserPromptSubmit", sessionId: "c-1" },
    });
  });

  it("that cannot be read is refused", () => {
    expect(readCursorCall("{", () => false)).toMatchObject({ ok: false });
    expect(read({ ...sent, tool_input: "x" })).toMatchObject({ ok: false });
    expect(read({ ...sent, hook_event_name: "stop" })).toMatchObject({ ok: false });
  });

  it("from an entry in another agent's settings is known by its version", () => {
    expect(cursor.sends?.(sent)).toBe(true);
    expect(cursor.sends?.({ tool_name: "Bash" })).toBe(false);
  });
});

describe("the answer to Cursor", () => {
  it("is never nothing before a call: with failClosed that would stop it", () => {
    const pass = { ...silence, stdout: '{"permission":"allow"}\n' };
    expect(answer(read(sent), { verdict: "abstain", contexts: ["A remark."] })).toEqual(pass);
    expect(answer(read(sent), { verdict: "allow", reason: "Fine." })).toEqual(pass);
    expect(answer(read(mcp), { verdict: "abstain" })).toEqual(pass);
  });

  it("denies by JSON, text and exit code at once, and never asks", () => {
    const denied = {
      stdout:
        '{"permission":"deny","user_message":"No.\\n\\nA remark.","agent_message":"No.\\n\\nA remark."}\n',
      stderr: "No.\n\nA remark.\n",
      exitCode: 2,
    };
    for (const verdict of ["deny", "ask"] as const)
      for (const call of [read(sent), read(mcp)])
        expect(answer(call, { verdict, reason: "No.", contexts: ["A remark."] })).toEqual(denied);
    const file = read({ ...common, hook_event_name: "beforeReadFile", file_path: "/x" });
    expect(answer(file, { verdict: "deny", reason: "No." })).toMatchObject({
      stdout: '{"permission":"deny","user_message":"No."}\n',
      exitCode: 2,
    });
  });

  it("hands a new input over before a tool; it must arrive", () => {
    expect(answer(read(sent), { verdict: "abstain", input: { command: "npm ci" } })).toEqual({
      ...silence,
      stdout: '{"permission":"allow","updated_input":{"command":"npm ci"}}\n',
      mustArrive: true,
    });
  });

  it("refuses a changed call of an MCP server: there is no place for a new input", () => {
    const changed = answer(read(mcp), { verdict: "allow", input: { title: "Even" } });
    expect(changed).toMatchObject({ exitCode: 2 });
    expect(changed.stderr).toBe("A rule changes this call; run this instead: Even\n");
  });

  it("after a call is a context", () => {
    const ended = read({ ...sent, hook_event_name: "postToolUse", tool_output: "{}" });
    expect(answer(ended, { verdict: "abstain" }, "PostToolUse")).toEqual(silence);
    expect(
      answer(ended, { verdict: "abstain", contexts: ["One."], taskEnd: "Over." }, "PostToolUse"),
    ).toEqual({
      ...silence,
      stdout: '{"additional_context":"One.\\n\\nOver."}\n',
    });
  });

  it("of a broken process is a denial, too", () => {
    expect(JSON.parse(cursor.lastWords("Broken."))).toEqual({
      permission: "deny",
      user_message: "Broken.",
      agent_message: "Broken.",
    });
  });
});

describe("Cursor's set-up", () => {
  const file = "home/.cursor/hooks.json";

  it("asks once for each call, closed where it fails, and is undone to the byte", () => {
    const { world, install, uninstall, examine } = installing(cursorSetup);
    const mine = '{\n  "version": 1,\n  "hooks": { "stop": [{ "command": "./audit.sh" }] }\n}\n';
    world.write(file, mine);
    expect(install()).toMatchObject({ ok: true });
    const asking = { command: "HOOK cursor NODE 300 KEY || exit 2", timeout: 300, failClosed: true };
    const looking = { command: "HOOK cursor NODE after:30 KEY", timeout: 30 };
    const written = JSON.parse(world.read(file));
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
    expect(examine()).toEqual([["hooks-installed", "ok"]]);
    expect(uninstall()).toMatchObject({ ok: true });
    expect(world.read(file)).toBe(mine);
  });

  it("is known to an entry of ours in Claude Code's settings, which Cursor starts, too", () => {
    const { world, install } = installing(cursorSetup);
    const place = { home: world.home, env: {}, projectDir: undefined };
    expect(cursorHook.isInstalled?.(place)).toBe(false);
    install();
    expect(cursorHook.isInstalled?.(place)).toBe(true);
    const narrowed = JSON.parse(world.read(file));
    narrowed.hooks.preToolUse[0].matcher = "Read";
    world.write(file, JSON.stringify(narrowed));
    expect(cursorHook.isInstalled?.(place)).toBe(false);
    world.write(
      file,
      JSON.stringify({ hooks: { preToolUse: [{ command: "/x/hook.sh cursor node 30 || true" }] } }),
    );
    expect(cursorHook.isInstalled?.(place)).toBe(false);
  });
});
