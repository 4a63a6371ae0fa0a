import {
  chmodSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashOf } from "../../../../../src/sources/builtin/editing/journal/record.ts";
import { stopped } from "../../stopped.ts";
import { editingGate, makes, refuses } from "./editing-gate.ts";

const path = "a.txt";
const edit = (old_string: string, new_string: string, more: object = {}) => ({
  path,
  old_string,
  new_string,
  ...more,
});
const inTurn = (...pairs: [string, string][]) => ({
  path,
  edits: pairs.map(([old_string, new_string]) => ({ old_string, new_string })),
});
const edited = (content: string | Buffer, input: object) => makes(content, "fs.edit", input);
const refused = (content: string | Buffer, input: object) => refuses(content, "fs.edit", input);

describe("fs.edit finds", () => {
  it.for([
    ["the very text, also inside a line", "let a = 1;\n", edit("a = 1", "b = 2"), "let b = 2;\n", "exact"],
    ["text over Windows breaks", "a\r\nb\r\nc\r\n", edit("a\nb", "x\ny\nz"), "x\r\ny\r\nz\r\nc\r\n", "exact"],
    ["text with white space at line ends", "a  \nb\t\nc\n", edit("a\nb", "x\ny"), "x\ny\nc\n", "trim-end"],
    [
      "text whose indentation is off",
      "  if (x) {\n      run();\n  }\n",
      edit("if (x) {\n    run();\n}", "if (x) {\n    run();\n    stop();\n}"),
      "  if (x) {\n      run();\n      stop();\n  }\n",
      "re-indented",
    ],
    [
      "text indented with spaces for tabs",
      "\tif x:\n\t\trun()\n",
      edit("    if x:\n        run()\n", "    if x:\n        run()\n        if y:\n            stop()\n"),
      "\tif x:\n\t\trun()\n\t\tif y:\n\t\t\tstop()\n",
      "re-indented",
    ],
    [
      "text that is too deep",
      "a:\n  b\n",
      edit("    a:\n      b\n", "    a:\n      c\n    d:\n"),
      "a:\n  c\nd:\n",
      "re-indented",
    ],
    [
      "text whose white space differs here and there",
      "one\n   two\n three\n",
      edit("one\ntwo\nthree\n", "one\n2\nthree\n"),
      "one\n   2\n three\n",
      "trim",
    ],
    [
      "curly quotes and dashes by straight ones, and keeps those it does not change",
      "say(“hi” – ‘you’, 1)\nend\n",
      edit(`say("hi" - 'you', 1)`, `say("hi" - 'you', 2)`),
      "say(“hi” – ‘you’, 2)\nend\n",
      "unicode",
    ],
    [
      "a space that cannot break by a plain one",
      "a\u00a0b c\n",
      edit("a b c", "a b d"),
      "a\u00a0b d\n",
      "unicode",
    ],
    [
      "lines with another amount of white space inside",
      "  int  a   = 1;\n  int  bb  = 2;\n",
      edit("int a = 1;\nint bb = 2;", "int a = 1;\nint bb = 3;"),
      "  int  a   = 1;\n  int bb = 3;\n",
      "re-indented",
    ],
    ["text over carriage returns alone", "a\rb\rc", edit("b\nc", "x\ry\nz"), "a\rx\ry\rz", "exact"],
    [
      "composed by decomposed letters",
      "caf\u00e9 un\n2\n",
      edit("cafe\u0301 un", "bar"),
      "bar\n2\n",
      "unicode",
    ],
  ] as const)("%s", async ([, content, input, expected, match]) => {
    const { call, read } = await editingGate({ "a.txt": content });
    expect(await call("fs.edit", input)).toMatchObject({ ok: true, value: { edits: [{ match }] } });
    expect(read("a.txt")).toBe(expected);
  });

  it("one misremembered line of context, keeps it as it is, and says so", async () => {
    const text = (comment: string, returned: string) =>
      `function total(items) {\n  let sum = 0;\n  // adds up the prices of ${comment}\n` +
      `  for (const item of items) sum += item.price;\n  return ${returned};\n}`;
    const gate = await editingGate({ "a.txt": `${text("all items", "sum")}\n` });
    const said = await gate.text(
      "fs.edit",
      edit(text("every item", "sum"), text("every item", "round(sum)")),
    );
    expect(gate.read("a.txt")).toBe(`${text("all items", "round(sum)")}\n`);
    expect(said).toContain("Not an exact match at line 1 (only similar text was found): check the diff.");
  });

  it("nothing by similarity when the line that changes is not right, or a second place is as near", async () => {
    const block = (name: string) =>
      `start ${name}\n  load the settings of ${name}\n  check the settings of ${name}\n  save them all\nstop\n`;
    const sought = block("alpha").replace("save them all", "store everything on the disk");
    const changed = sought.replace("store everything on the disk", "x");
    expect(await refused(block("alpha"), edit(sought, changed))).toMatch(/not found/);
    const settings = (timeout: number) =>
      `server:\n  host: localhost\n  port: 8080\n  timeout: ${timeout}\n  retries: 3\n`;
    expect(await refused(settings(60), edit(settings(30), settings(45)))).toMatch(
      /Line 4 of the file is ` {2}timeout: 60`, old_string has ` {2}timeout: 30`/,
    );
    const twice = block("alphb") + block("alphc");
    expect(await refused(twice, edit(block("alpha"), block("alpha").replace("save", "keep")))).toMatch(
      /nearest/,
    );
  });
});

describe("fs.edit keeps", () => {
  const mixed = "a\r\nb\nc\r\nd\n";
  it.for([
    ["the byte order mark", "\ufeffa\nb\n", edit("a", "x"), "\ufeffx\nb\n"],
    ["a missing line break at the end", "a\nb", edit("b", "x"), "a\nx"],
    [
      "it missing when the last line is matched with one",
      "a\n  b",
      edit("a\nb\n", "a\nb\nc\n"),
      "a\n  b\n  c",
    ],
    ["mixed line breaks, each line its own", mixed, edit("b\nc", "b\nx\nc"), "a\r\nb\nx\nc\r\nd\n"],
    [
      "the breaks of the place in a mixed file",
      "a\nb\r\nc\r\n",
      edit("b\nc", "B\nC\nD"),
      "a\nB\r\nC\r\nD\r\n",
    ],
    ["the breaks of a file of carriage returns", "a\r", inTurn(["a\n", "b"], ["b", "c\nd"]), "c\rd"],
    ["a carriage return in a line", "a\rb\n", inTurn(["b\n", "b"], ["a\rb", "c\nd"]), "c\nd"],
    ["a carriage return that is no line break", "a\rb\nc\n", edit("c", "d"), "a\rb\nd\n"],
    ["tabs", "\ta\n\tb\n", edit("\ta", "\tx"), "\tx\n\tb\n"],
    ["characters beyond the basic plane", "😀 a 😀\n", edit("a", "😁"), "😀 😁 😀\n"],
    ["$& and its like in the new text as they are", "a\n", edit("a", "$& $1 $$ $`"), "$& $1 $$ $`\n"],
  ] as const)("%s", async ([, content, input, expected]) => {
    expect(await edited(content, input)).toBe(expected);
  });

  it("bytes that are no UTF-8", async () => {
    const { text, root } = await editingGate({ "a.txt": Buffer.from([0xff, 0x0a, 0x61, 0x0a, 0xc3, 0x28]) });
    for (const input of [edit("a", "b"), edit("b", "ü")]) await text("fs.edit", input);
    const bytes = Buffer.from([0xff, 0x0a, 0xc3, 0xbc, 0x0a, 0xc3, 0x28]);
    expect(readFileSync(join(root, "a.txt")).equals(bytes)).toBe(true);
  });

  it("the mode of the file, and leaves nothing else behind", async () => {
    const { root, text } = await editingGate({ "a.txt": "a\n" });
    chmodSync(join(root, "a.txt"), 0o751);
    await text("fs.edit", edit("a", "b"));
    expect(statSync(join(root, "a.txt")).mode & 0o777).toBe(0o751);
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });

  it("a link, and writes the file that it leads to", async () => {
    const { root, text, read } = await editingGate({ "real.txt": "a\n" });
    symlinkSync("real.txt", join(root, "a.txt"));
    await text("fs.edit", edit("a", "b"));
    expect(read("real.txt")).toBe("b\n");
  });
});

describe("fs.edit", () => {
  it.for([
    ["a b a\na\n", edit("a", "x", { replace_all: true }), "x b x\nx\n"],
    ["aaa\n", edit("aa", "b", { replace_all: true }), "ba\n"],
    ["a a\n", edit("a", "b", { expected_replacements: 2 }), "b b\n"],
    ["a\nc\n", inTurn(["a", "b"], ["b\nc", "d"]), "d\n"],
    ["", edit("", "new\n"), "new\n"],
    ["\ufeff", edit("", "new\n"), "\ufeffnew\n"],
  ] as const)("changes %j by %j", async ([content, input, expected]) => {
    expect(await edited(content, input)).toBe(expected);
  });

  it.for([
    ["  a = 1\n", edit("a = 1", "b"), "Changed a.txt (+1 -1)."],
    ["b\na = 10\n", edit("a = 1", "b"), "Changed a.txt (+1 -1). 1 place, inside line 2."],
    ["a\nb\na\n", edit("a", "c", { replace_all: true }), "Changed a.txt (+2 -2). 2 places."],
  ] as const)(
    "says how many places of %j it changed, and when only a part of a line",
    async ([text, input, said]) => {
      const gate = await editingGate({ "a.txt": text });
      expect((await gate.text("fs.edit", input)).split("\n")[0]).toBe(said);
    },
  );

  it("makes a new file with an empty old_string", async () => {
    const gate = await editingGate();
    const text = await gate.text("fs.edit", { path: "x/y/z.txt", old_string: "", new_string: "new\n" });
    expect(gate.read("x/y/z.txt")).toBe("new\n");
    expect(text).toContain("Created x/y/z.txt (+1 -0).");
  });

  it("answers with a short diff, and the same as data", async () => {
    const { data } = await editingGate({ "src/a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" });
    const input = { path: "src/a.txt", old_string: "5", new_string: "five" };
    expect(await data("fs.edit", input)).toMatchObject({
      path: "src/a.txt",
      created: false,
      changed: true,
      added: 1,
      removed: 1,
      sha256: hashOf(Buffer.from("1\n2\n3\n4\nfive\n6\n7\n8\n9\n")),
      diff: "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8",
    });
  });
});

describe("fs.edit refuses", () => {
  it("a text that stands in several places, and names them", async () => {
    expect(await refused("if (a) {\n  go();\n}\nif (b) {\n  go();\n}\n", edit("go();", "stop();"))).toBe(
      '"a.txt": old_string stands in 2 places:\n- line 2: `go();`, after `if (a) {`\n- line 5: `go();`, after `if (b) {`\n' +
        "Add lines before or after it until only one place fits, or say replace_all.",
    );
  });

  it("a text that is not there, and names the nearest place and what differs", async () => {
    const content = "function add(a, b) {\n  return a + b;\n}\n\nfunction sub(a, b) {\n  return a - b;\n}\n";
    expect(await refused(content, edit("function sub(a, b) {\n  return b - a;\n}", "x"))).toBe(
      '"a.txt": old_string was not found. Lines 5 to 7 are nearest (94 % alike). Line 6 of the file is `  return a - b;`, ' +
        "old_string has `  return b - a;`. Repeat the lines of the file exactly.",
    );
  });

  const blanks = " ".repeat(500);
  const diff = (search: string) => `<<<<<<< SEARCH\n${search}\n=======\nb\n>>>>>>> REPLACE`;
  it.for([
    ["  a\n\ta\n", edit("a \n", "b\n"), /2 places when white space around lines is ignored/],
    ["aaa\n", edit("aa", "b"), /2 places/],
    ["a\na\n", inTurn(["a", "b"]), /start_line, or say replace_all\.$/],
    ["a\na\n", { path, diff: diff("a") }, /old_string \(the SEARCH part\) stands/],
    ["a = 10\n", { path, diff: diff("a = 1") }, /was not found: it stands for whole lines/],
    ["a a\n", edit("a", "b", { expected_replacements: 3 }), /2 places, but 3 were expected/],
    ["a\nc\n", inTurn(["a", "b"], ["nothing", "d"]), /Edit 2 of 2: old_string was not found/],
    ["a\n", edit("", "new\n"), /only for a file that is empty or new/],
    ["a\n", edit("entirely different", "x"), /nothing in the file is like it/],
    ["", edit("a", "b"), /the file is empty/],
    ["a\n", edit("a", "a"), /are the same/],
    ["a\r\nb\r\n", edit("a\nb", "a\r\nb"), /are the same/],
    ["“a”\n", edit('"b"', '"b"'), /are the same/],
    ["a\n", inTurn(["a", "b"], ["b", "a"]), /leave the file as it is/],
    [`a${blanks}\nb${blanks}\n`, edit("a\nb\n", "c\n"), /much larger than old_string/],
    ["😀\n", edit("\ud83d", "x"), /half a surrogate pair/],
    ["a\n", edit("a", "\ude00"), /half a surrogate pair/],
    ["a\0b\n", edit("a", "x"), /not a text file/],
  ] as const)("to change %j by %j", async ([content, input, message]) => {
    expect(await refused(content, input)).toMatch(message);
  });

  const tooLarge =
    '"a.txt" is larger than 10 MB; files of that size are not edited here. ' +
    "Use a command such as sed, or work on a smaller file.";
  it.for([
    ["UTF-16", Buffer.from("\ufeffab", "utf16le"), expect.stringContaining("UTF-16")],
    ["a file of 50 MB", Buffer.alloc(50 * 1024 * 1024, "a"), tooLarge],
  ] as const)("%s, politely", async ([, content, message]) => {
    const { refusal } = await editingGate({ "a.txt": content });
    expect(await refusal("fs.edit", edit("a", "x"))).toEqual(message);
  });

  it("what is no regular file of the workspace", async () => {
    const { outside, root, refusal, call } = await editingGate({ "folder/x": "a", "a.txt": "a\n" });
    writeFileSync(join(outside, "secret.txt"), "a\n");
    symlinkSync(join(outside, "secret.txt"), join(root, "out.txt"));
    linkSync(join(root, "a.txt"), join(outside, "second.txt"));
    const at = (other: string) => edit("a", "b", { path: other });
    expect(await refusal("fs.edit", at("folder"))).toMatch(/is a directory/);
    expect(await refusal("fs.edit", at("none.txt"))).toMatch(/does not exist/);
    expect(await refusal("fs.edit", at("a.txt"))).toMatch(/hard link/);
    for (const other of ["out.txt", "../outside/secret.txt", join(outside, "secret.txt")])
      expect(await call("fs.edit", at(other))).toMatchObject(stopped("no_approver", "outside-workspace"));
  });

  it.for([
    {},
    { path },
    { path, old_string: "a" },
    { path, new_string: "a" },
    edit("a", "b", { edits: [{ old_string: "a", new_string: "b" }] }),
    { path, edits: [] },
    { path, edits: [{ old_string: "a" }] },
    { path, edits: "no list" },
    { path, edits: [{ old_string: "a", oldString: "b", new_string: "c" }] },
    { path, replace_all: true, edits: [{ old_string: "a", new_string: "b" }] },
    edit("a", "b", { file_path: "other.txt" }),
    edit("a", "b", { unknown: 1 }),
    { path, diff: "nothing" },
  ])("the input %j", async (input) => {
    const { code, read } = await editingGate({ "a.txt": "a\n" });
    expect(await code("fs.edit", input)).toBe("invalid_input");
    expect(read("a.txt")).toBe("a\n");
  });
});
