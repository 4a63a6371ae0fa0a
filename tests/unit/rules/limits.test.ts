import { describe, expect, it } from "vitest";
import type { RuleProblem } from "../../../src/rules/check/rule-problem.ts";
import { wellFormed } from "../../../src/rules/check/rule-shape.ts";
import { claimFor, compileLimits, type Limit } from "../../../src/rules/limits.ts";

const counted = { toolId: "x.run", category: "custom", sessionId: "s", caller: "agent" };

function claim(limit: Limit, who: Partial<typeof counted> = {}, running = true) {
  const [compiled] = compileLimits([limit], []);
  if (compiled === undefined) throw new Error("the limit was refused");
  return claimFor(compiled, { ...counted, ...who }, running);
}

const keyOf = ({ limit, who }: { limit: string; who: string }) => `${limit} ${who}`;

describe("what shares a count", () => {
  it.each([
    [undefined, "toolId", true],
    ["tool", "sessionId", false],
    ["category", "category", true],
    ["category", "toolId", false],
    ["session", "sessionId", true],
    ["session", "caller", true],
    ["caller", "caller", true],
    ["caller", "sessionId", false],
    ["gate", "toolId", false],
    ["gate", "caller", false],
  ] as const)("per %s another %s has its own count: %s", (per, field, own) => {
    const limit = { name: "l", concurrent: 1, ...(per && { per }) };
    expect(keyOf(claim(limit)) !== keyOf(claim(limit, { [field]: "other" }))).toBe(own);
  });

  it("is the caller for a call that leaves its session out", () => {
    const limit: Limit = { name: "l", concurrent: 1, per: "session" };
    const without = { ...counted, sessionId: undefined as unknown as string };
    expect(keyOf(claim(limit, without))).toBe(keyOf(claim(limit, without)));
    expect(keyOf(claim(limit, without))).not.toBe(keyOf(claim(limit, { ...without, caller: "other" })));
    expect(keyOf(claim(limit, without))).not.toBe(keyOf(claim(limit, { sessionId: "agent" })));
  });

  it("leaves out what runs where its end cannot be seen", () => {
    expect(claim({ name: "l", concurrent: 1, max: 2, windowMs: 3 }, {}, false)).toEqual({
      limit: "l",
      who: expect.any(String),
      window: { max: 2, windowMs: 3 },
      concurrent: undefined,
    });
  });
});

describe("a limit that cannot be used", () => {
  it.each([
    [{ max: 1 }, /max and windowMs go together/],
    [{ windowMs: 1 }, /max and windowMs go together/],
    [{}, /needs max with windowMs, or concurrent/],
    [{ concurrent: 1.5 }, /concurrent must be a whole number, not 1.5/],
    [{ concurrent: -1 }, /concurrent must be a whole number/],
    [{ max: 1, windowMs: 0 }, /windowMs must be a whole number/],
    [{ max: "5", windowMs: 10 }, /max must be a whole number, not "5"/],
    [{ concurrent: 1, per: "planet" }, /per must be tool, category, session, caller or gate, not "planet"/],
  ])("%j says why", (parts, message) => {
    const problems: RuleProblem[] = [];
    expect(
      compileLimits(wellFormed("limit", [{ name: "l", ...parts } as Limit], problems), problems),
    ).toEqual([]);
    expect(problems.map((problem) => problem.message).join()).toMatch(message);
    expect(problems[0]?.rule).toBe('limit "l"');
  });

  it("because two share a name says that counts would mix", () => {
    const problems: RuleProblem[] = [];
    compileLimits(
      [
        { name: "l", concurrent: 1 },
        { name: "l", concurrent: 2 },
      ],
      problems,
    );
    expect(problems).toMatchObject([{ message: expect.stringContaining("used twice") }]);
  });
});
