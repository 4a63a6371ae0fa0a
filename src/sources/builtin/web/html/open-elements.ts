/** Opens and ends elements where browsers do, also those that a page ends wrongly or never. */
import { ElementStack, type Entered, isScope, type Open } from "./element-stack.ts";
import { headings } from "./elements.ts";
import {
  endsAllInside,
  endsDrawing,
  endsParagraph,
  isFormatting,
  isItem,
  isSpecial,
  isTablePart,
  isWall,
} from "./nesting.ts";

/** Deeper elements count as not there, as in browsers; their text counts. No real page is as deep. */
const maxDepth = 2_000;
/** How far out the start of something within a line is looked for. */
const reach = 100;

export class OpenElements {
  readonly #stack = new ElementStack();
  readonly #beyond = new Map<string, number>();
  /** One that hides its content, too deep to be kept: it ends when something above it does. */
  #droppedBeyond: Entered;

  /** A form in a form is not there. */
  ignores(name: string): boolean {
    return name === "form" && this.#openForm() >= 0;
  }

  /** Ends what ends where this one begins. */
  beforeOpen(name: string): void {
    const stack = this.#stack;
    if (endsDrawing.has(name)) this.#closeFrom(stack.drawing);
    if (endsSelect.has(name)) this.#closeFrom(stack.wallNamed("select"));
    if (endsParagraph.has(name)) this.#closeInScope("p");
    if (headings.has(name) && headings.has(stack.innermost?.name ?? "")) this.#closeFrom(stack.length - 1);
    if (name === "a") this.#closeInline("a");
    if (isItem.has(name)) this.#closeItem();
    const { table } = stack;
    if (table === undefined) return;
    if (name === "td" || name === "th") this.#closeFrom(table.cell);
    if (name === "tr") this.#closeFrom(table.row);
    if (name === "thead" || name === "tbody" || name === "tfoot") this.#closeFrom(table.section);
  }

  open(name: string, entered: Entered): void {
    // Outside of a table these are nothing: the end of what is around them must not be kept from it.
    if (isTablePart.has(name) && this.#stack.table === undefined) entered?.leave();
    else if (this.#stack.length < maxDepth) this.#stack.push({ name, entered, isOver: false });
    else {
      this.#beyond.set(name, (this.#beyond.get(name) ?? 0) + 1);
      if (entered?.drops === true && this.#droppedBeyond === undefined) this.#droppedBeyond = entered;
      else entered?.leave();
    }
  }

  close(name: string): void {
    const stack = this.#stack;
    const beyond = this.#beyond.get(name) ?? 0;
    if (beyond > 0) this.#beyond.set(name, beyond - 1);
    else if (isWall.has(name)) this.#closeFrom(stack.wallNamed(name));
    else if (isTablePart.has(name) || name === "table") this.#closeTablePart(name);
    else if (name === "li" && stack.isInList) this.#closeFrom(stack.item);
    else if (name === "form") this.#endForm();
    else if (headings.has(name)) this.#closeHeading();
    else if (endsAllInside.has(name)) this.#closeInScope(name);
    else this.#closeInline(name);
  }

  closeAll(): void {
    this.#closeFrom(0, false);
  }

  #closeInScope(name: string): void {
    if (this.#stack.isInScope(name)) this.#closeFrom(this.#stack.findLast((one) => one.name === name));
  }

  /** Whichever it is: `<h2>x</h3>` is one heading. */
  #closeHeading(): void {
    if ([...headings.keys()].some((name) => this.#stack.isInScope(name)))
      this.#closeFrom(this.#stack.findLast(({ name }) => headings.has(name)));
  }

  #closeTablePart(name: string): void {
    const { table } = this.#stack;
    if (table === undefined) return;
    for (const at of [table.at, table.section, table.row, table.cell])
      if (this.#stack.at(at)?.name === name) this.#closeFrom(at);
  }

  /** An item that is still open ends where the next begins, unless something else is open in it. */
  #closeItem(): void {
    const { item, length } = this.#stack;
    if (item < 0) return;
    for (let at = Math.max(item + 1, length - reach); at < length; at += 1) {
      const name = this.#stack.at(at)?.name ?? "";
      if (isSpecial.has(name) && !passable.has(name)) return;
    }
    this.#closeFrom(item);
  }

  /** Within a line. What marks text (`<b><p>x</b>y</p>`) ends also across paragraphs, nothing else does. */
  #closeInline(name: string): void {
    const top = this.#stack.length - 1;
    let isCrossed = false;
    for (let at = top; at >= 0 && at > top - reach; at -= 1) {
      const one = this.#stack.at(at) as Open;
      if (one.name === name && !one.isOver) {
        if (isCrossed) this.#stack.replace(at)?.leave();
        else this.#closeFrom(at);
        return;
      }
      isCrossed ||= isSpecial.has(one.name);
      if (isScope(one.name) || (isCrossed && !isFormatting.has(name))) return;
    }
  }

  /** Ends the form, but nothing that is open in it; that still belongs to it. */
  #endForm(): void {
    const at = this.#openForm();
    const form = this.#stack.at(at);
    if (at === this.#stack.length - 1) this.#closeFrom(at);
    else if (form !== undefined) form.isOver = true;
  }

  #openForm(): number {
    return this.#stack.findLast(({ name, isOver }) => name === "form" && !isOver);
  }

  /** Ends the element at this place and all inside it. Marks that hide go on behind it, as in browsers. */
  #closeFrom(at: number, carry = true): void {
    if (at < 0) return;
    this.#droppedBeyond?.leave();
    this.#droppedBeyond = undefined;
    this.#beyond.clear();
    let carried: Open | undefined;
    while (this.#stack.length > at || this.#stack.innermost?.isOver === true) {
      const one = this.#stack.pop();
      const hides = one.entered?.drops === true && isFormatting.has(one.name);
      if (carry && hides && this.#stack.length > at && carried === undefined) {
        carried = one;
        continue;
      }
      if (isScope(one.name)) {
        carried?.entered?.leave();
        carried = undefined;
      }
      one.entered?.leave();
    }
    if (carried !== undefined) this.#stack.push(carried);
  }
}

const endsSelect = new Set(["select", "input", "textarea"]);

/** A new item passes these on its way out to the one before it. */
const passable = new Set(["address", "div", "p", "li", "dt", "dd"]);
