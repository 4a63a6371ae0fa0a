/** One HTTP exchange: a request read whole, up to a bound, and an answer written piece by piece. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Written } from "./dialect.ts";

/** `undefined`: too large. Read to its end all the same: a client listens only after it has sent all. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks).toString("utf8");
}

/** `undefined`: no JSON; no dialect takes it for a request. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function send(response: ServerResponse, { status, type, headers, chunks }: Written): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...headers, "content-type": type, "cache-control": "no-store" });
  for (const chunk of chunks) response.write(chunk);
  response.end();
}
