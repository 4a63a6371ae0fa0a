/**
 * The blocks of a page that a reader types or saves. A comment right above a block says what is special about it:
 * `<!-- file: NAME -->` (save it under this name), `<!-- not run: REASON -->`, `<!-- until it prints this -->` (a call has to
 * arrive first; a reader would look again, too).
 */

interface Place {
  readonly page: string;
  /** Of the block's first line, as an editor counts. */
  readonly line: number;
}

export type PageBlock =
  | (Place & { readonly kind: "lines"; readonly text: string })
  | (Place & { readonly kind: "console"; readonly commands: readonly Shown[]; readonly again: boolean })
  | (Place & { readonly kind: "file"; readonly name: string; readonly text: string })
  | (Place & { readonly kind: "rules"; readonly text: string })
  | (Place & { readonly kind: "not-run"; readonly reason: string; readonly text: string });

/** A command with what it prints, on both streams; `…` stands for anything on its line, alone for any lines. */
export interface Shown {
  readonly command: string;
  readonly code: number;
  readonly prints: string;
}

export function blocksOf(page: string, text: string): PageBlock[] {
  const found: PageBlock[] = [];
  const fences = /^(?:<!-- ([^\n]*?) -->\n)?```(\w*)\n(.*?)^```$/gms;
  for (const match of text.matchAll(fences)) {
    const [all, note = "", language = "", body = ""] = match;
    const before = text.slice(0, match.index) + all.slice(0, all.indexOf("```"));
    const place = { page, line: before.split("\n").length + 1 };
    const block = blockOf(place, { note, language, body });
    if (block !== undefined) found.push(block);
  }
  return found;
}

/** What a page shows, as a pattern for what is printed. */
export function printed(text: string): RegExp {
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll(/^…\n/gm, "(?:.*\\n)*").replaceAll("…", ".*")}$`);
}

interface Fence {
  readonly note: string;
  readonly language: string;
  readonly body: string;
}

/** Undefined: nothing to type, such as a picture or what a program prints. */
function blockOf(place: Place, { note, language, body }: Fence): PageBlock | undefined {
  const [, word = "", value = ""] = /^(file|not run|until it prints this):? ?(.*)$/s.exec(note) ?? [];
  if (word === "not run") return { ...place, kind: "not-run", reason: value, text: body };
  if (word === "file") return { ...place, kind: "file", name: value, text: body };
  if (language === "sh") return { ...place, kind: "lines", text: body };
  if (language === "yaml") return { ...place, kind: "rules", text: body };
  if (language !== "console") return undefined;
  const commands = body.split(/^(?=\$ )/m).map(shownOf);
  return { ...place, kind: "console", commands, again: word === "until it prints this" };
}

function shownOf(text: string): Shown {
  const [first = "", ...rest] = text.replaceAll("\\\n", "").split("\n");
  const [, command = "", code = "0"] = /^\$ (.*?)(?:\s+# exit (\d+))?$/.exec(first) ?? [];
  if (command === "") throw new Error(`A console block starts with "$ ": ${first}`);
  return { command, code: Number(code), prints: rest.join("\n") };
}
