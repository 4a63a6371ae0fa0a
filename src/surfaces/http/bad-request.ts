/** Answers below the level of requests: broken headers, slow clients, connections without room. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "../../core/ports/ports.ts";
import { securityHeaders } from "./write-answer.ts";

export function answerBadRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Nobody reads an answer any more, or one is on its way and a second would be read as part of it.
  if (!socket.writable || (socket as { _httpMessage?: unknown })._httpMessage) {
    socket.destroy();
    return;
  }
  socket.end(rawProblem(statusOf(error)), () => socket.destroy());
}

/** Whatever the client was going to ask. */
export function refuseConnection(socket: Socket, clock: Pick<Clock, "after">): void {
  socket.on("error", () => {});
  socket.end(
    rawProblem(
      { status: 503, code: "unavailable", title: "The server has no room for another connection." },
      { "retry-after": "5" },
    ),
  );
  const cancel = clock.after(lingerMs, () => socket.destroy());
  socket.once("close", cancel);
}

/** Closed at once, what the client has sent already would make its system throw the answer away unread. */
const lingerMs = 200;

interface RawProblem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
}

/** A whole answer as it goes over the wire, after which the connection ends. */
function rawProblem(
  { status, code, title }: RawProblem,
  more: Readonly<Record<string, string>> = {},
): string {
  const body = JSON.stringify({
    type: `urn:toolgate:problem:${code}`,
    title,
    status,
    detail: title,
    code,
  });
  const headers = {
    "content-type": "application/problem+json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
    ...more,
    ...securityHeaders,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}

function statusOf({ code }: NodeJS.ErrnoException): RawProblem {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return { status: 408, code: "request_timeout", title: "The request came too slowly." };
  if (code === "HPE_HEADER_OVERFLOW")
    return { status: 431, code: "bad_request", title: "The headers are too large." };
  return { status: 400, code: "bad_request", title: "This is not an HTTP request." };
}
