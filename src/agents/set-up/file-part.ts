/** What of one file is ours: how it is put in, taken out and found. A file of an agent may hold several. */
import type { HookCommand } from "./hook-lines.ts";

export interface FilePart {
  /** As the agent names it; links are followed when it is written. */
  readonly file: string;
  /** Nobody but the user reads what it holds. */
  readonly isPrivate?: boolean;
  /** With ours in it, once and as of now. `text` undefined: there is no such file. */
  put(text: string | undefined, hook: HookCommand): EditedText;
  /** Without ours; everything else stays to the byte wherever that is possible. */
  take(text: string): EditedText;
  /** What a text says, however it is written. Undefined: it cannot be read. Absent: as TOML, else as it is. */
  meaning?(text: string): unknown;
  /** The lines of ours that it holds, in order. Nothing where it cannot be read. */
  find(text: string): readonly FoundLine[];
}

export type EditedText =
  | {
      readonly ok: true;
      /** The very same text: nothing had to be done. Undefined: the file goes, nobody else has a part in it. */
      readonly text: string | undefined;
      /** Nothing of anybody's is in it: the file goes if install made it. */
      readonly isEmpty: boolean;
    }
  /** A part of a sentence: "it must hold a JSON object". */
  | { readonly ok: false; readonly message: string };

export interface FoundLine {
  readonly line: string;
  /** The agent asks it before a call. */
  readonly isBefore: boolean;
}

/** Several parts of one file, one after the other; of different files: a part for each file. */
export function joinParts(parts: readonly FilePart[]): FilePart[] {
  const byFile = new Map<string, FilePart[]>();
  for (const part of parts) byFile.set(part.file, [...(byFile.get(part.file) ?? []), part]);
  return [...byFile].map(([file, own]) => (own.length === 1 && own[0] ? own[0] : join(file, own)));
}

function join(file: string, parts: readonly FilePart[]): FilePart {
  const each = (text: string | undefined, edit: (part: FilePart, now: string | undefined) => EditedText) => {
    let now: EditedText = { ok: true, text, isEmpty: text === undefined };
    for (const part of parts) {
      if (!now.ok) return now;
      now = edit(part, now.text);
    }
    return now;
  };
  return {
    file,
    put: (text, hook) => each(text, (part, now) => part.put(now, hook)),
    take: (text) =>
      each(text, (part, now) =>
        now === undefined ? { ok: true, text: undefined, isEmpty: true } : part.take(now),
      ),
    ...(parts[0]?.meaning && { meaning: parts[0].meaning }),
    find: (text) => parts.flatMap((part) => part.find(text)),
  };
}
