import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createInsideRoot,
  type InsideRootOptions,
  keepTextShape,
  type Refusal,
  temporaryFileName,
} from "../../../../../src/safe/files/inside-root/inside-root.ts";
import { words } from "../../../../words.ts";

const code = (result: { readonly ok: boolean; readonly code?: string }) => (result.ok ? "ok" : result.code);
const mechanisms = process.platform === "linux" ? (["handles", "paths"] as const) : (["paths"] as const);

describe.each(mechanisms)("inside-root by %s", (mechanism) => {
  let top: string;
  let root: string;

  beforeEach(() => {
    top = mkdtempSync(join(realpathSync(tmpdir()), "inside-root-"));
    root = join(top, "root");
    mkdirSync(join(root, "src", "deep"), { recursive: true });
    mkdirSync(join(top, "outside"));
    writeFileSync(join(root, "a.txt"), "alpha");
    writeFileSync(join(root, "src", "b.txt"), "beta");
    writeFileSync(join(top, "outside", "secret.txt"), "secret");
  });

  afterEach(() => rmSync(top, { recursive: true, force: true }));

  const files = (options: Partial<InsideRootOptions> = {}) =>
    createInsideRoot({ roots: [root], mechanism, durable: false, ...options });
  const text = (path: string) => readFileSync(join(top, path), "utf8");

  it("refuses a link with a protected name, although it leads to a plain file", async () => {
    symlinkSync("a.txt", join(root, ".env"));
    expect(code(await files().read(".env"))).toBe("protected");
    expect(code(await files().read("a.txt"))).toBe("ok");
  });

  describe("creation", () => {
    it("throws for roots that are missing, relative, files or none at all", () => {
      for (const roots of [[], ["relative"], [join(top, "nothing")], [join(root, "a.txt")], ["/a\0b"]]) {
        expect(() => files({ roots })).toThrow();
      }
    });

    it("throws for limits that would limit nothing", () => {
      for (const bytes of [Number.NaN, 0, -1, Number.POSITIVE_INFINITY, 1.5]) {
        expect(() => files({ maxBytes: bytes })).toThrow(TypeError);
        expect(() => files({ maxWriteBytes: bytes })).toThrow(TypeError);
      }
    });

    it("says whether it is race-free", () => {
      expect(files().raceFree).toBe(mechanism === "handles");
    });

    it("takes a root that is a link, under both of its names", async () => {
      symlinkSync(root, join(top, "alias"));
      const inside = files({ roots: [join(top, "alias")] });
      expect(inside.roots).toEqual([root]);
      for (const path of ["a.txt", join(top, "alias", "a.txt"), join(root, "a.txt")]) {
        expect(await inside.read(path)).toMatchObject({ ok: true, absolute: join(root, "a.txt") });
      }
    });

    it("refuses everything once another directory is in the root's place", async () => {
      const inside = files();
      renameSync(root, join(top, "moved"));
      symlinkSync(join(top, "outside"), root);
      expect(await inside.read("secret.txt")).toMatchObject({ ok: false });
      rmSync(root);
      mkdirSync(root);
      writeFileSync(join(root, "a.txt"), "other");
      expect(code(await inside.read("a.txt"))).toBe("root_changed");
      expect(code(await inside.write("a.txt", "x"))).toBe("root_changed");
    });
  });

  describe("read", () => {
    it("returns the bytes, their hash and the mode", async () => {
      chmodSync(join(root, "a.txt"), 0o640);
      expect(await files().read("a.txt")).toMatchObject({
        ok: true,
        absolute: join(root, "a.txt"),
        bytes: Buffer.from("alpha"),
        hash: createHash("sha256").update("alpha").digest("hex"),
        size: 5,
        mode: 0o640,
      });
    });

    it("takes relative paths from the first root or from a given directory inside", async () => {
      expect(code(await files().read("b.txt", { cwd: join(root, "src") }))).toBe("ok");
      expect(code(await files().read("../a.txt", { cwd: join(root, "src") }))).toBe("ok");
      expect(code(await files().read("secret.txt", { cwd: join(top, "outside") }))).toBe("outside_root");
      expect(code(await files().read("b.txt", { cwd: "src" }))).toBe("invalid_path");
    });

    it("reaches a second root by absolute path, by .. and by a link", async () => {
      const inside = files({ roots: [root, join(top, "outside")] });
      symlinkSync("../outside/secret.txt", join(root, "link"));
      for (const path of [join(top, "outside", "secret.txt"), "../outside/secret.txt", "link"]) {
        expect(await inside.read(path)).toMatchObject({ ok: true, bytes: Buffer.from("secret") });
      }
    });

    it("follows links that stay inside, also in chains and through directories", async () => {
      symlinkSync("src/b.txt", join(root, "one"));
      symlinkSync("one", join(root, "two"));
      symlinkSync(join(root, "src"), join(root, "absolute"));
      symlinkSync("../a.txt", join(root, "src", "up"));
      for (const path of ["one", "two", "absolute/b.txt", "absolute/up", "src/deep/../b.txt"]) {
        expect(code(await files().read(path))).toBe("ok");
      }
    });

    it("takes .. behind a link as the parent of where the link leads, like every program of the system", async () => {
      symlinkSync("src/deep", join(root, "d"));
      expect(await files().read("d/../b.txt")).toMatchObject({ ok: true, bytes: Buffer.from("beta") });
      expect(code(await files().read("d/../a.txt"))).toBe("not_found");
    });

    it("names where a link leads that leaves", async () => {
      symlinkSync("../outside", join(root, "out"));
      const refusal = (await files().read("out/secret.txt")) as Refusal;
      expect(refusal).toMatchObject({ ok: false, code: "outside_root", path: "out/secret.txt" });
      expect(refusal.message).toContain('"out" is a link to "../outside"');
      expect(refusal.message).toContain(join(top, "outside", "secret.txt"));
    });

    it("answers the same for what exists outside and what does not", async () => {
      for (const name of ["secret.txt", "other.txt"])
        expect(code(await files().read(`../outside/${name}`))).toBe("outside_root");
    });

    it.each([
      ["nothing.txt", "not_found"],
      ["nothing/b.txt", "not_found"],
      ["a.txt/b", "not_a_directory"],
      ["a.txt/", "not_a_directory"],
      ["src", "not_a_file"],
      [".", "not_a_file"],
      ["", "invalid_path"],
      ["a\0b", "invalid_path"],
      ["x".repeat(256), "invalid_path"],
      ["x/".repeat(3000), "invalid_path"],
      ["~/a.txt", "invalid_path"],
      ["..\\a.txt", "invalid_path"],
      ["\ud800", "invalid_path"],
    ])("refuses %j as %s", async (path, code) => {
      const refusal = await files().read(path);
      expect(refusal).toMatchObject({ ok: false, code, path });
      expect((refusal as Refusal).message).toMatch(/\.$/);
    });

    it("refuses what is not text", async () => {
      for (const path of [undefined, null, 1, {}, ["a.txt"]]) {
        expect(code(await files().read(path as never))).toBe("invalid_path");
      }
    });

    it("refuses more than its limit and says how to go on", async () => {
      writeFileSync(join(root, "big"), Buffer.alloc(2 * 1024 * 1024));
      truncateSync(join(root, "a.txt"), 1e12);
      for (const path of ["big", "a.txt"]) {
        const told = { code: "too_large", message: expect.stringContaining("offset") };
        expect(await files().read(path)).toMatchObject(told);
      }
      const large = await files({ maxBytes: 4 * 1024 * 1024 }).read("big");
      expect(large).toMatchObject({ ok: true, size: 2 * 1024 * 1024 });
      expect(code(await files().read("src/b.txt", { maxBytes: 3 }))).toBe("too_large");
      expect(code(await files({ maxBytes: 3 }).read("src/b.txt", { maxBytes: 300 }))).toBe("too_large");
    });

    it("reads ranges of large files", async () => {
      writeFileSync(join(root, "big"), "0123456789".repeat(300_000));
      const inside = files();
      const middle = { bytes: Buffer.from("5678901"), size: 3_000_000, atEnd: false };
      expect(await inside.readRange("big", { offset: 5, limit: 7 })).toMatchObject(middle);
      const end = { bytes: Buffer.from("89"), atEnd: true };
      expect(await inside.readRange("big", { offset: 2_999_998, limit: 100 })).toMatchObject(end);
      const most = await inside.readRange("big", { offset: 0, limit: 1e9 });
      expect(most.ok && most.bytes.length).toBe(1024 * 1024);
      expect(await inside.readRange("big", { offset: -1, limit: 1 })).toMatchObject({ ok: false });
      expect(await inside.readRange("big", { offset: 0.5, limit: Number.NaN })).toMatchObject({ ok: false });
    });

    it("refuses a file with a second name unless that is allowed", async () => {
      linkSync(join(top, "outside", "secret.txt"), join(root, "twin"));
      expect(code(await files().read("twin"))).toBe("hard_link");
      expect(code(await files().stat("twin", { hash: true }))).toBe("hard_link");
      const allowed = files({ allowHardLink: (absolute) => absolute === join(root, "twin") });
      expect(code(await allowed.read("twin"))).toBe("ok");
    });

    it.skipIf(mechanism !== "handles")(
      "opens no file of the kernel and no device, even under the root of the system",
      async () => {
        const all = files({ roots: ["/"] });
        for (const path of words(`
          /proc/self/environ /proc/self/root/etc/passwd /proc/self/fd/0 /sys/kernel/mm /dev/null /dev/zero
          /dev/pts/ptmx
        `)) {
          expect([path, await all.read(path)]).toMatchObject([path, { ok: false }]);
          expect([path, await all.list(path)]).toMatchObject([path, { ok: false }]);
        }
        expect(code(await all.read(join(root, "a.txt")))).toBe("ok");
      },
    );

    it.skipIf(process.platform !== "linux")("leaves no handle open, whatever the answer was", async () => {
      symlinkSync("loop", join(root, "loop"));
      const inside = files();
      const round = async () => {
        for (const path of words("a.txt src/b.txt src nothing x/y ../x loop a.txt/x .env \0 src/../a.txt")) {
          await inside.read(path);
          await inside.write(path, "x", { expectedHash: "wrong" });
          await inside.write(`src/deep/new/${path}`, "x", { makeParents: true });
          await inside.list(path, { depth: 3, limit: 1 });
          await inside.stat(path, { hash: true });
          await inside.move(path, "src/b.txt");
          await inside.remove("src", { recursive: true, signal: AbortSignal.abort() });
          await inside.mkdir(path);
        }
      };
      await round();
      const before = readdirSync("/proc/self/fd").length;
      for (let turn = 0; turn < 5; turn += 1) await round();
      expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before);
    });

    it("stops when it is cancelled", async () => {
      expect(code(await files().read("a.txt", { signal: AbortSignal.abort() }))).toBe("cancelled");
    });
  });

  describe("write", () => {
    it("creates and replaces files, and returns the hash of what it wrote", async () => {
      const inside = files({ durable: true });
      const created = await inside.write("src/new.txt", "one");
      expect(created).toMatchObject({ ok: true, created: true, size: 3 });
      const replaced = await inside.write("src/new.txt", Buffer.from("two!"));
      expect(replaced).toMatchObject({ ok: true, created: false, size: 4 });
      expect(await inside.read("src/new.txt")).toMatchObject({ hash: replaced.ok && replaced.hash });
      expect(readdirSync(join(root, "src")).sort()).toEqual(["b.txt", "deep", "new.txt"]);
    });

    it("keeps the mode of a file, and its owner where it may", async () => {
      chmodSync(join(root, "a.txt"), 0o751);
      const before = statSync(join(root, "a.txt"));
      await files().write("a.txt", "new");
      const after = statSync(join(root, "a.txt"));
      expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid]);
      await files().write("secret", "x", { mode: 0o600 });
      expect(statSync(join(root, "secret")).mode & 0o777).toBe(0o600);
    });

    it("replaces a file as a whole: a reader that opened it before sees the old contents", async () => {
      const before = statSync(join(root, "a.txt")).ino;
      await files().write("a.txt", "new contents");
      expect(statSync(join(root, "a.txt")).ino).not.toBe(before);
    });

    it("writes through a link that stays inside, which stays a link", async () => {
      symlinkSync("src/b.txt", join(root, "link"));
      symlinkSync("src/later.txt", join(root, "dangling"));
      const through = { ok: true, absolute: join(root, "src", "b.txt") };
      expect(await files().write("link", "new")).toMatchObject(through);
      expect(await files().write("dangling", "new")).toMatchObject({ ok: true, created: true });
      expect(readlinkSync(join(root, "link"))).toBe("src/b.txt");
      expect(text("root/src/b.txt")).toBe("new");
      expect(text("root/src/later.txt")).toBe("new");
    });

    it("writes nothing through links that leave", async () => {
      symlinkSync("../outside/secret.txt", join(root, "file"));
      symlinkSync("../outside/new.txt", join(root, "dangling"));
      symlinkSync("../outside", join(root, "directory"));
      for (const path of ["file", "dangling", "directory/x.txt", "../x.txt", join(top, "x.txt")]) {
        expect(code(await files().write(path, "x", { makeParents: true }))).toBe("outside_root");
      }
      expect(readdirSync(join(top, "outside"))).toEqual(["secret.txt"]);
      expect(readdirSync(top).sort()).toEqual(["outside", "root"]);
    });

    it("refuses a stale hash and leaves the file as it is", async () => {
      const inside = files();
      const read = await inside.read("a.txt");
      const hash = read.ok ? read.hash : "";
      writeFileSync(join(root, "a.txt"), "meanwhile");
      expect(code(await inside.write("a.txt", "mine", { expectedHash: hash }))).toBe("stale");
      expect(code(await inside.append("a.txt", "mine", { expectedHash: hash }))).toBe("stale");
      expect(text("root/a.txt")).toBe("meanwhile");
      rmSync(join(root, "a.txt"));
      expect(code(await inside.write("a.txt", "mine", { expectedHash: hash }))).toBe("not_found");
    });

    it("lets one of many writers with the same expected hash win", async () => {
      const inside = files();
      const read = await inside.read("a.txt");
      const expectedHash = read.ok ? read.hash : "";
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) => inside.write("a.txt", `writer ${n}`, { expectedHash })),
      );
      expect(results.filter((result) => result.ok)).toHaveLength(1);
      expect(results.filter((result) => !result.ok && result.code === "stale")).toHaveLength(19);
    });

    it("creates only once when the file must be new", async () => {
      const inside = files();
      const results = await Promise.all([
        ...Array.from({ length: 10 }, (_, n) => inside.write("new.txt", `${n}`, { expectedHash: null })),
        ...Array.from({ length: 10 }, (_, n) => inside.write("new.txt", `${n}`, { overwrite: false })),
      ]);
      expect(results.filter((result) => result.ok)).toHaveLength(1);
      expect(results.filter((result) => !result.ok && result.code === "exists")).toHaveLength(19);
      expect(code(await inside.write("a.txt", "x", { overwrite: false }))).toBe("exists");
      expect(statSync(join(root, "new.txt")).nlink).toBe(1);
    });

    it("makes missing directories only when asked", async () => {
      expect(code(await files().write("x/y/z.txt", "z"))).toBe("not_found");
      expect(existsSync(join(root, "x"))).toBe(false);
      expect(code(await files().write("x/y/z.txt", "z", { makeParents: true }))).toBe("ok");
      expect(code(await files().write("x/q/../../w.txt", "z", { makeParents: true }))).toBe("not_found");
    });

    it("refuses hard links, directories, roots and files that are too large", async () => {
      linkSync(join(top, "outside", "secret.txt"), join(root, "twin"));
      expect(code(await files().write("twin", "x"))).toBe("hard_link");
      expect(code(await files().append("twin", "x"))).toBe("hard_link");
      expect(text("outside/secret.txt")).toBe("secret");
      expect(code(await files().write("src", "x"))).toBe("not_a_file");
      expect(code(await files().write(".", "x"))).toBe("not_a_file");
      expect(await files().write("new/", "x")).toMatchObject({ ok: false });
      expect(code(await files({ maxWriteBytes: 10 }).write("a.txt", "x".repeat(11)))).toBe("too_large");
      expect(code(await files({ maxWriteBytes: 10 }).append("a.txt", "x".repeat(6)))).toBe("too_large");
    });

    it.skipIf(process.getuid?.() === 0)("respects a read-only file", async () => {
      chmodSync(join(root, "a.txt"), 0o444);
      expect(code(await files().write("a.txt", "x"))).toBe("denied");
    });

    it("leaves no temporary file when it is cancelled or fails", async () => {
      for (const path of ["a.txt", "n.txt"])
        expect(code(await files().write(path, "x", { signal: AbortSignal.abort() }))).toBe("cancelled");
      expect(readdirSync(root).sort()).toEqual(["a.txt", "src"]);
      expect(text("root/a.txt")).toBe("alpha");
    });

    it("appends in place, or creates", async () => {
      const appended = await files({ durable: true }).append("a.txt", " more");
      expect(appended).toMatchObject({ ok: true, created: false, size: 10 });
      expect(await files().read("a.txt")).toMatchObject({
        hash: appended.ok && appended.hash,
        bytes: Buffer.from("alpha more"),
      });
      expect(await files().append("fresh.txt", "x")).toMatchObject({ ok: true, created: true });
    });
  });

  describe("list and stat", () => {
    it("lists a directory sorted, with kinds, sizes and where links lead", async () => {
      symlinkSync("../outside", join(root, "out"));
      writeFileSync(join(root, ".env"), "KEY=1");
      expect(await files().list(".")).toMatchObject({
        ok: true,
        truncated: false,
        entries: [
          { path: ".env", kind: "file", protected: expect.any(String) },
          { path: "a.txt", kind: "file", size: 5 },
          { path: "out", kind: "link", leadsTo: "../outside" },
          { path: "src", kind: "directory" },
        ],
      });
    });

    it("goes as deep as asked, never through links, and skips what it is told to", async () => {
      symlinkSync("../outside", join(root, "out"));
      symlinkSync("..", join(root, "src", "loop"));
      writeFileSync(join(root, "src", "deep", "c.txt"), "c");
      const paths = async (options: object) => {
        const listing = await files().list(".", options);
        return listing.ok ? listing.entries.map((entry) => entry.path) : listing;
      };
      expect(await paths({ depth: 2 })).toEqual(["a.txt", "out", "src", "src/b.txt", "src/deep", "src/loop"]);
      expect(await paths({ depth: 50 })).toContain("src/deep/c.txt");
      const skip = (path: string) => path === "src/deep";
      expect(await paths({ depth: 50, skip })).not.toContain("src/deep/c.txt");
      expect(await paths({ depth: 50 })).not.toContain("out/secret.txt");
    });

    it("stops at its limit and says so", async () => {
      for (let n = 0; n < 50; n += 1) writeFileSync(join(root, "src", "deep", `${n}`), "");
      const listing = await files().list("src", { depth: 9, limit: 20 });
      expect(listing).toMatchObject({ ok: true, truncated: true });
      expect(listing.ok && listing.entries).toHaveLength(20);
      expect(await files().list("src/deep", { limit: 50 })).toMatchObject({ truncated: false });
    });

    it("does not enter protected directories", async () => {
      mkdirSync(join(root, ".ssh"));
      writeFileSync(join(root, ".ssh", "known_hosts"), "");
      const listing = await files().list(".", { depth: 5 });
      expect(listing.ok && listing.entries.map((entry) => entry.path)).not.toContain(".ssh/known_hosts");
      expect(code(await files().list(".ssh"))).toBe("protected");
      expect(code(await files({ allowProtected: () => true }).list(".ssh"))).toBe("ok");
    });

    it("refuses what is no directory or outside", async () => {
      symlinkSync("../outside", join(root, "out"));
      expect(code(await files().list("a.txt"))).toBe("not_a_directory");
      expect(code(await files().list("nothing"))).toBe("not_found");
      for (const path of ["out", "..", "/"]) expect(code(await files().list(path))).toBe("outside_root");
    });

    it("tells the facts of a file, protected ones too, but hashes only what may be read", async () => {
      writeFileSync(join(root, ".env"), "KEY=1");
      expect(await files().stat("a.txt")).toMatchObject({ ok: true, kind: "file", size: 5, hardLinks: 1 });
      expect(await files().stat("src/")).toMatchObject({ ok: true, kind: "directory" });
      expect(await files().stat(".env")).toMatchObject({ ok: true, protected: expect.any(String) });
      expect(code(await files().stat(".env", { hash: true }))).toBe("protected");
      const read = await files().read("a.txt");
      expect(await files().stat("a.txt", { hash: true })).toMatchObject({ hash: read.ok && read.hash });
      expect(code(await files().stat("nothing"))).toBe("not_found");
    });
  });

  describe("remove", () => {
    it("removes files and empty directories", async () => {
      expect(await files().remove("a.txt")).toMatchObject({ ok: true, count: 1 });
      expect(await files().remove("src/deep")).toMatchObject({ ok: true, count: 1 });
      expect(code(await files().remove("a.txt"))).toBe("not_found");
      expect(code(await files().remove("src"))).toBe("not_empty");
    });

    it("removes a link, never what it leads to", async () => {
      symlinkSync("../outside", join(root, "out"));
      symlinkSync("src", join(root, "in"));
      expect(await files().remove("out", { recursive: true })).toMatchObject({ ok: true, count: 1 });
      expect(await files().remove("in", { recursive: true })).toMatchObject({ ok: true, count: 1 });
      expect(existsSync(join(top, "outside", "secret.txt"))).toBe(true);
      expect(existsSync(join(root, "src", "b.txt"))).toBe(true);
      symlinkSync("../outside", join(root, "out"));
      expect(code(await files().remove("out/secret.txt"))).toBe("outside_root");
    });

    it("takes no name that hides what would go: a link with / or ..", async () => {
      symlinkSync("src/deep", join(root, "in"));
      for (const path of ["in/", "in/.", "in/..", "src/deep/.."]) {
        expect([path, await files().remove(path, { recursive: true })]).toMatchObject([path, { ok: false }]);
        expect([path, await files().move(path, "elsewhere")]).toMatchObject([path, { ok: false }]);
      }
      expect(existsSync(join(root, "src", "deep"))).toBe(true);
    });

    it("removes a tree when asked, without following its links", async () => {
      symlinkSync("../../outside", join(root, "src", "out"));
      expect(await files().remove("src", { recursive: true })).toMatchObject({ ok: true, count: 4 });
      expect(existsSync(join(root, "src"))).toBe(false);
      expect(existsSync(join(top, "outside", "secret.txt"))).toBe(true);
    });

    it("keeps a tree that holds something protected as a whole", async () => {
      mkdirSync(join(root, "src", ".git"));
      expect(code(await files().remove("src", { recursive: true }))).toBe("protected");
      expect(existsSync(join(root, "src", "b.txt"))).toBe(true);
      expect(code(await files({ allowProtected: () => true }).remove("src", { recursive: true }))).toBe("ok");
    });

    it("keeps the roots", async () => {
      const inside = files({ roots: [root, join(root, "src")] });
      for (const path of [".", root, "src", "src/.."]) {
        expect(await inside.remove(path, { recursive: true })).toMatchObject({ ok: false });
      }
      expect(await files().remove("../root", { recursive: true })).toMatchObject({ ok: false });
    });
  });

  describe("move and mkdir", () => {
    it("moves files, directories and links", async () => {
      symlinkSync("../outside", join(root, "out"));
      const moved = { ok: true, to: join(root, "src", "c.txt") };
      expect(await files().move("a.txt", "src/c.txt")).toMatchObject(moved);
      expect(code(await files().move("src", "lib"))).toBe("ok");
      expect(code(await files().move("out", "lib/out"))).toBe("ok");
      expect(text("root/lib/c.txt")).toBe("alpha");
      expect(lstatSync(join(root, "lib", "out")).isSymbolicLink()).toBe(true);
      expect(code(await files().move("lib/c.txt", "x/y/c.txt"))).toBe("not_found");
      expect(code(await files().move("lib/c.txt", "x/y/c.txt", { makeParents: true }))).toBe("ok");
    });

    it("replaces only files, and only when asked", async () => {
      expect(code(await files().move("a.txt", "src/b.txt"))).toBe("exists");
      expect(code(await files().move("a.txt", "src"))).toBe("exists");
      expect(code(await files().move("src/deep", "a.txt", { overwrite: true }))).toBe("exists");
      expect(code(await files().move("a.txt", "src/b.txt", { overwrite: true }))).toBe("ok");
      expect(text("root/src/b.txt")).toBe("alpha");
    });

    it("moves nothing out, in, or into itself", async () => {
      symlinkSync("../outside", join(root, "out"));
      for (const to of ["../a.txt", "out/a.txt"])
        expect(code(await files().move("a.txt", to))).toBe("outside_root");
      for (const from of ["out/secret.txt", join(top, "outside")])
        expect(code(await files().move(from, "mine"))).toBe("outside_root");
      expect(code(await files().move("src", "src/deep/src"))).toBe("invalid_path");
      expect(code(await files().move("a.txt", "a.txt", { overwrite: true }))).toBe("invalid_path");
      expect(code(await files().move(".", "src/x"))).toBe("denied");
    });

    it("takes no protected thing along under another name", async () => {
      mkdirSync(join(root, ".config", "gcloud"), { recursive: true });
      mkdirSync(join(root, "fake", "x"), { recursive: true });
      writeFileSync(join(root, "fake", "settings.json"), "{}");
      writeFileSync(join(root, ".env"), "KEY=1");
      const out = { ".env": "plain.txt", ".config": "plain" };
      const into = { "a.txt": ".git/hooks/pre-commit", src: ".git", fake: ".claude" };
      for (const [from, to] of Object.entries({ ...out, ...into }))
        expect(code(await files().move(from, to, { makeParents: true }))).toBe("protected");
      expect(existsSync(join(root, ".git"))).toBe(false);
    });

    it("makes directories with their parents", async () => {
      expect(await files().mkdir("x/y/z/")).toMatchObject({ ok: true, created: true });
      expect(await files().mkdir("x/y/z")).toMatchObject({ ok: true, created: false });
      expect(code(await files().mkdir("p/q", { makeParents: false }))).toBe("not_found");
      expect(code(await files().mkdir("a.txt"))).toBe("exists");
      expect(code(await files().mkdir("a.txt/x"))).toBe("not_a_directory");
      expect(code(await files().mkdir("../x"))).toBe("outside_root");
      expect(code(await files().mkdir(".git/hooks"))).toBe("protected");
      expect(readdirSync(root)).not.toContain(".git");
    });
  });

  describe("the file that a write fills first", () => {
    it("can be given a name, so that a journal finds it again, and is gone after the write", async () => {
      const inside = files();
      expect(code(await inside.write("a", "x", { temporaryName: "one-1" }))).toBe("ok");
      expect([text("root/a"), readdirSync(root).sort()]).toEqual(["x", ["a", "a.txt", "src"]]);
      // Taken: somebody else's file is never written into.
      await inside.write(temporaryFileName("two"), "mine");
      expect(code(await inside.write("a", "y", { temporaryName: "two" }))).toBe("exists");
      expect(text(`root/${temporaryFileName("two")}`)).toBe("mine");
    });
  });

  describe("our own state", () => {
    it("is never open, also not to policy, by any name, before and after it exists", async () => {
      const state = join(root, "home", "toolgate");
      const inside = files({ statePaths: [state], allowProtected: () => true });
      for (const round of [1, 2]) {
        const config = await inside.write("home/toolgate/config.yaml", "x", { makeParents: true });
        expect(code(config)).toBe("protected");
        expect(code(await inside.mkdir("home/toolgate"))).toBe("protected");
        expect((await inside.write("HOME/../home/ToolGate", "x", { makeParents: true })).ok).toBe(false);
        expect(code(await inside.move("src", "home/toolgate", { makeParents: true }))).toBe("protected");
        if (round === 1) mkdirSync(join(state, "deep"), { recursive: true });
      }
      writeFileSync(join(state, "token"), "t");
      symlinkSync("home/toolgate", join(root, "innocent"));
      for (const path of ["home/toolgate/token", "innocent/token", "home/toolgate", "innocent"]) {
        expect(code(await inside.read(path))).toBe("protected");
        expect(code(await inside.stat(path))).toBe("protected");
      }
      expect(code(await inside.list("home/toolgate"))).toBe("protected");
      const listing = await inside.list(".", { depth: 9 });
      expect(listing.ok && listing.entries.filter((entry) => entry.path.includes("token"))).toEqual([]);
      for (const path of ["home", "home/toolgate"]) {
        expect(code(await inside.remove(path, { recursive: true }))).toBe("protected");
        expect(code(await inside.move(path, "elsewhere"))).toBe("protected");
      }
      expect(existsSync(join(state, "token"))).toBe(true);
    });

    it("is recognised by identity where its name is hidden", async () => {
      const state = join(top, "outside");
      symlinkSync(state, join(top, "alias"));
      const inside = files({ roots: [top], statePaths: [join(top, "alias")], allowProtected: () => true });
      expect(code(await inside.read("outside/secret.txt"))).toBe("protected");
    });
  });
});

it("the file that a write fills first takes no name that could lead elsewhere", () => {
  expect(temporaryFileName("a_B-9")).toBe(".toolgate-a_B-9.tmp");
  expect(temporaryFileName()).toMatch(/^\.toolgate-[\w-]{12}\.tmp$/);
  for (const name of ["", "../x", "a/b", "a\\b", ".", "a\0", "x".repeat(65)])
    expect(() => temporaryFileName(name)).toThrow(TypeError);
});

describe("keepTextShape", () => {
  it.each([
    ["LF stays LF", "a\nb\n", "a\nc\n", "a\nc\n"],
    ["CRLF is kept when the new text has LF", "a\r\nb\r\n", "a\nc\nd\n", "a\r\nc\r\nd\r\n"],
    ["LF is kept when the new text has CRLF", "a\nb\n", "a\r\nc\r\n", "a\nc\n"],
    ["a mixed new text becomes all CRLF in a CRLF file", "a\r\nb\r\n", "a\r\nc\n", "a\r\nc\r\n"],
    ["carriage returns alone are kept", "a\rb\r", "a\nc\r\nd\n", "a\rc\rd\r"],
    ["a byte order mark is put back", "\ufeffa\n", "b\n", "\ufeffb\n"],
    ["a byte order mark is not doubled", "\ufeffa\n", "\ufeffb\n", "\ufeffb\n"],
    ["a byte order mark is not added", "a\n", "\ufeffb\n", "b\n"],
    ["text without lines has no ending to keep", "a", "a\r\nb", "a\r\nb"],
    ["a new file keeps its own shape", "", "\ufeffa\r\nb\n", "\ufeffa\r\nb\n"],
    ["the last line end is not the helper's business", "a\nb\n", "a\nb", "a\nb"],
    [
      "mixed: lines around the change keep their own ending",
      "a\r\nb\nc\r\nd\n",
      "a\nb\nX\nd\n",
      "a\r\nb\nX\r\nd\n",
    ],
    ["mixed: an insertion gets the common ending", "a\r\nb\r\nc\n", "a\nb\nnew\nc\n", "a\r\nb\r\nnew\r\nc\n"],
    ["mixed: no change changes nothing", "a\r\nb\nc", "a\nb\nc", "a\r\nb\nc"],
  ])("%s", (_title, original, next, expected) => {
    expect(keepTextShape(original, next)).toBe(expected);
  });
});
