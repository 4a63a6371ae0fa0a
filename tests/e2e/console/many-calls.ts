/** Stands between the browser and the gate, and sends the events of calls itself: as many as a gate with 5,000 calls a second would. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ManyCalls {
  readonly url: string;
  /** Refusals that were sent; none of them may be missing in the page. */
  readonly refused: () => number;
  /** Nothing more happens; the streams stay open. */
  stop(): void;
  close(): void;
}

const everyMs = 50;
/** In each of those: what the server lets through at `rate=200`, refusals besides, and the rest as a count. */
const [listed, refusedEach, leftOut] = [10, 2, 238];

export async function standBetween(gate: string): Promise<ManyCalls> {
  const { host, port } = new URL(gate);
  let [number, refused] = [0, 0];
  let isOver = false;
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.startsWith("/api/events") && incoming.url.includes("call-end"))
      return sendCalls(outgoing);
    pass(incoming, outgoing);
  });

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { origin: _origin, ...headers } = incoming.headers;
    const asked = request(
      { port, method: incoming.method, path: incoming.url, headers: { ...headers, host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    asked.on("error", () => outgoing.destroy());
    outgoing.on("close", () => asked.destroy());
    incoming.pipe(asked);
  }

  function sendCalls(outgoing: ServerResponse): void {
    outgoing.writeHead(200, { "content-type": "text/event-stream", date: new Date().toUTCString() });
    const write = (kind: string, data: object) => {
      number += 1;
      outgoing.write(`id: x-${number}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
    };
    const timer = setInterval(() => {
      if (isOver) return;
      for (let index = 0; index < listed + refusedEach; index += 1) {
        const ok = index < listed;
        const call = { callId: `call-${number}`, tool: ok ? "fs.read" : "shell.exec", caller: "agent-7" };
        if (ok) write("call-start", call);
        else refused += 1;
        const why = { code: "route_blocked", stage: "route", message: "no", verdict: "deny" };
        write("call-end", { ...call, ok, durationMs: 1.5, verdict: "allow", ...(!ok && why) });
      }
      const now = Date.now();
      write("summary", {
        fromMs: now - everyMs,
        toMs: now,
        left: leftOut,
        ok: leftOut,
        tools: [{ tool: "fs.read", count: leftOut }],
      });
    }, everyMs);
    outgoing.on("close", () => clearInterval(timer));
  }

  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused: () => refused,
    stop: () => {
      isOver = true;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
