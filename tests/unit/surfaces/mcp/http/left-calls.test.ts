import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defineTool } from "../../../../../src/index.ts";
import { call, type Endpoint, eventsOf, openEndpoint, type ReadEvent } from "./mcp-endpoint.ts";

const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: 5_000, interval: 5 });

describe("a streamed call whose client has left", () => {
  const maxInFlight = 2;
  let endpoint: Endpoint;
  let release: (() => void)[];
  let ended: number;
  let session: Record<string, string>;

  beforeEach(async () => {
    release = [];
    ended = 0;
    const held = defineTool({
      id: "slow.held",
      description: "Tells of its progress, and ends when the test says so.",
      permission: "read",
      input: { type: "object", properties: {}, additionalProperties: false },
      async run(_input, { progress, signal }) {
        progress({ done: 1 });
        await new Promise<void>((resolve) => {
          release.push(resolve);
          signal.addEventListener("abort", () => resolve());
        });
        ended++;
        return "held";
      },
    });
    endpoint = await openEndpoint({ limits: { maxInFlight } }, [held]);
    session = { "mcp-session-id": await endpoint.begin() };
  });

  afterEach(async () => {
    letGo();
    await endpoint.server.close();
  });

  const letGo = () => {
    for (const go of release.splice(0)) go();
  };

  /** The event to come back with. */
  async function startAndLeave(id: number): Promise<ReadEvent | undefined> {
    const leaving = new AbortController();
    const message = call(id, "slow_held", {}, { progressToken: id });
    const events = eventsOf(await endpoint.post(message, session, leaving.signal));
    const first = await events.next();
    await events.next();
    leaving.abort();
    await until(() => endpoint.server.parts.server.requestsInFlight === 0);
    return first.value;
  }

  const add = () => endpoint.post(call("add", "math_add", { a: 1, b: 2 }), session);

  async function startAndLeaveAll(): Promise<void> {
    for (let id = 1; id <= maxInFlight; id++) await startAndLeave(id);
    expect((await add()).status).toBe(429);
  }

  /** Neither fewer places than before nor more. */
  async function expectAllPlacesFree(): Promise<void> {
    await until(() => ended === maxInFlight);
    session = { "mcp-session-id": await endpoint.begin() };
    await startAndLeaveAll();
  }

  it("has its place until it ends, and gives it back once", async () => {
    await startAndLeaveAll();
    letGo();
    await expectAllPlacesFree();
  });

  it("gives its place back when it is cancelled", async () => {
    await startAndLeave(1);
    const params = { requestId: 1 };
    await endpoint.post({ jsonrpc: "2.0", method: "notifications/cancelled", params }, session);
    await startAndLeave(2);
    release[1]?.();
    await expectAllPlacesFree();
  });

  it("gives its place back when its session ends", async () => {
    await startAndLeave(1);
    const one = session;
    session = { "mcp-session-id": await endpoint.begin() };
    await endpoint.server.ask("/mcp", { method: "DELETE", headers: one });
    await startAndLeave(2);
    release[1]?.();
    await expectAllPlacesFree();
  });

  it("is one request, however often its client comes back to it", async () => {
    const event = await startAndLeave(1);
    const headers = { ...session, accept: "text/event-stream", "last-event-id": event?.id ?? "" };
    for (let time = 0; time < 3; time++) {
      const leaving = new AbortController();
      await eventsOf(await endpoint.server.ask("/mcp", { headers, signal: leaving.signal })).next();
      leaving.abort();
      await until(() => endpoint.server.parts.server.openStreams === 0);
      expect((await add()).status).toBe(200);
    }
    await startAndLeave(2);
    expect((await add()).status).toBe(429);
    letGo();
    await expectAllPlacesFree();
  });
});
