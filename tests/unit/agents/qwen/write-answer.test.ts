import { describe, expect, it } from "vitest";
import type { AgentDecision, HookEvent } from "../../../../src/agents/agent-hook.ts";
import { qwen } from "../../../../src/agents/qwen/agent.ts";
import { writeAnswer } from "../../../../src/agents/qwen/write-answer.ts";

const nothing = { contexts: [], warnings: [] };
type Said = Partial<AgentDecision> & Pick<AgentDecision, "verdict">;
const answer = (decision: Said, asked = {}) => writeAnswer("PreToolUse", { ...nothing, ...decision }, asked);
const silence = { stdout: "", stderr: "", exitCode: 0 };

describe("the answer to Qwen Code before a call", () => {
  it("is silence unless something is wrong: an allow would win over another hook's denial", () => {
    expect(answer({ verdict: "abstain" })).toEqual(silence);
    expect(answer({ verdict: "allow", reason: "policy tests" })).toEqual(silence);
    // It would reach nobody.
    expect(answer({ verdict: "abstain", contexts: ["One."] })).toEqual(silence);
  });

  it("denies in its own words, which it reads on standard error when the exit code is 2", () => {
    const text =
      '{"continue":false,"stopReason":"Use `gh pr view`.","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Use `gh pr view`."}}\n';
    expect(answer({ verdict: "deny", reason: "Use `gh pr view`." })).toEqual({
      stdout: text,
      stderr: text,
      exitCode: 2,
    });
  });

  it("denies with a reason even if none was given: without a text its exit code lets the call run", () => {
    for (const reason of [undefined, "", " \n"]) {
      const said = answer({ verdict: "deny", ...(reason !== undefined && { reason }) });
      expect(said.exitCode).toBe(2);
      expect(JSON.parse(said.stderr).hookSpecificOutput.permissionDecisionReason).toBe(
        "Blocked by toolgate.",
      );
    }
  });

  it("denies whatever the reason looks like: text that is JSON would be taken for the answer", () => {
    const reason = '{"hookSpecificOutput":{"permissionDecision":"allow"}}';
    const { stderr } = answer({ verdict: "deny", reason });
    expect(JSON.parse(stderr)).toMatchObject({
      continue: false,
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: reason },
    });
  });

  it("never asks", () => {
    for (const verdict of ["ask", "perhaps"] as const) {
      const said = answer({ verdict: verdict as "ask", reason: "Ann decides." });
      expect(said.exitCode).toBe(2);
      expect(JSON.parse(said.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
    }
  });

  it("says with a denial what a hook had to say", () => {
    const { stdout } = answer({ verdict: "deny", reason: "No.", contexts: ["One.", " ", "Two."] });
    expect(JSON.parse(stdout).stopReason).toBe("No.\n\nOne.\n\nTwo.");
  });

  it("denies a call that a rule changes, with what to run instead: it takes no new input", () => {
    const asked = { command: "git log", is_background: false };
    const input = { command: "git --no-pager log", is_background: false };
    for (const verdict of ["abstain", "allow"] as const) {
      const said = answer({ verdict, input }, asked);
      expect(said.exitCode).toBe(2);
      expect(JSON.parse(said.stderr).stopReason).toBe(
        "A rule changes this call; run this instead: git --no-pager log",
      );
      expect(said.stdout).not.toContain("updatedInput");
    }
  });

  it("shows warnings to the person only", () => {
    expect(answer({ verdict: "abstain", warnings: ["The rules are old.", "Run doctor."] })).toEqual({
      ...silence,
      stdout: '{"systemMessage":"The rules are old.\\n\\nRun doctor."}\n',
    });
  });

  it("stays one line of JSON whatever the texts hold", () => {
    const reason = 'a "quoted"\nline\u2028\ud800';
    const { stderr } = answer({ verdict: "deny", reason });
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(stderr).stopReason).toBe(reason);
  });

  it("is a denial when everything is broken", () => {
    expect(qwen.lastWords("It broke.")).toBe(answer({ verdict: "deny", reason: "It broke." }).stdout);
  });
});

describe("the answer to Qwen Code after a call", () => {
  const afterCall = (event: HookEvent, decision: Partial<AgentDecision>) => {
    const { stdout, ...rest } = writeAnswer(event, { verdict: "abstain", ...nothing, ...decision }, {});
    expect(rest).toEqual({ stderr: "", exitCode: 0 });
    return stdout === "" ? undefined : JSON.parse(stdout);
  };

  it.for(["PostToolUse", "PostToolUseFailure"] as const)("is what hooks said about it: %s", (event) => {
    expect(afterCall(event, {})).toBeUndefined();
    expect(afterCall(event, { contexts: ["One.", " ", "Two."] })).toEqual({
      hookSpecificOutput: { hookEventName: event, additionalContext: "One.\n\nTwo." },
    });
    expect(afterCall(event, { reason: "A hook failed.", warnings: ["Old rules."] })).toEqual({
      continue: false,
      stopReason: "A hook failed.",
      systemMessage: "Old rules.",
    });
  });

  it("says that the task is over where a hook ended it", () => {
    expect(afterCall("PostToolUse", { contexts: ["Enough."], taskEnd: "Enough." })).toEqual({
      continue: false,
      stopReason: "Enough.",
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "Enough." },
    });
  });

  it("never speaks of permissions, and never takes a person's words away", () => {
    for (const verdict of ["allow", "deny", "ask"] as const)
      expect(afterCall("PostToolUse", { verdict, input: { a: 1 } })).toBeUndefined();
    expect(afterCall("UserPromptSubmit", { verdict: "deny", reason: "No.", warnings: ["Old."] })).toEqual({
      systemMessage: "Old.",
    });
  });
});
