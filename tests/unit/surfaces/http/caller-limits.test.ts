import { describe, expect, it } from "vitest";
import { bothPlaces, createCallerLimits, type Place } from "../../../../src/surfaces/http/caller-limits.ts";

const limits = { maxInFlight: 2, maxPerMinute: 60, maxStreams: 1 };
const isPlace = (taken: { readonly kind: string }): taken is Place => taken.kind === "place";

describe("the limits of a caller", () => {
  it("are on requests at the same time, each caller for itself", () => {
    const taking = createCallerLimits(limits, () => 0);
    const first = taking.take("a", "request");
    expect(isPlace(first)).toBe(true);
    expect(isPlace(taking.take("a", "request"))).toBe(true);
    expect(taking.take("a", "request")).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
    expect(isPlace(taking.take("b", "request"))).toBe(true);
    if (isPlace(first)) {
      first.give();
      first.give();
    }
    expect(isPlace(taking.take("a", "request"))).toBe(true);
    expect(isPlace(taking.take("a", "request"))).toBe(false);
  });

  it("are on requests in a minute, filled again evenly", () => {
    let now = 0;
    const taking = createCallerLimits({ ...limits, maxInFlight: 1_000 }, () => now);
    for (let count = 0; count < 60; count++) expect(isPlace(taking.take("a", "request"))).toBe(true);
    expect(taking.take("a", "request")).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
    now += 1_000;
    expect(isPlace(taking.take("a", "request"))).toBe(true);
    expect(isPlace(taking.take("a", "request"))).toBe(false);
    now += 3_600_000;
    let taken = 0;
    while (isPlace(taking.take("a", "request"))) taken++;
    expect(taken).toBe(60);
  });

  it("count what came together one by one: all of it finds room, or none", () => {
    const taking = createCallerLimits({ ...limits, maxInFlight: 50 }, () => 0);
    const one = taking.take("a", "request");
    const more = taking.take("a", "request", 49);
    if (!isPlace(one) || !isPlace(more)) throw new Error("There was room.");
    expect(isPlace(taking.take("a", "request"))).toBe(false);
    const both = bothPlaces(one, more);
    both.give();
    both.give();
    // 10 of the minute are left.
    expect(taking.take("a", "request", 11)).toMatchObject({
      status: 429,
      problem: { detail: expect.stringContaining("send fewer together") },
    });
    expect(isPlace(taking.take("a", "request", 10))).toBe(true);
    expect(taking.take("b", "request", 51)).toMatchObject({ status: 429 });
  });

  it("are on streams apart from requests", () => {
    const taking = createCallerLimits(limits, () => 0);
    const stream = taking.take("a", "stream");
    expect(taking.streams).toBe(1);
    expect(isPlace(taking.take("a", "stream"))).toBe(false);
    expect(isPlace(taking.take("a", "request"))).toBe(true);
    if (isPlace(stream)) stream.give();
    expect(taking.streams).toBe(0);
  });

  it("never give more by forgetting callers that were not seen for long", () => {
    let now = 0;
    const taking = createCallerLimits({ ...limits, maxInFlight: 1_000 }, () => now);
    for (let count = 0; count < 60; count++) taking.take("busy", "request");
    for (let count = 0; count < 12_000; count++) taking.take(`other-${count}`, "request");
    expect(isPlace(taking.take("busy", "request"))).toBe(false);
    now += 1;
  });
});
