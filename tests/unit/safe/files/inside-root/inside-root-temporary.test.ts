import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createInsideRoot,
  temporaryFileName,
} from "../../../../../src/safe/files/inside-root/inside-root.ts";

describe("the file that a write fills first", () => {
  it("can be given a name, so that a journal finds it again, and is gone after the write", async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-temporary-")));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const files = createInsideRoot({ roots: [root], durable: false });
    expect(await files.write("a", "x", { temporaryName: "one-1" })).toMatchObject({ ok: true });
    expect(readFileSync(join(root, "a"), "utf8")).toBe("x");
    expect(readdirSync(root)).toEqual(["a"]);
    // Taken: somebody else's file is never written into.
    await files.write(temporaryFileName("two"), "mine");
    expect(await files.write("a", "y", { temporaryName: "two" })).toMatchObject({
      ok: false,
      code: "exists",
    });
    expect(readFileSync(join(root, temporaryFileName("two")), "utf8")).toBe("mine");
  });

  it("takes no name that could lead elsewhere", async () => {
    expect(temporaryFileName("a_B-9")).toBe(".toolgate-a_B-9.tmp");
    expect(temporaryFileName()).toMatch(/^\.toolgate-[\w-]{12}\.tmp$/);
    for (const name of ["", "../x", "a/b", "a\\b", ".", "a\0", "x".repeat(65)])
      expect(() => temporaryFileName(name)).toThrow(TypeError);
  });
});
