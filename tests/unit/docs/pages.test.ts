/** The pages as a reader meets them: links that lead somewhere, no endless lines, numbers that are right. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { allAgents } from "../../../src/agents/all-agents.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const pages = globSync(["*.md", "{docs,examples,plugins,benches}/**/*.md"], {
  cwd: root,
  exclude: ["**/node_modules/**"],
});
const read = (page: string) => readFileSync(join(root, page), "utf8");
const numbers = ["nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"];

describe("the links of the pages", () => {
  it("name files and headings that are there", () => {
    const broken = pages.flatMap((page) => {
      const problems = linksOf(read(page)).map((link) => problemOf(page, link));
      return problems.filter((problem) => problem !== undefined);
    });
    expect(pages).toContain("README.md");
    expect(pages).toContain("docs/README.md");
    expect(broken).toEqual([]);
  });

  it("reach every page of the documentation from its index", () => {
    const reached = new Set(["docs/README.md"]);
    for (const page of reached) {
      for (const link of linksOf(read(page))) {
        const file = relative(root, resolve(root, dirname(page), link.replace(/#.*$/, "")));
        if (file.startsWith("docs/") && file.endsWith(".md")) reached.add(file);
      }
    }
    expect([...reached].sort()).toEqual(pages.filter((page) => page.startsWith("docs/")).sort());
  });

  it("are told apart: a missing file, a missing heading, a heading that is there", () => {
    expect(problemOf("README.md", "docs/nowhere.md")).toBe(
      "README.md links to docs/nowhere.md: no such file",
    );
    expect(problemOf("README.md", "docs/rules.md#nowhere")).toContain("no such heading");
    expect(problemOf("README.md", "docs/rules.md#which-policy-counts")).toBeUndefined();
    expect(problemOf("docs/rules.md", "#routes")).toBeUndefined();
    expect(problemOf("docs/rules.md", "#rutes")).toContain("no such heading");
  });
});

it("every path of this repository that the pages name in code exists", () => {
  const named =
    /`((?:src|tests|docs|examples|benches|scripts|pipeline|core|rules|stores|safe|shell)\/[\w./-]+\.(?:ts|md|mjs))`/g;
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(named)]
      .map((match) => match[1] ?? "")
      .filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, "src", path)))
      .map((path) => `${page} names ${path}`),
  );
  expect(missing).toEqual([]);
});

describe("the layout of the pages", () => {
  it("keeps the README at 150 lines of 120 columns", () => {
    const lines = read("README.md").trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(150);
    expect(longer(lines, 120)).toEqual([]);
  });

  it("keeps the lines of the documentation at 140 columns, except in tables", () => {
    const ours = pages
      .filter((page) => /^(?:docs\/.*|CONTRIBUTING|CHANGELOG|SECURITY)\.md$/.test(page))
      .sort();
    expect(ours.length).toBeGreaterThan(20);
    const long = ours.flatMap((page) => {
      const lines = read(page)
        .split("\n")
        .map((line) => (line.startsWith("|") ? "" : line));
      return longer(lines, 140).map((place) => `${page}:${place}`);
    });
    expect(long, "`node scripts/wrap-docs.mjs` breaks them").toEqual([]);
  });
});

it("the README counts the agents that it does not name", () => {
  const [, named = "", word = ""] =
    /same rules hold in ([\w, ]+) and (\w+) others/.exec(read("README.md")) ?? [];
  // Claude Code is the one that the paragraph before is about.
  const others = allAgents.length - 1 - named.split(", ").length;
  expect(word).toBe(numbers[others - 9]);
});

function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```/gms, "");
}

/** Also pictures; links to other hosts are not looked at. */
function linksOf(text: string): string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
  return links.filter((target) => !/^[a-z]+:/.test(target));
}

function problemOf(page: string, link: string): string | undefined {
  const [path = "", heading] = link.split("#");
  const file = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(root, file))) return `${page} links to ${link}: no such file`;
  if (heading === undefined || headingsOf(read(file)).includes(heading)) return undefined;
  return `${page} links to ${link}: no such heading`;
}

/** As GitHub names them: lower case, without punctuation, `-` for each blank, numbered where they repeat. */
function headingsOf(text: string): string[] {
  const seen = new Map<string, number>();
  return [...withoutCode(text).matchAll(/^#+ +(.*?) *#*$/gm)].map((match) => {
    const shown = (match[1] ?? "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const name = shown
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-");
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  });
}

/** Columns as a reader counts them: one for each character, also where it takes three bytes, as in the pictures. */
function longer(lines: readonly string[], columns: number): string[] {
  return lines.flatMap((line, index) =>
    [...line].length > columns ? [`${index + 1} has ${[...line].length} columns`] : [],
  );
}
