import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type Answer, json } from "../../../../src/surfaces/http/answer.ts";
import { Connections, connectionLimits } from "../../../../src/surfaces/http/connections.ts";
import { defineRoute } from "../../../../src/surfaces/http/route.ts";
import { defaultServerLimits } from "../../../../src/surfaces/http/server-limits.ts";
import { createFakeClock } from "../../../../src/testing/fake-clock.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../../../http-server.ts";

/** Waits until the test lets it go. */
let letGo: (() => void)[] = [];
const route = (name: string, right: "public" | "read", handle: () => Answer | Promise<Answer>) =>
  defineRoute({
    ...{ method: "GET", path: `/api/${name}`, right, summary: name },
    answers: { 200: {} as never },
    handle,
  });
const slow = route(
  "slow",
  "read",
  () => new Promise((resolve) => letGo.push(() => resolve(json({ done: true })))),
);
const open = route("open", "public", () => json({ open: true }));
const closed = route("closed", "read", () => json({ closed: true }));

class Peer {
  readonly socket: Socket;
  text = "";
  readonly closed: Promise<unknown>;

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1");
    this.socket.on("error", () => {});
    this.closed = new Promise((resolve) => this.socket.once("close", resolve));
    this.socket.on("data", (bytes) => {
      this.text += bytes.toString("latin1");
    });
  }

  get isOpen(): boolean {
    return !this.socket.destroyed && !this.socket.readableEnded;
  }

  /** The status of the answer. */
  async ask(path: string, token?: string): Promise<string | undefined> {
    this.text = "";
    const header = token === undefined ? "" : `authorization: Bearer ${token}\r\n`;
    const { port } = new URL(`http://x:${this.socket.remotePort}`);
    this.socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${header}\r\n`);
    while (!this.text.includes("\r\n\r\n") && this.isOpen)
      await Promise.race([once(this.socket, "data"), this.closed]);
    return this.text.split(" ")[1];
  }
}

describe("the connections of the server", () => {
  let server: TestServer | undefined;
  let peers: Peer[] = [];
  afterEach(async () => {
    for (const { socket } of peers) socket.destroy();
    peers = [];
    for (const go of letGo.splice(0)) go();
    await server?.close();
  });
  const start = async (options: Partial<TestServerOptions>) => {
    letGo = [];
    server = await startTestServer({ routes: [slow, open, closed], ...options });
    return server;
  };
  const join = async (count = 1) => {
    const come = Array.from({ length: count }, () => new Peer(server?.port ?? 0));
    peers.push(...come);
    for (const { socket } of come) await Promise.race([once(socket, "connect"), once(socket, "close")]);
    return come as [Peer, ...Peer[]];
  };
  const holdUp = async (count: number) => {
    const busy = await join(count);
    for (const peer of busy) void peer.ask("/api/slow", "token-all");
    await expect.poll(() => letGo.length).toBe(count);
    return busy;
  };

  it("are refused with 503 and the reason when all that there is room for are busy", async () => {
    await start({ limits: { maxConnections: 16 } });
    await holdUp(16);
    const [late] = await join();
    expect(await late.ask("/api/closed", "token-all")).toBe("503");
    expect(late.text).toContain("The server has no room for another connection.");
    expect(late.text).toMatch(/retry-after: 5/i);
    await late.closed;
    for (const go of letGo.splice(0)) go();
  });

  it("without a token give way to those that come, the longest idle first", async () => {
    await start({ limits: { maxConnections: 16 } });
    const idle = await join(16);
    const [next] = await join();
    expect(await next.ask("/api/closed", "token-all")).toBe("200");
    await idle[0].closed;
    expect(idle.slice(1).every(({ isOpen }) => isOpen)).toBe(true);
  });

  it("that have shown a token are kept", async () => {
    await start({ limits: { maxConnections: 16 } });
    const [known] = await join();
    expect(await known.ask("/api/closed", "token-all")).toBe("200");
    const flood = await join(100);
    expect(await known.ask("/api/closed", "token-all")).toBe("200");
    expect(flood.length).toBe(100);
  });

  it("are counted against the descriptors of the process, of which some are kept back", () => {
    const of = (limit: number | undefined, used: number) =>
      connectionLimits(defaultServerLimits, { limit, used }).max;
    expect(of(256, 50)).toBe(256 - 50 - 64);
    expect(of(1_024, 60)).toBe(1_024 - 60 - 256);
    expect(of(1_048_576, 60)).toBe(8_192);
    expect(of(undefined, 48)).toBe(8_192);
    expect(of(64, 60)).toBe(16);
  });

  it("of one address without a token are few: those that were idle for a moment give way to the next", async () => {
    const clock = createFakeClock();
    const limits = { max: 1_000, maxIdleStrangers: 4, idleStrangerMs: 60_000 };
    const connections = new Connections(limits, clock);
    const accepting = createServer((socket) => connections.add(socket, false)).listen(0, "127.0.0.1");
    await once(accepting, "listening");
    const { port } = accepting.address() as AddressInfo;
    const come = async (count: number) => {
      const before = connections.open;
      const all = Array.from({ length: count }, () => new Peer(port));
      peers.push(...all);
      for (const { socket } of all) await once(socket, "connect");
      await expect.poll(() => connections.open).toBeGreaterThan(before);
      return all;
    };
    const first = await come(1);
    const burst = [...(await come(1)), ...(await come(1)), ...(await come(1)), ...(await come(1))];
    expect(connections.open).toBe(5);
    await clock.advance(1_000);
    peers.push(new Peer(port));
    await first[0]?.closed;
    expect(burst.every(({ isOpen }) => isOpen)).toBe(true);
    connections.close();
    accepting.close();
  });

  it("without a token are closed soon, those that asked something for everybody too; with one they are not", async () => {
    const clock = createFakeClock();
    const { parts } = await start({ clock, limits: { idleStrangerMs: 60_000 } });
    const [silent, asked, half, known] = (await join(4)) as [Peer, Peer, Peer, Peer];
    half.socket.write("GET /api/open HTTP/1.1\r\n");
    expect(await asked.ask("/api/open")).toBe("200");
    expect(await known.ask("/api/closed", "token-all")).toBe("200");
    await expect.poll(() => parts.server.openConnections).toBe(4);
    await clock.advance(60_000);
    await Promise.all([silent.closed, asked.closed, half.closed]);
    expect(known.isOpen).toBe(true);
    expect(await known.ask("/api/closed", "token-all")).toBe("200");
  });

  it("on which a request is under way are kept however long it takes", async () => {
    await start({ limits: { idleStrangerMs: 100 } });
    const [busy] = await holdUp(1);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(busy?.isOpen).toBe(true);
    letGo.splice(0)[0]?.();
    await expect.poll(() => busy?.text.includes("200 OK")).toBe(true);
  });

  it("that asked while the process stood still are answered, and not taken for idle", async () => {
    const { parts } = await start({ limits: { idleStrangerMs: 1_000 } });
    const [peer] = await join();
    await expect.poll(() => parts.server.openConnections).toBe(1);
    const status = peer.ask("/api/closed", "token-all");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    expect(await status).toBe("200");
  });

  it("that asked while the process stood still do not give way to those that came meanwhile", async () => {
    const { parts } = await start({ limits: { maxIdleStrangers: 2 } });
    const asking = await join(3);
    await expect.poll(() => parts.server.openConnections).toBe(3);
    const come = join(3);
    // They knock before the others ask, in the same turn.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const answers = asking.map((peer) => peer.ask("/api/closed", "token-all"));
    // Longer than a moment.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
    expect(await Promise.all(answers)).toEqual(["200", "200", "200"]);
    await come;
  });

  it("that ask again while the process stands still are answered, also if their time to wait is over", async () => {
    const { parts } = await start({ limits: { keepAliveMs: 50 } });
    const [peer] = await join();
    expect(await peer.ask("/api/closed", "token-all")).toBe("200");
    const status = peer.ask("/api/closed", "token-all");
    // Longer than Node adds to it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    expect(await status).toBe("200");
    await expect.poll(() => parts.server.openConnections).toBe(0);
  });

  it("are forgotten when they close: the same number can come again", async () => {
    const { parts } = await start({ limits: { maxConnections: 16 } });
    for (let round = 0; round < 5; round++) {
      const come = await holdUp(16);
      for (const { socket } of come) socket.destroy();
      for (const go of letGo.splice(0)) go();
      await expect.poll(() => parts.server.openConnections).toBe(0);
    }
  });
});
