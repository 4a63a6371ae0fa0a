/** Looks at a view as a person would who cannot see it well (axe), and keeps a picture for one who can. */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";

const pictures = resolve(import.meta.dirname, "../../../.cache/console");

/** What axe finds wrong, each as one line. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const found = await page.evaluate(
    (wanted) => (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly: wanted }),
    tags,
  );
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`),
  );
}

export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** What sticks out at the right, so that a phone would scroll sideways. */
export function findOverflow(page: Page): Promise<number> {
  return page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}
