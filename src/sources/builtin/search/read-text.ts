/** Reads the beginning of a file as text, for those who only want to look into it. */
import { TextBlocks } from "../filesystem/text-blocks.ts";
import type { FoundFile } from "./walked-files.ts";

/** Undefined: it may not be read, or it is not text. */
export async function readText(file: FoundFile, maxBytes: number): Promise<string | undefined> {
  const parts: string[] = [];
  let room = maxBytes;
  let binary = false;
  const blocks = new TextBlocks(({ bytes }) => {
    if (bytes.includes(0)) {
      binary = true;
      return false;
    }
    parts.push(bytes.toString("utf8", 0, Math.min(bytes.length, room)));
    room -= bytes.length;
    return room > 0;
  });
  const scanned = await file.scan((piece) => blocks.piece(piece));
  if (!scanned.ok || binary) return undefined;
  if (scanned.atEnd) blocks.end();
  return binary ? undefined : parts.join("");
}
