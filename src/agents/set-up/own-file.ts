/** A file that is wholly ours, such as a plugin. Its first comment says so, and holds the line of our hook. */
import type { FilePart } from "./file-part.ts";
import { type HookLines, linesOf, ourWords } from "./hook-lines.ts";

export interface OwnFile {
  /** The agent's name, as the line says it. */
  readonly agent: string;
  readonly file: string;
  /** How a comment of one line begins in this language. */
  readonly comment: "//" | "#";
  /** What comes below the comment. A first line with `#!` stays the first. */
  readonly text: (lines: HookLines) => string;
}

export function ownFile({ agent, file, comment, text: make }: OwnFile): FilePart {
  const lineIn = (text: string) => {
    const [first = "", second = ""] = text.split(/\r?\n/, 2);
    const head = first.startsWith("#!") ? second : first;
    const start = `${comment} toolgate: `;
    const line = head.startsWith(start) ? head.slice(start.length) : undefined;
    return ourWords(line, agent) === undefined ? undefined : line;
  };
  return {
    file,
    put(text, hook) {
      if (text !== undefined && text.trim() !== "" && lineIn(text) === undefined)
        return { ok: false, message: "it is not toolgate's, and stays as it is" };
      const lines = linesOf(agent, hook);
      const [, start = "", rest = ""] = /^(#![^\n]*\n)?([\s\S]*)$/.exec(make(lines)) ?? [];
      const next = `${start}${comment} toolgate: ${lines.before.line}\n${rest}`;
      return { ok: true, text: next, isEmpty: false };
    },
    take: (text) =>
      lineIn(text) === undefined
        ? { ok: true, text, isEmpty: false }
        : { ok: true, text: undefined, isEmpty: true },
    meaning: (text) => text,
    find(text) {
      const line = lineIn(text);
      return line === undefined ? [] : [{ line, isBefore: true }];
    },
  };
}
