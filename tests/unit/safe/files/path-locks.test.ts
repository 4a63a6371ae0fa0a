import { describe, expect, it } from "vitest";
import { createPathLocks } from "../../../../src/safe/files/path-locks.ts";

/** Work that goes on until it is let go, and a note of when it began. */
function createWork() {
  const began: string[] = [];
  const letGo = new Map<string, () => void>();
  const work = (name: string) => () => {
    began.push(name);
    return new Promise<string>((resolve) => letGo.set(name, () => resolve(name)));
  };
  const finish = async (name: string) => {
    letGo.get(name)?.();
    await turn();
  };
  return { began, work, finish };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("locks of paths", () => {
  it("let one at a time work on a path, in the order of coming, and others on other paths", async () => {
    const locks = createPathLocks();
    const { began, work, finish } = createWork();
    const all = [
      locks.holding(["/a"], undefined, work("first")),
      locks.holding(["/a"], undefined, work("second")),
      locks.holding(["/b"], undefined, work("other")),
      locks.holding(["/a"], undefined, work("third")),
    ];
    await turn();
    expect(began).toEqual(["first", "other"]);
    await finish("first");
    expect(began).toEqual(["first", "other", "second"]);
    await finish("second");
    await finish("third");
    await finish("other");
    expect(await Promise.all(all)).toEqual(["first", "second", "other", "third"]);
  });

  it("never let two wait for each other, whatever the order in which they name their paths", async () => {
    const locks = createPathLocks();
    const sets = ["/a /b /c", "/c /b /a", "/b /a", "/c /a", "/b /b"].map((paths) => paths.split(" "));
    const inside = new Set<string>();
    const one = (paths: readonly string[]) =>
      locks.holding(paths, undefined, async () => {
        for (const path of new Set(paths)) {
          expect(inside).not.toContain(path);
          inside.add(path);
        }
        await turn();
        for (const path of paths) inside.delete(path);
      });
    await Promise.all(Array.from({ length: 100 }, (_, index) => one(sets[index % sets.length]!)));
    expect(inside.size).toBe(0);
  });

  it("give back what was taken when the rest is not waited for any more", async () => {
    const locks = createPathLocks();
    const { began, work, finish } = createWork();
    const controller = new AbortController();
    const first = locks.holding(["/b"], undefined, work("first"));
    const given = locks.holding(["/a", "/b"], controller.signal, work("given up"));
    const last = locks.holding(["/a"], undefined, work("last"));
    await turn();
    expect(began).toEqual(["first"]);
    controller.abort();
    await expect(given).rejects.toThrow("Cancelled while another call changed /b.");
    await turn();
    expect(began).toEqual(["first", "last"]);
    await finish("first");
    await finish("last");
    await Promise.all([first, last]);
  });

  it("are free again after work that failed", async () => {
    const locks = createPathLocks();
    const failing = locks.holding(["/a"], undefined, () => Promise.reject(new Error("boom")));
    await expect(failing).rejects.toThrow("boom");
    expect(await locks.holding(["/a"], undefined, async () => "done")).toBe("done");
  });
});
