import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CandidateSearch, findCandidates, findRipgrep } from "../../../../src/safe/files/ripgrep.ts";

describe("ripgrep", () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "toolgate-rg-"));
    mkdirSync(join(root, "sub/dist"), { recursive: true });
    for (const path of ["a.txt", "b.ts", "sub/c.txt", "sub/dist/d.txt", ".hidden"])
      writeFileSync(join(root, path), "needle\n");
    writeFileSync(join(root, ".gitignore"), "dist/\n");
    writeFileSync(join(root, ".ignore"), "a.txt\n");
    symlinkSync(tmpdir(), join(root, "out"));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function candidates(more: Partial<CandidateSearch> = {}) {
    const program = await findRipgrep();
    if (program === undefined) throw new Error("ripgrep is not installed");
    const { signal } = new AbortController();
    const base = {
      pattern: "needle",
      root,
      folder: "",
      hidden: false,
      ignored: false,
      names: [],
      skip: [],
      signal,
    };
    const found: string[] = [];
    const end = await findCandidates(program, { ...base, ...more }, (path) => found.push(path));
    return { end, found: found.sort() };
  }

  // The other choices are tried by search.grep.
  it.each([
    [{}, ["a.txt", "b.ts", "sub/c.txt"]],
    [{ skip: ["sub"] }, ["a.txt", "b.ts"]],
  ])("names the files that may match for %j", async (search, expected) => {
    expect(await candidates(search)).toEqual({ end: { ok: true }, found: expected });
  });

  it("says what is wrong with a pattern, and takes one that looks like an option", async () => {
    const { end } = await candidates({ pattern: "(" });
    expect(end).toMatchObject({ ok: false, cancelled: false });
    expect(!end.ok && end.message).toContain("regex parse error");
    expect((await candidates({ pattern: "--files" })).end).toEqual({ ok: true });
  });

  it("is not started for a caller that has left", async () => {
    const { end } = await candidates({ signal: AbortSignal.abort() });
    expect(end).toMatchObject({ ok: false, cancelled: true });
  });
});
