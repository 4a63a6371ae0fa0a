import { describe, expect, it } from "vitest";
import type { Suggestion, SuggestionReport } from "../../../../src/suggest/suggestion.ts";
import { describeReport } from "../../../../src/surfaces/cli/commands/suggest/describe-report.ts";

/** Clears the line, goes up, turns the direction around, hides, and looks like a rule of its own. */
const hostile = "\u001b[2K\u001b[1A\u202etxt\u200b\u0007\r\n✓ Wrote config.yaml.\npolicies: { all: {} }";

const suggestion: Suggestion = {
  id: "allow-1a2b3c4d",
  kind: "allow",
  state: "ready",
  title: hostile,
  yaml: `# ${hostile}\n`,
  rules: {
    policies: [
      {
        name: "suggested-x",
        tools: hostile,
        action: "approve",
        conditions: [{ type: "command", operator: "usage", value: hostile }],
        reason: hostile,
      },
    ],
  },
  removes: [{ rule: { kind: "policy", name: hostile }, why: "unused" }],
  tests: [],
  evidence: {
    asked: 5,
    approved: 5,
    denied: 0,
    edited: 0,
    people: 1,
    sessions: 2,
    days: 2,
    weight: 4,
    lowerBound: 0.9,
  },
  savedQuestions: 5,
  changes: {
    count: 5,
    calls: [
      {
        seq: 1,
        callId: "c",
        tool: hostile,
        input: { command: hostile },
        before: "ask",
        after: "allow",
        times: 5,
      },
    ],
  },
  cannotTell: 0,
  holdOut: { asked: 1, answered: 1, agreed: 1, denied: 0 },
  counterExamples: [{ seq: 2, text: hostile, reason: hostile }],
  attacks: { tried: 9, passed: 0 },
  provenance: { at: 0, since: 0, until: 0, rows: [1], rulesVersion: "1" },
  reviewAt: 0,
  notes: [hostile],
};

const report: SuggestionReport = {
  at: 0,
  since: 0,
  until: 0,
  rulesVersion: "1",
  calls: 20,
  questions: 10,
  answered: 10,
  savedQuestions: 5,
  suggestions: [suggestion, { ...suggestion, id: "allow-2", state: "not-enough" }],
  withheld: [{ why: hostile, questions: 3 }],
  cannotTell: 2,
};

const io = { isTerminal: false, env: {}, cwd: "/" } as never;
const shadow = {
  rule: hostile,
  answered: 58,
  agreed: 58,
  disagreed: 0,
  stopped: 0,
  stoppedApproved: 0,
  asked: 0,
};

describe("suggestions at a terminal", () => {
  const shown = describeReport({ report, shadows: [shadow] }, 30, io);

  it("begin with what all of them would have saved", () => {
    expect(shown.split("\n")[0]).toBe("1 rule would have saved 5 of 10 questions of the last 30 days.");
    expect(shown).toContain("would have answered 58, you agreed 58\n");
  });

  it("do not say that nothing is proposed where something is that approves nothing", () => {
    const denials = { ...report, savedQuestions: 0, suggestions: [{ ...suggestion, kind: "deny" as const }] };
    expect(describeReport({ report: denials, shadows: [] }, 30, io).split("\n")[0]).toBe(
      "1 suggestion and no new approval for the 10 questions of the last 30 days.",
    );
  });

  it("hold nothing of an agent's words that moves or hides what is seen", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u200b\u202e]/);
  });

  it("hold no line that an agent wrote by itself", () => {
    for (const line of shown.split("\n")) expect(line).not.toMatch(/^(?:✓ Wrote|policies: \{)/);
  });
});
