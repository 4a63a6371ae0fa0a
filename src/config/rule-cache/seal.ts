/**
 * Proves that a cache file is ours. Behind the rules stands a tag for each page, made with a key of the state
 * folder, which no judged command reads. A changed byte, or pages of two files, have no tag that fits. Pages
 * are proved when they are read.
 */
import { closeSync, readSync } from "node:fs";
import { join } from "node:path";
import { openOwnFile } from "./own-files.ts";
import { paddedLength, sipHashOf } from "./sip-hash.ts";

export interface ByteSource {
  readonly size: number;
  /** How many bytes there were. */
  read(at: number, target: Buffer): number;
  close(): void;
}

/** Proving a page costs a cold process about a tenth of a millisecond for each kilobyte. */
const pageBytes = 512;
const nonceBytes = 8;
const tagBytes = 8;
/** The size of the rules, and how many they are again: so that the file's own size can be checked. */
const endBytes = 8;
export const sealKeyBytes = 16;

export function sealKeyFile(stateFolder: string): string {
  return join(stateFolder, "rule-cache.key");
}

/** Undefined: there is none that can be believed, so no cache can be, either. */
export function readSealKey(stateFolder: string): Buffer | undefined {
  const opened = openOwnFile(sealKeyFile(stateFolder));
  if (opened === undefined) return undefined;
  try {
    const text = Buffer.alloc(sealKeyBytes * 2);
    const length = readSync(opened.fd, text, 0, text.length, 0);
    const key = Buffer.from(text.toString("latin1", 0, length), "hex");
    return key.length === sealKeyBytes ? key : undefined;
  } finally {
    closeSync(opened.fd);
  }
}

/** `nonce`: other bytes each time, so that pages of one file are not pages of another. */
export function sealBytes(rules: Buffer, key: Buffer, nonce: Buffer): Buffer {
  const tags = [];
  const tagOf = tagger(key, nonce, rules.length);
  for (let page = 0; page < pagesOf(rules.length); page++) {
    const at = page * pageBytes;
    tags.push(tagOf(page, rules.subarray(at, pageEnd(at, rules.length))));
  }
  const end = Buffer.alloc(endBytes);
  end.writeUInt32LE(rules.length, 0);
  end.writeUInt32LE(tags.length, 4);
  return Buffer.concat([rules, nonce.subarray(0, nonceBytes), ...tags, end]);
}

/** The rules in a sealed file; undefined: it is none. Of changed bytes fewer are read than asked for. */
export function unsealed(file: ByteSource, key: Buffer): ByteSource | undefined {
  const end = Buffer.alloc(endBytes);
  if (file.size < endBytes || file.read(file.size - endBytes, end) !== endBytes) return undefined;
  const size = end.readUInt32LE(0);
  const count = end.readUInt32LE(4);
  const sealed = nonceBytes + count * tagBytes;
  if (size === 0 || count !== pagesOf(size) || file.size !== size + sealed + endBytes) return undefined;
  const seal = Buffer.alloc(sealed);
  if (file.read(size, seal) !== sealed) return undefined;
  const tagOf = tagger(key, seal, size);
  const proved = new Map<number, Buffer>();
  const pageAt = (page: number): Buffer | undefined => {
    const known = proved.get(page);
    if (known !== undefined) return known;
    const at = page * pageBytes;
    const bytes = Buffer.alloc(pageEnd(at, size) - at);
    if (file.read(at, bytes) !== bytes.length) return undefined;
    const tagAt = nonceBytes + page * tagBytes;
    if (!tagOf(page, bytes).equals(seal.subarray(tagAt, tagAt + tagBytes))) return undefined;
    proved.set(page, bytes);
    return bytes;
  };
  return {
    size,
    close: () => file.close(),
    read(at, target) {
      // The second half is the twin of the first, and is only ever compared with it.
      if (at >= size / 2) return file.read(at, target);
      let done = 0;
      while (done < target.length) {
        const from = at + done;
        const page = pageAt(Math.floor(from / pageBytes));
        if (page === undefined) return done;
        const copied = page.copy(target, done, from % pageBytes);
        if (copied === 0) return done;
        done += copied;
      }
      return done;
    },
  };
}

/** Only the first half has tags. */
function pagesOf(size: number): number {
  return Math.ceil(size / 2 / pageBytes);
}

function pageEnd(at: number, size: number): number {
  return Math.min(at + pageBytes, Math.ceil(size / 2));
}

/** Tags of the pages of one file. All but the last are hashed in the same place. */
function tagger(key: Buffer, nonce: Buffer, size: number) {
  const whole = placeFor(nonce, size, pageBytes);
  return (page: number, bytes: Buffer): Buffer => {
    const { text, words } = bytes.length === pageBytes ? whole : placeFor(nonce, size, bytes.length);
    text.writeUInt32LE(page, nonceBytes + 4);
    bytes.copy(text, nonceBytes + 8);
    return sipHashOf(key, words);
  };
}

function placeFor(nonce: Buffer, size: number, length: number) {
  const bytes = nonceBytes + 8 + length;
  const text = Buffer.alloc(paddedLength(bytes));
  nonce.copy(text, 0, 0, nonceBytes);
  text.writeUInt32LE(size, nonceBytes);
  text[text.length - 1] = bytes & 0xff;
  return { text, words: new Int32Array(text.buffer, text.byteOffset, text.length / 4) };
}
