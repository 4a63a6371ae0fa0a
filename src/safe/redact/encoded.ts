/** Finds secrets in base64 and in hex, and bodies of private keys that lost their first line. */
import type { Mark } from "./mark.ts";
import { matchAt } from "./replace-parts.ts";

/** `holdsSecret` looks at what was decoded. */
export function redactEncoded(text: string, mark: Mark, holdsSecret: (plain: string) => boolean): string {
  let result = "";
  let done = 0;
  for (let index = nextRun(text, 0); index !== -1; ) {
    const block = wrapped(text, index, endOfRun(text, index));
    const start = secretStart(block.joined, escapeBefore(text, index), holdsSecret);
    if (start !== undefined) {
      result += text.slice(done, index + start.at) + mark(start.kind, block.joined.slice(start.at));
      done = block.end;
    }
    // Whatever was in it, its lines were looked at.
    index = nextRun(text, block.end);
  }
  return done === 0 ? text : result + text.slice(done);
}

/** Shorter ones hold nothing that could be told. */
const shortest = 24;
const ofRun = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Looks back from where a run would end: most text has a blank there, and all before is passed over. */
function nextRun(text: string, from: number): number {
  for (let end = from + shortest - 1; end < text.length; ) {
    let start = end;
    while (start >= from && end - start < shortest && ofRun[text.charCodeAt(start)] === 1) start -= 1;
    if (end - start === shortest) {
      while (start >= from && ofRun[text.charCodeAt(start)] === 1) start -= 1;
      return start + 1;
    }
    end = start + shortest;
  }
  return -1;
}

function endOfRun(text: string, index: number): number {
  let end = index + shortest;
  while (ofRun[text.charCodeAt(end)] === 1) end += 1;
  for (let padding = 0; padding < 2 && text[end] === "="; padding += 1) end += 1;
  return end;
}

const line = /(?:\r?\n|\\r\\n|\\n)[ \t]{0,16}([A-Za-z0-9+/]{1,200}={0,2})(?![^\s"'`\\<,])/y;

interface Block {
  readonly joined: string;
  readonly end: number;
}

/** A long text is broken into lines of one length; the last one is shorter. */
function wrapped(text: string, index: number, end: number): Block {
  const first = text.slice(index, end);
  const { length } = first;
  if (length < 48 || length > 200 || first.endsWith("=")) return { joined: first, end };
  const lines = [first];
  let at = end;
  for (;;) {
    const next = matchAt(line, text, at)?.[1];
    if (next === undefined || next.length > length) break;
    lines.push(next);
    at = line.lastIndex;
    if (next.length < length || next.endsWith("=")) break;
  }
  return { joined: lines.join(""), end: at };
}

/** `\n` and `%3D` before a run look like its first characters. */
function escapeBefore(text: string, index: number): number {
  const before = text[index - 1];
  if (before === "%") return 2;
  return before === "\\" && /[nrt]/.test(text[index] ?? "") ? 1 : 0;
}

interface Start {
  readonly at: number;
  readonly kind: string;
}

/** A path or a word may stand before a key (`/v1/QUtJ...`): each part is tried, few are read to the end. */
function secretStart(run: string, skip: number, holdsSecret: (plain: string) => boolean): Start | undefined {
  if (isHex(run, skip)) {
    const bytes = Buffer.from(run.slice(skip), "hex");
    if (isPrivateKey(bytes)) return { at: skip, kind: "private-key" };
    if (isReadable(bytes) && holdsSecret(bytes.toString("latin1"))) return { at: skip, kind: "hex" };
  }
  let tries = 3;
  let parts = mostParts;
  for (let at = skip; at !== -1 && run.length - at >= shortest && tries > 0; at = nextPart(run, at)) {
    parts -= 1;
    if (parts < 0) return undefined;
    if (!mayBegin(run, at) || isShortPath(run, at)) continue;
    tries -= 1;
    const bytes = Buffer.from(run.slice(at), "base64");
    if (isPrivateKey(bytes)) return { at, kind: "private-key" };
    if (isReadable(bytes) && holdsSecret(bytes.toString("latin1"))) return { at, kind: "base64" };
  }
  return undefined;
}

const mostParts = 32;

/** Two numbers that look alike: what is short and has slashes is a path. */
function isShortPath(run: string, at: number): boolean {
  return run.length - at < 40 && /[+/]/.test(run.slice(at));
}

function nextPart(run: string, at: number): number {
  part.lastIndex = at;
  return part.test(run) ? part.lastIndex : -1;
}

const part = /[/_-]+/g;

function isHex(run: string, skip: number): boolean {
  const length = run.length - skip;
  return length >= 32 && length % 2 === 0 && /^[0-9a-f]+$/i.test(skip === 0 ? run : run.slice(skip));
}

/** Text has no byte above 127, which shows in three of four characters; a key begins with a sequence. */
function mayBegin(run: string, at: number): boolean {
  if (run[at] === "M" && /[CGHIF]/.test(run[at + 1] ?? "")) return true;
  for (let quad = at; quad < at + 12; quad += 4) {
    const [one, two, three] = [value(run, quad), value(run, quad + 1), value(run, quad + 2)];
    if (one >= 32 || (two & 8) !== 0 || (three & 2) !== 0) return false;
  }
  return true;
}

const values = new Map(
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].map((sign, index) => [sign, index]),
);

function value(run: string, at: number): number {
  const sign = run[at] ?? "";
  return values.get(sign) ?? (sign === "-" ? 62 : sign === "_" ? 63 : 64);
}

function isReadable(bytes: Buffer): boolean {
  for (let index = 0; index < 9 && index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (byte > 126 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) return false;
  }
  return true;
}

/** Private keys (PKCS #1, #8, #12, SEC 1) begin with a version, public ones do not; OpenSSH has a name. */
function isPrivateKey(bytes: Buffer): boolean {
  if (bytes.length < 32) return false;
  if (bytes.toString("latin1", 0, 14) === "openssh-key-v1") return true;
  if (bytes[0] !== 0x30) return false;
  const length = bytes[1] as number;
  const body = length === 0x82 ? 4 : length === 0x81 ? 3 : length < 0x80 ? 2 : 0;
  if (body === 0 || bytes[body] !== 0x02 || bytes[body + 1] !== 0x01) return false;
  const next = bytes[body + 3] as number;
  return (bytes[body + 2] as number) <= 3 && (next === 0x02 || next === 0x04 || next === 0x30);
}
