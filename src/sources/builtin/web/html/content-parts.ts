/** Remembers where a page says that its content is, and decides whether that is all that is worth reading. */

interface Part {
  readonly kind: "main" | "article";
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

/** Less than this is a shell around something else, whatever the page calls it. */
const minLength = 200;

export class ContentParts {
  readonly #parts: Part[] = [];
  #open = 0;

  /** Inside of the content, where asides and headers belong to it. */
  get isInside(): boolean {
    return this.#open > 0;
  }

  enter(): void {
    this.#open += 1;
  }

  leave(part: Part): void {
    this.#open -= 1;
    if (this.#parts.length < 1_000) this.#parts.push(part);
  }

  /** The lines to keep; undefined: all of them. One article of many is not the page. */
  choose(total: number): { readonly start: number; readonly end: number } | undefined {
    const main = longest(this.#parts.filter(({ kind }) => kind === "main"));
    if (main !== undefined && main.length >= minLength && main.length >= total / 10) return main;
    const article = longest(this.#parts.filter(({ kind }) => kind === "article"));
    if (article !== undefined && article.length >= minLength && article.length >= total / 2) return article;
    return undefined;
  }
}

function longest(parts: readonly Part[]): Part | undefined {
  return parts.reduce<Part | undefined>(
    (best, part) => (best === undefined || part.length > best.length ? part : best),
    undefined,
  );
}
