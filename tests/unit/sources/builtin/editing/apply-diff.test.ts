import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { DiffProgress } from "../../../../../src/sources/builtin/editing/partial-diff.ts";
import { stopped } from "../../stopped.ts";
import { editingGate, makes, refuses } from "./editing-gate.ts";

/** A block; `head` stands right below its first line. */
const block = (search: string, replace: string, head = "") => {
  const lines = (text: string) => (text === "" ? "" : `${text}\n`);
  return `<<<<<<< SEARCH\n${head}${lines(search)}=======\n${lines(replace)}>>>>>>> REPLACE\n`;
};
const refused = (content: string, diff: string) => refuses(content, "apply_diff", { path: "a.txt", diff });

describe("fs.apply_diff", () => {
  const marks = "<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n";
  const firstAndThird = block("a", "1\n2\n3", ":start_line:1\n") + block("a", "b", ":start_line:3\n");
  it.for([
    ["changes whole lines", "a\nb\nc\n", block("b", "x\ny"), "a\nx\ny\nc\n"],
    ["takes whole lines away", "a\nb\nc\n", block("b", ""), "a\nc\n"],
    ["takes a word for the line it is, not for a part", "foobar\nfoo\n", block("foo", "x"), "foobar\nx\n"],
    ["applies several blocks", "a\nb\nc\n", block("a", "1") + block("c", "3"), "1\nb\n3\n"],
    ["keeps Windows line breaks", "a\r\nb\r\n", block("a", "x\ny"), "x\r\ny\r\nb\r\n"],
    ["keeps a missing break at the end", "a\nb", block("b", "x\ny"), "a\nx\ny"],
    ["re-indents", "  a\n  b\n", block("a\nb", "a\nb\nc"), "  a\n  b\n  c\n"],
    [
      "knows equal lines by start_line",
      "a\na\na\n",
      block("a", "b", ":start_line:2\n-------\n"),
      "a\nb\na\n",
    ],
    ["counts start_line in the file as it was", "a\na\na\n", firstAndThird, "1\n2\n3\na\nb\n"],
    [
      "counts start_line so also when the block before stands below",
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
      "takes one backslash away",
      "\\=======\n",
      block("\\\\=======", "\\\\:start_line:1"),
      "\\:start_line:1\n",
    ],
    [
      "forgives white space in a line",
      "let  a =\t1;\nb\n",
      block("let a = 1;", "let a = 2;"),
      "let a = 2;\nb\n",
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
      marks,
      block("\\<<<<<<< SEARCH\n\\=======", "x\n\\======="),
      "x\n=======\n>>>>>>> REPLACE\n",
    ],
    [
      "accepts the other markers, a fence, a stray > and no last break",
      "a\n",
      "```diff\n------- SEARCH>\na\n=======\nb\n+++++++ REPLACE\n```",
      "b\n",
    ],
    ["leaves other lines of = alone", "A\n=====\n", block("A\n=====", "B\n====="), "B\n=====\n"],
  ] as const)("%s", async ([, content, diff, expected]) => {
    expect(await makes(content, "fs.apply_diff", { path: "a.txt", diff })).toBe(expected);
  });

  it.for([
    ["a = 10\n", "a = 1"],
    ["let foo = 1;\n", "foo = 1"],
    ["a = 1;\nb = 2;\n", "= 1;\nb = 2;"],
    ["a = 1;\nb = 2;\n", "a = 1;\nb ="],
    ["“a = 10”\n", '"a = 1'],
    ["ab\n", "a b"],
  ] as const)("never changes a part of a line: in %j it does not find %j", async ([content, search]) => {
    expect(await refused(content, block(search, "x"))).toMatch(/the SEARCH part was not found/);
  });

  it("says so where the lines it looks for are a part of a line", async () => {
    const part = /it stands for whole lines, and in line 2 \(`a = 10`\) it is only a part/;
    expect(await refused("b\na = 10\n", block("a = 1", "a = 2"))).toMatch(part);
  });

  const content = block("a", "b");
  const own = block("a", "b", ":start_line:1\n");
  const two = [
    { content, start_line: 1 },
    { content: block("a", "1\n2"), start_line: 5 },
  ];
  it.for([
    [{ content, start_line: 3 }, "a\nx\nb\nx\na\n"],
    [{ content, start_line: "5" }, "a\nx\na\nx\nb\n"],
    [[{ content: own, start_line: 5 }], "b\nx\na\nx\na\n"],
    [two, "b\nx\na\nx\n1\n2\n"],
  ] as const)(
    "counts a start_line beside blocks, unless a block has its own: %j",
    async ([diff, expected]) => {
      const input = { args: { file: [{ path: "a.txt", diff }] } };
      expect(await makes("a\nx\na\nx\na\n", "apply_diff", input)).toBe(expected);
    },
  );

  it.for([
    [{ content, start_line: "here" }, /start_line of a diff must be the number of a line, not "here"/],
    [{ content: "text\n", start_line: 3 }, /Line 1: "text" stands outside of a block/],
  ] as const)("refuses the diff %j", async ([diff, message]) => {
    const input = { args: { file: [{ path: "a.txt", diff }] } };
    expect(await refuses("a\nx\na\n", "apply_diff", input)).toMatch(message);
  });

  it("names in a message no parameter that it does not have", async () => {
    const said = await refused("a\na\n", block("a", "b"));
    expect(said).toMatch(/:start_line:12/);
    expect(said).not.toMatch(/replace_all|old_string|new_string|expected_replacements/);
    const quoted = await refused("old_string = 1\nb\nc\n", block("old_string = 2\nb\nc", "x"));
    expect(quoted).toContain("Line 1 of the file is `old_string = 1`, the SEARCH part has `old_string = 2`");
  });

  it("changes many files, all or none", async () => {
    const { refusal, read, exists, call, stateFolder } = await editingGate({
      "a.txt": "a\n",
      "b.txt": "b\n",
    });
    const files = (second: string) => [
      { path: "a.txt", diff: block("a", "1") },
      { path: "b.txt", diff: block(second, "2") },
      { path: "new/c.txt", diff: block("", "c") },
    ];
    const why = /"b.txt": the SEARCH part was not found.*No file was changed/s;
    expect(await refusal("apply_diff", { files: files("nothing") })).toMatch(why);
    expect([read("a.txt"), exists("new")]).toEqual(["a\n", false]);
    const changed = [{ path: "a.txt" }, { path: "b.txt" }, { path: "new/c.txt", created: true }];
    expect(await call("apply_diff", { files: files("b") })).toMatchObject({ value: { files: changed } });
    expect(["a.txt", "b.txt", "new/c.txt"].map(read)).toEqual(["1\n", "2\n", "c\n"]);
    expect(readdirSync(`${stateFolder}/journals`)).toEqual([]);
  });

  it("judges every path of many files", async () => {
    const gate = await editingGate({ "a.txt": "a\n", ".env": "a\n" });
    const input = { files: ["a.txt", ".env"].map((path) => ({ path, diff: block("a", "b") })) };
    expect(await gate.call("apply_diff", input)).toMatchObject(stopped("policy_denied", "protected-path"));
    expect((await gate.gate.check({ tool: "apply_diff", input, cwd: gate.root })).verdict).toBe("deny");
    expect(gate.read("a.txt")).toBe("a\n");
  });

  it("refuses a file that is named twice", async () => {
    const files = [
      { path: "a.txt", diff: block("a", "1") },
      { path: "./a.txt", diff: block("b", "2") },
    ];
    expect(await refuses("a\nb\n", "apply_diff", { files })).toMatch(/named twice/);
  });

  const cutOff = /Block 1 has no line ">>>>>>> REPLACE"; was the text cut off\?/;
  const merge = /looks like a mark of a merge conflict.*backslash/;
  const numbered = /Line 4: a line's number belongs to the SEARCH part.*backslash/;
  it.for([
    ["no block", "just text", /Line 1: "just text" stands outside of a block/],
    ["nothing", "\n", /There is no block/],
    ["a block that is cut off", "<<<<<<< SEARCH\na\n=======\nb", cutOff],
    ["a block without a middle", "<<<<<<< SEARCH\na\n>>>>>>> REPLACE", /ends before its line "======="/],
    ["a block in a block", "<<<<<<< SEARCH\na\n<<<<<<< SEARCH\n", /a block begins inside another one/],
    ["two middles", block("a", "b\n=======\nc"), /a second "======="/],
    ["marks of a merge conflict", block("<<<<<<< HEAD\na", "b"), merge],
    ["marks of a merge conflict in the new text", block("a", ">>>>>>> branch"), merge],
    ["a line's number in the new text", block("a", ":start_line:1\nb"), numbered],
    ["a last line's number in the new text", block("a", "b\n:end_line: 2"), /belongs to the SEARCH part/],
    ["a line's number below the lines to find", block("a\n:start_line:1", "b"), /stands right below/],
    ["a line's number that is none", block("a", "b", ":start_line:one\n"), /stands right below.*digits/],
    ["text between blocks", `${content}and now\n${block("b", "c")}`, /"and now" stands outside/],
  ] as const)("refuses %s as input", async ([, diff, message]) => {
    const { say } = await editingGate({ "a.txt": "a\n" });
    expect(await say("apply_diff", { path: "a.txt", diff })).toMatch(/^invalid_input /);
    expect(await refused("a\n", diff)).toMatch(message);
  });

  it.for([
    ["a\na\n", block("a", "b"), /stands in 2 places/],
    ["a\nx\na\n", block("a", "b", ":start_line:2\n"), /stands in 2 places/],
    ["a\n", block("entirely other", "b"), /the SEARCH part was not found/],
    ["a\n", block("", "b"), /only for a file that is empty or new/],
    ["a\n", block("a", "a"), /the SEARCH part and the REPLACE part are the same/],
    ["a\n", block("a", "b") + block("c", "d"), /^"a.txt": Block 2 of 2: /],
  ] as const)("refuses what does not fit one place: in %j %j", async ([text, diff, message]) => {
    expect(await refused(text, diff)).toMatch(message);
  });

  const diff = block("a", "b");
  it.for([
    {},
    { path: "a.txt" },
    { diff },
    { path: "a.txt", diff, files: [] },
    { files: [] },
    { files: ["a.txt"] },
    { files: [{ path: "a.txt" }] },
  ])("refuses the input %j", async (input) => {
    const { code } = await editingGate({ "a.txt": "a\n" });
    expect(await code("apply_diff", input)).toBe("invalid_input");
  });
});

describe("half a diff", () => {
  const whole = block("a", "b") + block("c", "d");
  /** A gate, and what it told of the diffs that it got so far. */
  async function telling() {
    const told: DiffProgress[] = [];
    const onDiffProgress = (progress: DiffProgress) => told.push(progress);
    const gate = await editingGate({ "a.txt": "a\nc\n" }, { ports: { onDiffProgress } });
    const partial = (input: object, complete = false) =>
      gate.gate.partial({ tool: "apply_diff", toolUseId: "u", input, complete });
    return { gate, told, partial };
  }

  it("says which blocks of which files are whole, at every character, and touches nothing", async () => {
    const { gate, told, partial } = await telling();
    for (let length = 0; length <= whole.length; length += 1) {
      const heard = await partial({ path: "a.txt", diff: whole.slice(0, length) });
      expect(heard).toEqual({ ok: true, handled: true });
    }
    const counts = told.map(({ files }) => files[0]?.blocks ?? -1);
    expect(counts).toEqual(counts.toSorted());
    expect([counts[0], counts.at(-1)]).toEqual([0, 2]);
    expect(counts.indexOf(1)).toBe(block("a", "b").length);
    for (const { files, complete } of told)
      expect([files[0]?.complete, complete, files[0]?.problem]).toEqual([false, false, undefined]);
    await partial({ path: "a.txt", diff: whole.trimEnd() }, true);
    const [file] = [{ path: "a.txt", blocks: 2, complete: true }];
    expect(told.at(-1)).toMatchObject({ complete: true, files: [file] });
    expect(gate.read("a.txt")).toBe("a\nc\n");
  });

  const unknown = { path: undefined, blocks: 0, complete: false };
  const known = { path: "a.txt", blocks: 0, complete: false };
  const problem = expect.stringContaining("outside of a block");
  it.for([
    [{}, [unknown]],
    [{ path: "a" }, [unknown]],
    [{ file_path: "a.txt", diff: "" }, [known]],
    [{ files: [] }, []],
    [
      { files: [{ path: "a.txt", diff: whole }, { path: "b" }] },
      [{ ...known, blocks: 2, complete: true }, unknown],
    ],
    [{ files: [{ path: "a.txt", diff: "garbage\n" }] }, [{ ...known, problem }]],
    [{ files: "x" }, [unknown]],
  ] as const)("knows a path only when it cannot grow any more: %j", async ([input, files]) => {
    const { told, partial } = await telling();
    await partial(input);
    expect(told.map((progress) => progress.files)).toEqual([files]);
  });
});
