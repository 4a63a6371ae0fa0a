import { describe, expect, it } from "vitest";
import type { AgentDecision, HookEvent } from "../../../../src/agents/agent-hook.ts";
import { writeAnswer } from "../../../../src/agents/claude-code/write-answer.ts";

const nothing = { contexts: [], warnings: [] };
const answer = (decision: Partial<AgentDecision> & Pick<AgentDecision, "verdict">) =>
  writeAnswer("PreToolUse", { ...nothing, ...decision });

describe("the answer to Claude Code before a call", () => {
  it("is silence when no rule speaks: an allow would skip its own prompts", () => {
    expect(answer({ verdict: "abstain" })).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    expect(answer({ verdict: "abstain", reason: "Nothing matched." })).toEqual({
      stdout: "",
      stderr: "",
      exitCode: 0,
    });
  });

  it("blocks in three ways at once", () => {
    expect(answer({ verdict: "deny", reason: "Use `gh pr view`." })).toEqual({
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Use `gh pr view`."}}\n',
      stderr: "Use `gh pr view`.\n",
      exitCode: 2,
    });
  });

  it("blocks with a reason even if none was given", () => {
    for (const reason of [undefined, "", " \n"]) {
      expect(answer({ verdict: "deny", ...(reason !== undefined && { reason }) })).toEqual({
        stdout:
          '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Blocked by toolgate."}}\n',
        stderr: "Blocked by toolgate.\n",
        exitCode: 2,
      });
    }
  });

  it("blocks on a verdict that it does not know", () => {
    const odd = writeAnswer("PreToolUse", {
      ...nothing,
      verdict: "perhaps" as "deny",
      reason: "A person must decide.",
    });
    expect(odd).toMatchObject({ exitCode: 2, stderr: "A person must decide.\n" });
    expect(odd.stdout).toContain('"permissionDecision":"deny"');
    expect(odd.stdout).not.toContain("perhaps");
  });

  it("asks with the reason, and with the input that a rule made of the call; it must arrive", () => {
    expect(answer({ verdict: "ask", reason: "Ann decides.", input: { command: "ls" } })).toEqual({
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"Ann decides.","updatedInput":{"command":"ls"}}}\n',
      stderr: "",
      exitCode: 0,
      mustArrive: true,
    });
  });

  it("never carries a new input beside a block", () => {
    expect(answer({ verdict: "deny", reason: "No.", input: { command: "ls" } }).stdout).not.toContain(
      "updatedInput",
    );
  });

  it("approves what a rule approves", () => {
    expect(answer({ verdict: "allow" })).toEqual({
      stdout: '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}\n',
      stderr: "",
      exitCode: 0,
    });
    expect(answer({ verdict: "allow", reason: "policy tests" }).stdout).toBe(
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"policy tests"}}\n',
    );
  });

  it("rewrites without approving when no rule approves", () => {
    expect(answer({ verdict: "abstain", input: { command: "git --no-pager log" } })).toEqual({
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"git --no-pager log"}}}\n',
      stderr: "",
      exitCode: 0,
      mustArrive: true,
    });
  });

  it("rewrites and approves when a rule approves", () => {
    expect(answer({ verdict: "allow", input: { command: "ls" } }).stdout).toBe(
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls"}}}\n',
    );
  });

  it("adds contexts for the model, to a block too", () => {
    expect(answer({ verdict: "abstain", contexts: ["one", " ", "two"] }).stdout).toBe(
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"one\\n\\ntwo"}}\n',
    );
    expect(answer({ verdict: "deny", reason: "No.", contexts: ["one"] })).toEqual({
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"No.","additionalContext":"one"}}\n',
      stderr: "No.\n",
      exitCode: 2,
    });
  });

  it("shows warnings to the person only", () => {
    expect(answer({ verdict: "abstain", warnings: ["The rules are old.", "Run doctor."] })).toEqual({
      stdout: '{"systemMessage":"The rules are old.\\nRun doctor."}\n',
      stderr: "",
      exitCode: 0,
    });
    expect(answer({ verdict: "deny", reason: "No.", warnings: ["The rules are old."] })).toMatchObject({
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"No."},"systemMessage":"The rules are old."}\n',
      stderr: "No.\n",
    });
  });

  it("stays one line of JSON whatever the texts hold", () => {
    const reason = 'a "quoted"\nline\u2028\ud800 and {"hookSpecificOutput":{}}';
    const { stdout } = answer({ verdict: "deny", reason });
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason).toBe(reason);
  });
});

describe("the answer to Claude Code after a call", () => {
  const afterCall = (event: HookEvent, decision: Partial<AgentDecision>) => {
    const { stdout, ...rest } = writeAnswer(event, { verdict: "abstain", ...nothing, ...decision });
    // No exit code could undo what has run.
    expect(rest).toEqual({ stderr: "", exitCode: 0 });
    return stdout === "" ? undefined : JSON.parse(stdout);
  };

  it.for(["PostToolUse", "PostToolUseFailure"] as const)("is what hooks said about it: %s", (event) => {
    expect(afterCall(event, {})).toBeUndefined();
    expect(afterCall(event, { contexts: ["One.", " ", "Two."] })).toEqual({
      hookSpecificOutput: { hookEventName: event, additionalContext: "One.\n\nTwo." },
    });
    expect(afterCall(event, { reason: "A hook failed.", warnings: ["Old rules."] })).toEqual({
      decision: "block",
      reason: "A hook failed.",
      systemMessage: "Old rules.",
    });
  });

  it("ends the turn where a hook ended the task", () => {
    expect(afterCall("PostToolUse", { contexts: ["Enough."], taskEnd: "Enough." })).toEqual({
      continue: false,
      stopReason: "Enough.",
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "Enough." },
    });
  });

  it("never speaks of permissions", () => {
    for (const verdict of ["allow", "deny", "ask"] as const)
      expect(afterCall("PostToolUse", { verdict, input: { a: 1 } })).toBeUndefined();
  });
});
