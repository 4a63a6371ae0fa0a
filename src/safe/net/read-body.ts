/** Reads an answer's body, unpacking it while it arrives, and stops at the first byte too many. */
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { type FetchRefusal, refuse } from "./refusal.ts";

export type Body = { readonly ok: true; readonly bytes: Uint8Array } | FetchRefusal;

export type ReadBody = (response: IncomingMessage, maxBytes: number, signal: AbortSignal) => Promise<Body>;

/** Counts bytes after unpacking: a megabyte of gzip can be a gigabyte of zeros. */
export const readBody: ReadBody = async (response, maxBytes, signal) => {
  const coding = response.headers["content-encoding"]?.trim().toLowerCase() || "identity";
  if (!codings.has(coding)) {
    // Also every list such as `gzip, gzip`: layers multiply the ratio.
    return refuse(
      "bad_encoding",
      "The answer has a content encoding that is not supported.",
      "Ask for another resource.",
    );
  }

  const chunks: Uint8Array[] = [];
  let received = 0;
  let unpacked = 0;
  let stop: FetchRefusal | undefined;
  const count = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      received += chunk.length;
      yield chunk;
    }
  };
  const collect = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of source) {
      unpacked += chunk.length;
      if (unpacked > maxBytes) stop = tooLarge(maxBytes);
      else if (unpacked > ratioFreeBytes && unpacked > received * maxRatio) stop = tooDense();
      if (stop !== undefined) throw new Error(stop.code);
      chunks.push(chunk);
    }
  };
  try {
    if (coding === "identity") await pipeline(response, count, collect, { signal });
    else await unpack(count(response), coding, collect, signal);
  } catch (error) {
    if (stop !== undefined) return stop;
    if (isZlibError(error)) {
      return refuse(
        "bad_encoding",
        "The answer's compressed body is damaged.",
        "Try again, or ask the server's owner.",
      );
    }
    throw error;
  }
  return { ok: true, bytes: new Uint8Array(Buffer.concat(chunks, unpacked)) };
};

const codings = new Set(["identity", "gzip", "x-gzip", "br", "deflate"]);
const maxRatio = 100;
/** Small, very regular documents compress better than 100:1 and hurt nobody. */
const ratioFreeBytes = 1024 * 1024;

/** Packed chunks as they come, unpacked into `collect`. */
async function unpack(
  packed: AsyncGenerator<Uint8Array>,
  coding: string,
  collect: (source: AsyncIterable<Uint8Array>) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const first = await packed.next();
  if (first.done === true) return;
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    yield first.value;
    yield* packed;
  };
  await pipeline(whole, decoderFor(coding, first.value), collect, { signal });
}

function decoderFor(coding: string, [first = 0]: Uint8Array) {
  if (coding === "br") return createBrotliDecompress();
  if (coding !== "deflate") return createGunzip();
  // Servers send "deflate" with and without the zlib header; its first byte tells.
  return (first & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

function tooLarge(maxBytes: number): FetchRefusal {
  return refuse(
    "too_large",
    `The answer is larger than ${maxBytes} bytes after unpacking.`,
    "Ask for a smaller part of it, or raise the limit.",
  );
}

function tooDense(): FetchRefusal {
  return refuse(
    "too_large",
    `The answer unpacks to more than ${maxRatio} times its size, as decompression bombs do.`,
    "Ask for another resource.",
  );
}

function isZlibError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    typeof code === "string" &&
    (/^Z_/.test(code) || code.startsWith("ERR_BROTLI") || code.startsWith("ERR__ERROR_FORMAT"))
  );
}
