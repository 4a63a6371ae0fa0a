import { describe, expect, it } from "vitest";
import type { RuleProblem } from "../../../src/rules/check/rule-problem.ts";
import { wellFormed } from "../../../src/rules/check/rule-shape.ts";
import { compileLimits, type Limit } from "../../../src/rules/limits.ts";

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
