import { describe, expect, it } from "vitest";
import { blocksOf, printed } from "./page-blocks.ts";

describe("the blocks of a page", () => {
  it("are commands, files, rules, and what is not run with its reason", () => {
    const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`;
    const page = [
      fence("sh", "ls"),
      `<!-- file: a/b.json -->\n${fence("json", "{}")}`,
      `<!-- not run: no registry -->\n${fence("sh", "npm ci")}`,
      fence("yaml", "routes: {}"),
      fence("text", "only to look at"),
    ].join("");
    expect(blocksOf("a.md", page)).toEqual([
      { page: "a.md", line: 2, kind: "lines", text: "ls\n" },
      { page: "a.md", line: 6, kind: "file", name: "a/b.json", text: "{}\n" },
      { page: "a.md", line: 10, kind: "not-run", reason: "no registry", text: "npm ci\n" },
      { page: "a.md", line: 13, kind: "rules", text: "routes: {}\n" },
    ]);
  });

  it("are commands with what they print and how they end", () => {
    const page = "<!-- until it prints this -->\n```console\n$ a b   # exit 2\none\n\n$ c \\\n  d\n```\n";
    expect(blocksOf("a.md", page)).toEqual([
      {
        page: "a.md",
        line: 3,
        kind: "console",
        again: true,
        commands: [
          { command: "a b", code: 2, prints: "one\n\n" },
          { command: "c   d", code: 0, prints: "" },
        ],
      },
    ]);
  });

  it("print what they show, with … for anything on a line or for any lines", () => {
    expect("one 1\ntwo\nthree\n").toMatch(printed("one …\n…\nthree\n"));
    expect("one 1\nthree\n").toMatch(printed("one …\n…\nthree\n"));
    expect("one 1\ntwo\n").not.toMatch(printed("one …\n"));
  });

  it("are compared word by word with what is printed, and … stands for anything on its line", () => {
    expect("wait 12 ms (a.b)\n").toMatch(printed("wait … ms (a.b)\n"));
    expect("wait 12 ms (axb)\n").not.toMatch(printed("wait … ms (a.b)\n"));
    expect("wait 12\n13 ms (a.b)\n").not.toMatch(printed("wait … ms (a.b)\n"));
    expect("more\nwait 12 ms (a.b)\n").not.toMatch(printed("wait … ms (a.b)\n"));
  });
});
