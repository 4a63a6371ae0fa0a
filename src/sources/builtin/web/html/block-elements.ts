/** What the elements with lines of their own do: headings, code, quotes, lists, tables. */
import type { Entered } from "./element-stack.ts";
import { headings } from "./elements.ts";
import type { PageWriter } from "./page-writer.ts";
import { enterCell, enterTable } from "./table-elements.ts";
import type { Attributes } from "./tokens.ts";

/** Undefined: a paragraph and nothing more. */
type EnterBlock = (writer: PageWriter, attributes: Attributes) => Entered;

const heading =
  (level: number): EnterBlock =>
  (writer) => {
    const write = (text: string) => {
      const line = text.replaceAll("\n", " ");
      return writer.options.plain ? line : `${"#".repeat(level)} ${line}`;
    };
    return { leave: () => writer.endBlock(write) };
  };

const pre: EnterBlock = (writer, attributes) => {
  const { code, inline, blocks, options } = writer;
  code.depth += 1;
  code.language = languageOf(attributes) || code.language;
  const leave = () => {
    code.depth -= 1;
    if (writer.inCell || code.depth > 0) return writer.endBlock();
    const lines = inline.takeExact().replace(/^\n/, "").trimEnd();
    if (lines !== "") blocks.add(options.plain ? lines : fenced(lines, code.language));
    code.language = "";
  };
  return { leave };
};

/** Highlighters say the language on the code, or on a box around it. */
export function languageOf(attributes: Attributes): string {
  const named = /(?:^|\s)(?:lang|language|highlight|highlight-source|brush:)[-\s]([\w+#.]{1,30})(?=\s|$|-)/;
  const name = named.exec(attributes.get("class") ?? "")?.[1] ?? attributes.get("data-lang") ?? "";
  return /^[\w+#.]{1,30}$/.test(name) && name !== "default" && name !== "none" ? name.toLowerCase() : "";
}

const box: EnterBlock = (writer, attributes) => {
  const language = attributes.size === 0 ? "" : languageOf(attributes);
  if (language === "") return undefined;
  writer.code.language = language;
  const leave = () => {
    writer.endBlock();
    writer.code.language = "";
  };
  return { leave };
};

/** The fence is longer than any in the code itself. */
function fenced(lines: string, language: string): string {
  const longest = (lines.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(Math.min(longest + 1, 100));
  return `${fence}${language}\n${lines}\n${fence}`;
}

const container = (writer: PageWriter, marker: string, rest: string, isList: boolean): Entered => {
  // In a cell there are no lines of one's own to put a mark before.
  if (writer.inCell) {
    if (isList) writer.inline.addExact(marker);
    return undefined;
  }
  writer.blocks.enter(marker, rest, isList);
  const leave = () => {
    writer.endBlock();
    writer.blocks.leave();
  };
  return { leave };
};

const list =
  (ordered: boolean): EnterBlock =>
  (writer, attributes) => {
    const start = Number(attributes.get("start") ?? 1);
    writer.lists.push({ ordered, next: Number.isSafeInteger(start) ? start : 1 });
    const leave = () => {
      writer.endBlock();
      writer.lists.pop();
      if (writer.lists.length === 0) writer.blocks.endList();
    };
    return { leave };
  };

const item: EnterBlock = (writer) => {
  const own = writer.lists.at(-1);
  const marker = own?.ordered === true ? `${own.next}. ` : "- ";
  if (own !== undefined) own.next += 1;
  return container(writer, marker, " ".repeat(marker.length), true);
};

const term: EnterBlock = (writer) => ({
  leave: () => writer.endBlock((text) => (writer.options.plain ? text : `**${text}**`)),
});

const row: EnterBlock = ({ tables }) => {
  tables.at(-1)?.cells?.startRow();
  return undefined;
};

export const blockElements: ReadonlyMap<string, EnterBlock> = new Map<string, EnterBlock>([
  ...[...headings].map(([name, level]) => [name, heading(level)] as const),
  ["pre", pre],
  ["listing", pre],
  ["div", box],
  ["blockquote", (writer) => container(writer, "> ", "> ", false)],
  ["ul", list(false)],
  ["menu", list(false)],
  ["dir", list(false)],
  ["ol", list(true)],
  ["li", item],
  ["dt", term],
  ["dd", (writer) => container(writer, ": ", "  ", true)],
  ["table", enterTable],
  ["tr", row],
  ["td", (writer, attributes) => enterCell(writer, attributes, false)],
  ["th", (writer, attributes) => enterCell(writer, attributes, true)],
]);
