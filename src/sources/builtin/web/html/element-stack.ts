/** The open elements, the outermost first, with the places of those that matter to others. */
import { isItem, isList, isWall } from "./nesting.ts";

/** What is done when an element ends; undefined: nothing. */
export type Entered = { leave(): unknown; readonly drops?: boolean } | undefined;

export interface Open {
  readonly name: string;
  readonly entered: Entered;
  /** Its end tag was there, but something in it was still open. */
  isOver: boolean;
}

/** A table with the places of its open parts; -1: none is open. */
interface Table {
  readonly at: number;
  section: number;
  row: number;
  cell: number;
}

export class ElementStack {
  readonly #open: Open[] = [];
  /** How often a name is open in the innermost table, cell or wall: end tags there end nothing outside. */
  readonly #scopes: Map<string, number>[] = [new Map()];
  readonly #tables: Table[] = [];
  /** Lists with the place of their open item. */
  readonly #lists: { readonly at: number; item: number }[] = [];
  readonly #walls: number[] = [];
  readonly #drawings: number[] = [];

  get length(): number {
    return this.#open.length;
  }

  get innermost(): Open | undefined {
    return this.#open.at(-1);
  }

  at(place: number): Open | undefined {
    return this.#open[place];
  }

  findLast(isWanted: (one: Open) => boolean): number {
    return this.#open.findLastIndex(isWanted);
  }

  isInScope(name: string): boolean {
    return (this.#scopes.at(-1)?.get(name) ?? 0) > 0;
  }

  /** The innermost table, unless a wall lies between. */
  get table(): Table | undefined {
    const table = this.#tables.at(-1);
    return table !== undefined && table.at > this.wall ? table : undefined;
  }

  get isInList(): boolean {
    return this.#lists.length > 0;
  }

  /** The open item of the innermost list; -1 when there is none, or a wall or a table lies between. */
  get item(): number {
    const item = this.#lists.at(-1)?.item ?? -1;
    return item > this.wall && item > (this.#tables.at(-1)?.at ?? -1) ? item : -1;
  }

  /** The innermost wall; -1: none. */
  get wall(): number {
    return this.#walls.at(-1) ?? -1;
  }

  /** The place where the wall of this name can be ended from here; -1: it cannot. */
  wallNamed(name: string): number {
    const isNamed = (at: number) => this.#open[at]?.name === name;
    // A template ends whatever is open in it, the others only what is not a wall or a table itself.
    if (name === "template") return this.#walls.findLast(isNamed) ?? -1;
    return isNamed(this.wall) && this.wall > (this.#tables.at(-1)?.at ?? -1) ? this.wall : -1;
  }

  /** The outermost drawing or formula; -1: none. */
  get drawing(): number {
    return this.#drawings[0] ?? -1;
  }

  push(one: Open): void {
    const { name } = one;
    const at = this.#open.push(one) - 1;
    const scope = this.#scopes.at(-1) as Map<string, number>;
    scope.set(name, (scope.get(name) ?? 0) + 1);
    if (isScope(name)) this.#scopes.push(new Map());
    if (isWall.has(name)) this.#walls.push(at);
    if (name === "svg" || name === "math") this.#drawings.push(at);
    const list = this.#lists.at(-1);
    if (isList.has(name)) this.#lists.push({ at, item: -1 });
    else if (isItem.has(name) && list !== undefined) list.item = at;
    const table = this.#tables.at(-1);
    if (name === "table") this.#tables.push({ at, section: -1, row: -1, cell: -1 });
    else if (table !== undefined) {
      if (name === "td" || name === "th") table.cell = at;
      if (name === "tr") table.row = at;
      if (name === "thead" || name === "tbody" || name === "tfoot") table.section = at;
    }
  }

  pop(): Open {
    const one = this.#open.pop() as Open;
    const here = this.#open.length;
    if (isScope(one.name)) this.#scopes.pop();
    this.#forget(one.name);
    for (const places of [this.#walls, this.#drawings]) if (places.at(-1) === here) places.pop();
    if (this.#tables.at(-1)?.at === here) this.#tables.pop();
    if (this.#lists.at(-1)?.at === here) this.#lists.pop();
    const list = this.#lists.at(-1);
    if (list?.item === here) list.item = -1;
    const table = this.#tables.at(-1);
    if (table?.cell === here) table.cell = -1;
    if (table?.row === here) table.row = -1;
    if (table?.section === here) table.section = -1;
    return one;
  }

  /** Ends one in the middle; what is open in it stays. */
  replace(place: number): Entered {
    const { name, entered } = this.#open[place] as Open;
    this.#forget(name);
    this.#open[place] = { name: "", entered: undefined, isOver: true };
    return entered;
  }

  #forget(name: string): void {
    const scope = this.#scopes.at(-1) as Map<string, number>;
    const count = scope.get(name) ?? 0;
    if (count > 0) scope.set(name, count - 1);
  }
}

export function isScope(name: string): boolean {
  return name === "table" || name === "td" || name === "th" || isWall.has(name);
}
