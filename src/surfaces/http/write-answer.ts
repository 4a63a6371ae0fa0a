/** Writes answers to the socket, with the headers that keep browsers from doing harm. */
import type { ServerResponse } from "node:http";
import type { Answer, AnswerStream, Headers, StreamAnswer } from "./answer.ts";

/** On every answer. Answers are data: nothing in them may load, run or be framed. */
export const securityHeaders = {
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
} as const;

const constant: readonly string[] = Object.entries(securityHeaders).flat();

/** Says how the server is reached, so that browsers never fall back to plain HTTP. */
const overTls: readonly string[] = [...constant, "strict-transport-security", "max-age=31536000"];

export interface WriteOptions {
  readonly isTls: boolean;
  /** The connection is of no more use: a body was not read, or the server ends. */
  readonly close: boolean;
  readonly sendTimeoutMs: number;
  readonly closing: AbortSignal;
}

/** Resolves when the answer was handed to the socket, or its client is gone. */
export async function writeAnswer(
  response: ServerResponse,
  answer: Answer,
  options: WriteOptions,
): Promise<void> {
  if (answer.kind === "stream") return writeStream(response, answer, options);
  if (answer.kind === "ready" && answer.isBare === true) return sendBare(response, answer.bytes);
  const { type, body } = bodyOf(answer);
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  response.writeHead(answer.status, headersOf(type, answer.headers, options, bytes));
  response.end(body);
  if (response.writableLength > 0) letGoIfStuck(response, options.sendTimeoutMs);
}

function bodyOf(answer: Exclude<Answer, StreamAnswer>): {
  readonly type: string;
  readonly body: string | Uint8Array;
} {
  if (answer.kind === "ready") return { type: answer.type, body: answer.bytes };
  if (answer.kind === "json") return { type: "application/json", body: JSON.stringify(answer.body) };
  return { type: "application/problem+json", body: JSON.stringify(answer.problem) };
}

/** Without headers: bash reads byte by byte, and the length that counts is in the answer itself. */
function sendBare(response: ServerResponse, body: string | Uint8Array): void {
  response.sendDate = false;
  for (const name of ["connection", "content-length", "transfer-encoding"]) response.removeHeader(name);
  response.writeHead(200);
  response.end(body);
}

function headersOf(
  type: string,
  headers: Headers | undefined,
  { isTls, close }: WriteOptions,
  bytes: number | undefined,
): string[] {
  const all = ["content-type", type, ...(isTls ? overTls : constant)];
  if (bytes !== undefined) all.push("content-length", String(bytes));
  if (close) all.push("connection", "close");
  for (const name in headers) {
    const value = headers[name] as string;
    const at = all.indexOf(name);
    // A page's own policy takes the place of the general one.
    if (at % 2 === 0) all[at + 1] = value;
    else all.push(name, value);
  }
  return all;
}

async function writeStream(
  response: ServerResponse,
  answer: StreamAnswer,
  options: WriteOptions,
): Promise<void> {
  response.writeHead(answer.status, headersOf(answer.type, answer.headers, options, undefined));
  response.flushHeaders();
  const ending = new AbortController();
  const end = () => ending.abort();
  response.once("close", end);
  options.closing.addEventListener("abort", end, { once: true });
  if (options.closing.aborted || response.destroyed) end();
  const out: AnswerStream = {
    write: (piece) => !response.writableEnded && !response.destroyed && response.write(piece),
    drained: () => drained(response, options.sendTimeoutMs),
    get waitingBytes() {
      return response.writableLength;
    },
    signal: ending.signal,
  };
  try {
    await answer.write(out);
  } finally {
    options.closing.removeEventListener("abort", end);
    response.end();
    letGoIfStuck(response, options.sendTimeoutMs);
  }
}

function drained(response: ServerResponse, sendTimeoutMs: number): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const stuck = setTimeout(() => response.destroy(), sendTimeoutMs);
    const done = () => {
      clearTimeout(stuck);
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });
}

/** A client that does not read would keep its answer in our memory for ever. */
function letGoIfStuck(response: ServerResponse, sendTimeoutMs: number): void {
  if (response.writableFinished || response.destroyed) return;
  const stuck = setTimeout(() => response.destroy(), sendTimeoutMs);
  stuck.unref();
  response.once("close", () => clearTimeout(stuck));
}
