import { describe, expect, it } from "vitest";
import {
  answersInARow,
  isAnswered,
  isNo,
  isSure,
  isYes,
  neededWeight,
  weigh,
  wilson,
} from "../../../src/suggest/evidence.ts";
import type { HistoryCall, HistoryQuestion } from "../../../src/suggest/history.ts";
import { approvedCall, day } from "../../suggest/shop.ts";

function answered(question: Partial<HistoryQuestion>, over: Partial<HistoryCall> = {}): HistoryCall {
  const call = approvedCall("/w", 0, { at: day, input: { command: "npm test" }, session: "s1" });
  return { ...call, question: { state: "approved", by: "ann", secondsToAnswer: 9, ...question }, ...over };
}

const weightOf = (...calls: HistoryCall[]) => weigh(calls, answersInARow(calls)).weight;
/** Ten sessions, so that none is more than its share. */
const spread = (question: Partial<HistoryQuestion>, count = 20) =>
  Array.from({ length: count }, (_, index) =>
    answered(question, { session: `s${index % 10}`, at: day * (1 + (index % 5)) }),
  );

describe("what counts as an answer", () => {
  it("is a person's own answer to this very call", () => {
    expect(isYes(answered({}))).toBe(true);
    for (const question of [
      { state: "expired" },
      { state: "open" },
      { by: "local" },
      { by: "" },
      { byGrant: true },
      { via: "elicitation" },
    ] as const)
      expect([question, isAnswered(answered(question))]).toEqual([question, false]);
    expect(isAnswered(answered({ by: "eve" }, { owner: "eve" }))).toBe(false);
    const { question: _, ...ranOnly } = answered({});
    expect(isAnswered(ranOnly)).toBe(false);
  });

  it("is no yes where the person changed the call", () => {
    expect(isYes(answered({ editedInput: { command: "pnpm test" } }))).toBe(false);
  });

  it("is a no by anybody, but not one that came with another denial or from a broken approver", () => {
    expect(isNo(answered({ state: "denied", by: "local" }))).toBe(true);
    expect(isNo(answered({ state: "denied", withAnother: true }))).toBe(false);
    expect(isNo(answered({ state: "denied", by: "the gate" }))).toBe(false);
  });
});

describe("what answers weigh", () => {
  it("is half for those that were fast, in the same second, or of which nobody knows", () => {
    expect(weightOf(...spread({}))).toBe(20);
    expect(weightOf(...spread({ secondsToAnswer: 1.4 }))).toBe(10);
    expect(weightOf(...spread({ answeredAt: 5_000 }))).toBe(10);
    const unknown = spread({}).map(({ question, ...rest }) => ({
      ...rest,
      question: { state: question?.state ?? "open", by: "ann" },
    }));
    expect(weightOf(...unknown)).toBe(10);
  });

  it("is at most 30 % for one session, and nothing for one alone", () => {
    const one = Array.from({ length: 500 }, () => answered({}));
    expect(weightOf(...one)).toBe(0);
    expect(weightOf(...one, answered({}, { session: "s2" }))).toBe(2);
    const four = [...one, ...["s2", "s3", "s4"].map((session) => answered({}, { session }))];
    expect(weightOf(...four)).toBeCloseTo(3 / 0.7, 2);
  });

  it("is enough at 19 without a denial, and takes many more after one", () => {
    expect(isSure(wilson(19, 19))).toBe(true);
    expect(isSure(wilson(18, 18))).toBe(false);
    expect(neededWeight(0)).toBe(19);
    expect(neededWeight(1)).toBeGreaterThan(40);
    expect(wilson(0, 0)).toBe(0);
  });

  it("tells who answered, in how many sessions and on how many days", () => {
    expect(weigh(spread({}), new Set())).toMatchObject({
      asked: 20,
      approved: 20,
      people: 1,
      sessions: 10,
      days: 5,
      denied: 0,
    });
    expect(weigh(spread({ state: "denied" }, 3), new Set())).toMatchObject({
      approved: 0,
      denied: 3,
      people: 1,
      days: 3,
      weight: 0,
    });
  });
});
