import { chmodSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { words } from "../../../../words.ts";
import { editingGate, makes, refuses } from "./editing-gate.ts";

/** Patches by their lines, with "|" for a line break. */
const begin = (lines: string) => `*** Begin Patch${lines && `|${lines}`}|*** End Patch`.replaceAll("|", "\n");
const update = (lines: string) => begin(`*** Update File: a.txt${lines && `|${lines}`}`);
const unified = (lines: string) => `--- a/a.txt|+++ b/a.txt|${lines}`.replaceAll("|", "\n");
const noBreak = "\\ No newline at end of file";
const applied = (content: string, patch: string) => makes(content, "fs.apply_patch", { patch });
const refused = (content: string, patch: string) => refuses(content, "fs.apply_patch", { patch });

describe("fs.apply_patch with Begin Patch", () => {
  const twoClasses = "class A\n f\n  x\nclass B\n f\n  ";
  it.for([
    ["changes lines", "a\nb\nc\n", update("@@| a|-b|+x| c"), "a\nx\nc\n"],
    ["takes a blank line past the end for the end", "x\na\nb\n", update("@@| a|-b|+c| "), "x\na\nc\n"],
    ["takes it so though the lines stand twice", "b\na\nb\n\n", update("@@|-b|+c| | |  "), "b\na\nc\n\n"],
    ["changes a file of carriage returns", "a\rb\rc\r", update("@@| a|-b|+x|+y"), "a\rx\ry\rc\r"],
    ["adds lines to a file of carriage returns", "a\rb", update("@@ a|+x"), "a\rx\rb"],
    ["needs no @@", "a\nb\n", update("-a|+x"), "x\nb\n"],
    [
      "goes below a line named after @@",
      "f:\n  x\ng:\n  x\n",
      update("@@ g:|-  x|+  y"),
      "f:\n  x\ng:\n  y\n",
    ],
    ["goes below several", `${twoClasses}x\n`, update("@@ class B|@@  f|-  x|+  y"), `${twoClasses}y\n`],
    [
      "knows a line by its only beginning",
      "class A(B):\n  x\n",
      update("@@ class A|-  x|+  y"),
      "class A(B):\n  y\n",
    ],
    ["applies changes from top to bottom", "a\nx\nb\nx\n", update("@@| a|-x|+1|@@| b|-x|+2"), "a\n1\nb\n2\n"],
    ["adds lines at the end without old ones", "a\n", update("@@|+b"), "a\nb\n"],
    ["adds lines below a named line", "a\nb\n", update("@@ a|+x"), "a\nx\nb\n"],
    ["takes the last place for End of File", "x\na\nx\n", update("@@|-x|+y|*** End of File"), "x\na\ny\n"],
    ["keeps a missing break at the end", "a\nb", update("-b|+c|+d"), "a\nc\nd"],
    ["keeps it missing when lines are added there", "a", update("@@|+b"), "a\nb"],
    ["keeps Windows line breaks", "a\r\nb\r\n", update("-a|+x|+y| b"), "x\r\ny\r\nb\r\n"],
    ["forgives white space around lines", "  a \n  b\n", update(" a|-b|+c"), "  a \n  c\n"],
    ["takes a blank line without its space for one", "a\n\nb\n", update(" a||-b|+c"), "a\n\nc\n"],
    ["takes lines that look like headers for lines", "-- x\n", update("--- x|+-- y"), "-- y\n"],
    ["takes numbers after @@ as a hint", "x\nx\nx\n", update("@@ -2,1 +2,1 @@|-x|+y"), "x\ny\nx\n"],
    ["takes a here-document", "a\n", `apply_patch <<'EOF'\n${update("-a|+b")}\nEOF\n`, "b\n"],
    ["takes a file twice", "a\nb\n", update("-a|+1|*** Update File: a.txt|-b|+2"), "1\n2\n"],
    ["replaces a deleted file", "a\n", begin("*** Delete File: a.txt|*** Add File: a.txt|+b"), "b\n"],
  ] as const)("%s", async ([, content, patch, expected]) => {
    expect(await applied(content, patch)).toBe(expected);
  });

  it("adds, moves, deletes and changes files in one go", async () => {
    const gate = await editingGate({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "run.sh": "go\n" });
    chmodSync(join(gate.root, "run.sh"), 0o755);
    const sections = [
      "*** Add File: new/deep/d.txt|+one|+|+two",
      "*** Update File: a.txt|*** Move to: moved/a.txt|-a|+A",
      "*** Delete File: b.txt",
      "*** Update File: run.sh|*** Move to: bin/run.sh",
      "*** Update File: c.txt|-c|+C",
    ];
    const text = await gate.text("apply_patch", { input: begin(sections.join("|")) });
    expect(["a.txt", "b.txt", "run.sh"].map(gate.exists)).toEqual([false, false, false]);
    const made = words("new/deep/d.txt moved/a.txt c.txt bin/run.sh").map(gate.read);
    expect(made).toEqual(["one\n\ntwo\n", "A\n", "C\n", "go\n"]);
    expect(statSync(join(gate.root, "bin/run.sh")).mode & 0o777).toBe(0o755);
    expect(text).toContain("Deleted b.txt (+0 -1).");
    expect(text).toContain("--- /dev/null\n+++ b/new/deep/d.txt\n@@ -0,0 +1,3 @@\n+one\n+\n+two");
    expect(readdirSync(join(gate.stateFolder, "journals"))).toEqual([]);
  });

  const twoPlaces =
    /stands in 2 places:\n- line 1.*\n- line 3.*\nAdd lines around it, or name a line above it after @@/s;
  const noneTxt = "*** Update File: none.txt|-a|+b";
  it.for([
    ["a\nb\nc\n", update("@@| a|-b|+x| "), /was not found/],
    ["a\nx\na\n", update("-a|+b"), twoPlaces],
    ["one line here\n", update("-one line there|+x"), /the old text was not found. Line 1 is nearest/],
    ["a\nb\n", update("@@|-b|+2|@@|-a|+1"), /Change 2 of 2: .*stands at line 1, above/],
    ["a\n", update("@@ nowhere|-a|+b"), /which the patch names after @@/],
    ["a\n", update(" a|-b|+b"), /not found/],
    ["a\n", update("-a|+a"), /leaves every file as it is/],
    ["a\n", begin("*** Add File: a.txt|+b"), /exists already/],
    ["a\n", update(`-a|+b|${noneTxt}`), /"none.txt" does not exist.*No file was changed/s],
    ["a\n", begin("*** Delete File: a.txt|*** Update File: a.txt|-a|+b"), /is removed earlier/],
    ["a\n", begin("*** Add File: a.txt/b|+b"), /nobody can tell where/],
    ["a\n", begin("*** Add File: new/|+b"), /not the name of a file|No file was changed/],
    ["a\n", "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-other", /does not hold what the patch removes/],
  ] as const)("changes nothing of %j by %j, which does not fit", async ([content, patch, message]) => {
    expect(await refused(content, patch)).toMatch(message);
  });

  it("refuses to delete or move a link, or to add a file under one that leads nowhere", async () => {
    const { root, refusal, text, read } = await editingGate({ "a.txt": "a\n" });
    symlinkSync("a.txt", join(root, "link.txt"));
    symlinkSync("nowhere.txt", join(root, "broken.txt"));
    for (const [lines, message] of [
      ["*** Delete File: link.txt", /is a link/],
      ["*** Update File: link.txt|*** Move to: b.txt", /is a link/],
      ["*** Add File: broken.txt|+x", /exists already/],
    ] as const)
      expect(await refusal("apply_patch", { patch: begin(lines) })).toMatch(message);
    expect(readdirSync(root).sort()).toEqual(["a.txt", "broken.txt", "link.txt"]);
    await text("apply_patch", { patch: begin("*** Update File: link.txt|-a|+b") });
    expect(read("a.txt")).toBe("b\n");
  });
});

describe("fs.apply_patch with a unified diff", () => {
  const mail = "From: x\nSubject: y\n\n---\n a.txt | 2 +-\n\ndiff --git a/a.txt b/a.txt\nindex 1..2 100644\n";
  it.for([
    ["changes lines", "a\nb\nc\n", unified("@@ -1,3 +1,3 @@| a|-b|+x| c"), "a\nx\nc\n"],
    ["chooses a place by its number", "x\n1\nx\n2\nx\n", unified("@@ -3 +3 @@|-x|+y"), "x\n1\ny\n2\nx\n"],
    ["takes a blank line past the end", "a\nb\nc\n", unified("@@ -2,3 +2,3 @@| b|-c|+d| "), "a\nb\nd\n"],
    ["takes it without a break at the end", "a\nb", unified("@@ -1,3 +1,3 @@| a|-b|+c| |"), "a\nc"],
    [
      "changes a file of carriage returns by a diff that sees one line in it",
      "a\rb\r",
      unified(`@@ -1 +1 @@|-a\rb\r|${noBreak}|+a\rc\r|${noBreak}`),
      "a\rc\r",
    ],
    ["takes wrong counts", "a\nb\n", unified("@@ -1,9 +1,7 @@ f()| a|-b|+c"), "a\nc\n"],
    ["takes a hunk header without numbers", "a\nb\n", unified("@@ @@| a|-b|+c"), "a\nc\n"],
    ["adds lines where it says", "a\nb\n", unified("@@ -1,0 +2 @@|+x"), "a\nx\nb\n"],
    ["takes the break at the end away", "a\n", unified(`@@ -1 +1 @@|-a|+b|${noBreak}`), "b"],
    ["adds a break at the end", "a", unified(`@@ -1 +1 @@|-a|${noBreak}|+b`), "b\n"],
    ["keeps the end where both have none", "a", unified(`@@ -1 +1 @@|-a|${noBreak}|+b|${noBreak}`), "b"],
    ["takes SQL comments for lines", "-- x\n++ y\n", unified("@@ -1,2 +1,1 @@|--- x| ++ y"), "++ y\n"],
    ["takes a mail around it", "a\n", `${mail}${unified("@@ -1 +1 @@|-a|+b")}\n-- \n2.39.0\n`, "b\n"],
  ] as const)("%s", async ([, content, patch, expected]) => {
    expect(await applied(content, patch)).toBe(expected);
  });

  it("adds, renames, copies and deletes as git writes it", async () => {
    const files = { "old.txt": "a\nb\n", "gone.txt": "x\n", "empty.txt": "", "src.txt": "s\n" };
    const { text, root, read } = await editingGate(files);
    const git = (from: string, to: string, ...lines: string[]) =>
      [`diff --git a/${from} b/${to}`, ...lines].join("\n");
    const parts = [
      git("new.sh", "new.sh", "new file mode 100755\nindex 0000000..1", "--- /dev/null\n+++ b/new.sh"),
      "@@ -0,0 +1,2 @@\n+#!/bin/sh\n+true",
      git("old.txt", "my new.txt", "similarity index 50%\nrename from old.txt\nrename to my new.txt"),
      "--- a/old.txt\n+++ b/my new.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c",
      git("gone.txt", "gone.txt", "deleted file mode 100644", "--- a/gone.txt\n+++ /dev/null"),
      "@@ -1 +0,0 @@\n-x",
      git("empty.txt", "empty.txt", "deleted file mode 100644\nindex e69de29..0000000"),
      git("also empty", "also empty", "new file mode 100644\nindex 0000000..e69de29"),
      git("src.txt", "copy.txt", "similarity index 100%\ncopy from src.txt\ncopy to copy.txt"),
    ];
    await text("patch", { patch: parts.join("\n") });
    const left = ["also empty", "copy.txt", "my new.txt", "new.sh", "src.txt"];
    expect(readdirSync(root).sort()).toEqual(left);
    expect(left.slice(1, 4).map(read)).toEqual(["s\n", "a\nc\n", "#!/bin/sh\ntrue\n"]);
    expect(statSync(join(root, "new.sh")).mode & 0o111).toBe(0o111);
  });

  it("says that it does not change modes, and does the rest", async () => {
    const { text, read } = await editingGate({ "a.txt": "a\n", "b.txt": "b\n" });
    const mode = "diff --git a/b.txt b/b.txt\nold mode 100644\nnew mode 100755\ndiff --git a/a.txt b/a.txt\n";
    const patch = mode + unified("@@ -1 +1 @@|-a|+b");
    expect(await text("apply_patch", { patch })).toContain("The file mode of b.txt was not changed");
    expect(read("a.txt")).toBe("b\n");
  });
});

describe("fs.apply_patch refuses as input", () => {
  const git = "diff --git a/a.txt b/a.txt\n";
  const link =
    "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd";
  const outside = /"Here you go:" stands outside of the patch/;
  it.for([
    [
      "a patch without End Patch",
      update("-a|+b").slice(0, -14),
      /no line "\*\*\* End Patch"; was it cut off\?/,
    ],
    ["a patch without a file", begin(""), /names no file/],
    ["a patch without changes", update(""), /has no lines to change/],
    [
      "a line that is nothing",
      update("-a|what"),
      /Line 4 of the patch: "what" must begin with a space, \+ or -/,
    ],
    ["text around a patch", `Here you go:\n${update("-a|+b")}`, outside],
    ["a unified diff inside", begin("--- a/a.txt|+++ b/a.txt"), /A unified diff is also taken, but without/],
    ["no Begin Patch", "*** Update File: a.txt\n-a\n+b", /must begin with a line "\*\*\* Begin Patch"/],
    ["what is no patch", "hello", /This is not a patch/],
    ["a binary patch", `${git}GIT binary patch\nliteral 0`, /binary file/],
    ["a new link", link, /makes a link or a submodule/],
    ["two names without a rename", "--- one.txt\n+++ two.txt\n@@ -1 +1 @@\n-a\n+b", /names two files/],
    ["a hunk that changes nothing", unified("@@ -1 +1 @@| a"), /changes nothing/],
    ["no hunks", `${git}index 1..2`, /no lines to change/],
    ["only a new mode", `${git}old mode 100644\nnew mode 100755`, /mode of a.txt was not changed/],
  ] as const)("%s", async ([, patch, message]) => {
    const { say } = await editingGate({ "a.txt": "a\n" });
    const said = await say("fs.apply_patch", { patch });
    expect(said).toMatch(/^invalid_input /);
    expect(said).toMatch(message);
  });
});
