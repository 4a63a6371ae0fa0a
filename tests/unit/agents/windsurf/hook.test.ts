/** Windsurf's form, as its documentation has it. */
import { describe, expect, it } from "vitest";
import { windsurf } from "../../../../src/agents/windsurf/agent.ts";
import { windsurfHook } from "../../../../src/agents/windsurf/hook.ts";
import { windsurfSetup } from "../../../../src/agents/windsurf/setup.ts";
import { findPlace } from "../../../../src/surfaces/hook/process/find-place.ts";
import { installedInto } from "../installing.ts";
import { silence, talkingTo } from "../talking.ts";

const { read, taken, answer } = talkingTo(windsurfHook);
const sent = (agent_action_name: string, tool_info: unknown) => ({
  agent_action_name,
  trajectory_id: "t-1",
  execution_id: "e-1",
  timestamp: "2026-09-01T00:00:00Z",
  tool_info,
});

describe("a call of Windsurf", () => {
  it("in a shell is read as it is sent", () => {
    const info = { command_line: "npm test", cwd: "/work" };
    expect(taken(sent("pre_run_command", info))).toEqual({
      event: "PreToolUse",
      tool: "run_command",
      input: info,
      mode: "act",
      sessionId: "t-1",
      toolUseId: "e-1",
      cwd: "/work",
    });
  });

  it("does not choose its rules by the folder of its command", () => {
    const place = { agent: { ...windsurf, ...windsurfHook }, input: { cwd: "/tmp" }, env: {} };
    expect(findPlace({ ...place, startedIn: "/" })).toEqual({ cwd: "/", projectDir: "/" });
  });

  const info = { mcp_server_name: "git hub", mcp_tool_name: "create_issue", mcp_tool_arguments: { a: 1 } };
  const edits = [{ old_string: "", new_string: "import os" }];
  const more = [...edits, { old_string: "import os", new_string: "import sys" }];
  const file_path = "/work/a.py";
  it.for<readonly [string, string, object, object]>([
    [
      "of an MCP server gets the name that rules know",
      "pre_mcp_tool_use",
      info,
      { tool: "mcp__git_hub__create_issue", agentTool: "create_issue", input: { a: 1 } },
    ],
    [
      "of an MCP server that has ended brings what came of it",
      "post_mcp_tool_use",
      { ...info, mcp_result: "done" },
      { event: "PostToolUse", response: "done" },
    ],
    [
      "that reads a file is read",
      "pre_read_code",
      { file_path },
      { tool: "read_code", input: { file_path } },
    ],
    [
      "that writes a new file is a write",
      "pre_write_code",
      { file_path, edits },
      { tool: "Write", agentTool: "write_code", input: { file_path, content: "import os" } },
    ],
    [
      "that changes a file is an edit",
      "pre_write_code",
      { file_path, edits: more },
      { tool: "write_code", input: { edits: more } },
    ],
    [
      "is no call when a person says something",
      "pre_user_prompt",
      { user_prompt: "go" },
      { event: "UserPromptSubmit", sessionId: "t-1" },
    ],
  ])("%s", ([, action, given, input]) => expect(taken(sent(action, given))).toMatchObject(input));

  it.for<readonly [string, unknown]>([
    ["pre_run_command", {}],
    ["pre_run_command", "ls"],
    ["pre_write_code", { file_path: "/a", edits: [] }],
    ["pre_write_code", { file_path: "/a", edits: [{ new_string: 3 }] }],
    ["pre_mcp_tool_use", { mcp_tool_name: "x", mcp_tool_arguments: {} }],
    ["pre_constructor", {}],
    ["post_cascade_response", {}],
  ])("that cannot be read is refused: %s %j", ([action, given]) => {
    expect(read(sent(action, given))).toMatchObject({ ok: false });
  });

  it("that is nothing is refused", () => expect(read("")).toMatchObject({ ok: false }));
});

describe("the answer to Windsurf", () => {
  it("is silence, or exit code 2 with the reason for the agent and for the person", () => {
    expect(answer({ contexts: ["A remark."] })).toEqual(silence);
    expect(answer({ verdict: "allow" })).toEqual(silence);
    const text = "No.\n\nA remark.\n";
    expect(answer({ verdict: "deny", reason: "No.", contexts: ["A remark."] })).toEqual({
      stdout: text,
      stderr: text,
      exitCode: 2,
    });
  });

  it("refuses a call that a rule changes, and says what to run instead", () => {
    const changed = answer({ verdict: "allow", input: { command_line: "ls" } }, { command_line: "rm" });
    const stderr = "A rule changes this call; run this instead: ls\n";
    expect(changed).toMatchObject({ exitCode: 2, stderr });
  });

  it("says nothing after a call", () => {
    expect(answer({ contexts: ["x"], taskEnd: "Over." }, {}, "PostToolUse")).toEqual(silence);
  });
});

describe("Windsurf's set-up", () => {
  it.for([
    ["user", "home/.codeium/windsurf/hooks.json"],
    ["project", "project/.windsurf/hooks.json"],
  ] as const)("for the %s has an entry for each kind of call, and is undone to the byte", ([scope, file]) => {
    const mine = '{"hooks":{"post_write_code":[{"command":"./fmt.sh","show_output":true}]}}\n';
    const { hooks } = JSON.parse(installedInto(windsurfSetup, file, mine, { scope }));
    const command = expect.stringMatching(/ windsurf .*\|\| exit 2$|windsurf \|\| exit 2$/);
    for (const event of ["pre_run_command", "pre_write_code", "pre_read_code", "pre_mcp_tool_use"])
      expect(hooks[event]).toEqual([{ command, show_output: true }]);
    expect(hooks.post_write_code).toHaveLength(1);
  });
});
