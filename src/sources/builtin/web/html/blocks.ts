/** The text so far, as lines: paragraphs with blank lines between, and the marks of quotes and lists. */

interface Container {
  /** Before the first line; used once. */
  marker: string | undefined;
  /** Before every other line. */
  readonly rest: string;
  readonly isList: boolean;
}

/** More levels than this are not indented any further. */
const maxContainers = 12;

export class Blocks {
  readonly lines: string[] = [];
  /** Characters of all lines. */
  length = 0;
  readonly #containers: Container[] = [];
  #tooDeep = 0;
  #lastWasInList = false;

  /** `marker` stands once, `rest` before the lines that follow. */
  enter(marker: string, rest: string, isList: boolean): void {
    if (this.#containers.length >= maxContainers) this.#tooDeep += 1;
    else this.#containers.push({ marker, rest, isList });
  }

  leave(): void {
    if (this.#tooDeep > 0) this.#tooDeep -= 1;
    else this.#containers.pop();
  }

  /** What follows is another list, not more of this one. */
  endList(): void {
    this.#lastWasInList = false;
  }

  add(text: string): void {
    if (text === "") return;
    const inList = this.#containers.some(({ isList }) => isList);
    const startsItem = this.#containers.some(({ isList, marker }) => isList && marker !== undefined);
    // Items of a list follow each other without a blank line; further paragraphs of one do not.
    const isTight = startsItem && this.#lastWasInList;
    if (this.lines.length > 0 && !isTight) this.#push(this.#prefix(false).trimEnd());
    for (const line of text.split("\n")) this.#push((this.#prefix(true) + line).trimEnd());
    this.#lastWasInList = inList;
  }

  #push(line: string): void {
    this.lines.push(line);
    this.length += line.length + 1;
  }

  #prefix(withMarkers: boolean): string {
    let prefix = "";
    for (const container of this.#containers) {
      const { marker, rest } = container;
      if (marker === undefined) prefix += rest;
      else if (withMarkers) {
        prefix += marker;
        container.marker = undefined;
      }
    }
    return prefix;
  }
}
