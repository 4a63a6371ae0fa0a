/** The YAML on the page about configuration files is YAML that toolgate reads, and its tests pass. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { configSchema } from "../../../src/config/file/file-schema.ts";
import { parseConfigFile } from "../../../src/config/file/parse-file.ts";
import { runRuleTests } from "../../../src/replay/run-rule-tests.ts";
import { YAML_LIMITS } from "../../../src/safe/files/documents/read-yaml.ts";
import { parsedFile, problemsIn } from "./world.ts";

const page = readPage("configuration.md");
const blocks = blocksOf(page);

function readPage(name: string): string {
  return readFileSync(resolve(import.meta.dirname, "../../../docs", name), "utf8");
}

function blocksOf(text: string) {
  return [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(({ 1: yaml = "", index }) => ({
    text: yaml,
    line: text.slice(0, index).split("\n").length + 1,
  }));
}

describe("docs/configuration.md", () => {
  it("shows YAML", () => {
    expect(blocks.length).toBeGreaterThan(3);
  });

  it.each(blocks)("has rules in line $line that load and pass their tests", async ({ text, line }) => {
    const { routes, policies } = parsedFile(text, `configuration.md, block in line ${line}`);
    const report = await runRuleTests([{ file: "configuration.md", rules: { routes, policies } }]);
    expect(
      report.files.flatMap(({ tests, problem }) =>
        [problem, ...tests.filter(({ ok }) => !ok)].filter(Boolean),
      ),
    ).toEqual([]);
  });

  it("names every key of the format and the limits that hold", () => {
    for (const key of Object.keys(configSchema.properties ?? {})) {
      if (key !== "$schema") expect(page).toContain(`| \`${key}\` |`);
    }
    expect(page).toContain(
      `more than ${YAML_LIMITS.maxDepth} levels or ${YAML_LIMITS.maxValues.toLocaleString("en")} values`,
    );
    expect(YAML_LIMITS.maxBytes).toBe(1024 * 1024);
  });

  it("tells the truth about quotes", () => {
    const rows = [...page.matchAll(/^\| (`[^|]+`) \| (`[^|]+`) \| [^|]+\|$/gm)].map(
      ({ 1: right = "", 2: wrong = "" }) => [right, wrong],
    );
    expect(rows.length).toBeGreaterThan(5);
    const written = (cell: string) => {
      const line = cell.replaceAll("`", "");
      const others = ["tool: Bash", "pattern: x", "message: m"].filter(
        (one) => !line.startsWith(one.split(":")[0] ?? ""),
      );
      const parsed = parseConfigFile(
        `routes:\n  a:\n${[line, ...others].map((one) => `    ${one}\n`).join("")}`,
        "f",
        "routes",
      );
      return parsed.ok ? parsed.file.routes[0] : undefined;
    };
    for (const [right = "", wrong = ""] of rows) {
      expect(written(right), right).toBeDefined();
      // Of the comment nobody can know that it was meant as text.
      if (wrong.includes("#")) expect(written(wrong)?.pattern).toBe("a");
      else expect(written(wrong), wrong).toBeUndefined();
    }
  });
});

describe("docs/builtin-tools.md", () => {
  it.each(blocksOf(readPage("builtin-tools.md")))(
    "has settings in line $line that load",
    ({ text, line }) => {
      expect(problemsIn(text, `builtin-tools.md, block in line ${line}`)).toEqual([]);
    },
  );
});
