import { expect, it } from "vitest";
import type { HistoryCall } from "../../../src/suggest/history.ts";
import type { RuleJudge } from "../../../src/suggest/judge.ts";
import { suggest } from "../../../src/suggest/suggest.ts";
import { suggestionKinds } from "../../../src/suggest/suggestion.ts";
import { approvedCall } from "../../suggest/shop.ts";

const now = Date.UTC(2026, 10, 1);
const judge: RuleJudge = {
  rules: {},
  rulesVersion: "none",
  look: async (calls) => calls.map(() => undefined),
  policiesIn: async () => [],
  judge: async (calls) => calls.map(() => undefined),
};

const call = (over: Partial<HistoryCall>): HistoryCall => {
  const { question: _, ...silent } = approvedCall("/home/ann/shop", 0, { at: now - 1_000, ...over });
  return { ...silent, ...(over.question && { question: over.question }) };
};

it("suggest counts only calls of the window", async () => {
  const question = { state: "approved", by: "ann" } as const;
  const report = await suggest(
    [call({ question }), call({ seq: 2, at: now - 40 * 86_400_000, question }), call({ seq: 3 })],
    { judge, now, days: 30, kinds: suggestionKinds },
  );
  expect(report).toMatchObject({ calls: 2, questions: 1, answered: 1, suggestions: [] });
});
