import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { DiffProgress } from "../../../../../src/sources/builtin/editing/partial-diff.ts";
import { editingGate } from "./editing-gate.ts";

const block = (search: string, replace: string, head = "") =>
  `<<<<<<< SEARCH\n${head}${search === "" ? "" : `${search}\n`}=======\n${replace === "" ? "" : `${replace}\n`}>>>>>>> REPLACE\n`;

async function applied(content: string, diff: string): Promise<string> {
  const gate = await editingGate({ "a.txt": content });
  await gate.text("fs.apply_diff", { path: "a.txt", diff });
  return gate.read("a.txt");
}

async function refused(content: string, diff: string): Promise<string> {
  const gate = await editingGate({ "a.txt": content });
  const message = await gate.refusal("apply_diff", { path: "a.txt", diff });
  expect(gate.read("a.txt")).toBe(content);
  return message;
}

describe("fs.apply_diff", () => {
  it.each([
    ["changes whole lines", "a\nb\nc\n", block("b", "x\ny"), "a\nx\ny\nc\n"],
    ["takes whole lines away", "a\nb\nc\n", block("b", ""), "a\nc\n"],
    [
      "takes a word for the line it is, not for a part of another",
      "foobar\nfoo\n",
      block("foo", "x"),
      "foobar\nx\n",
    ],
    ["applies several blocks", "a\nb\nc\n", block("a", "1") + block("c", "3"), "1\nb\n3\n"],
    ["keeps Windows line breaks", "a\r\nb\r\n", block("a", "x\ny"), "x\r\ny\r\nb\r\n"],
    ["keeps a missing break at the end", "a\nb", block("b", "x\ny"), "a\nx\ny"],
    ["re-indents", "  a\n  b\n", block("a\nb", "a\nb\nc"), "  a\n  b\n  c\n"],
    [
      "tells equal lines apart by start_line",
      "a\nx\na\nx\na\n",
      block("a", "b", ":start_line:3\n-------\n"),
      "a\nx\nb\nx\na\n",
    ],
    [
      "counts start_line in the file as it was, however many lines came before",
      "a\na\na\n",
      block("a", "1\n2\n3", ":start_line:1\n") + block("a", "b", ":start_line:3\n"),
      "1\n2\n3\na\nb\n",
    ],
    [
      "counts start_line in the file as it was, also when the block before stands below",
      "a\nx\na\ny\n",
      block("y", "1\n2\n3") + block("a", "b", ":start_line:1\n"),
      "b\nx\na\n1\n2\n3\n",
    ],
    [
      "takes a rule without a number above it for a line of the file",
      "Title\n-------\nfoo\n",
      block("-------\nfoo", "-------\nbar"),
      "Title\n-------\nbar\n",
    ],
    [
      "takes one backslash away and leaves the others",
      "\\=======\n",
      block("\\\\=======", "x\n\\\\:start_line:1"),
      "x\n\\:start_line:1\n",
    ],
    [
      "forgives the amount of white space inside a line",
      "let  a =\t1;\nend\n",
      block("let a = 1;", "let a = 2;"),
      "let a = 2;\nend\n",
    ],
    [
      "keeps white space inside lines that stay",
      "x  = 1\ny   = 2\n",
      block("x = 1\ny = 2", "x = 1\ny = 3"),
      "x  = 1\ny = 3\n",
    ],
    ["takes carriage returns alone for line breaks", "a\rb\rc\r", block("b", "x\ny"), "a\rx\ry\rc\r"],
    ["fills an empty file", "", block("", "a\nb"), "a\nb\n"],
    [
      "takes markers with a backslash as text",
      "<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n",
      block("\\<<<<<<< SEARCH\n\\=======", "x\n\\======="),
      "x\n=======\n>>>>>>> REPLACE\n",
    ],
    [
      "accepts the other markers, a fence, a stray > and no last break",
      "a\n",
      "```diff\n------- SEARCH>\na\n=======\nb\n+++++++ REPLACE\n```",
      "b\n",
    ],
    [
      "leaves a line of equal signs of another length alone",
      "Title\n=====\n",
      block("Title\n=====", "Other\n====="),
      "Other\n=====\n",
    ],
  ])("%s", async (_, content, diff, expected) => {
    expect(await applied(content, diff)).toBe(expected);
  });

  it.each([
    ["a = 10\n", "a = 1"],
    ["let foo = 1;\n", "foo = 1"],
    ["a = 1;\nb = 2;\n", "= 1;\nb = 2;"],
    ["a = 1;\nb = 2;\n", "a = 1;\nb ="],
    ["“a = 10”\n", '"a = 1'],
    ["ab\n", "a b"],
  ])("never changes a part of a line: in %j it does not find %j", async (content, search) => {
    expect(await refused(content, block(search, "x"))).toMatch(/the SEARCH part was not found/);
  });

  it("says so where the lines it looks for are a part of a line", async () => {
    expect(await refused("b\na = 10\n", block("a = 1", "a = 2"))).toMatch(
      /it stands for whole lines, and in line 2 \(`a = 10`\) it is only a part/,
    );
  });

  it("counts the start_line beside the blocks of many files, unless a block says it itself", async () => {
    const args = (diff: unknown) => ({ args: { file: [{ path: "a.txt", diff }] } });
    const made = async (diff: unknown) => {
      const gate = await editingGate({ "a.txt": "a\nx\na\nx\na\n" });
      await gate.text("apply_diff", args(diff));
      return gate.read("a.txt");
    };
    const content = block("a", "b");
    expect(await made({ content, start_line: 3 })).toBe("a\nx\nb\nx\na\n");
    expect(await made({ content, start_line: "5" })).toBe("a\nx\na\nx\nb\n");
    expect(await made([{ content: block("a", "b", ":start_line:1\n"), start_line: 5 }])).toBe(
      "b\nx\na\nx\na\n",
    );
    expect(
      await made([
        { content, start_line: 1 },
        { content: block("a", "1\n2"), start_line: 5 },
      ]),
    ).toBe("b\nx\na\nx\n1\n2\n");
    const gate = await editingGate({ "a.txt": "a\nx\na\n" });
    expect(await gate.refusal("apply_diff", args({ content, start_line: "here" }))).toMatch(
      /start_line of a diff must be the number of a line, not "here"/,
    );
    expect(await gate.refusal("apply_diff", args({ content: "text\n", start_line: 3 }))).toMatch(
      /Line 1: "text" stands outside of a block/,
    );
  });

  it("names in a message no parameter that it does not have", async () => {
    const said = await refused("a\na\n", block("a", "b"));
    expect(said).toMatch(/:start_line:12/);
    expect(said).not.toMatch(/replace_all|old_string|new_string|expected_replacements/);
    const quoted = await refused("old_string = 1\nb\nc\n", block("old_string = 2\nb\nc", "x"));
    expect(quoted).toContain("Line 1 of the file is `old_string = 1`, the SEARCH part has `old_string = 2`");
    expect(await refused("a\n", block("a", "a"))).toMatch(
      /the SEARCH part and the REPLACE part are the same/,
    );
    expect(await refused("a\n", block("a", "b") + block("c", "d"))).toMatch(/^"a.txt": Block 2 of 2: /);
  });

  it("changes many files, all or none", async () => {
    const gate = await editingGate({ "a.txt": "a\n", "b.txt": "b\n" });
    const files = (second: string) => [
      { path: "a.txt", diff: block("a", "1") },
      { path: "b.txt", diff: block(second, "2") },
      { path: "new/c.txt", diff: block("", "c") },
    ];
    expect(await gate.refusal("apply_diff", { files: files("nothing") })).toMatch(
      /"b.txt": the SEARCH part was not found.*No file was changed/s,
    );
    expect([gate.read("a.txt"), gate.exists("new")]).toEqual(["a\n", false]);
    const outcome = await gate.call("apply_diff", { files: files("b") });
    expect(outcome).toMatchObject({
      ok: true,
      value: { files: [{ path: "a.txt" }, { path: "b.txt" }, { path: "new/c.txt", created: true }] },
    });
    expect([gate.read("a.txt"), gate.read("b.txt"), gate.read("new/c.txt")]).toEqual(["1\n", "2\n", "c\n"]);
    expect(readdirSync(`${gate.stateFolder}/journals`)).toEqual([]);
  });

  it("judges every path of many files", async () => {
    const gate = await editingGate({ "a.txt": "a\n", ".env": "a\n" });
    const files = [
      { path: "a.txt", diff: block("a", "b") },
      { path: ".env", diff: block("a", "b") },
    ];
    expect(await gate.call("apply_diff", { files })).toMatchObject({
      ok: false,
      error: { code: "policy_denied", rule: { name: "protected-path" } },
    });
    expect(await gate.gate.check({ tool: "apply_diff", input: { files }, cwd: gate.root })).toMatchObject({
      verdict: "deny",
    });
    expect(gate.read("a.txt")).toBe("a\n");
  });

  it("refuses a file that is named twice", async () => {
    const gate = await editingGate({ "a.txt": "a\nb\n" });
    const files = [
      { path: "a.txt", diff: block("a", "1") },
      { path: "./a.txt", diff: block("b", "2") },
    ];
    expect(await gate.refusal("apply_diff", { files })).toMatch(/named twice/);
  });

  it.each([
    ["no block", "just text", /Line 1: "just text" stands outside of a block/],
    ["nothing", "\n", /There is no block/],
    [
      "a block that is cut off",
      "<<<<<<< SEARCH\na\n=======\nb",
      /Block 1 has no line ">>>>>>> REPLACE"; was the text cut off\?/,
    ],
    ["a block without a middle", "<<<<<<< SEARCH\na\n>>>>>>> REPLACE", /ends before its line "======="/],
    ["a block in a block", "<<<<<<< SEARCH\na\n<<<<<<< SEARCH\n", /a block begins inside another one/],
    ["two middles", block("a", "b\n=======\nc"), /a second "======="/],
    [
      "marks of a merge conflict",
      block("<<<<<<< HEAD\na", "b"),
      /looks like a mark of a merge conflict.*backslash/,
    ],
    [
      "marks of a merge conflict in the new text",
      block("a", ">>>>>>> branch"),
      /looks like a mark of a merge conflict/,
    ],
    [
      "a line's number in the new text",
      block("a", ":start_line:1\nb"),
      /Line 4: a line's number belongs to the SEARCH part.*backslash/,
    ],
    ["a last line's number in the new text", block("a", "b\n:end_line: 2"), /belongs to the SEARCH part/],
    ["a line's number below the lines to find", block("a\n:start_line:1", "b"), /stands right below/],
    ["a line's number that is none", block("a", "b", ":start_line:one\n"), /stands right below.*digits/],
    ["text between blocks", `${block("a", "b")}and now\n${block("b", "c")}`, /"and now" stands outside/],
  ])("refuses %s", async (_, diff, message) => {
    const gate = await editingGate({ "a.txt": "a\n" });
    const outcome = await gate.call("apply_diff", { path: "a.txt", diff });
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: "invalid_input", message: expect.stringMatching(message) },
    });
    expect(gate.read("a.txt")).toBe("a\n");
  });

  it("refuses what does not fit one place", async () => {
    expect(await refused("a\na\n", block("a", "b"))).toMatch(/stands in 2 places/);
    expect(await refused("a\nx\na\n", block("a", "b", ":start_line:2\n"))).toMatch(/stands in 2 places/);
    expect(await refused("a\n", block("entirely other", "b"))).toMatch(/the SEARCH part was not found/);
    expect(await refused("a\n", block("", "b"))).toMatch(/only for a file that is empty or new/);
  });

  it("refuses input that does not fit", async () => {
    const gate = await editingGate({ "a.txt": "a\n" });
    const diff = block("a", "b");
    for (const input of [
      {},
      { path: "a.txt" },
      { diff },
      { path: "a.txt", diff, files: [] },
      { files: [] },
      { files: ["a.txt"] },
      { files: [{ path: "a.txt" }] },
    ])
      expect(await gate.call("apply_diff", input)).toMatchObject({
        ok: false,
        error: { code: "invalid_input" },
      });
  });
});

describe("half a diff", () => {
  const whole = block("a", "b") + block("c", "d");

  it("says which blocks of which files are whole, at every character, and touches nothing", async () => {
    const told: DiffProgress[] = [];
    const gate = await editingGate(
      { "a.txt": "a\nc\n" },
      { ports: { onDiffProgress: (progress) => told.push(progress) } },
    );
    const partial = (input: object, complete = false) =>
      gate.gate.partial({ tool: "apply_diff", toolUseId: "u", input, complete });
    for (let length = 0; length <= whole.length; length += 1)
      expect(await partial({ path: "a.txt", diff: whole.slice(0, length) })).toEqual({
        ok: true,
        handled: true,
      });
    const counts = told.map(({ files }) => files[0]?.blocks ?? -1);
    expect(counts).toEqual(counts.toSorted());
    expect([counts[0], counts.at(-1)]).toEqual([0, 2]);
    expect(counts.indexOf(1)).toBe(block("a", "b").length);
    expect(
      told.every(
        ({ files, complete }) => files[0]?.complete === false && !complete && files[0].problem === undefined,
      ),
    ).toBe(true);
    await partial({ path: "a.txt", diff: whole.trimEnd() }, true);
    expect(told.at(-1)).toMatchObject({
      complete: true,
      files: [{ path: "a.txt", blocks: 2, complete: true }],
    });
    expect(gate.read("a.txt")).toBe("a\nc\n");
  });

  it("knows a path only when it cannot grow any more", async () => {
    const told: DiffProgress[] = [];
    const gate = await editingGate({}, { ports: { onDiffProgress: (progress) => told.push(progress) } });
    for (const input of [
      {},
      { path: "a" },
      { file_path: "a.txt", diff: "" },
      { files: [] },
      { files: [{ path: "a.txt", diff: whole }, { path: "b" }] },
      { files: [{ path: "a.txt", diff: "garbage\n" }] },
      { files: "x" },
    ])
      await gate.gate.partial({ tool: "apply_diff", toolUseId: "u", input });
    expect(told.map(({ files }) => files)).toEqual([
      [{ path: undefined, blocks: 0, complete: false }],
      [{ path: undefined, blocks: 0, complete: false }],
      [{ path: "a.txt", blocks: 0, complete: false }],
      [],
      [
        { path: "a.txt", blocks: 2, complete: true },
        { path: undefined, blocks: 0, complete: false },
      ],
      [{ path: "a.txt", blocks: 0, complete: false, problem: expect.stringContaining("outside of a block") }],
      [{ path: undefined, blocks: 0, complete: false }],
    ]);
  });
});
