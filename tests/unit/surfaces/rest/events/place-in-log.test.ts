import { describe, expect, it } from "vitest";
import { EventLog } from "../../../../../src/surfaces/rest/events/event-log.ts";
import { createThinnedPlace } from "../../../../../src/surfaces/rest/events/place-in-log.ts";
import { createThinning } from "../../../../../src/surfaces/rest/events/thin-events.ts";
import { createFakeClock } from "../../../../../src/testing/fake-clock.ts";

function openPlace(maxEvents = 100) {
  const log = new EventLog({ process: "p", maxEvents });
  log.keep();
  const clock = createFakeClock();
  const place = createThinnedPlace({ log, wants: () => true, after: 0 }, createThinning(10, clock));
  const call = (number: number, ok: boolean) =>
    log.append("call-end", {
      callId: `c${number}`,
      tool: "fs.read",
      ok,
      durationMs: 1,
      message: "x".repeat(500),
    });
  return { log, clock, place, call };
}

describe("the place of a client with a thinned stream", () => {
  it("has every refusal and the count of the rest, however far the log has moved on before it was served", async () => {
    const { clock, place, call } = openPlace();
    for (let number = 0; number < 2_000; number += 1) call(number, number % 100 !== 0);
    await clock.advance(1_000);
    const text = String(place.take());
    expect(text.match(/"ok":false/g)).toHaveLength(20);
    const { left } = JSON.parse(/event: summary\ndata: (.*)/.exec(text)?.[1] ?? "{}");
    expect(left + (text.match(/"ok":true/g) ?? []).length).toBe(2_000 - 20);
    expect(text).toContain("id: p-2000\nevent: summary");
    expect(place.isWhole()).toBe(true);
  });

  it("is given up when the client leaves more refusals unread than the server keeps for it", () => {
    const { log, place, call } = openPlace();
    for (let number = 0; number < 10_000; number += 1) call(number, false);
    expect(place.isWhole()).toBe(false);
    expect(place.hasNews()).toBe(false);
    place.leave();
    expect(log.lastSeq).toBe(10_000);
  });
});
