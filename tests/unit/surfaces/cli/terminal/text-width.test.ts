import { describe, expect, it } from "vitest";
import { entryLine } from "../../../../../src/surfaces/cli/commands/audit/describe-entry.ts";
import { formatTable } from "../../../../../src/surfaces/cli/terminal/table.ts";
import { cutToWidth, padToWidth, textWidth } from "../../../../../src/surfaces/cli/terminal/text-width.ts";

describe("the width of a text on a terminal", () => {
  it.each([
    ["plain", 5],
    ["", 0],
    ["日本語", 6],
    ["한국어", 6],
    ["ｆｕｌｌ", 8],
    ["ﾊﾝｶｸ", 4],
    ["「あ」、", 8],
    ["🚀", 2],
    ["🇩🇪", 2],
    ["e\u0301", 1],
    ["…→✓", 3],
    ["привет", 6],
    ["©1#", 3],
  ])("of %s is %i", (text, width) => expect(textWidth(text)).toBe(width));

  it.each([
    ["abcdef", 6, "abcdef"],
    ["abcdef", 5, "abcd…"],
    ["日本語", 6, "日本語"],
    ["日本語", 5, "日本…"],
    ["日本語", 4, "日…"],
    ["ae\u0301o", 2, "a…"],
    ["e\u0301ab", 2, "e\u0301…"],
    ["abc", 1, "…"],
  ])("%s is cut to %i cells as %s", (text, width, cut) => expect(cutToWidth(text, width)).toBe(cut));

  it("counts when a column is filled up", () => {
    expect(padToWidth("日本", 6)).toBe("日本  ");
    expect(padToWidth("toolong", 3)).toBe("toolong");
  });
});

const rows = [
  ["文件.read", "短", "一二三四五六七八九十一二三四五六七八九十"],
  ["fs.read", "plain", "x".repeat(100)],
];
const lines = (text: string) => text.trimEnd().split("\n");
const io = (isTerminal: boolean, columns = "40") => ({
  isTerminal,
  env: { COLUMNS: columns, NO_COLOR: "1" },
});

describe("a table", () => {
  it("lines up with wide characters in it", () => {
    const [head = "", first = "", second = ""] = lines(formatTable(["TOOL", "B", "WHAT"], rows, io(false)));
    const cellsBefore = (line: string, mark: string) => textWidth(line.slice(0, line.indexOf(mark)));
    expect(cellsBefore(first, "一")).toBe(cellsBefore(head, "WHAT"));
    expect(cellsBefore(second, "xxx")).toBe(cellsBefore(head, "WHAT"));
  });

  it("is cut at the width of the terminal, and whole where it goes into a pipe", () => {
    const shown = lines(formatTable(["TOOL", "B", "WHAT"], rows, io(true)));
    for (const line of shown) expect(textWidth(line)).toBeLessThanOrEqual(40);
    expect(shown[2]?.endsWith("x…")).toBe(true);
    const piped = formatTable(["TOOL", "B", "WHAT"], rows, io(false));
    expect(piped).toContain("x".repeat(100));
    expect(piped).not.toContain("…");
  });

  it("takes more rows than a function takes arguments", () => {
    const many = Array.from({ length: 200_000 }, (_, index) => [String(index), "x"]);
    expect(lines(formatTable(["A", "B"], many, io(false)))).toHaveLength(200_001);
  });
});

describe("the line of a record that comes by itself", () => {
  const entry = {
    seq: 7,
    hash: "h",
    callId: "c",
    kind: "completion" as const,
    at: 0,
    tool: "Bash",
    body: { verdict: "deny", caller: "local", code: "route_blocked", message: `不要 ${"long ".repeat(60)}` },
  };
  const world = {
    cwd: "/",
    readStdin: async () => "",
    out: () => {},
    err: () => {},
    signal: new AbortController().signal,
  };

  it("is cut like a table", () => {
    const shown = entryLine(entry, { ...world, ...io(true, "80") }).trimEnd();
    expect(textWidth(shown)).toBe(80);
    expect(shown.endsWith("…")).toBe(true);
    expect(entryLine(entry, { ...world, ...io(false) })).toContain("long long");
    expect(entryLine(entry, { ...world, ...io(false) }).length).toBeGreaterThan(300);
  });
});
