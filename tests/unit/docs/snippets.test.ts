/** Every `ts` block of the README and the docs compiles and runs as it stands; a `text` block right below one is what it prints (`…`: anything). */
import { execFile } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { printed } from "./page-blocks.ts";

interface Snippet {
  readonly page: string;
  /** Of the first line of code, as an editor counts. */
  readonly line: number;
  readonly code: string;
  readonly prints: string | undefined;
  /** A page tells the reader to save it under a name: blocks.slow.test.ts runs it there, beside the page's other files. */
  readonly isSaved: boolean;
}

interface Run {
  readonly file: string;
  readonly printed: string;
  readonly error?: string;
}

const longestMs = 60_000;
const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../../..");
const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: root }).sort()];
const snippets = pages.flatMap((page) => snippetsIn(page, readFileSync(join(root, page), "utf8")));
let folder = "";

beforeAll(() => {
  if (!existsSync(join(root, "dist/index.js")) || !existsSync(join(root, "dist/testing/index.js"))) {
    throw new Error("The docs import the built package, and dist/ is missing: run `npm run build` first.");
  }
  // Inside the package, so that `import "toolgate"` means this one.
  mkdirSync(join(root, ".cache/snippets"), { recursive: true });
  folder = mkdtempSync(join(root, ".cache/snippets/run-"));
  for (const snippet of snippets) {
    // As many empty lines as the page has above the block: an error then names the page's own line.
    writeFileSync(fileOf(snippet), "\n".repeat(snippet.line - 1) + snippet.code);
  }
});

afterAll(() => {
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

describe("the code in the docs", () => {
  let runs: Run[] = [];
  let output = "";

  beforeAll(async () => {
    const done = await node([
      join(here, "snippet-runner.mjs"),
      ...snippets.filter(({ isSaved }) => !isSaved).map(fileOf),
    ]);
    output = done.output;
    runs = done.stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Run);
  }, longestMs);

  it("is found", () => {
    expect(snippets.filter(({ page }) => page === "README.md").length).toBeGreaterThan(0);
    expect(snippets.length).toBeGreaterThan(10);
  });

  for (const snippet of snippets.filter(({ isSaved }) => !isSaved)) {
    const place = `${snippet.page}:${snippet.line}`;
    it(`runs: ${place}`, () => {
      const run = runs.find(({ file }) => file === fileOf(snippet));
      if (run === undefined) throw new Error(`${place} did not end, or one before it did not:\n${output}`);
      if (run.error !== undefined) throw new Error(`${place} failed:\n${run.error}`);
      if (snippet.prints !== undefined) expect(run.printed).toMatch(printed(snippet.prints));
    });
  }

  it("compiles", { timeout: longestMs }, async () => {
    const config = { extends: join(root, "tsconfig.json"), include: ["*.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiled = await node([join(root, "node_modules/typescript/bin/tsc"), "-p", folder]);
    expect(compiled.code, compiled.output).toBe(0);
  });
});

describe("how the docs' code is found", () => {
  it("takes ts blocks with their line, and the text block right below one as its output", () => {
    const blocks = ["# A", "", "```ts", "a;", "```", "", "```text", "one", "```", "", "```sh", "ls", "```"];
    const page = [
      ...blocks,
      "<!-- file: b.ts -->",
      "```ts",
      "b;",
      "```",
      "words",
      "```text",
      "two",
      "```",
      "",
    ].join("\n");
    expect(snippetsIn("a.md", page)).toEqual([
      { page: "a.md", line: 4, code: "a;\n", prints: "one\n", isSaved: false },
      { page: "a.md", line: 16, code: "b;\n", prints: undefined, isSaved: true },
    ]);
  });
});

function snippetsIn(page: string, text: string): Snippet[] {
  const found: Snippet[] = [];
  for (const match of text.matchAll(/^```ts\n(.*?)^```\n(?:\n*^```text\n(.*?)^```\n)?/gms)) {
    const before = text.slice(0, match.index);
    const line = before.split("\n").length + 1;
    const isSaved = /<!-- file: .* -->\n$/.test(before);
    found.push({ page, line, code: match[1] ?? "", prints: match[2], isSaved });
  }
  return found;
}

function fileOf({ page, line }: Snippet): string {
  return join(folder, `${page.replaceAll("/", "-")}-line-${line}.ts`);
}

function node(args: readonly string[]): Promise<{ code: number | null; stdout: string; output: string }> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: root, timeout: longestMs - 5_000 },
      (_error, stdout, stderr) => {
        done({ code: child.exitCode, stdout, output: stdout + stderr });
      },
    );
  });
}
