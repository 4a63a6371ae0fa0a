import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createInsideRoot, type TreeVisitor } from "../../../../../src/safe/files/inside-root/inside-root.ts";

const mechanisms = process.platform === "linux" ? (["handles", "paths"] as const) : (["paths"] as const);

describe.each(mechanisms)("inside-root by %s", (mechanism) => {
  let top: string;
  let root: string;

  beforeEach(() => {
    top = mkdtempSync(join(realpathSync(tmpdir()), "visit-tree-"));
    root = join(top, "root");
    mkdirSync(join(root, "b", "deep"), { recursive: true });
    mkdirSync(join(root, ".ssh"));
    writeFileSync(join(top, "secret.txt"), "secret");
    for (const path of ["a.txt", "b/x.txt", "b/deep/y.txt", "b-c.txt", ".env", ".ssh/id_rsa"])
      writeFileSync(join(root, path), `text of ${path}`);
    symlinkSync(top, join(root, "out"));
    linkSync(join(top, "secret.txt"), join(root, "innocent.txt"));
  });

  afterEach(() => rmSync(top, { recursive: true, force: true }));

  const files = () => createInsideRoot({ roots: [root], mechanism });

  async function visit(visitor: Partial<TreeVisitor> = {}, path = ".") {
    const seen: string[] = [];
    const end = await files().visitTree(path, {
      entry: ({ names, kind }) => void seen.push(`${names.join("/")} ${kind}`),
      ...visitor,
    } as TreeVisitor);
    return { seen, end };
  }

  it("visits a tree in the order of names, each folder right before what is in it", async () => {
    const { seen, end } = await visit();
    expect(seen.join(", ")).toBe(
      ".env file, .ssh directory, a.txt file, b directory, b/deep directory, b/deep/y.txt file, b/x.txt file, b-c.txt file, innocent.txt file, out link",
    );
    expect(end).toMatchObject({ ok: true, absolute: root, complete: true });
  });

  it("enters no link, no protected folder and nothing that is not wanted", async () => {
    const { seen } = await visit({ wants: (names) => names[0] !== "b" });
    expect(seen.filter((one) => /out\/|\.ssh\/|^b /.test(one))).toEqual([]);
  });

  it("reads files while they are visited, but no protected one and none with a second name", async () => {
    const read: Record<string, string> = {};
    await visit({
      entry: async ({ names, kind, scan }) => {
        const pieces: string[] = [];
        const end = kind === "file" ? await scan((piece) => void pieces.push(piece.toString())) : undefined;
        read[names.join("/")] = end === undefined ? "" : end.ok ? pieces.join("") : end.code;
        return undefined;
      },
    });
    expect(read).toMatchObject({
      ".env": "protected",
      "a.txt": "text of a.txt",
      "b/deep/y.txt": "text of b/deep/y.txt",
      "innocent.txt": "hard_link",
    });
  });

  it("tells what is in a folder before its entries, and when they are over", async () => {
    const log: string[] = [];
    await visit({
      enter: async (names, folder) => {
        log.push(`in ${names.join("/")} ${folder.has("x.txt")} ${await folder.read("x.txt")}`);
      },
      leave: () => void log.push("out"),
      entry: () => undefined,
    });
    const entered = ["in  false undefined", "in b true text of b/x.txt", "in b/deep false undefined"];
    expect(log).toEqual([...entered, "out", "out", "out"]);
  });

  it("stops when the visitor has enough, or the caller leaves", async () => {
    let seen = 0;
    const end = await files().visitTree(".", { entry: () => ++seen < 2 });
    expect(seen).toBe(2);
    expect(end).toMatchObject({ ok: true, complete: false });
    const controller = new AbortController();
    const leaving = { entry: () => void controller.abort() };
    const cancelled = await files().visitTree(".", leaving, { signal: controller.signal });
    expect(cancelled).toMatchObject({ ok: false, code: "cancelled" });
  });

  it("refuses what is outside, missing or no folder", async () => {
    for (const [path, code] of [
      ["..", "outside_root"],
      ["out", "outside_root"],
      ["nothing", "not_found"],
      ["a.txt", "not_a_directory"],
      [".ssh", "protected"],
    ]) {
      expect((await visit({}, path)).end, path).toMatchObject({ ok: false, code });
    }
  });

  it("leaves out its own state", async () => {
    const own = createInsideRoot({ roots: [root], mechanism, statePaths: [join(root, "b")] });
    const seen: string[] = [];
    await own.visitTree(".", { entry: ({ names }) => void seen.push(names.join("/")) });
    expect(seen.filter((path) => path === "b" || path.startsWith("b/"))).toEqual([]);
  });

  it("hands on a large file in pieces, and stops in the middle", async () => {
    writeFileSync(join(root, "large.txt"), "0123456789".repeat(100_000));
    let bytes = 0;
    let largest = 0;
    const whole = await files().scan("large.txt", (piece) => {
      bytes += piece.length;
      largest = Math.max(largest, piece.length);
      return undefined;
    });
    expect(whole).toMatchObject({ ok: true, size: 1_000_000, atEnd: true });
    expect(bytes).toBe(1_000_000);
    expect(largest).toBeLessThanOrEqual(64 * 1024);
    expect(await files().scan("large.txt", () => false)).toMatchObject({ ok: true, atEnd: false });
    const left = await files().scan("large.txt", () => undefined, { signal: AbortSignal.abort() });
    expect(left).toMatchObject({ ok: false, code: "cancelled" });
  });

  it.skipIf(process.platform !== "linux")("leaves no handle open", async () => {
    await visit();
    const before = readdirSync("/proc/self/fd").length;
    await visit({ entry: () => false });
    await visit();
    await visit({ entry: () => Promise.reject(new Error("broken visitor")) }).catch(() => {});
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before);
  });
});
