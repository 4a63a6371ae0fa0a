/** Collects the text of one paragraph. Blanks become one; parts are put between marks when they end. */

export interface Place {
  readonly paragraph: number;
  readonly index: number;
}

export class InlineText {
  #pieces: string[] = [];
  #paragraph = 0;
  /** The last character; asking the pieces for it would look at them again and again. */
  #last = "\n";
  length = 0;

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  get endsLine(): boolean {
    return this.#last === "\n";
  }

  /** As browsers show it: blanks and line breaks of the source count as one blank. */
  add(text: string): void {
    const collapsed = text.replace(/[ \t\n\r\f]+/g, " ");
    const startsInBlank = collapsed.startsWith(" ") && (this.#last === " " || this.#last === "\n");
    this.addExact(startsInBlank ? collapsed.slice(1) : collapsed);
  }

  addExact(text: string): void {
    if (text === "") return;
    this.#pieces.push(text);
    this.#last = text.at(-1) as string;
    this.length += text.length;
  }

  /** Where a part begins that may be put between marks. */
  get place(): Place {
    return { paragraph: this.#paragraph, index: this.#pieces.length };
  }

  /** The part from that place on, taken out. */
  #takeFrom(index: number): string {
    const part = this.#pieces.splice(index).join("");
    this.length -= part.length;
    this.#last = this.#pieces.at(-1)?.at(-1) ?? "\n";
    return part;
  }

  /** Marks stand next to words, blanks outside of them: `<b> x </b>` is ` **x** `. */
  wrapFrom({ paragraph, index }: Place, wrap: (inner: string) => string): void {
    // It began in an earlier paragraph: what of it stands in this one begins where this one does.
    const part = this.#takeFrom(paragraph === this.#paragraph ? index : 0);
    const inner = part.trim();
    if (inner === "") {
      this.addExact(part);
      return;
    }
    const start = part.length - part.trimStart().length;
    this.addExact(part.slice(0, start));
    this.addExact(wrap(inner));
    this.addExact(part.slice(start + inner.length));
  }

  /** All of it, which leaves nothing. */
  take(): string {
    // Runs of blanks are one blank by now, so this looks at each character once or twice.
    return this.takeExact()
      .replace(/ ?\n ?/g, "\n")
      .trim();
  }

  takeExact(): string {
    this.#paragraph += 1;
    return this.#takeFrom(0);
  }
}
