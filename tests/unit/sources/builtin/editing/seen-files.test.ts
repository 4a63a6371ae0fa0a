/** No tool overwrites what its caller has not seen. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionKey } from "../../../../../src/core/call/session-key.ts";
import { hashOf } from "../../../../../src/sources/builtin/editing/journal/record.ts";
import { createSeenFiles } from "../../../../../src/sources/builtin/editing/seen-files.ts";
import { createRead } from "../../../../../src/sources/builtin/filesystem/read.ts";
import { editingGate } from "./editing-gate.ts";

const path = "a.txt";
const hash = (text: string) => hashOf(Buffer.from(text));
const edit = (old_string: string, new_string: string) => ({ path, old_string, new_string });
const changed = /changed since this session read it/;

async function open(readFirst = false) {
  const seen = createSeenFiles();
  const gate = await editingGate({ [path]: "a\n" }, { ports: { seen, readFirst } });
  return {
    ...gate,
    note: (text: string) => seen.note(sessionKey("local", "s"), join(gate.root, path), hash(text)),
    seen,
  };
}

describe.each([
  ["fs.write", { path, content: "b\n" }],
  ["fs.edit", edit("a", "b")],
  ["fs.apply_diff", { path, diff: "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE" }],
  ["fs.apply_patch", { patch: "*** Begin Patch\n*** Update File: a.txt\n-a\n+b\n*** End Patch" }],
])("%s", (tool, input) => {
  it("refuses a file that changed since its session read it, and no other session", async () => {
    const { note, refusal, call, read } = await open();
    note("other");
    expect(await refusal(tool, input, { sessionId: "s" })).toMatch(changed);
    expect(read(path)).toBe("a\n");
    expect(await call(tool, input, { sessionId: "new" })).toMatchObject({ ok: true });
  });

  it("refuses a file that was not read, where that is asked for", async () => {
    const { refusal } = await open(true);
    expect(await refusal(tool, input, { sessionId: "s" })).toMatch(/was not read in this session/);
  });
});

describe.each([
  ["fs.write", { path, content: "new\n" }],
  ["fs.edit", edit("a", "new")],
])("expected_sha256 of %s", (tool, input) => {
  it.for([
    [hash("other"), "it changed since it was read"],
    ["A".repeat(64), "it changed since"],
    ["g".repeat(64), "expected_sha256 must be 64 hexadecimal digits."],
    ["ab", "64"],
    [`${"a".repeat(64)}\n`, "64"],
  ] as const)("%j is refused", async ([expected_sha256, why]) => {
    const { refusal, read } = await open();
    expect(await refusal(tool, { ...input, expected_sha256 })).toContain(why);
    expect(read(path)).toBe("a\n");
  });

  it("is taken in capitals and by its other name", async () => {
    const { call } = await open();
    const expectedSha256 = hash("a\n").toUpperCase();
    expect(await call(tool, { ...input, expectedSha256 })).toMatchObject({ ok: true });
  });
});

describe("what a session has seen", () => {
  it("is a file that it wrote itself, until somebody else does", async () => {
    const { note, call, write, refusal } = await open();
    const session = { sessionId: "s" };
    note("a\n");
    for (const input of [edit("a", "b"), edit("b", "c")])
      expect(await call("fs.edit", input, session)).toMatchObject({ ok: true });
    write(path, "somebody else: c\n");
    expect(await refusal("fs.edit", edit("c", "d"), session)).toMatch(changed);
    expect(await refusal("fs.write", { path: "none.txt", content: "x", expected_sha256: hash("x") })).toMatch(
      /does not exist/,
    );
  });

  it("is its caller's, though another read the file again in a session of the same name", async () => {
    const { gate, seen, call, write, refusal } = await open();
    gate.tools.register(createRead({ seen }));
    const of = (id: string) => ({ sessionId: "s", caller: { id, capabilities: ["*"] } });
    await call("fs.read", { path }, of("bob"));
    write(path, "somebody else: a\n");
    await call("fs.read", { path }, of("eve"));
    expect(await refusal("fs.edit", edit("a", "b"), of("bob"))).toMatch(changed);
    expect(await call("fs.edit", edit("else: a", "b"), of("eve"))).toMatchObject({ ok: true });
  });
});
