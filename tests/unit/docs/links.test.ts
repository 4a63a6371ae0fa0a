/** Links between pages lead somewhere. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const pages = globSync(["*.md", "docs/**/*.md", "examples/**/*.md"], { cwd: root });

it("every relative link in the pages names a file that exists", () => {
  const broken = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), "utf8").replaceAll(/^```.*?^```/gms, "");
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map((match) => match[1] ?? "")
      .filter((target) => !/^[a-z]+:|^#/.test(target))
      .filter((target) => !existsSync(join(root, dirname(page), target.replace(/#.*$/, ""))))
      .map((target) => `${page} links to ${target}`);
  });
  expect(pages).toContain("README.md");
  expect(broken).toEqual([]);
});

it("every path of this repository that the pages name in code exists", () => {
  const named =
    /`((?:src|tests|docs|examples|benches|pipeline|core|rules|stores|safe|shell)\/[\w./-]+\.(?:ts|md|mjs))`/g;
  const missing = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), "utf8");
    return [...text.matchAll(named)]
      .map((match) => match[1] ?? "")
      .filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, "src", path)))
      .map((path) => `${page} names ${path}`);
  });
  expect(missing).toEqual([]);
});
