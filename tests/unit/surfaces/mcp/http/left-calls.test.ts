import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defineTool } from "../../../../../src/index.ts";
import { replayBounds } from "../../../../../src/surfaces/mcp/http/endpoint-parts.ts";
import { allEvents, call, type Endpoint, eventsOf, openEndpoint, type ReadEvent } from "./mcp-endpoint.ts";

const until = (isSo: () => boolean | Promise<boolean>) =>
  vi.waitUntil(isSo, { timeout: 30_000, interval: 5 });

describe("a streamed call whose client has left", () => {
  const maxInFlight = 2;
  let endpoint: Endpoint;
  let release: (() => void)[];
  let ended: number;
  let answer: string;
  let session: Record<string, string>;

  beforeEach(async () => {
    release = [];
    ended = 0;
    answer = "held";
    const held = defineTool({
      id: "slow.held",
      description: "Tells of its progress, and ends when the test says so.",
      permission: "read",
      maxOutputBytes: 2 * replayBounds.ofCaller,
      input: { type: "object", properties: {}, additionalProperties: false },
      async run(_input, { progress, signal }) {
        progress({ done: 1 });
        await new Promise<void>((resolve) => {
          release.push(resolve);
          signal.addEventListener("abort", () => resolve());
        });
        ended++;
        return answer;
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

  it("is answered for whoever comes back, unless the answer was too large to be kept", async () => {
    /** An id is free again when its request has been answered. */
    const finish = async (id: number) => {
      letGo();
      const ping = { jsonrpc: "2.0", id, method: "ping" };
      await until(async () => (await endpoint.post(ping, session)).status === 200);
    };
    const comeBack = async (event: ReadEvent | undefined) => {
      const headers = { ...session, accept: "text/event-stream", "last-event-id": event?.id ?? "" };
      const events = await allEvents(await endpoint.server.ask("/mcp", { headers }));
      return JSON.parse(events.at(-1)?.data ?? "");
    };
    const small = await startAndLeave(1);
    await finish(1);
    expect(await comeBack(small)).toMatchObject({ id: 1, result: { content: [{ text: "held" }] } });
    answer = "x".repeat(replayBounds.ofCaller);
    const large = await startAndLeave(2);
    await finish(2);
    const { id, error } = await comeBack(large);
    expect([id, error]).toEqual([
      2,
      { code: -32603, message: expect.stringContaining("too large to be kept") },
    ]);
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
