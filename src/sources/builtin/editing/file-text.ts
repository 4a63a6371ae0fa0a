/** Bytes of a file as text and back, without loss: what is no UTF-8 becomes lone surrogates meanwhile. */
import { isUtf8 } from "node:buffer";

/** Undefined for a file that holds no text: a NUL byte, or UTF-16. */
export function textOfBytes(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  if (isUtf8(bytes)) return bytes.toString();
  let text = "";
  let run = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += bytes.toString("utf8", run, at) + String.fromCharCode(0xdc00 + bytes[at]!);
    at += 1;
    run = at;
  }
  return text + bytes.toString("utf8", run);
}

export function bytesOfText(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const pieces: Buffer[] = [];
  let done = 0;
  for (const match of text.matchAll(/[\udc80-\udcff]/gu)) {
    pieces.push(Buffer.from(text.slice(done, match.index)), Buffer.of(match[0].charCodeAt(0) - 0xdc00));
    done = match.index + 1;
  }
  pieces.push(Buffer.from(text.slice(done)));
  return Buffer.concat(pieces);
}

/** How many bytes the UTF-8 character here has; 0 when this byte begins none. */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
