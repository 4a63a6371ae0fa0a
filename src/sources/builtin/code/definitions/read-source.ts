/** Reads a source file of the workspace as text, whatever encoding it has, up to the size that is parsed. */
import type { Failed } from "../../../../core/call/tool-answer.ts";
import type {
  InsideRoot,
  Refusal,
  Scanned,
  TakePiece,
} from "../../../../safe/files/inside-root/inside-root.ts";
import { TextBlocks } from "../../filesystem/text-blocks.ts";

export const maxSourceBytes = 1024 * 1024;

export type Source = { readonly ok: true; readonly text: string } | Failed;

export async function readSource(
  shown: string,
  scan: (take: TakePiece) => ReturnType<InsideRoot["scan"]>,
): Promise<Source> {
  const parts: string[] = [];
  let bytes = 0;
  let binary = false;
  const blocks = new TextBlocks((block) => {
    bytes += block.bytes.length;
    binary ||= block.bytes.includes(0);
    if (binary || bytes > maxSourceBytes) return false;
    parts.push(block.bytes.toString("utf8"));
    return true;
  });
  const scanned: Scanned | Refusal = await scan((piece) => blocks.piece(piece));
  if (!scanned.ok) return { ok: false, code: scanned.code, message: scanned.message };
  if (scanned.atEnd) blocks.end();
  if (binary) return { ok: false, code: "not_text", message: `${shown} is not a text file.` };
  if (bytes > maxSourceBytes) {
    const message = `${shown} is larger than ${maxSourceBytes} bytes, which is too large to be parsed. Search it with search.grep.`;
    return { ok: false, code: "too_large", message };
  }
  return { ok: true, text: parts.join("") };
}
