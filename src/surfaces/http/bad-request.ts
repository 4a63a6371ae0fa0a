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
  const { status, code, title } = statusOf(error);
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
    ...securityHeaders,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`, () =>
    socket.destroy(),
  );
}

function statusOf({ code }: NodeJS.ErrnoException): { status: number; code: string; title: string } {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return { status: 408, code: "request_timeout", title: "The request came too slowly." };
  if (code === "HPE_HEADER_OVERFLOW")
    return { status: 431, code: "bad_request", title: "The headers are too large." };
  return { status: 400, code: "bad_request", title: "This is not an HTTP request." };
}
