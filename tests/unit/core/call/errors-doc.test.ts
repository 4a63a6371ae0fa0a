import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorCodes, stages } from "../../../../src/core/call/errors.ts";

const page = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8");
const codes = Object.entries(errorCodes);

describe("docs/errors.md", () => {
  const rows = tableOf(page("errors.md"), ["code", "stage", "meaning", "what to do"]);

  it("lists exactly the codes there are, each once, in the code's order", () => {
    expect(rows.map(([code]) => code)).toEqual(codes.map(([code]) => `\`${code}\``));
  });

  it("says for each code the stages, the meaning and the hint that the code has", () => {
    const documented = Object.fromEntries(rows.map(([code, ...rest]) => [code, rest]));
    for (const [code, { stages: where, meaning, hint }] of codes) {
      expect(documented[`\`${code}\``], code).toEqual([stageNames(where), meaning, hint]);
    }
  });
});

describe("docs/lifecycle.md", () => {
  const text = page("lifecycle.md");
  const rows = tableOf(text, ["stage", "file", "codes"]);

  it("has a row for every stage, in the order of the walk, and one for codes that leave anywhere", () => {
    expect(rows.map(([stage]) => stage)).toEqual([...stages, "any"]);
  });

  it("says which codes can leave at each stage", () => {
    for (const [stage, , listed] of rows) {
      const expected = codes.filter(([, { stages: where }]) => {
        const everywhere = where.length === stages.length;
        return stage === "any"
          ? everywhere
          : !everywhere && (where as readonly string[]).includes(stage ?? "");
      });
      expect(listed?.match(/`(\w+)`/g), stage).toEqual(expected.map(([code]) => `\`${code}\``));
    }
  });

  it("draws every stage", () => {
    const picture = text.slice(text.indexOf("```"), text.indexOf("```\n\n"));
    for (const stage of stages) expect(picture).toMatch(new RegExp(`[│┤] +${stage}\\b`));
  });
});

function stageNames(where: readonly string[]): string {
  return where.length === stages.length ? "any" : where.join(", ");
}

/** The cells of the one table with these headings. */
function tableOf(text: string, headings: readonly string[]): string[][] {
  const lines = text.split("\n");
  const start = lines.indexOf(`| ${headings.join(" | ")} |`);
  expect(start, `a table with the headings ${headings.join(", ")}`).toBeGreaterThan(-1);
  const rows: string[][] = [];
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith("|")) break;
    rows.push(
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  }
  return rows;
}
