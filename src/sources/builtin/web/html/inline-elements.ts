/** What the elements within a line do: emphasis, code, links, quotes. */
import { languageOf } from "./block-elements.ts";
import type { Entered } from "./element-stack.ts";
import type { InlineText } from "./inline-text.ts";
import type { PageWriter } from "./page-writer.ts";
import type { Attributes } from "./tokens.ts";

type EnterInline = (writer: PageWriter, attributes: Attributes) => Entered;

const marked =
  (kind: "bold" | "italic" | "strike", mark: string): EnterInline =>
  (writer) => {
    if (writer.options.plain || writer.code.depth > 0) return undefined;
    const { inline, marks } = writer;
    const place = inline.place;
    marks[kind] += 1;
    const leave = () => {
      marks[kind] -= 1;
      if (marks[kind] === 0) inline.wrapFrom(place, (inner) => `${mark}${inner}${mark}`);
    };
    return { leave };
  };

const code: EnterInline = (writer, attributes) => {
  const { inline, marks } = writer;
  if (writer.code.depth > 0) writer.code.language ||= languageOf(attributes);
  if (writer.options.plain || writer.code.depth > 0) return undefined;
  const place = inline.place;
  marks.code += 1;
  const leave = () => {
    marks.code -= 1;
    if (marks.code === 0) inline.wrapFrom(place, asCode);
  };
  return { leave };
};

function asCode(inner: string): string {
  const line = inner.replaceAll("\n", " ");
  if (!line.includes("`")) return `\`${line}\``;
  return `\`\` ${line.replace(/`{2,}/g, "`")} \`\``;
}

const link: EnterInline = (writer, attributes) => {
  const { inline, options, marks } = writer;
  if (attributes.get("href")?.startsWith("#") === true) return anchor(inline);
  const isText = options.plain || writer.openLink !== undefined || writer.code.depth + marks.code > 0;
  const href = isText ? undefined : writer.link(attributes.get("href"));
  if (href === undefined) return undefined;
  const opened = { place: inline.place, href };
  writer.openLink = opened;
  return { leave: () => writer.openLink === opened && writer.endLink() };
};

/** The sign beside a heading by which people copy its address. */
function anchor(inline: InlineText): Entered {
  const place = inline.place;
  return { leave: () => inline.wrapFrom(place, (inner) => (/^[#§¶\u{1F517}]$/u.test(inner) ? "" : inner)) };
}

const quoted: EnterInline = ({ inline }) => {
  inline.addExact("“");
  return { leave: () => inline.addExact("”") };
};

/** 10⁶ must not read as 106. */
const raised: EnterInline = ({ inline }) => {
  const place = inline.place;
  return {
    leave: () =>
      inline.wrapFrom(place, (inner) => (/^[+\u2212-]?\w{1,6}$/.test(inner) ? `^${inner}` : inner)),
  };
};

export const inlineElements: ReadonlyMap<string, EnterInline> = new Map([
  ["b", marked("bold", "**")],
  ["strong", marked("bold", "**")],
  ["i", marked("italic", "_")],
  ["em", marked("italic", "_")],
  ["s", marked("strike", "~~")],
  ["del", marked("strike", "~~")],
  ["strike", marked("strike", "~~")],
  ["code", code],
  ["kbd", code],
  ["samp", code],
  ["tt", code],
  ["a", link],
  ["q", quoted],
  ["sup", raised],
]);
