import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocatePath } from "../../../../src/core/ports/location.ts";
import { createLocatePath } from "../../../../src/safe/files/locate-path.ts";
import { traversalPaths } from "../../../attack/path-corpus.ts";
import { words } from "../../../words.ts";

let top: string;
let root: string;
const locate = createLocatePath();
const at = (path: string, cwd = root) => locate(path, { cwd, roots: [root] });

beforeAll(() => {
  top = mkdtempSync(join(realpathSync(tmpdir()), "locate-path-"));
  root = join(top, "root");
  mkdirSync(join(root, "src", "deep"), { recursive: true });
  mkdirSync(join(top, "outside"));
  mkdirSync(join(top, "root-evil"));
  writeFileSync(join(root, "a.txt"), "");
  const inside = { in: "src", deep: "src/deep", "plain.txt": ".env", ".env.link": "a.txt", circle: "circle" };
  const leaving = { out: "../outside", dangling: "../outside/new.txt", nowhere: "../nowhere" };
  for (const [name, target] of Object.entries({ ...inside, ...leaving, cwd: "/proc/self/cwd" }))
    symlinkSync(target, join(root, name));
  symlinkSync(root, join(top, "alias"));
});

afterAll(() => rmSync(top, { recursive: true, force: true }));

describe("locatePath", () => {
  it("is a LocatePath", () => {
    expect((locate satisfies LocatePath)("a.txt", { cwd: root, roots: [root] }).inside).toBe(true);
  });

  it.each([
    ...words(". a.txt ./a.txt src/ src/new.txt new/deep/file.txt in/x.txt src/../a.txt deep/../x"),
    "",
  ])("finds %j inside unless it is empty", (path) => expect(at(path).inside).toBe(path !== ""));

  it("follows links on what exists and keeps the rest", () => {
    expect(at("in/new/x.txt")).toEqual({ absolute: join(root, "src", "new", "x.txt"), inside: true });
    expect(at("out/new/x.txt")).toEqual({ absolute: join(top, "outside", "new", "x.txt"), inside: false });
    expect(at("dangling")).toEqual({ absolute: join(top, "outside", "new.txt"), inside: false });
    expect(at("nowhere/x")).toEqual({ absolute: join(top, "nowhere", "x"), inside: false });
    expect(at(join(top, "alias", "a.txt"))).toEqual({ absolute: join(root, "a.txt"), inside: true });
    expect(at("a.txt", join(top, "alias")).inside).toBe(true);
    expect(locate("a.txt", { cwd: root, roots: [join(top, "alias")] }).inside).toBe(true);
  });

  const notInside = words(`
    .. ../x ../root-evil/x out out/x circle circle/x /etc/passwd / a\0b file:///etc/passwd ~root/x ~ cwd cwd/x
    /proc/self/root/etc/passwd /dev/null /proc/self/cwd src/../../outside/x deep/../../../x missing/../../x ..\\x
  `);
  it.each([...notInside, "x".repeat(5000)])("finds %j not inside", (path) => {
    expect(at(path).inside).toBe(false);
  });

  it("counts a path with .. as inside only if it is so by text and by links", () => {
    // By text root/x; by links outside/../x.
    expect(at("out/../x").inside).toBe(false);
    // By links root/src; by text outside of the root.
    expect(at("deep/../../src/deep/x").inside).toBe(false);
  });

  it("reads ~ as the home directory", () => {
    expect(at("~/.ssh/config")).toMatchObject({ inside: false, protected: expect.any(String) });
    expect(locate("~/x", { cwd: root, roots: [homedir()] })).toMatchObject({ inside: true });
  });

  it("tells protected names by what they are, what they lead to and what leads there", () => {
    for (const path of words(
      ".env src/.env.local plain.txt .env.link new/.git/hooks/x ../.aws/credentials",
    )) {
      expect([path, at(path).protected]).toEqual([path, expect.any(String)]);
    }
    expect(at("a.txt").protected).toBeUndefined();
  });

  it("lets reading through where only writing is protected, if it is told that it is reading", () => {
    expect(at(".git/config").protected).toEqual(expect.any(String));
    expect(locate(".git/config", { cwd: root, roots: [root], access: "read" }).protected).toBeUndefined();
    const secret = locate(".env", { cwd: root, roots: [root], access: "read" });
    expect(secret.protected).toEqual(expect.any(String));
  });

  it("protects our own state, what is in it and what holds it, before it exists", () => {
    const own = createLocatePath({ statePaths: [join(root, "state", "toolgate")] });
    const context = { cwd: root, roots: [root] };
    for (const path of ["state/toolgate", "state/toolgate/token", "STATE/ToolGate/x", "state", "."]) {
      expect([path, own(path, context).protected]).toEqual([path, expect.any(String)]);
    }
    expect(own("state", { ...context, access: "read" }).protected).toBeUndefined();
    expect(own("state/other", context).protected).toBeUndefined();
  });

  it("is never inside without usable roots or working directory", () => {
    expect(locate("a.txt", { cwd: "relative", roots: [root] }).inside).toBe(false);
    expect(locate("a.txt", { cwd: root, roots: [] }).inside).toBe(false);
    expect(locate("a.txt", { cwd: root, roots: ["relative", join(top, "missing")] }).inside).toBe(false);
  });

  it("never throws and never finds a spelling of the corpus inside that leads out", () => {
    let count = 0;
    for (const path of traversalPaths({ top, root })) {
      const location = at(path);
      count += 1;
      if (!location.inside) continue;
      expect(`${location.absolute}/`.startsWith(`${root}/`)).toBe(true);
    }
    expect(count).toBeGreaterThan(10_000);
  });

  it("never throws, whatever it is given", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.anything()), (path) => {
        const location = locate(path as string, { cwd: root, roots: [root] });
        expect(typeof location.inside).toBe("boolean");
        expect(typeof location.absolute).toBe("string");
      }),
      { numRuns: 500 },
    );
  });
});
