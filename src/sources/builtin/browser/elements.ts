/** The elements of a page that somebody can use, with their handles, as the browser's accessibility tree has them. */
import type { Page } from "playwright-core";
import { isRecord } from "../../../core/input/json.ts";
import { visible } from "../../../core/text/visible.ts";
import { words } from "../../../core/text/words.ts";

export interface PageElement {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  /** What it is besides: `disabled`, `checked`, where a link leads. */
  readonly more: string;
}

const usable = new Set(
  words(
    "button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch " +
      "tab textbox treeitem",
  ),
);
const states = words("disabled checked expanded pressed selected");
const maxDepth = 200;

export async function listElements(page: Page, timeout: number): Promise<PageElement[]> {
  const tree: unknown = await page.locator("body").ariaSnapshotJSON({ mode: "ai", timeout });
  const found: PageElement[] = [];
  collect(tree, found, 0);
  return found;
}

function collect(node: unknown, found: PageElement[], depth: number): void {
  if (depth > maxDepth) return;
  if (Array.isArray(node)) {
    for (const one of node) collect(one, found, depth + 1);
    return;
  }
  if (!isRecord(node)) return;
  const { ref, role, cursor, children } = node;
  if (typeof ref === "string" && typeof role === "string" && (usable.has(role) || cursor === "pointer"))
    found.push({ ref, role, name: nameOf(node), more: moreOf(node) });
  collect(children, found, depth + 1);
}

function nameOf({ name, text }: Readonly<Record<string, unknown>>): string {
  const said = typeof name === "string" && name !== "" ? name : text;
  return typeof said === "string" ? visible(said, { maxLength: 120 }) : "";
}

function moreOf(node: Readonly<Record<string, unknown>>): string {
  const flags = states.filter((state) => node[state] === true || node[state] === "mixed");
  const { url, placeholder } = node;
  if (typeof url === "string") flags.push(`-> ${visible(url, { maxLength: 200 })}`);
  if (typeof placeholder === "string")
    flags.push(`placeholder ${visible(JSON.stringify(placeholder), { maxLength: 100 })}`);
  return flags.join(" ");
}
