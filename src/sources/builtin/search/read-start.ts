/** Reads the beginning of a file as text, whatever encoding it has. */
import type { Refusal } from "../../../safe/files/inside-root/inside-root.ts";
import { TextBlocks } from "../filesystem/text-blocks.ts";
import type { FoundFile } from "./walked-files.ts";

export interface TextStart {
  readonly ok: true;
  readonly text: string;
  /** False: it holds a NUL byte. */
  readonly isText: boolean;
  /** False: the file goes on. */
  readonly isWhole: boolean;
}

export async function readStart(
  { scan }: Pick<FoundFile, "scan">,
  maxBytes: number,
): Promise<TextStart | Refusal> {
  const parts: string[] = [];
  let room = maxBytes;
  let isText = true;
  const blocks = new TextBlocks(({ bytes }) => {
    isText &&= !bytes.includes(0);
    if (!isText) return false;
    parts.push(bytes.toString("utf8", 0, Math.max(0, Math.min(bytes.length, room))));
    room -= bytes.length;
    return room >= 0;
  });
  const scanned = await scan((piece) => blocks.piece(piece));
  if (!scanned.ok) return scanned;
  if (scanned.atEnd) blocks.end();
  return { ok: true, text: parts.join(""), isText, isWhole: room >= 0 };
}
