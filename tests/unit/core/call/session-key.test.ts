import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sessionKey } from "../../../../src/core/call/session-key.ts";

describe("the key of a session", () => {
  it.each([
    { one: sessionKey("a", "b,c"), other: sessionKey("a,b", "c") },
    { one: sessionKey('a","b', "c"), other: sessionKey("a", 'b","c') },
    { one: sessionKey("a\u0000b", "c"), other: sessionKey("a", "b\u0000c") },
    { one: sessionKey("a", "\ud800"), other: sessionKey("a", "\\ud800") },
    { one: sessionKey("a", undefined), other: sessionKey("a", "") },
    { one: sessionKey("a", undefined), other: sessionKey("a", "null") },
  ])("$one is not $other", ({ one, other }) => {
    expect(one).not.toBe(other);
  });

  it("is the same for the same caller and session only", () => {
    const id = fc.string({ unit: fc.constantFrom("a", '"', ",", "\\", "[", "]", "null"), maxLength: 4 });
    const session = fc.option(id, { nil: undefined });
    fc.assert(
      fc.property(id, session, id, session, (caller, mine, other, theirs) => {
        const isSame = caller === other && mine === theirs;
        expect(sessionKey(caller, mine) === sessionKey(other, theirs)).toBe(isSame);
      }),
    );
  });
});
