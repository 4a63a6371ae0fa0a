import { describe, expect, it } from "vitest";
import { readMarkdown } from "../../console/src/parts/read-markdown.ts";
import { emptyValue, readField, resolve } from "../../console/src/parts/schema-form/read-schema.ts";
import { processorMs } from "../processor-time.ts";

describe("markdown of an agent", () => {
  const hostile = [
    "*a ",
    "_a ",
    "*_a ",
    "**a *b ",
    "***a* ",
    "<b>*a ",
    "> ",
    ">",
    "1. ",
    "- ",
    "[",
    "[a](",
    "`a``",
    "~a ",
  ];
  it.each(hostile)("made of %j neither breaks the page nor holds it up", (piece) => {
    for (const length of [2_000, 20_000, 200_000]) {
      const text = piece.repeat(length / piece.length);
      const begun = processorMs();
      expect(() => readMarkdown(text)).not.toThrow();
      expect(processorMs() - begun).toBeLessThan(2_000);
    }
  });

  it("in many paragraphs, each of them bearable, is counted together", () => {
    const text = `${"*a ".repeat(700)}\n\n`.repeat(90);
    expect(readMarkdown(text)).toBeUndefined();
  });

  it("that nests by indentation is shown as its text", () => {
    const text = Array.from({ length: 200 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n");
    expect(readMarkdown(text)).toBeUndefined();
  });

  it("as people and models write it is read", () => {
    const code = `\`\`\`ts\n${"const some_long_name = other_name[0] * 2;\n".repeat(1_500)}\`\`\`\n\n`;
    const prose = "Some **bold** words, a `name`, and [a link](https://example.com).\n\n".repeat(300);
    const quoted =
      "> > - one\n> > - two\n\n---\n\n------------------------------\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    expect(readMarkdown(`# Title\n\n${code}${prose}${quoted}`)?.length).toBeGreaterThan(300);
  });
});

describe("the schema of a tool", () => {
  const isQuick = (work: () => unknown) => {
    const begun = processorMs();
    expect(work).not.toThrow();
    expect(processorMs() - begun).toBeLessThan(1_000);
  };

  it("may refer to itself, also many times over", () => {
    const self = { $ref: "#" };
    const many = Array.from({ length: 10 }, () => self);
    const names = many.map((_, index) => `f${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, self]));
    for (const root of [
      self,
      { allOf: [self] },
      { allOf: many, type: "object" },
      { anyOf: many },
      { oneOf: [{ allOf: many }] },
      { type: "object", properties, required: names },
    ]) {
      isQuick(() => resolve(root, root));
      isQuick(() => readField(root, root));
      isQuick(() => emptyValue(root, root));
    }
  });

  it("may refer to what is no encoding", () => {
    isQuick(() => readField({ $ref: "#/%" }, {}));
  });
});
