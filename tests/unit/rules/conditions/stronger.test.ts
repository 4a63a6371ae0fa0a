import { expect, it } from "vitest";
import { type Answer, stronger } from "../../../../src/rules/conditions/condition.ts";

const weakestFirst: readonly Answer[] = [false, "maybe", undefined, true];

it("takes a yes before what is not decided, that before a doubt, and a doubt before a no, in either order", () => {
  for (const [place, one] of weakestFirst.entries())
    for (const other of weakestFirst.slice(place)) {
      expect(stronger(one, other)).toBe(other);
      expect(stronger(other, one)).toBe(other);
    }
});
