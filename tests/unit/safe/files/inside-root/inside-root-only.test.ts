/** `only`: what was judged, and nothing that a link leads to since. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createInsideRoot,
  type InsideRootOptions,
} from "../../../../../src/safe/files/inside-root/inside-root.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), "inside-only-"));
  for (const folder of ["here", "there"]) {
    mkdirSync(join(root, folder));
    writeFileSync(join(root, folder, "a.txt"), folder);
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const files = (options: Partial<InsideRootOptions> = {}) =>
  createInsideRoot({ roots: [root], durable: false, ...options });
const judged = (...names: string[]) => files({ only: names.map((name) => join(root, name)) });
const code = (result: { readonly ok: boolean; readonly code?: string }) => (result.ok ? "ok" : result.code);

/** `here` becomes a link to the folder beside it. */
function swap(): void {
  rmSync(join(root, "here"), { recursive: true });
  symlinkSync("there", join(root, "here"));
}

describe("file operations on judged paths only", () => {
  it("reach those paths and what is below them", async () => {
    expect(code(await judged("here/a.txt").read("here/a.txt"))).toBe("ok");
    expect(code(await judged("here").read("here/a.txt"))).toBe("ok");
    const made = await judged("here/new/b.txt").write("here/new/b.txt", "b", { makeParents: true });
    expect(code(made)).toBe("ok");
    expect(code(await judged("here/a.txt").remove("here/a.txt"))).toBe("ok");
  });

  it("reach nothing else, whatever the roots hold", async () => {
    expect(code(await judged("here/a.txt").read("there/a.txt"))).toBe("changed");
    expect(code(await judged("here/a.txt").write("here/b.txt", "b"))).toBe("changed");
    expect(code(await judged().read("here/a.txt"))).toBe("changed");
  });

  it("do not follow a link that was put in place since, to another place inside", async () => {
    swap();
    const { read, write, remove, append, move, mkdir } = judged("here/a.txt", "here/new", "here/moved.txt");
    expect([
      code(await read("here/a.txt")),
      code(await write("here/a.txt", "x")),
      code(await append("here/a.txt", "x")),
      code(await remove("here/a.txt")),
      code(await move("here/a.txt", "here/moved.txt")),
      code(await mkdir("here/new")),
      code(await judged("here/new/b.txt").write("here/new/b.txt", "b", { makeParents: true })),
    ]).toEqual(Array(7).fill("changed"));
    expect(readFileSync(join(root, "there/a.txt"), "utf8")).toBe("there");
    expect(existsSync(join(root, "there/new"))).toBe(false);
  });

  it("follow a link that was judged, and remove it as the link that it is", async () => {
    symlinkSync("there/a.txt", join(root, "link"));
    expect(code(await judged("there/a.txt").read("link"))).toBe("ok");
    expect(code(await judged("there/a.txt").remove("link"))).toBe("ok");
    expect(readFileSync(join(root, "there/a.txt"), "utf8")).toBe("there");
  });

  it("would be led astray without it", async () => {
    swap();
    expect(code(await files().write("here/a.txt", "astray"))).toBe("ok");
    expect(readFileSync(join(root, "there/a.txt"), "utf8")).toBe("astray");
  });
});
