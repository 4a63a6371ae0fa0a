/** Writes a page as Markdown while its tags arrive: each element knows its beginning and its end. */
import { blockElements } from "./block-elements.ts";
import { Blocks } from "./blocks.ts";
import { ContentParts } from "./content-parts.ts";
import type { Entered } from "./element-stack.ts";
import { frameRoles, isBlock, isFrame, isNavigation, isNoText, isVoid, navigationRoles } from "./elements.ts";
import { inlineElements } from "./inline-elements.ts";
import { InlineText, type Place } from "./inline-text.ts";
import { isHidden } from "./is-hidden.ts";
import { absoluteLink } from "./links.ts";
import { OpenElements } from "./open-elements.ts";
import type { OpenTable } from "./table.ts";
import type { MarkdownOptions, PageText } from "./to-markdown.ts";
import type { Attributes, TokenSink } from "./tokens.ts";

/** What is written at most; whoever reads further has the wrong page. */
const maxText = 2_000_000;
const maxTitle = 1_000;

export class PageWriter implements TokenSink {
  readonly options: MarkdownOptions & { readonly keepNavigation: boolean };
  readonly inline = new InlineText();
  readonly blocks = new Blocks();
  /** How deep in each kind of mark: bold inside of bold is bold. */
  readonly marks = { bold: 0, italic: 0, strike: 0, code: 0 };
  readonly lists: { readonly ordered: boolean; next: number }[] = [];
  readonly tables: OpenTable[] = [];
  /** Of the code whose lines are kept as they are. */
  readonly code = { depth: 0, language: "" };
  openLink: { readonly place: Place; readonly href: string } | undefined;
  inCell = false;
  readonly #open = new OpenElements();
  readonly #parts = new ContentParts();
  #base: string;
  #title = "";
  #titleIsOpen = false;
  /** How many open elements drop their text, because the page hides them or because they hold none. */
  readonly #dropping = { hidden: 0, other: 0 };
  #hidden = 0;

  constructor(options: PageWriter["options"]) {
    this.options = options;
    this.#base = options.url;
  }

  isFull(): boolean {
    return this.blocks.length + this.inline.length > maxText;
  }

  open(name: string, attributes: Attributes, selfClosing: boolean): void {
    if (name === "title") this.#titleIsOpen = this.#title === "" && !this.#isDropping;
    if (this.#open.ignores(name)) return;
    this.#open.beforeOpen(name);
    if (isVoid.has(name)) {
      if (!this.#isDropping && !isHidden(name, attributes)) this.#void(name, attributes);
      return;
    }
    this.#open.open(
      name,
      this.#isDropping ? this.#enterDropped(name, attributes) : this.#enter(name, attributes),
    );
    // Drawings say so when they are empty; elements of HTML do not become empty by it.
    if (selfClosing && (name === "svg" || name === "math")) this.#open.close(name);
  }

  close(name: string): void {
    if (name === "title") this.#titleIsOpen = false;
    if (name === "br" && !this.#isDropping) this.#void("br", new Map());
    else if (!isVoid.has(name)) this.#open.close(name);
  }

  text(text: string): void {
    if (this.#titleIsOpen) this.#title += text.slice(0, maxTitle);
    else if (this.#dropping.hidden > 0) this.#hidden += text.trim().length;
    else if (this.#isDropping) return;
    else if (this.code.depth > 0) this.inline.addExact(text.replaceAll("\r\n", "\n"));
    else this.inline.add(text);
  }

  finish(): PageText {
    const isCut = this.isFull();
    this.#open.closeAll();
    this.endBlock();
    const { lines, length } = this.blocks;
    const part = this.options.keepNavigation ? undefined : this.#parts.choose(length);
    const text = (part === undefined ? lines : lines.slice(part.start, part.end)).join("\n").trim();
    const title = this.#title.replace(/\s+/g, " ").trim();
    return { title, text, isPart: part !== undefined, hidden: this.#hidden, isCut };
  }

  /** What was collected becomes a paragraph; in code and in the cell of a table, a line. */
  endBlock(write: (text: string) => string = (text) => text): void {
    if (this.inline.isEmpty) return;
    if (this.inCell || this.code.depth > 0) {
      if (!this.inline.endsLine) this.inline.addExact("\n");
      return;
    }
    // A link around several paragraphs is written at the first of them.
    if (this.openLink !== undefined) this.endLink();
    const text = this.inline.take();
    if (text !== "") this.blocks.add(write(text));
  }

  endLink(): void {
    const { place, href } = this.openLink ?? {};
    this.openLink = undefined;
    if (place === undefined || href === undefined) return;
    this.inline.wrapFrom(place, (inner) => {
      const label = inner.replace(/ ?\n ?/g, " ");
      // An address written out stands for itself.
      return label === href ? href : `[${label}](${href})`;
    });
  }

  link(href: string | undefined): string | undefined {
    return absoluteLink(href, this.#base, this.options.url);
  }

  #enter(name: string, attributes: Attributes): Entered {
    const role = attributes.get("role")?.trim().toLowerCase() ?? "";
    const hidden = isHidden(name, attributes);
    if (hidden || isNoText.has(name) || this.#isAround(name, role)) {
      if (isBlock.has(name)) this.endBlock();
      return this.#drop(hidden ? "hidden" : "other");
    }
    const inline = inlineElements.get(name);
    if (inline !== undefined) return inline(this, attributes);
    if (name === "main" || name === "article" || role === "main")
      return this.#enterContent(name === "article" && role !== "main" ? "article" : "main");
    if (!isBlock.has(name)) return undefined;
    this.endBlock();
    return blockElements.get(name)?.(this, attributes) ?? { leave: () => this.endBlock() };
  }

  get #isDropping(): boolean {
    return this.#dropping.hidden + this.#dropping.other > 0;
  }

  #drop(why: "hidden" | "other"): Entered {
    this.#dropping[why] += 1;
    const leave = () => {
      this.#dropping[why] -= 1;
    };
    return { leave, drops: true };
  }

  /** It may go on hiding when the one around it has ended. */
  #enterDropped(name: string, attributes: Attributes): Entered {
    return isHidden(name, attributes)
      ? this.#drop("hidden")
      : isNoText.has(name)
        ? this.#drop("other")
        : undefined;
  }

  #isAround(name: string, role: string): boolean {
    if (this.options.keepNavigation) return false;
    if (isNavigation.has(name) || navigationRoles.has(role)) return true;
    return (isFrame.has(name) || frameRoles.has(role)) && !this.#parts.isInside;
  }

  #enterContent(kind: "main" | "article"): Entered {
    this.endBlock();
    this.#parts.enter();
    const start = this.blocks.lines.length;
    const before = this.blocks.length;
    const leave = () => {
      this.endBlock();
      const length = this.blocks.length - before;
      this.#parts.leave({ kind, start, end: this.blocks.lines.length, length });
    };
    return { leave };
  }

  #void(name: string, attributes: Attributes): void {
    if (name === "br") this.inline.addExact("\n");
    else if (name === "hr") {
      this.endBlock();
      if (!this.inCell) this.blocks.add("---");
    } else if (name === "base")
      this.#base = URL.parse(attributes.get("href") ?? "", this.options.url)?.href ?? this.#base;
    else if (name === "img" && this.code.depth === 0) {
      const alt = (attributes.get("alt") ?? "").replace(/\s+/g, " ").trim();
      const source = this.options.plain ? undefined : this.link(attributes.get("src"));
      if (alt !== "") this.inline.addExact(source === undefined ? alt : `![${alt}](${source})`);
    }
  }
}
