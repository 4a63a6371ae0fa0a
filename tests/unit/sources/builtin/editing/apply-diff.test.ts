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
    [
      "finds a part of a line when no line fits",
      "let foo = 1;\n",
      block("foo = 1", "bar = 2"),
      "let bar = 2;\n",
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
