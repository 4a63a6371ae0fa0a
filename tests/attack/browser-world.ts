/** What a hostile page meets: one host that may be reached, and traps on this machine that must see nothing. */
import { createSocket } from "node:dgram";
import type { IncomingMessage } from "node:http";
import { expect, onTestFinished } from "vitest";
import { hasAncestor, listPids, type ProcessRow, readProcess } from "../../src/safe/process/process-table.ts";
import { serveHttp, serveRaw } from "../unit/safe/net/safe-fetch-servers.ts";

/** A server that must never be reached. */
export interface Trap {
  readonly port: number;
  connections(): number;
}

export async function setTrap(): Promise<Trap> {
  const trap = await serveRaw((socket) => {
    socket.on("error", () => {});
    socket.end("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\naccess-control-allow-origin: *\r\n\r\nSECRET");
  });
  onTestFinished(() => trap.close());
  return trap;
}

/** The same for datagrams: WebRTC and WebTransport use no proxy. */
export async function setDatagramTrap(): Promise<Trap> {
  const socket = createSocket("udp4");
  let packets = 0;
  socket.on("message", () => {
    packets += 1;
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  return { port: socket.address().port, connections: () => packets };
}

export type HostileAnswer =
  | string
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string };

/** Pages by path. What was asked for is listed. */
export async function serveHostile(
  pages: (path: string, request: IncomingMessage) => HostileAnswer | undefined,
) {
  const asked: string[] = [];
  const server = await serveHttp((request, response) => {
    const path = request.url ?? "/";
    asked.push(path);
    const answer = pages(path.split("?", 1)[0] ?? path, request);
    if (answer === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { status = 200, headers = {}, body = "" } = typeof answer === "string" ? { body: answer } : answer;
    response.writeHead(status, { "content-type": "text/html", ...headers }).end(body);
  });
  onTestFinished(() => server.close());
  return {
    host: `127.0.0.1:${server.port}`,
    base: `http://127.0.0.1:${server.port}`,
    asked,
    port: server.port,
  };
}

/** Everything that descends from this process, by the kernel's table. */
export function descendants(): ProcessRow[] {
  const self = readProcess(process.pid);
  if (self === undefined) return [];
  return listPids().flatMap((pid) => {
    const row = pid === self.pid ? undefined : readProcess(pid);
    return row !== undefined && hasAncestor(pid, self) ? [row] : [];
  });
}

/** Rejects if it does not become true. */
export async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { timeout: 60_000 }).toBe(true);
}
