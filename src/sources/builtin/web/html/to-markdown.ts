/** Turns HTML into Markdown: no scripts, no navigation, no hidden text, and links are absolute. */
import { PageWriter } from "./page-writer.ts";
import { readTokens } from "./tokens.ts";

export interface MarkdownOptions {
  /** Where the page came from: relative links start there. */
  readonly url: string;
  /** Text without any marks. */
  readonly plain: boolean;
}

export interface PageText {
  readonly title: string;
  readonly text: string;
  /** Only the part that the page marks as its content. */
  readonly isPart: boolean;
  /** Characters of text that the page itself hides, which are left out. */
  readonly hidden: number;
  /** The page is longer than what is converted. */
  readonly isCut: boolean;
}

/** A page with less text than this is looked at again, with its navigation. */
const littleText = 200;

export function toMarkdown(html: string, options: MarkdownOptions): PageText {
  const page = convert(html, { ...options, keepNavigation: false });
  if (page.text.length >= littleText) return page;
  // A page that never closes its <nav>, or that is nothing but links, has all of its text there.
  const whole = convert(html, { ...options, keepNavigation: true });
  return whole.text.length > page.text.length * 2 ? whole : page;
}

function convert(html: string, options: MarkdownOptions & { readonly keepNavigation: boolean }): PageText {
  const writer = new PageWriter(options);
  readTokens(html, writer);
  return writer.finish();
}
