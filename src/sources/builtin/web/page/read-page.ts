/** Makes readable text of what a server sent. Runs in its own process: a page can keep its reader busy. */
import { visible } from "../../../../core/text/visible.ts";
import { kindBytes, kindOfFile } from "../../../../safe/files/file-kind.ts";
import { type MediaKind, mediaKind } from "../../../../safe/net/media-type.ts";
import { toMarkdown } from "../html/to-markdown.ts";
import { decodePage } from "./charset.ts";
import { removeHidden } from "./hidden-characters.ts";
import { prettyJson } from "./pretty-json.ts";

export type PageFormat = "markdown" | "text" | "html";

export interface PageSource {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  readonly url: string;
  readonly format: PageFormat;
  /** As it was sent. */
  readonly raw: boolean;
}

export type ReadPage =
  | {
      readonly kind: Exclude<MediaKind, "binary" | "unknown">;
      readonly title: string;
      readonly text: string;
      readonly notes: readonly string[];
    }
  | { readonly kind: "binary"; readonly what: string };

const maxText = 2_000_000;

export function run({ bytes, contentType, url, format, raw }: PageSource): ReadPage {
  const start = Buffer.from(bytes.subarray(0, kindBytes));
  const sniffed = kindOfFile(start);
  if (sniffed.kind !== "text")
    return { kind: "binary", what: sniffed.kind === "image" ? `an image (${sniffed.type})` : sniffed.what };
  const decoded = decodePage(bytes, contentType);
  const declared = mediaKind(contentType);
  const kind = declared === "unknown" || declared === "binary" ? kindByContent(decoded) : declared;
  if (raw || (kind === "html" && format === "html")) return { kind, title: "", ...asSent(decoded) };
  if (kind === "html") return readHtml(decoded, url, format === "text");
  if (kind === "json") return { kind, title: "", ...asJson(decoded) };
  const { text, removed } = removeHidden(decoded);
  return { kind, title: "", ...limited(text, removedNote(removed)) };
}

function kindByContent(text: string): "html" | "json" | "text" {
  const start = text.slice(0, 1_000).trimStart().toLowerCase();
  if (/^(?:<!--[\s\S]{0,500}?-->\s*)?<(?:!doctype html|html|head|body)\b/.test(start)) return "html";
  return /^[[{]/.test(start) && prettyJson(text) !== undefined ? "json" : "text";
}

function readHtml(html: string, url: string, plain: boolean): ReadPage {
  const page = toMarkdown(html, { url, plain });
  const { text, removed } = removeHidden(page.text);
  const notes = [
    ...(page.isPart ? ["Only the part that the page marks as its content."] : []),
    ...(page.hidden > 0
      ? [`${page.hidden} characters of text that the page hides from its readers were left out.`]
      : []),
    ...(page.isCut && text.length <= maxText ? ["The page is longer than what can be converted."] : []),
    ...removedNote(removed),
  ];
  const title = removeHidden(page.title).text;
  return { kind: "html", title, ...limited(text, notes) };
}

function removedNote(removed: number): string[] {
  if (removed === 0) return [];
  return [`${removed} invisible characters were removed.`];
}

/** What is shown exactly keeps its hidden characters, but as escapes. */
function asSent(decoded: string): { readonly text: string; readonly notes: readonly string[] } {
  const lines = decoded.replaceAll("\r\n", "\n");
  const { text, notes } = limited(lines, []);
  const shown = visible(text, { keepNewlines: true });
  return { text: shown, notes: shown === text ? notes : [...notes, shownNote] };
}

const shownNote = "Invisible characters are shown as escapes.";

function asJson(decoded: string): { readonly text: string; readonly notes: readonly string[] } {
  const pretty = prettyJson(decoded);
  if (pretty === undefined) {
    const { text, removed } = removeHidden(decoded);
    return limited(text, ["It says that it is JSON, but it is not.", ...removedNote(removed)]);
  }
  const { text, notes } = limited(pretty.replaceAll("\r\n", "\n"), []);
  // Inside of a string, where alone such a character can be, this is the same value.
  const shown = text.replace(hiddenInJson, jsonEscape);
  return { text: shown, notes: shown === text ? notes : [...notes, shownNote] };
}

const hiddenInJson = /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}]--[ \n\t\r]]/gv;

function jsonEscape(sign: string): string {
  return Array.from(
    { length: sign.length },
    (_, unit) => `\\u${sign.charCodeAt(unit).toString(16).padStart(4, "0")}`,
  ).join("");
}

function limited(text: string, notes: readonly string[]) {
  if (text.length <= maxText) return { text, notes };
  return {
    text: text.slice(0, maxText).toWellFormed(),
    notes: [...notes, `Only the first ${maxText} characters.`],
  };
}
