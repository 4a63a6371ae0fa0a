/** Answers what is not even a request: broken headers, or headers and bodies that never came. */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { securityHeaders } from "./write-answer.ts";

export function answerBadRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Nobody reads it any more, or an answer is on its way already and a second one would be read as part of it.
  if (!socket.writable || (socket as { _httpMessage?: unknown })._httpMessage) {
    socket.destroy();
    return;
  }
  socket.end(rawProblem(statusOf(error)), () => socket.destroy());
}

interface RawProblem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
}

/** A whole answer as it goes over the wire, after which the connection ends. */
export function rawProblem(
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
