import { describe, expect, it } from "vitest";
import { createExchangePlaces } from "../../../../../src/surfaces/http/sign-in/exchange-places.ts";

function createWorld() {
  let time = 0;
  const take = createExchangePlaces({ monotonic: () => time });
  return {
    pass: (ms: number) => {
      time += ms;
    },
    /** Takes a place and gives it back. False: there was none. */
    exchange(from: string | undefined) {
      using place = take(from);
      return place !== undefined;
    },
    take,
  };
}

describe("the places for exchanging codes", () => {
  it("are bounded, and come back one in a second", () => {
    const { exchange, pass } = createWorld();
    const held = Array.from({ length: 200 }, () => exchange("10.0.0.1"));
    expect(held.filter(Boolean)).toHaveLength(70);
    expect(exchange(undefined)).toBe(false);
    pass(1_000);
    expect([exchange("10.0.0.1"), exchange("10.0.0.1")]).toEqual([true, false]);
  });

  it("are there for people while one stranger comes without end", () => {
    const { exchange, pass } = createWorld();
    for (let minute = 0; minute < 3; minute++) {
      for (let count = 0; count < 500; count++) {
        exchange("10.0.0.1");
        pass(100);
      }
      for (let person = 0; person < 20; person++) expect(exchange(`10.0.1.${person}`)).toBe(true);
    }
  });

  it("are not all held by one stranger at once", () => {
    const { exchange, take } = createWorld();
    for (let count = 0; count < 10; count++) exchange("10.0.0.1");
    const held = Array.from({ length: 20 }, () => take("10.0.0.1"));
    expect(held.filter((place) => place !== undefined)).toHaveLength(8);
    expect(exchange("10.0.0.2")).toBe(true);
  });

  it("are bounded for many addresses, too, of which only so many are remembered", () => {
    const { exchange, pass } = createWorld();
    const held = Array.from({ length: 5_000 }, (_, index) => exchange(`10.1.${index >> 8}.${index & 255}`));
    expect(held.filter(Boolean)).toHaveLength(120);
    pass(60_000);
    expect(exchange("10.9.9.9")).toBe(true);
  });
});
