/** Reads the body of an answer over HTTP: as a stream of events, or whole and up to a bound. */
import type { OriginAnswer, OriginBody } from "./origin-client.ts";

export function isEvents({ headers }: OriginAnswer): boolean {
  return /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
}

/** Undefined when it is longer than allowed. */
export async function readAll(body: OriginBody, maxBytes: number): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  await body
    .read((chunk) => {
      bytes += chunk.length;
      if (bytes > maxBytes) body.destroy();
      else parts.push(chunk);
    })
    .catch((error: unknown) => {
      if (bytes <= maxBytes) throw error;
    });
  if (bytes > maxBytes) return undefined;
  return (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).toString("utf8");
}
