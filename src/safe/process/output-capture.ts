/** Bounds the output of a process: first and last part for the caller, all of it in a file. */

import { randomBytes } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

export type OutputStream = "stdout" | "stderr";

export interface CaptureOptions {
  /** Of each stream, for the caller. */
  readonly maxOutputBytes: number;
  /** Of both streams together; what comes after it is counted and dropped. */
  readonly hardMaxBytes: number;
  /** A folder of our own, never one of the workspace. Without it the middle part is lost. */
  readonly spillDirectory?: string;
}

export interface OutputCapture {
  /** False from the moment on when the hard limit is passed. */
  take(chunk: Buffer, stream: OutputStream): boolean;
  text(stream: OutputStream): string;
  readonly truncated: boolean;
  readonly totalBytes: number;
  readonly spillPath: string | undefined;
  close(): void;
}

export function createOutputCapture(options: CaptureOptions): OutputCapture {
  const kept = { stdout: createEnds(options.maxOutputBytes), stderr: createEnds(options.maxOutputBytes) };
  const spill =
    options.spillDirectory === undefined
      ? undefined
      : createSpill(options.spillDirectory, options.maxOutputBytes);
  let totalBytes = 0;
  const truncated = (): boolean => kept.stdout.leftOut > 0 || kept.stderr.leftOut > 0;
  return {
    take(chunk, stream) {
      const room = Math.max(0, options.hardMaxBytes - totalBytes);
      totalBytes += chunk.length;
      const within = chunk.length <= room ? chunk : chunk.subarray(0, room);
      spill?.add(within);
      kept[stream].add(within);
      kept[stream].drop(chunk.length - within.length);
      if (truncated()) spill?.open();
      return totalBytes <= options.hardMaxBytes;
    },
    text: (stream) => kept[stream].text(spill?.path),
    get truncated() {
      return truncated();
    },
    get totalBytes() {
      return totalBytes;
    },
    get spillPath() {
      return spill?.path;
    },
    close: () => spill?.close(),
  };
}

/** Flat buffers, not lists of chunks: a process may write single bytes. */
function createEnds(maxBytes: number) {
  const headMax = Math.ceil(maxBytes / 2);
  const tailMax = maxBytes - headMax;
  const head = createGrowing(headMax);
  let tail: Buffer | undefined;
  let tailBytes = 0;
  let dropped = 0;
  const leftOut = (): number => Math.max(0, tailBytes - tailMax) + dropped;
  return {
    add(chunk: Buffer): void {
      const rest = chunk.subarray(head.add(chunk));
      if (rest.length === 0) return;
      tail ??= Buffer.allocUnsafe(tailMax);
      const part = rest.length > tailMax ? rest.subarray(rest.length - tailMax) : rest;
      const at = tailMax === 0 ? 0 : (tailBytes + rest.length - part.length) % tailMax;
      const first = part.copy(tail, at);
      part.copy(tail, 0, first);
      tailBytes += rest.length;
    },
    drop(bytes: number): void {
      dropped += bytes;
    },
    get leftOut() {
      return leftOut();
    },
    text(spillPath: string | undefined): string {
      if (tail === undefined && dropped === 0) return decode(head.bytes());
      const bytes = Math.min(tailBytes, tailMax);
      const ring = tail ?? Buffer.alloc(0);
      const start = tailBytes > tailMax && tailMax > 0 ? tailBytes % tailMax : 0;
      const last = Buffer.concat([ring.subarray(start, bytes), ring.subarray(0, start)]);
      const first = head.bytes();
      if (leftOut() === 0) return decode(Buffer.concat([first, last]));
      const where = spillPath === undefined ? "" : `; the output is in ${spillPath}`;
      return `${decode(cutEnd(first))}\n[... ${leftOut()} bytes left out${where} ...]\n${decode(cutStart(last))}`;
    },
  };
}

/** Takes bytes up to a limit; the buffer doubles, so small outputs stay small. */
function createGrowing(maxBytes: number) {
  // Small enough to come from Node's pool: most processes print a line or two.
  let buffer = Buffer.allocUnsafe(Math.min(maxBytes, 1024));
  let length = 0;
  return {
    /** How many bytes of the chunk were taken. */
    add(chunk: Buffer): number {
      const take = Math.min(chunk.length, maxBytes - length);
      if (length + take > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(buffer.length * 2, length + take)));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      chunk.copy(buffer, length, 0, take);
      length += take;
      return take;
    },
    bytes: () => buffer.subarray(0, length),
  };
}

/** Both streams in the order of arrival, in a file, where the caller's part does not hold everything. */
function createSpill(directory: string, maxOutputBytes: number) {
  const early = createGrowing(maxOutputBytes * 2 + 64 * 1024);
  let file: number | undefined;
  let path: string | undefined;
  let failed = false;
  const write = (bytes: Buffer): void => {
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file!, bytes, at);
    } catch {
      // A full disk must not end the call; the text then says that bytes are left out and names no file.
      failed = true;
    }
  };
  return {
    add(chunk: Buffer): void {
      if (file !== undefined && !failed) write(chunk);
      else if (file === undefined) early.add(chunk);
    },
    open(): void {
      if (file !== undefined || failed) return;
      const name = join(directory, `output-${randomBytes(8).toString("hex")}.txt`);
      try {
        // `wx` neither follows nor overwrites anything that waits under this name.
        file = openSync(name, "wx", 0o600);
        path = name;
        write(early.bytes());
      } catch {
        failed = true;
      }
    },
    get path() {
      return failed ? undefined : path;
    },
    close(): void {
      if (file !== undefined) closeSync(file);
      file = undefined;
      failed ||= path === undefined;
    },
  };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function decode(bytes: Buffer): string {
  return decoder.decode(bytes);
}

/** Without the part of a character that the cut went through. */
function cutEnd(bytes: Buffer): Buffer {
  let at = bytes.length;
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      if (size > back) at = bytes.length - back;
      break;
    }
  }
  return bytes.subarray(0, at);
}

function cutStart(bytes: Buffer): Buffer {
  let at = 0;
  while (at < 3 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return bytes.subarray(at);
}
