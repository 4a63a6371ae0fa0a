/** The form of VS Code, by its documentation; its calls come through Copilot's entry as well as its own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { AgentDecision, HookEvent } from "../../../../src/agents/agent-hook.ts";
import { copilotHook } from "../../../../src/agents/copilot/hook.ts";
import { vscode } from "../../../../src/agents/vscode/agent.ts";
import { vscodeHook } from "../../../../src/agents/vscode/hook.ts";

const nowhere = { home: "/nowhere", env: {}, projectDir: undefined };

function sent(tool_name: string, tool_input: unknown, more: object = {}): string {
  return JSON.stringify({
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
}

/** As Copilot CLI sends it to a hook in a project's settings of Claude Code. */
const second = JSON.stringify({
  hook_event_name: "PreToolUse",
  session_id: "74589075",
  timestamp: "2026-11-17T09:50:49.324Z",
  cwd: "/work/shop",
  tool_name: "store-look",
  tool_input: {},
});

const both = [
  ["its own entry", vscodeHook],
  ["Copilot's entry", copilotHook],
] as const;

describe.each(both)("a call of VS Code through %s", (_, hook) => {
  const read = (text: string) => {
    const answer = hook.read(text, nowhere);
    if (!answer.ok) throw new Error(answer.message);
    return answer;
  };

  it("is read, and is VS Code's", () => {
    const { input, speaker } = read(sent("run_in_terminal", { command: "ls" }));
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
    const { speaker } = read(sent("run_in_terminal", { command: "ls" }));
    const denial = { verdict: "deny", reason: "No.", contexts: [], warnings: [] } as const;
    expect(speaker?.write("PreToolUse", denial, {})).toEqual({
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"No."}}\n',
      stderr: "No.\n",
      exitCode: 2,
    });
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
    const change = { verdict: "abstain", input: { a: 1 }, contexts: ["one"], warnings: ["w"] } as const;
    expect(speaker?.write("PreToolUse", change, {})).toEqual({
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"a":1},"additionalContext":"one"}}\n',
      stderr: "",
      exitCode: 0,
      mustArrive: true,
    });
    const denial = { verdict: "deny", reason: "No.", contexts: [], warnings: [] } as const;
    expect(speaker?.write("PreToolUse", denial, {})).toEqual({
      stdout: '{"permissionDecision":"deny","permissionDecisionReason":"No."}\n',
      stderr: "No.\n",
      exitCode: 2,
    });
  });

  it.each([
    ["without an input", sent("a", undefined)],
    ["whose input is text", sent("a", "{}")],
    ["without a name", sent("", {})],
    ["of an event that nobody knows", sent("a", {}, { hookEventName: "Stop" })],
  ])("%s is refused", (_what, text) => {
    expect(hook.read(text, nowhere).ok).toBe(false);
  });
});

describe("a tool of an MCP server in VS Code", () => {
  let home = "";
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  const nameOf = (tool: string, projectDir?: string) => {
    const answer = vscodeHook.read(sent(tool, {}), { home: "/nowhere", env: {}, projectDir });
    return answer.ok ? answer.input.tool : answer.message;
  };

  it("is found by the project's own list, however it is shortened there", () => {
    home = mkdtempSync(join(tmpdir(), "vscode-"));
    mkdirSync(join(home, ".vscode"));
    const servers = { my_db: {}, shop: {}, "A Very Long Server": {} };
    writeFileSync(join(home, ".vscode/mcp.json"), JSON.stringify({ servers }));
    expect(nameOf("mcp_my_db_drop", home)).toBe("mcp__my_db__drop");
    expect(nameOf("mcp_shop_look", home)).toBe("mcp__shop__look");
    expect(nameOf("mcp_a_very_long_s_look_up", home)).toBe("mcp__A_Very_Long_Server__look_up");
  });

  it("is refused where two servers could have it: a repository's list would choose whose rules hold", () => {
    home = mkdtempSync(join(tmpdir(), "vscode-"));
    mkdirSync(join(home, ".vscode"));
    const servers = { github: {}, github_create: {} };
    writeFileSync(join(home, ".vscode/mcp.json"), JSON.stringify({ servers }));
    expect(nameOf("mcp_github_create_issue", home)).toContain("two MCP servers");
    expect(nameOf("mcp_github_look", home)).toBe("mcp__github__look");
  });

  it("else has the first part of its name as the server", () => {
    expect(nameOf("mcp_github_create_issue")).toBe("mcp__github__create_issue");
    expect(nameOf("mcp_odd")).toBe("mcp_odd");
    expect(nameOf("create_file")).toBe("create_file");
  });
});

const nothing = { contexts: [], warnings: [] };
function answer(decision: Partial<AgentDecision>, event: HookEvent = "PreToolUse", asked = {}) {
  return vscodeHook.write(event, { ...nothing, verdict: "abstain", ...decision }, asked);
}
const silent = { stdout: "", stderr: "", exitCode: 0 };

describe("the answer to VS Code", () => {
  it("is silence when no rule speaks: an allow would skip its own prompts", () => {
    expect(answer({})).toEqual(silent);
    expect(answer({ verdict: "allow", contexts: ["one"], warnings: ["old rules"] })).toEqual({
      ...silent,
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","additionalContext":"one"},"systemMessage":"old rules"}\n',
    });
  });

  it("denies what a rule changes, with what to run instead: a new input can be ignored", () => {
    const said = answer({ input: { command: "ls" } }, "PreToolUse", { command: "dir" });
    expect(said).toMatchObject({ exitCode: 2, stderr: "A rule changes this call; run this instead: ls\n" });
    expect(said.stdout).not.toContain("updatedInput");
  });

  it("after a call adds a note, and ends the turn with the task", () => {
    expect(answer({ contexts: ["one"], reason: "A hook failed.", taskEnd: "Over." }, "PostToolUse")).toEqual({
      ...silent,
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"one\\n\\nA hook failed."},"continue":false,"stopReason":"Over."}\n',
    });
  });

  it("is a denial in its own words when the hook breaks", () => {
    expect(JSON.parse(vscode.lastWords("broken"))).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "broken",
      },
    });
  });
});
