/** Windsurf's form, as its documentation has it. */
import { describe, expect, it } from "vitest";
import type { AgentDecision } from "../../../../src/agents/agent-hook.ts";
import { windsurf } from "../../../../src/agents/windsurf/agent.ts";
import { windsurfHook } from "../../../../src/agents/windsurf/hook.ts";
import { readWindsurfCall } from "../../../../src/agents/windsurf/read-call.ts";
import { windsurfSetup } from "../../../../src/agents/windsurf/setup.ts";
import { findPlace } from "../../../../src/surfaces/hook/process/find-place.ts";
import { installing } from "../installing.ts";

const read = (agent_action_name: string, tool_info: unknown) =>
  readWindsurfCall(
    JSON.stringify({
      agent_action_name,
      trajectory_id: "t-1",
      execution_id: "e-1",
      timestamp: "2026-09-01T00:00:00Z",
      tool_info,
    }),
  );
const answer = (decision: Partial<AgentDecision> & Pick<AgentDecision, "verdict">, asked = {}) =>
  windsurfHook.write("PreToolUse", { contexts: [], warnings: [], ...decision }, asked);
const silence = { stdout: "", stderr: "", exitCode: 0 };

describe("a call of Windsurf", () => {
  it("in a shell is read as it is sent", () => {
    expect(read("pre_run_command", { command_line: "npm test", cwd: "/work" })).toEqual({
      ok: true,
      input: {
        event: "PreToolUse",
        tool: "run_command",
        input: { command_line: "npm test", cwd: "/work" },
        mode: "act",
        sessionId: "t-1",
        toolUseId: "e-1",
        cwd: "/work",
      },
    });
  });

  it("does not choose its rules by the folder of its command", () => {
    const place = { agent: { ...windsurf, ...windsurfHook }, input: { cwd: "/tmp" }, env: {} };
    expect(findPlace({ ...place, startedIn: "/" })).toEqual({ cwd: "/", projectDir: "/" });
  });

  it("of an MCP server gets the name that rules know", () => {
    const info = { mcp_server_name: "git hub", mcp_tool_name: "create_issue", mcp_tool_arguments: { a: 1 } };
    expect(read("pre_mcp_tool_use", info)).toMatchObject({
      ok: true,
      input: { tool: "mcp__git_hub__create_issue", agentTool: "create_issue", input: { a: 1 } },
    });
    expect(read("post_mcp_tool_use", { ...info, mcp_result: "done" })).toMatchObject({
      ok: true,
      input: { event: "PostToolUse", response: "done" },
    });
  });

  it("that reads a file is read", () => {
    expect(read("pre_read_code", { file_path: "/work/.env" })).toMatchObject({
      ok: true,
      input: { tool: "read_code", input: { file_path: "/work/.env" } },
    });
  });

  it("that writes a new file is a write, and one that changes a file is an edit", () => {
    const edits = [{ old_string: "", new_string: "import os" }];
    expect(read("pre_write_code", { file_path: "/work/a.py", edits })).toMatchObject({
      ok: true,
      input: {
        tool: "Write",
        agentTool: "write_code",
        input: { file_path: "/work/a.py", content: "import os" },
      },
    });
    const change = [{ old_string: "import os", new_string: "import sys" }];
    expect(read("pre_write_code", { file_path: "/work/a.py", edits: [...edits, ...change] })).toMatchObject({
      ok: true,
      input: { tool: "write_code", input: { edits: [...edits, ...change] } },
    });
  });

  it("that cannot be read is refused", () => {
    expect(readWindsurfCall("")).toMatchObject({ ok: false });
    expect(read("pre_run_command", {})).toMatchObject({ ok: false });
    expect(read("pre_run_command", "ls")).toMatchObject({ ok: false });
    expect(read("pre_write_code", { file_path: "/a", edits: [] })).toMatchObject({ ok: false });
    expect(read("pre_write_code", { file_path: "/a", edits: [{ new_string: 3 }] })).toMatchObject({
      ok: false,
    });
    expect(read("pre_mcp_tool_use", { mcp_tool_name: "x", mcp_tool_arguments: {} })).toMatchObject({
      ok: false,
    });
    expect(read("pre_constructor", {})).toMatchObject({ ok: false });
    expect(read("post_cascade_response", {})).toMatchObject({ ok: false });
  });

  it("is no call when a person says something", () => {
    expect(read("pre_user_prompt", { user_prompt: "go" })).toMatchObject({
      ok: true,
      input: { event: "UserPromptSubmit", sessionId: "t-1" },
    });
  });
});

describe("the answer to Windsurf", () => {
  it("is silence, or exit code 2 with the reason for the agent and for the person", () => {
    expect(answer({ verdict: "abstain", contexts: ["A remark."] })).toEqual(silence);
    expect(answer({ verdict: "allow" })).toEqual(silence);
    const denied = { stdout: "No.\n\nA remark.\n", stderr: "No.\n\nA remark.\n", exitCode: 2 };
    for (const verdict of ["deny", "ask"] as const)
      expect(answer({ verdict, reason: "No.", contexts: ["A remark."] })).toEqual(denied);
    expect(answer({ verdict: "deny" })).toMatchObject({ stderr: "Blocked by toolgate.\n", exitCode: 2 });
  });

  it("refuses a call that a rule changes, and says what to run instead", () => {
    const changed = answer({ verdict: "allow", input: { command_line: "ls" } }, { command_line: "rm" });
    expect(changed).toMatchObject({ exitCode: 2 });
    expect(changed.stderr).toBe("A rule changes this call; run this instead: ls\n");
  });

  it("says nothing after a call, and a broken process says why", () => {
    const said = { verdict: "abstain", contexts: ["x"], warnings: [], taskEnd: "Over." } as const;
    expect(windsurfHook.write("PostToolUse", said, {})).toEqual(silence);
    // The entry says why on standard error.
    expect(windsurf.lastWords("Broken.")).toBe("");
  });
});

describe("Windsurf's set-up", () => {
  it.for([
    ["user", "home/.codeium/windsurf/hooks.json"],
    ["project", "project/.windsurf/hooks.json"],
  ] as const)("for the %s has an entry for each kind of call, and is undone to the byte", ([scope, file]) => {
    const { world, install, uninstall, examine } = installing(windsurfSetup);
    const mine = '{"hooks":{"post_write_code":[{"command":"./fmt.sh","show_output":true}]}}\n';
    world.write(file, mine);
    expect(install({ scope })).toMatchObject({ ok: true });
    const { hooks } = JSON.parse(world.read(file));
    const events = ["pre_run_command", "pre_write_code", "pre_read_code", "pre_mcp_tool_use"];
    for (const event of events)
      expect(hooks[event]).toEqual([
        {
          command: expect.stringMatching(/ windsurf .*\|\| exit 2$|windsurf \|\| exit 2$/),
          show_output: true,
        },
      ]);
    expect(hooks.post_write_code).toHaveLength(1);
    expect(examine()).toEqual([["hooks-installed", "ok"]]);
    expect(uninstall({ scope })).toMatchObject({ ok: true });
    expect(world.read(file)).toBe(mine);
  });
});
