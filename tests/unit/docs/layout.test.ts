/** Pages that a person can read in an editor and in a terminal: no endless lines, and a README that fits. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const linesOf = (page: string) => readFileSync(join(root, page), "utf8").trimEnd().split("\n");

describe("the layout of the pages", () => {
  it("keeps the README at 150 lines of 120 columns", () => {
    const lines = linesOf("README.md");
    expect(lines.length).toBeLessThanOrEqual(150);
    expect(longer(lines, 120)).toEqual([]);
  });

  it("keeps the lines of the documentation at 140 columns, except in tables", () => {
    const pages = globSync(["docs/**/*.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"], {
      cwd: root,
    }).sort();
    expect(pages.length).toBeGreaterThan(20);
    const long = pages.flatMap((page) =>
      longer(
        linesOf(page).map((line) => (line.startsWith("|") ? "" : line)),
        140,
      ).map((place) => `${page}:${place}`),
    );
    expect(long, "`node scripts/wrap-docs.mjs` breaks them").toEqual([]);
  });
});

/** Columns as a reader counts them: one for each character, also where it takes three bytes, as in the pictures. */
function longer(lines: readonly string[], columns: number): string[] {
  return lines.flatMap((line, index) =>
    [...line].length > columns ? [`${index + 1} has ${[...line].length} columns`] : [],
  );
}
