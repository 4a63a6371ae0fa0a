import { describe, expect, it } from "vitest";
import type { AgentDecision, HookEvent } from "../../../../src/agents/agent-hook.ts";
import { codex } from "../../../../src/agents/codex/agent.ts";
import { writeAnswer } from "../../../../src/agents/codex/write-answer.ts";

const nothing = { contexts: [], warnings: [] };
const answer = (
  decision: Partial<AgentDecision> & Pick<AgentDecision, "verdict">,
  event: HookEvent = "PreToolUse",
  asked = {},
) => writeAnswer(event, { ...nothing, ...decision }, asked);
const silence = { stdout: "", stderr: "", exitCode: 0 };

describe("the answer to Codex before a call", () => {
  it("is silence where nothing is to be said: a bare allow makes the hook fail", () => {
    expect(answer({ verdict: "abstain" })).toEqual(silence);
    expect(answer({ verdict: "allow", reason: "A rule approves it." })).toEqual(silence);
  });

  it("denies by the exit code, with the text on standard error", () => {
    expect(answer({ verdict: "deny", reason: "Use `gh pr view`." })).toEqual({
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Use `gh pr view`."}}\n',
      stderr: "Use `gh pr view`.\n",
      exitCode: 2,
    });
  });

  it("never denies without a text: Codex would run the call", () => {
    for (const reason of [undefined, "", " \n"])
      expect(answer({ verdict: "deny", ...(reason !== undefined && { reason }) })).toMatchObject({
        stderr: "Blocked by toolgate.\n",
        exitCode: 2,
      });
  });

  it("says with a denial what hooks and rules remarked, for it reads nothing else then", () => {
    const told = answer({ verdict: "deny", reason: "No. w", contexts: ["c", " "], warnings: ["w", "v"] });
    expect(told.stderr).toBe("No. w\n\nc\n\nv\n");
  });

  it("denies what it would have to ask, and what it does not know", () => {
    for (const verdict of ["ask", "perhaps"])
      expect(answer({ verdict: verdict as "ask", reason: "Ann decides.", input: { command: "ls" } })).toEqual(
        {
          stdout:
            '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Ann decides."}}\n',
          stderr: "Ann decides.\n",
          exitCode: 2,
        },
      );
  });

  it("hands over a new input, which must arrive", () => {
    for (const verdict of ["allow", "abstain"] as const)
      expect(answer({ verdict, reason: "why", input: { command: "ls" } })).toEqual({
        stdout:
          '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls"}}}\n',
        stderr: "",
        exitCode: 0,
        mustArrive: true,
      });
  });

  it("takes out of a new input what was only there for rules", () => {
    const asked = { command: "x", patch: "x" };
    const { stdout } = answer(
      { verdict: "allow", input: { command: "ls", patch: "x" } },
      "PreToolUse",
      asked,
    );
    expect(JSON.parse(stdout).hookSpecificOutput.updatedInput).toEqual({ command: "ls" });
  });

  it("leaves a patch in the new input of a tool that has such a field itself", () => {
    const input = { path: "/b", patch: "x" };
    const { stdout } = answer({ verdict: "allow", input }, "PreToolUse", { path: "/a", patch: "x" });
    expect(JSON.parse(stdout).hookSpecificOutput.updatedInput).toEqual(input);
  });

  it("says what to run instead where a patch was typed into a shell", () => {
    const asked = { command: "old\n", line: "apply_patch <<'EOF'\nold\nEOF" };
    const changed = { verdict: "allow" as const, input: { ...asked, command: "new\n" } };
    expect(answer(changed, "PreToolUse", asked)).toMatchObject({
      stderr: "A rule changes this call; run this instead: new\n\n",
      exitCode: 2,
    });
  });

  it("adds context for the model and warnings for the person", () => {
    expect(answer({ verdict: "abstain", contexts: ["a", "b"], warnings: ["w"] })).toEqual({
      ...silence,
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"a\\n\\nb"},"systemMessage":"w"}\n',
    });
  });
});

describe("the answer to Codex after a call", () => {
  it("is silence where nothing is to be said", () => {
    expect(answer({ verdict: "abstain" }, "PostToolUse")).toEqual(silence);
    expect(answer({ verdict: "abstain" }, "UserPromptSubmit")).toEqual(silence);
  });

  it("puts the end of a task, and what could not be looked at, in place of what the tool answered", () => {
    const told = answer({ verdict: "abstain", taskEnd: "Poison.", reason: "A hook failed." }, "PostToolUse");
    expect(told).toEqual({
      ...silence,
      stdout: '{"decision":"block","reason":"Poison.\\n\\nA hook failed."}\n',
    });
  });

  it("adds context for the model and warnings for the person", () => {
    expect(answer({ verdict: "abstain", contexts: ["a"], warnings: ["w"] }, "PostToolUse")).toEqual({
      ...silence,
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"a"},"systemMessage":"w"}\n',
    });
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
  ) as AgentDecision[];

  it("before a call holds only what it takes, and says no in every way that it should", () => {
    expect(decisions).toHaveLength(432);
    for (const decision of decisions) {
      const { stdout, stderr, exitCode } = writeAnswer("PreToolUse", decision, { command: "y" });
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
        const { stdout, stderr, exitCode } = writeAnswer(event, decision, {});
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

it("says its last words in the same form", () => {
  expect(JSON.parse(codex.lastWords("It broke."))).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "It broke.",
    },
  });
});
