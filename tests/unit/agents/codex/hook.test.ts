/** As 0.166.0 sends and takes it. */
import { describe, expect, it } from "vitest";
import type { AgentDecision } from "../../../../src/agents/agent-hook.ts";
import { codexHook } from "../../../../src/agents/codex/hook.ts";
import { afterCall, beforeCall, denial, denies, rewrites, says, silence, talkingTo } from "../talking.ts";

const sent = {
  session_id: "01a1e8e8-79fe-7ef3-a271-e12f4deb4308",
  turn_id: "01a1e8e8-7aac-7500-a712-682a6fdbb689",
  transcript_path: "/home/ann/.codex/sessions/rollout.jsonl",
  cwd: "/work/site",
  hook_event_name: "PreToolUse",
  model: "gpt-5.5",
  permission_mode: "bypassPermissions",
  tool_use_id: "call_1",
};
const { read: readCall, answer } = talkingTo(codexHook);
const read = (call: object) => readCall({ ...sent, ...call });
const shell = (command: string, more: object = {}) =>
  read({ tool_name: "Bash", tool_input: { command }, ...more });

const patch = "*** Begin Patch\n*** Add File: a.txt\n+hi\n*** End Patch\n";

describe("a call of Codex", () => {
  it("is a command with the folder in which it would run", () => {
    expect(shell("ls")).toEqual({
      ok: true,
      input: {
        event: "PreToolUse",
        tool: "Bash",
        input: { command: "ls" },
        mode: "act",
        permissionMode: "bypassPermissions",
        isForeign: true,
        sessionId: sent.session_id,
        toolUseId: "call_1",
        cwd: "/work/site",
      },
    });
  });

  const ofShell = { tool_name: "Bash", tool_input: { command: "ls" } };
  const mcp = { tool_name: "mcp__echo__shout", tool_input: { text: "x" } };
  const grouped = { tool_name: "multi_agent_v1send_input", tool_input: { target: "a1" } };
  const line = `cd sub && apply_patch <<'EOF'\n${patch}EOF`;
  const inSub = { command: patch.replace("a.txt", "sub/a.txt"), line };
  const more = `rm x; apply_patch <<'EOF'\n${patch}EOF`;
  it.for<readonly [string, object, object]>([
    [
      "says which sub-agent makes it",
      { ...ofShell, agent_id: "a1", agent_type: "default" },
      { agentId: "a1", agentType: "default" },
    ],
    ["keeps an MCP tool's name", mcp, { tool: "mcp__echo__shout", input: { text: "x" } }],
    ["gives a grouped tool its own", grouped, { tool: "send_input", agentTool: "multi_agent_v1send_input" }],
    ["may be of a group itself", { tool_name: "multi_agent_v1", tool_input: {} }, { tool: "multi_agent_v1" }],
    [
      "is a patch",
      { tool_name: "apply_patch", tool_input: { command: patch } },
      { tool: "apply_patch", input: { command: patch } },
    ],
    [
      "is a patch also where it was typed into a shell",
      { ...ofShell, tool_input: { command: line } },
      { tool: "apply_patch", agentTool: "Bash", input: inSub },
    ],
    [
      "stays a command that also names files, where there is more in the line than the patch",
      { ...ofShell, tool_input: { command: more } },
      { tool: "Bash", input: { command: more, patch: more } },
    ],
    [
      "tells what a tool answered",
      { ...ofShell, hook_event_name: "PostToolUse", tool_response: "a\n" },
      { event: "PostToolUse", tool: "Bash", response: "a\n" },
    ],
    [
      "is no call when a person says something",
      { hook_event_name: "UserPromptSubmit", prompt: "Go on." },
      { event: "UserPromptSubmit", sessionId: sent.session_id },
    ],
  ])("%s", ([, call, input]) => expect(read(call)).toMatchObject({ ok: true, input }));

  it("is refused if it opens a shell for what no hook is shown; the record has what it was", () => {
    expect(shell("bash --norc")).toMatchObject({
      ok: false,
      message:
        "An open bash would run whatever is typed into it later, and Codex shows that to nobody. Run each command by itself, or give bash a script or a command.",
      input: { tool: "Bash", input: { command: "bash --norc" } },
    });
    // It has run, however that came.
    expect(shell("bash", { hook_event_name: "PostToolUse", tool_response: "" })).toMatchObject({ ok: true });
  });

  it("is refused when it cannot be read", () => {
    for (const call of ["", "{", "[]", "{}", { ...sent, tool_name: "Bash" }])
      expect(readCall(call)).toMatchObject({ ok: false });
  });
});

describe("the answer to Codex before a call", () => {
  it("is silence where nothing is to be said: a bare allow makes the hook fail", () => {
    expect(answer({})).toEqual(silence);
    expect(answer({ verdict: "allow", reason: "A rule approves it." })).toEqual(silence);
  });

  it("denies by the exit code, with the text on standard error, also what it would have to ask", () => {
    for (const verdict of ["deny", "ask", "perhaps"] as "deny"[])
      expect(answer({ verdict, reason: "Use `gh`.", input: { command: "ls" } })).toEqual(
        denies("Use `gh`.", denial("Use `gh`.")),
      );
  });

  it("says with a denial what hooks and rules remarked, for it reads nothing else then", () => {
    const told = answer({ verdict: "deny", reason: "No. w", contexts: ["c", " "], warnings: ["w", "v"] });
    expect(told.stderr).toBe("No. w\n\nc\n\nv\n");
  });

  const changes = (input: object) =>
    rewrites(beforeCall({ permissionDecision: "allow", updatedInput: input }));

  it("hands over a new input, which must arrive", () => {
    const input = { command: "ls" };
    for (const verdict of ["allow", "abstain"] as const)
      expect(answer({ verdict, reason: "why", input })).toEqual(changes(input));
  });

  it("takes out of a new input what was only there for rules", () => {
    const input = { command: "ls", patch: "x" };
    expect(answer({ input }, { command: "x", patch: "x" })).toEqual(changes({ command: "ls" }));
  });

  it("leaves a patch in the new input of a tool that has such a field itself", () => {
    const input = { path: "/b", patch: "x" };
    expect(answer({ input }, { path: "/a", patch: "x" })).toEqual(changes(input));
  });

  it("says what to run instead where a patch was typed into a shell", () => {
    const asked = { command: "old\n", line: "apply_patch <<'EOF'\nold\nEOF" };
    expect(answer({ verdict: "allow", input: { ...asked, command: "new\n" } }, asked)).toMatchObject({
      stderr: "A rule changes this call; run this instead: new\n\n",
      exitCode: 2,
    });
  });

  it("adds context for the model and warnings for the person", () => {
    const said = { ...beforeCall({ additionalContext: "a\n\nb" }), systemMessage: "w" };
    expect(answer({ contexts: ["a", "b"], warnings: ["w"] })).toEqual(says(said));
  });
});

describe("the answer to Codex after a call", () => {
  it("is silence where nothing is to be said", () => {
    for (const event of ["PostToolUse", "UserPromptSubmit"] as const)
      expect(answer({}, {}, event)).toEqual(silence);
  });

  it("puts the end of a task, and what could not be looked at, in place of what the tool answered", () => {
    const told = answer({ taskEnd: "Poison.", reason: "A hook failed." }, {}, "PostToolUse");
    expect(told).toEqual(says({ decision: "block", reason: "Poison.\n\nA hook failed." }));
  });

  it("adds context for the model and warnings for the person", () => {
    const said = { ...afterCall("a"), systemMessage: "w" };
    expect(answer({ contexts: ["a"], warnings: ["w"] }, {}, "PostToolUse")).toEqual(says(said));
  });
});

/** Codex throws a whole answer away for one field more, or for a value that it does not know. */
describe("every answer to Codex", () => {
  const texts = [[], ["text"], ["", " "]];
  const parts: readonly Partial<AgentDecision>[][] = [
    [{ verdict: "allow" }, { verdict: "deny" }, { verdict: "abstain" }, { verdict: "ask" }],
    [{}, { reason: "why" }, { reason: "" }],
    [{}, { input: { command: "x" } }],
    [{}, { taskEnd: "over" }],
    texts.map((contexts) => ({ contexts })),
    texts.map((warnings) => ({ warnings })),
  ];
  const decisions = parts.reduce<Partial<AgentDecision>[]>(
    (all, some) => all.flatMap((one) => some.map((other) => ({ ...one, ...other }))),
    [{}],
  );

  it("before a call holds only what it takes, and says no in every way that it should", () => {
    expect(decisions).toHaveLength(432);
    for (const decision of decisions) {
      const { stdout, stderr, exitCode } = answer(decision, { command: "y" });
      const isDenied = decision.verdict === "deny" || decision.verdict === "ask";
      expect([exitCode, stderr.trim() !== ""]).toEqual(isDenied ? [2, true] : [0, false]);
      if (stdout === "") continue;
      const { hookSpecificOutput: said = {}, ...top } = JSON.parse(stdout);
      expect(Object.keys(top).filter((key) => key !== "systemMessage")).toEqual([]);
      const { hookEventName, permissionDecision, permissionDecisionReason, updatedInput, ...more } = said;
      expect(Object.keys(more).filter((key) => key !== "additionalContext")).toEqual([]);
      expect(Object.keys(said).length === 0 || hookEventName === "PreToolUse").toBe(true);
      // The only two pairs that it knows.
      expect([undefined, "deny", "allow"]).toContain(permissionDecision);
      expect(permissionDecisionReason !== undefined).toBe(permissionDecision === "deny");
      expect(updatedInput !== undefined).toBe(permissionDecision === "allow");
      for (const text of [top.systemMessage, more.additionalContext, permissionDecisionReason])
        expect(text === undefined || text.trim() !== "").toBe(true);
    }
  });

  it("after a call denies nothing and holds only what it takes", () => {
    for (const event of ["PostToolUse", "UserPromptSubmit"] as const)
      for (const decision of decisions) {
        const { stdout, stderr, exitCode } = answer(decision, {}, event);
        expect([exitCode, stderr]).toEqual([0, ""]);
        if (stdout === "") continue;
        const { hookSpecificOutput: said, systemMessage: _, ...top } = JSON.parse(stdout);
        if (Object.keys(top).length > 0)
          expect(top).toEqual({ decision: "block", reason: expect.any(String) });
        if (said !== undefined)
          expect(said).toEqual({ hookEventName: event, additionalContext: expect.any(String) });
      }
  });
});
