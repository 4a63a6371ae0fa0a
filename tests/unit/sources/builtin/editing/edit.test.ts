import { chmodSync, linkSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionKey } from "../../../../../src/core/call/session-key.ts";
import { hashOf } from "../../../../../src/sources/builtin/editing/journal/record.ts";
import { createSeenFiles } from "../../../../../src/sources/builtin/editing/seen-files.ts";
import { createRead } from "../../../../../src/sources/builtin/filesystem/read.ts";
import { editingGate } from "./editing-gate.ts";

const edit = (old_string: string, new_string: string, more: object = {}) => ({
  path: "a.txt",
  old_string,
  new_string,
  ...more,
});

/** The file after an edit of `a.txt`. */
async function edited(content: string | Buffer, input: object): Promise<string> {
  const gate = await editingGate({ "a.txt": content });
  await gate.text("fs.edit", input);
  return gate.read("a.txt");
}

async function refused(content: string | Buffer, input: object): Promise<string> {
  const gate = await editingGate({ "a.txt": content });
  const message = await gate.refusal("fs.edit", input);
  expect(gate.read("a.txt")).toBe(content.toString());
  return message;
}

describe("fs.edit finds", () => {
  it.each([
    ["the very text, also inside a line", "let a = 1;\n", edit("a = 1", "b = 2"), "let b = 2;\n", "exact"],
    [
      "text over Windows line breaks",
      "a\r\nb\r\nc\r\n",
      edit("a\nb", "x\ny\nz"),
      "x\r\ny\r\nz\r\nc\r\n",
      "exact",
    ],
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
      "text that is deeper in the edit than in the file",
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
      "caf\u00e9 un\ndeux\n",
      edit("cafe\u0301 un", "bar"),
      "bar\ndeux\n",
      "unicode",
    ],
  ])("%s", async (_, content, input, expected, rung) => {
    const gate = await editingGate({ "a.txt": content });
    const outcome = await gate.call("fs.edit", input);
    expect(outcome).toMatchObject({ ok: true, value: { edits: [{ match: rung }] } });
    expect(gate.read("a.txt")).toBe(expected);
  });

  it("one misremembered line of context, keeps it as it is, and says so", async () => {
    const lines = [
      "function total(items) {",
      "  let sum = 0;",
      "  // adds up the prices of all items",
      "  for (const item of items) sum += item.price;",
      "  return sum;",
      "}",
    ];
    const gate = await editingGate({ "a.txt": `${lines.join("\n")}\n` });
    const wrong = lines.map((line, index) => (index === 2 ? "  // adds up the prices of every item" : line));
    const text = await gate.text(
      "fs.edit",
      edit(wrong.join("\n"), wrong.join("\n").replace("return sum;", "return round(sum);")),
    );
    expect(gate.read("a.txt")).toBe(`${lines.join("\n").replace("return sum;", "return round(sum);")}\n`);
    expect(text).toContain("Not an exact match at line 1 (only similar text was found): check the diff.");
  });

  it("nothing by similarity when the line that changes is not right, or a second place is as near", async () => {
    const block = (name: string) =>
      `start ${name}\n  load the settings of ${name}\n  check the settings of ${name}\n  save them all\nstop\n`;
    const sought = block("alpha").replace("save them all", "store everything on the disk");
    expect(
      await refused(block("alpha"), edit(sought, sought.replace("store everything on the disk", "x"))),
    ).toMatch(/not found/);
    const settings = "server:\n  host: localhost\n  port: 8080\n  timeout: 60\n  retries: 3\n";
    const old = settings.replace("timeout: 60", "timeout: 30");
    expect(await refused(settings, edit(old, old.replace("timeout: 30", "timeout: 45")))).toMatch(
      /Line 4 of the file is ` {2}timeout: 60`, old_string has ` {2}timeout: 30`/,
    );
    const twice = `${block("alphb")}${block("alphc")}`;
    expect(await refused(twice, edit(block("alpha"), block("alpha").replace("save", "keep")))).toMatch(
      /nearest/,
    );
  });
});

describe("fs.edit keeps", () => {
  it.each([
    ["the byte order mark", "\ufeffa\nb\n", edit("a", "x"), "\ufeffx\nb\n"],
    ["a missing line break at the end", "a\nb", edit("b", "x"), "a\nx"],
    [
      "a missing line break at the end when the last line is matched with one",
      "a\n  b",
      edit("a\nb\n", "a\nb\nc\n"),
      "a\n  b\n  c",
    ],
    [
      "mixed line breaks, each line its own",
      "a\r\nb\nc\r\nd\n",
      edit("b\nc", "b\nx\nc"),
      "a\r\nb\nx\nc\r\nd\n",
    ],
    [
      "the breaks of the place for changed lines in a mixed file",
      "a\nb\nc\r\nd\r\n",
      edit("c\nd", "C\nD\nE"),
      "a\nb\nC\r\nD\r\nE\r\n",
    ],
    [
      "the breaks of a file of carriage returns when the last one goes and lines come",
      "a\r",
      {
        path: "a.txt",
        edits: [
          { old_string: "a\n", new_string: "b" },
          { old_string: "b", new_string: "c\nd" },
        ],
      },
      "c\rd",
    ],
    [
      "a carriage return in a line when the last line feed goes",
      "a\rb\n",
      {
        path: "a.txt",
        edits: [
          { old_string: "b\n", new_string: "b" },
          { old_string: "a\rb", new_string: "c\nd" },
        ],
      },
      "c\nd",
    ],
    ["a carriage return that is no line break", "a\rb\nc\n", edit("c", "d"), "a\rb\nd\n"],
    ["tabs", "\ta\n\tb\n", edit("\ta", "\tx"), "\tx\n\tb\n"],
    ["characters beyond the basic plane", "😀 a 😀\n", edit("a", "😁"), "😀 😁 😀\n"],
  ])("%s", async (_, content, input, expected) => {
    expect(await edited(content, input)).toBe(expected);
  });

  it("bytes that are no UTF-8", async () => {
    const gate = await editingGate({ "a.txt": Buffer.from([0xff, 0x0a, 0x61, 0x0a, 0xc3, 0x28]) });
    await gate.text("fs.edit", edit("a", "b"));
    expect(
      await gate.gate.dispatch({ tool: "fs.edit", input: edit("b", "ü"), cwd: gate.root }),
    ).toMatchObject({ ok: true });
    const bytes = Buffer.from([0xff, 0x0a, 0xc3, 0xbc, 0x0a, 0xc3, 0x28]);
    expect((await import("node:fs")).readFileSync(join(gate.root, "a.txt")).equals(bytes)).toBe(true);
  });

  it("the mode of the file, and leaves nothing else behind", async () => {
    const gate = await editingGate({ "a.txt": "a\n" });
    chmodSync(join(gate.root, "a.txt"), 0o751);
    await gate.text("fs.edit", edit("a", "b"));
    expect(statSync(join(gate.root, "a.txt")).mode & 0o777).toBe(0o751);
    expect((await import("node:fs")).readdirSync(gate.root)).toEqual(["a.txt"]);
  });

  it("a link, and writes the file that it leads to", async () => {
    const gate = await editingGate({ "real.txt": "a\n" });
    symlinkSync("real.txt", join(gate.root, "a.txt"));
    await gate.text("fs.edit", edit("a", "b"));
    expect(gate.read("real.txt")).toBe("b\n");
  });
});

describe("fs.edit", () => {
  it("takes $& and its like in the new text literally", async () => {
    expect(await edited("a\n", edit("a", "$& $1 $$ $`"))).toBe("$& $1 $$ $`\n");
  });

  it("replaces every place with replace_all, and exactly as many as expected", async () => {
    expect(await edited("a b a\na\n", edit("a", "x", { replace_all: true }))).toBe("x b x\nx\n");
    expect(await edited("aaa\n", edit("aa", "b", { replace_all: true }))).toBe("ba\n");
    expect(await edited("a a\n", edit("a", "b", { expected_replacements: 2 }))).toBe("b b\n");
    expect(await refused("a a\n", edit("a", "b", { expected_replacements: 3 }))).toMatch(
      /2 places, but 3 were expected/,
    );
  });

  it("says how many places it changed, and when it changed a part of a line", async () => {
    const said = async (content: string, input: object) => {
      const gate = await editingGate({ "a.txt": content });
      return (await gate.text("fs.edit", input)).split("\n")[0];
    };
    expect(await said("  a = 1\n", edit("a = 1", "b"))).toBe("Changed a.txt (+1 -1).");
    expect(await said("b\na = 10\n", edit("a = 1", "b"))).toBe(
      "Changed a.txt (+1 -1). 1 place, inside line 2.",
    );
    expect(await said("a\nb\na\n", edit("a", "c", { replace_all: true }))).toBe(
      "Changed a.txt (+2 -2). 2 places.",
    );
  });

  it("applies several edits one after the other, all or none", async () => {
    const two = (second: string) => ({
      path: "a.txt",
      edits: [
        { old_string: "a", new_string: "b" },
        { old_string: second, new_string: "d" },
      ],
    });
    expect(await edited("a\nc\n", two("b\nc"))).toBe("d\n");
    expect(await refused("a\nc\n", two("nothing"))).toMatch(/Edit 2 of 2: old_string was not found/);
  });

  it("makes a new file, or fills an empty one, with an empty old_string, and only then", async () => {
    expect(await edited("", edit("", "new\n"))).toBe("new\n");
    expect(await edited("\ufeff", edit("", "new\n"))).toBe("\ufeffnew\n");
    expect(await refused("a\n", edit("", "new\n"))).toMatch(/only for a file that is empty or new/);
    const gate = await editingGate();
    const text = await gate.text("fs.edit", { path: "x/y/z.txt", old_string: "", new_string: "new\n" });
    expect(gate.read("x/y/z.txt")).toBe("new\n");
    expect(text).toContain("Created x/y/z.txt (+1 -0).");
  });

  it("answers with a short diff, and the same as data", async () => {
    const gate = await editingGate({ "src/a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" });
    const outcome = await gate.call("fs.edit", { path: "src/a.txt", old_string: "5", new_string: "five" });
    expect(outcome).toMatchObject({
      ok: true,
      value: {
        path: "src/a.txt",
        created: false,
        changed: true,
        added: 1,
        removed: 1,
        sha256: hashOf(Buffer.from("1\n2\n3\n4\nfive\n6\n7\n8\n9\n")),
        diff: "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8",
      },
    });
  });
});

describe("fs.edit refuses", () => {
  it("a text that stands in several places, and names them", async () => {
    const message = await refused("if (a) {\n  go();\n}\nif (b) {\n  go();\n}\n", edit("go();", "stop();"));
    expect(message).toBe(
      '"a.txt": old_string stands in 2 places:\n- line 2: `go();`, after `if (a) {`\n- line 5: `go();`, after `if (b) {`\nAdd lines before or after it until only one place fits, or say replace_all.',
    );
    expect(await refused("  a\n\ta\n", edit("a \n", "b\n"))).toMatch(
      /2 places when white space around lines is ignored/,
    );
    expect(await refused("aaa\n", edit("aa", "b"))).toMatch(/2 places/);
  });

  it("a text that stands in several places of one list, and says what an edit of a list takes", async () => {
    const edits = [{ old_string: "a", new_string: "b" }];
    expect(await refused("a\na\n", { path: "a.txt", edits })).toMatch(/start_line, or say replace_all\.$/);
    const diff = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE";
    expect(await refused("a\na\n", { path: "a.txt", diff })).toMatch(/old_string \(the SEARCH part\) stands/);
    expect(await refused("a = 10\n", { path: "a.txt", diff: diff.replace("\na\n", "\na = 1\n") })).toMatch(
      /was not found: it stands for whole lines/,
    );
  });

  it("a text that is not there, and names the nearest place and what differs", async () => {
    const content = "function add(a, b) {\n  return a + b;\n}\n\nfunction sub(a, b) {\n  return a - b;\n}\n";
    expect(await refused(content, edit("function sub(a, b) {\n  return b - a;\n}", "x"))).toBe(
      '"a.txt": old_string was not found. Lines 5 to 7 are nearest (94 % alike). Line 6 of the file is `  return a - b;`, old_string has `  return b - a;`. Repeat the lines of the file exactly.',
    );
    expect(await refused("a\n", edit("entirely different", "x"))).toMatch(/nothing in the file is like it/);
    expect(await refused("", edit("a", "b"))).toMatch(/the file is empty/);
  });

  it("an edit that changes nothing", async () => {
    expect(await refused("a\n", edit("a", "a"))).toMatch(/are the same/);
    expect(await refused("a\r\nb\r\n", edit("a\nb", "a\r\nb"))).toMatch(/are the same/);
    expect(await refused("“a”\n", edit('"b"', '"b"'))).toMatch(/are the same/);
    expect(
      await refused("a\n", {
        path: "a.txt",
        edits: [
          { old_string: "a", new_string: "b" },
          { old_string: "b", new_string: "a" },
        ],
      }),
    ).toMatch(/leave the file as it is/);
  });

  it("a match that is much larger than the text it was given", async () => {
    const blanks = " ".repeat(500);
    expect(await refused(`a${blanks}\nb${blanks}\n`, edit("a\nb\n", "c\n"))).toMatch(
      /much larger than old_string/,
    );
  });

  it("half a surrogate pair, NUL bytes and UTF-16", async () => {
    expect(await refused("😀\n", edit("\ud83d", "x"))).toMatch(/half a surrogate pair/);
    expect(await refused("a\n", edit("a", "\ude00"))).toMatch(/half a surrogate pair/);
    expect(await refused("a\0b\n", edit("a", "x"))).toMatch(/not a text file/);
    const gate = await editingGate({ "a.txt": Buffer.from("\ufeffab", "utf16le") });
    expect(await gate.refusal("fs.edit", edit("a", "x"))).toMatch(/UTF-16/);
  });

  it("a file of 50 MB, politely", async () => {
    const gate = await editingGate({ "a.txt": Buffer.alloc(50 * 1024 * 1024, "a") });
    expect(await gate.refusal("fs.edit", edit("b", "c"))).toBe(
      '"a.txt" is larger than 10 MB; files of that size are not edited here. Use a command such as sed, or work on a smaller file.',
    );
  });

  it("what is no regular file of the workspace", async () => {
    const gate = await editingGate({ "folder/x": "a", "a.txt": "a\n" });
    writeFileSync(join(gate.outside, "secret.txt"), "a\n");
    symlinkSync(join(gate.outside, "secret.txt"), join(gate.root, "out.txt"));
    linkSync(join(gate.root, "a.txt"), join(gate.outside, "second.txt"));
    expect(await gate.refusal("fs.edit", { ...edit("a", "b"), path: "folder" })).toMatch(/is a directory/);
    expect(await gate.refusal("fs.edit", { ...edit("a", "b"), path: "none.txt" })).toMatch(/does not exist/);
    expect(await gate.refusal("fs.edit", edit("a", "b"))).toMatch(/hard link/);
    for (const path of ["out.txt", "../outside/secret.txt", join(gate.outside, "secret.txt")])
      expect(await gate.call("fs.edit", { ...edit("a", "b"), path })).toMatchObject({
        ok: false,
        error: { code: "no_approver", rule: { name: "outside-workspace" } },
      });
  });

  it("input that does not fit", async () => {
    const gate = await editingGate({ "a.txt": "a\n" });
    for (const input of [
      {},
      { path: "a.txt" },
      { path: "a.txt", old_string: "a" },
      { path: "a.txt", new_string: "a" },
      edit("a", "b", { edits: [{ old_string: "a", new_string: "b" }] }),
      { path: "a.txt", edits: [] },
      { path: "a.txt", edits: [{ old_string: "a" }] },
      { path: "a.txt", edits: "no list" },
      { path: "a.txt", edits: [{ old_string: "a", oldString: "b", new_string: "c" }] },
      { path: "a.txt", replace_all: true, edits: [{ old_string: "a", new_string: "b" }] },
      edit("a", "b", { file_path: "other.txt" }),
      edit("a", "b", { expected_sha256: "abc" }),
      edit("a", "b", { unknown: 1 }),
      { path: "a.txt", diff: "nothing" },
    ])
      expect(await gate.call("fs.edit", input)).toMatchObject({
        ok: false,
        error: { code: "invalid_input" },
      });
    expect(gate.read("a.txt")).toBe("a\n");
  });

  it("a file that changed since it was read", async () => {
    const seen = createSeenFiles();
    const gate = await editingGate({ "a.txt": "a\n" }, { ports: { seen } });
    expect(
      await gate.refusal("fs.edit", edit("a", "b", { expected_sha256: hashOf(Buffer.from("x")) })),
    ).toMatch(/changed since it was read/);
    const session = { sessionId: "s" };
    seen.note(sessionKey("local", "s"), join(gate.root, "a.txt"), hashOf(Buffer.from("a\n")));
    expect(await gate.call("fs.edit", edit("a", "b"), session)).toMatchObject({ ok: true });
    expect(
      await gate.call("fs.edit", edit("b", "c", { expectedSha256: hashOf(Buffer.from("b\n")) }), session),
    ).toMatchObject({ ok: true });
    gate.write("a.txt", "somebody else: c\n");
    expect(await gate.refusal("fs.edit", edit("c", "d"), session)).toMatch(
      /changed since this session read it/,
    );
    expect(await gate.call("fs.edit", edit("else: c", "d"), { sessionId: "another" })).toMatchObject({
      ok: true,
    });
  });

  it("a file that changed since its caller read it, though another read it again in a session of the same name", async () => {
    const seen = createSeenFiles();
    const gate = await editingGate({ "a.txt": "a\n" }, { ports: { seen } });
    gate.gate.tools.register(createRead({ seen }));
    const of = (id: string) => ({ sessionId: "s", caller: { id, capabilities: ["*"] } });
    await gate.call("fs.read", { path: "a.txt" }, of("bob"));
    gate.write("a.txt", "somebody else: a\n");
    await gate.call("fs.read", { path: "a.txt" }, of("eve"));
    expect(await gate.refusal("fs.edit", edit("a", "b"), of("bob"))).toMatch(
      /changed since this session read it/,
    );
    expect(await gate.call("fs.edit", edit("else: a", "b"), of("eve"))).toMatchObject({ ok: true });
  });

  it("a file that was not read, where that is asked for", async () => {
    const gate = await editingGate(
      { "a.txt": "a\n" },
      { ports: { seen: createSeenFiles(), readFirst: true } },
    );
    expect(await gate.refusal("fs.edit", edit("a", "b"), { sessionId: "s" })).toMatch(
      /was not read in this session/,
    );
  });
});
