import { describe, expect, it } from "vitest";
import { createSystemClock } from "../../../../../src/gate/system.ts";
import type { SessionEvent } from "../../../../../src/sessions/session-event.ts";
import type { AnswerStream } from "../../../../../src/surfaces/http/answer.ts";
import { writeSessionEvents } from "../../../../../src/surfaces/rest/events/write-session-events.ts";

const event = (seq: number): SessionEvent => ({ id: `e-${seq}`, event: "message", data: { seq } });

/** A client; `slow`: it takes nothing before it is told to. */
function client(slow = false) {
  const leaving = new AbortController();
  const pieces: string[] = [];
  let take = () => {};
  const out: AnswerStream = {
    write: (piece) => {
      pieces.push(String(piece));
      return !slow;
    },
    drained: () =>
      new Promise((resolve) => {
        take = resolve;
      }),
    waitingBytes: 0,
    signal: leaving.signal,
  };
  return { out, pieces, leave: () => leaving.abort(), take: () => take() };
}

/** Says what it was asked for, and ends when it is left. */
function session(...events: readonly SessionEvent[]) {
  const seen = { asked: 0, isLeft: false };
  async function* follow(signal: AbortSignal) {
    for (const one of events) {
      seen.asked++;
      yield one;
    }
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    seen.isLeft = true;
  }
  return { follow, seen };
}

/** Writes them for one client; they may be read until it is said otherwise. */
const write = (
  out: AnswerStream,
  follow: Parameters<typeof writeSessionEvents>[1]["follow"],
  mayRead = () => true,
) =>
  writeSessionEvents(
    out,
    { follow, isStillAllowed: async () => mayRead(), heartbeatMs: 20 },
    createSystemClock(),
  );

describe("the events of a session for one client", () => {
  it("are written as they come, with a sign of life when nothing happens", async () => {
    const { out, pieces, leave } = client();
    const { follow, seen } = session(event(1), event(2));
    const writing = write(out, follow);
    await expect.poll(() => pieces).toContain(": heartbeat\n\n");
    leave();
    await writing;
    expect(pieces.slice(0, 3)).toEqual([
      "retry: 2000\n\n",
      'id: e-1\nevent: message\ndata: {"seq":1}\n\n',
      'id: e-2\nevent: message\ndata: {"seq":2}\n\n',
    ]);
    expect(seen.isLeft).toBe(true);
  });

  it("end when the token is taken back", async () => {
    const { out, pieces } = client();
    const { follow, seen } = session(event(1));
    let isAllowed = true;
    const writing = write(out, follow, () => isAllowed);
    await expect.poll(() => pieces.length).toBeGreaterThan(1);
    isAllowed = false;
    await writing;
    expect(seen.isLeft).toBe(true);
  });

  it("are not asked for while a client does not take them", async () => {
    const { out, leave, take } = client(true);
    const { follow, seen } = session(event(1), event(2), event(3));
    const writing = write(out, follow);
    await expect.poll(() => seen.asked).toBe(1);
    // Long enough for all of them, if they were asked for.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(seen.asked).toBe(1);
    take();
    await expect.poll(() => seen.asked).toBe(2);
    leave();
    take();
    await writing;
  });

  it("end when the session is removed", async () => {
    const { out, pieces } = client();
    async function* follow() {
      yield event(1);
    }
    await write(out, follow);
    expect(pieces).toHaveLength(2);
  });
});
