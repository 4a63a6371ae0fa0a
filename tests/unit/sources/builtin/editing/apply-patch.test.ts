import { chmodSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionKey } from "../../../../../src/core/call/session-key.ts";
import { createSeenFiles } from "../../../../../src/sources/builtin/editing/seen-files.ts";
import { editingGate } from "./editing-gate.ts";

const begin = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const update = (...lines: string[]) => begin("*** Update File: a.txt", ...lines);
const unified = (...lines: string[]) => ["--- a/a.txt", "+++ b/a.txt", ...lines].join("\n");

async function applied(content: string, patch: string): Promise<string> {
  const gate = await editingGate({ "a.txt": content });
  await gate.text("fs.apply_patch", { patch });
  return gate.read("a.txt");
}

async function refused(content: string, patch: string): Promise<string> {
  const gate = await editingGate({ "a.txt": content });
  const message = await gate.refusal("fs.apply_patch", { patch });
  expect([gate.read("a.txt"), readdirSync(gate.root)]).toEqual([content, ["a.txt"]]);
  return message;
}

describe("fs.apply_patch with Begin Patch", () => {
  it.each([
    ["changes lines", "a\nb\nc\n", update("@@", " a", "-b", "+x", " c"), "a\nx\nc\n"],
    [
      "applies a change that ends in a blank line past the end of the file",
      "x\na\nb\n",
      update("@@", " a", "-b", "+c", " "),
      "x\na\nc\n",
    ],
    [
      "takes a blank line past the end of the file for the end, though the lines stand elsewhere too",
      "b\na\nb\n\n",
      update("@@", "-b", "+c", " ", " ", "  "),
      "b\na\nc\n\n",
    ],
    ["changes a file of carriage returns", "a\rb\rc\r", update("@@", " a", "-b", "+x", "+y"), "a\rx\ry\rc\r"],
    ["adds lines to a file of carriage returns", "a\rb", update("@@ a", "+x"), "a\rx\rb"],
    ["needs no @@", "a\nb\n", update("-a", "+x"), "x\nb\n"],
    [
      "goes below a line named after @@",
      "def f():\n  x\ndef g():\n  x\n",
      update("@@ def g():", "-  x", "+  y"),
      "def f():\n  x\ndef g():\n  y\n",
    ],
    [
      "goes below several named lines",
      "class A\n f\n  x\nclass B\n f\n  x\n",
      update("@@ class B", "@@  f", "-  x", "+  y"),
      "class A\n f\n  x\nclass B\n f\n  y\n",
    ],
    [
      "knows a named line by its beginning, if only one begins so",
      "class A(B):\n  x\n",
      update("@@ class A", "-  x", "+  y"),
      "class A(B):\n  y\n",
    ],
    [
      "applies changes from top to bottom",
      "a\nx\nb\nx\n",
      update("@@", " a", "-x", "+1", "@@", " b", "-x", "+2"),
      "a\n1\nb\n2\n",
    ],
    ["adds lines at the end without old ones", "a\n", update("@@", "+b"), "a\nb\n"],
    ["adds lines below a named line", "a\nb\n", update("@@ a", "+x"), "a\nx\nb\n"],
    [
      "takes the last place for End of File",
      "x\na\nx\n",
      update("@@", "-x", "+y", "*** End of File"),
      "x\na\ny\n",
    ],
    ["keeps a missing break at the end", "a\nb", update("-b", "+c", "+d"), "a\nc\nd"],
    ["keeps a missing break at the end when lines are added there", "a", update("@@", "+b"), "a\nb"],
    ["keeps Windows line breaks", "a\r\nb\r\n", update("-a", "+x", "+y", " b"), "x\r\ny\r\nb\r\n"],
    [
      "forgives white space at line ends and indentation",
      "  a \n  b\n",
      update(" a", "-b", "+c"),
      "  a \n  c\n",
    ],
    [
      "takes a blank line without its space for a blank line",
      "a\n\nb\n",
      update(" a", "", "-b", "+c"),
      "a\n\nc\n",
    ],
    [
      "takes removed and added lines that look like headers for lines",
      "-- x\n",
      update("--- x", "+-- y"),
      "-- y\n",
    ],
    ["takes numbers after @@ as a hint", "x\nx\nx\n", update("@@ -2,1 +2,1 @@", "-x", "+y"), "x\ny\nx\n"],
    [
      "takes a patch inside of a shell's here-document and fences",
      "a\n",
      `apply_patch <<'EOF'\n${update("-a", "+b")}\nEOF\n`,
      "b\n",
    ],
    [
      "takes a file twice",
      "a\nb\n",
      begin("*** Update File: a.txt", "-a", "+1", "*** Update File: a.txt", "-b", "+2"),
      "1\n2\n",
    ],
  ])("%s", async (_, content, patch, expected) => {
    expect(await applied(content, patch)).toBe(expected);
  });

  it("adds, moves, deletes and changes files in one go", async () => {
    const gate = await editingGate({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "run.sh": "go\n" });
    chmodSync(join(gate.root, "run.sh"), 0o755);
    const text = await gate.text("apply_patch", {
      input: begin(
        "*** Add File: new/deep/d.txt",
        "+one",
        "+",
        "+two",
        "*** Update File: a.txt",
        "*** Move to: moved/a.txt",
        "-a",
        "+A",
        "*** Delete File: b.txt",
        "*** Update File: run.sh",
        "*** Move to: bin/run.sh",
        "*** Update File: c.txt",
        "-c",
        "+C",
      ),
    });
    expect(["a.txt", "b.txt", "run.sh"].map(gate.exists)).toEqual([false, false, false]);
    expect(["new/deep/d.txt", "moved/a.txt", "c.txt", "bin/run.sh"].map(gate.read)).toEqual([
      "one\n\ntwo\n",
      "A\n",
      "C\n",
      "go\n",
    ]);
    expect(statSync(join(gate.root, "bin/run.sh")).mode & 0o777).toBe(0o755);
    expect(text).toContain("Deleted b.txt (+0 -1).");
    expect(text).toContain("--- /dev/null\n+++ b/new/deep/d.txt\n@@ -0,0 +1,3 @@\n+one\n+\n+two");
    expect(readdirSync(join(gate.stateFolder, "journals"))).toEqual([]);
  });

  it("replaces a file that it deletes and adds again", async () => {
    expect(await applied("a\n", begin("*** Delete File: a.txt", "*** Add File: a.txt", "+b"))).toBe("b\n");
  });

  it.each([
    [
      "without End Patch",
      "*** Begin Patch\n*** Update File: a.txt\n-a\n+b",
      /no line "\*\*\* End Patch"; was it cut off\?/,
    ],
    ["without a file", begin(), /names no file/],
    ["without changes", update(), /has no lines to change/],
    [
      "with a line that is nothing",
      update("-a", "what"),
      /Line 4 of the patch: "what" must begin with a space, \+ or -/,
    ],
    [
      "with text around it",
      `Here you go:\n${update("-a", "+b")}`,
      /"Here you go:" stands outside of the patch/,
    ],
    [
      "that is a unified diff inside",
      begin("--- a/a.txt", "+++ b/a.txt"),
      /A unified diff is also taken, but without/,
    ],
    [
      "that forgets Begin Patch",
      "*** Update File: a.txt\n-a\n+b",
      /must begin with a line "\*\*\* Begin Patch"/,
    ],
    ["that is none", "hello", /This is not a patch/],
  ])("refuses a patch %s", async (_, patch, message) => {
    const gate = await editingGate({ "a.txt": "a\n" });
    const outcome = await gate.call("fs.apply_patch", { patch });
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: "invalid_input", message: expect.stringMatching(message) },
    });
  });

  it("refuses a change whose blank end is in the middle of the file", async () => {
    expect(await refused("a\nb\nc\n", update("@@", " a", "-b", "+x", " "))).toMatch(/was not found/);
  });

  it("refuses what does not fit, names the place, and changes no file", async () => {
    expect(await refused("a\nx\na\n", update("-a", "+b"))).toMatch(
      /stands in 2 places:\n- line 1.*\n- line 3.*\nAdd lines around it, or name a line above it after @@/s,
    );
    expect(await refused("one line here\n", update("-one line there", "+x"))).toMatch(
      /the old text was not found. Line 1 is nearest/,
    );
    expect(await refused("a\nb\n", update("@@", "-b", "+2", "@@", "-a", "+1"))).toMatch(
      /Change 2 of 2: .*stands at line 1, above/,
    );
    expect(await refused("a\n", update("@@ nowhere", "-a", "+b"))).toMatch(/which the patch names after @@/);
    expect(await refused("a\n", update(" a", "-b", "+b"))).toMatch(/not found/);
    expect(await refused("a\n", update("-a", "+a"))).toMatch(/leaves every file as it is/);
    expect(await refused("a\n", begin("*** Add File: a.txt", "+b"))).toMatch(/exists already/);
    expect(
      await refused(
        "a\n",
        begin("*** Update File: a.txt", "-a", "+b", "*** Update File: none.txt", "-a", "+b"),
      ),
    ).toMatch(/"none.txt" does not exist.*No file was changed/s);
    expect(
      await refused("a\n", begin("*** Delete File: a.txt", "*** Update File: a.txt", "-a", "+b")),
    ).toMatch(/is removed earlier/);
    expect(await refused("a\n", begin("*** Add File: a.txt/b", "+b"))).toMatch(/nobody can tell where/);
    expect(await refused("a\n", begin("*** Add File: new/", "+b"))).toMatch(
      /not the name of a file|No file was changed/,
    );
  });

  it("refuses to delete or move a link, or to add a file under one that leads nowhere", async () => {
    const gate = await editingGate({ "a.txt": "a\n" });
    symlinkSync("a.txt", join(gate.root, "link.txt"));
    symlinkSync("nowhere.txt", join(gate.root, "broken.txt"));
    expect(await gate.refusal("apply_patch", { patch: begin("*** Delete File: link.txt") })).toMatch(
      /is a link/,
    );
    expect(
      await gate.refusal("apply_patch", { patch: begin("*** Update File: link.txt", "*** Move to: b.txt") }),
    ).toMatch(/is a link/);
    expect(await gate.refusal("apply_patch", { patch: begin("*** Add File: broken.txt", "+x") })).toMatch(
      /exists already/,
    );
    expect(readdirSync(gate.root).sort()).toEqual(["a.txt", "broken.txt", "link.txt"]);
    await gate.text("apply_patch", { patch: begin("*** Update File: link.txt", "-a", "+b") });
    expect(gate.read("a.txt")).toBe("b\n");
  });

  it("refuses a file that changed since the session read it", async () => {
    const seen = createSeenFiles();
    const gate = await editingGate({ "a.txt": "a\n" }, { ports: { seen } });
    seen.note(sessionKey("local", "s"), join(gate.root, "a.txt"), "0".repeat(64));
    expect(await gate.refusal("apply_patch", { patch: update("-a", "+b") }, { sessionId: "s" })).toMatch(
      /changed since this session read it/,
    );
  });
});

describe("fs.apply_patch with a unified diff", () => {
  it.each([
    ["changes lines", "a\nb\nc\n", unified("@@ -1,3 +1,3 @@", " a", "-b", "+x", " c"), "a\nx\nc\n"],
    [
      "chooses between equal places by the line number",
      "x\n1\nx\n2\nx\n",
      unified("@@ -3 +3 @@", "-x", "+y"),
      "x\n1\ny\n2\nx\n",
    ],
    [
      "applies a hunk that ends in a blank line past the end of the file",
      "a\nb\nc\n",
      unified("@@ -2,3 +2,3 @@", " b", "-c", "+d", " "),
      "a\nb\nd\n",
    ],
    [
      "applies such a hunk to a file without a break at its end",
      "a\nb",
      unified("@@ -1,3 +1,3 @@", " a", "-b", "+c", " ", ""),
      "a\nc",
    ],
    [
      "changes a file of carriage returns by a diff that sees one line in it",
      "a\rb\r",
      unified(
        "@@ -1 +1 @@",
        "-a\rb\r",
        "\\ No newline at end of file",
        "+a\rc\r",
        "\\ No newline at end of file",
      ),
      "a\rc\r",
    ],
    ["takes wrong counts", "a\nb\n", unified("@@ -1,9 +1,7 @@ f()", " a", "-b", "+c"), "a\nc\n"],
    ["takes a hunk header without numbers", "a\nb\n", unified("@@ @@", " a", "-b", "+c"), "a\nc\n"],
    ["adds lines where it says", "a\nb\n", unified("@@ -1,0 +2 @@", "+x"), "a\nx\nb\n"],
    [
      "takes the break at the end away",
      "a\n",
      unified("@@ -1 +1 @@", "-a", "+b", "\\ No newline at end of file"),
      "b",
    ],
    [
      "adds a break at the end",
      "a",
      unified("@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+b"),
      "b\n",
    ],
    [
      "keeps the end as it is where both have none",
      "a",
      unified("@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+b", "\\ No newline at end of file"),
      "b",
    ],
    [
      "takes removed SQL comments for lines",
      "-- x\n++ y\n",
      unified("@@ -1,2 +1,1 @@", "--- x", " ++ y"),
      "++ y\n",
    ],
    [
      "takes a mail around it",
      "a\n",
      `From: x\nSubject: y\n\n---\n a.txt | 2 +-\n\ndiff --git a/a.txt b/a.txt\nindex 1..2 100644\n${unified("@@ -1 +1 @@", "-a", "+b")}\n-- \n2.39.0\n`,
      "b\n",
    ],
  ])("%s", async (_, content, patch, expected) => {
    expect(await applied(content, patch)).toBe(expected);
  });

  it("adds, renames, copies and deletes as git writes it", async () => {
    const gate = await editingGate({
      "old.txt": "a\nb\n",
      "gone.txt": "x\n",
      "empty.txt": "",
      "src.txt": "s\n",
    });
    const patch = [
      "diff --git a/new.sh b/new.sh\nnew file mode 100755\nindex 0000000..1\n--- /dev/null\n+++ b/new.sh\n@@ -0,0 +1,2 @@\n+#!/bin/sh\n+true",
      "diff --git a/old.txt b/my new.txt\nsimilarity index 50%\nrename from old.txt\nrename to my new.txt\n--- a/old.txt\n+++ b/my new.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c",
      "diff --git a/gone.txt b/gone.txt\ndeleted file mode 100644\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x",
      "diff --git a/empty.txt b/empty.txt\ndeleted file mode 100644\nindex e69de29..0000000",
      "diff --git a/also empty b/also empty\nnew file mode 100644\nindex 0000000..e69de29",
      "diff --git a/src.txt b/copy.txt\nsimilarity index 100%\ncopy from src.txt\ncopy to copy.txt",
    ].join("\n");
    await gate.text("patch", { patch });
    expect(readdirSync(gate.root).sort()).toEqual([
      "also empty",
      "copy.txt",
      "my new.txt",
      "new.sh",
      "src.txt",
    ]);
    expect([gate.read("my new.txt"), gate.read("new.sh"), gate.read("copy.txt")]).toEqual([
      "a\nc\n",
      "#!/bin/sh\ntrue\n",
      "s\n",
    ]);
    expect(statSync(join(gate.root, "new.sh")).mode & 0o111).toBe(0o111);
  });

  it("says that it does not change modes, and does the rest", async () => {
    const gate = await editingGate({ "a.txt": "a\n", "b.txt": "b\n" });
    const patch = `diff --git a/b.txt b/b.txt\nold mode 100644\nnew mode 100755\ndiff --git a/a.txt b/a.txt\n${unified("@@ -1 +1 @@", "-a", "+b")}`;
    expect(await gate.text("apply_patch", { patch })).toContain("The file mode of b.txt was not changed");
    expect(gate.read("a.txt")).toBe("b\n");
  });

  it.each([
    ["a binary patch", "diff --git a/a.txt b/a.txt\nGIT binary patch\nliteral 0", /binary file/],
    [
      "a new link",
      "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd",
      /makes a link or a submodule/,
    ],
    ["two names without a rename", "--- one.txt\n+++ two.txt\n@@ -1 +1 @@\n-a\n+b", /names two files/],
    ["a hunk that changes nothing", unified("@@ -1 +1 @@", " a"), /changes nothing/],
    ["no hunks", "diff --git a/a.txt b/a.txt\nindex 1..2", /no lines to change/],
    [
      "only a new mode",
      "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755",
      /mode of a.txt was not changed/,
    ],
  ])("refuses %s", async (_, patch, message) => {
    const gate = await editingGate({ "a.txt": "a\n" });
    const outcome = await gate.call("apply_patch", { patch });
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: "invalid_input", message: expect.stringMatching(message) },
    });
  });

  it("refuses to delete a file that holds something else", async () => {
    const patch = "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-other";
    expect(await refused("a\n", patch)).toMatch(/does not hold what the patch removes/);
  });
});
