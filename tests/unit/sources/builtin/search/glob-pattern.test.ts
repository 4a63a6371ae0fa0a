import { describe, expect, it } from "vitest";
import { compileGlobs } from "../../../../../src/sources/builtin/search/glob/glob.ts";

function matches(glob: string, path: string): boolean {
  const compiled = compileGlobs([glob]);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.matches(path.split("/"));
}

describe("a glob", () => {
  it.each([
    ["*.ts", "a.ts", true],
    ["*.ts", "src/deep/a.ts", true],
    ["*.ts", "a.tsx", false],
    ["./*.ts", "a.ts", true],
    ["./*.ts", "src/a.ts", false],
    ["/*.ts", "src/a.ts", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "x/src/a.ts", false],
    ["src/**", "src/a/b.ts", true],
    ["src/**/*.ts", "src/a.ts", true],
    ["**/src/*.ts", "a/b/src/c.ts", true],
    ["*.{ts,tsx}", "a.tsx", true],
    ["{src,test}/**/*.{a,b{c,d}}", "test/x/y.bd", true],
    ["{src,test}/**", "docs/x", false],
    ["a[0-9]?.txt", "a12.txt", true],
    ["[!.]*", ".x", false],
    ["\\*.ts", "*.ts", true],
    ["\\*.ts", "a.ts", false],
    ["*", ".hidden", true],
    ["?", "😀", true],
  ])("%j matches %j: %j", (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected);
  });

  it.each(["[a", "a\\", "{a", "a}", "../*.ts", "a/../b", "x".repeat(1_001), "{a,b}".repeat(9), ""])(
    "%j is refused",
    (glob) => {
      expect(compileGlobs([glob])).toMatchObject({ ok: false });
    },
  );
});
