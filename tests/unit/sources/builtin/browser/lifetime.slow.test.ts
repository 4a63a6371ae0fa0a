import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isSameProcess, type ProcessRow } from "../../../../../src/safe/process/process-table.ts";
import { descendants, serveHostile, until } from "../../../../attack/browser-world.ts";
import { chromium } from "../../../../chromium.ts";
import { stopped } from "../../stopped.ts";
import { browserGate } from "./browser-gate.ts";

const why = "missing" in chromium ? ` (skipped: ${chromium.missing})` : "";

/** What runs now and did not before, and the folders likewise. */
function watch() {
  const before = new Set(descendants().map(({ pid }) => pid));
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith("toolgate-browser-"));
  const foldersBefore = new Set(folders());
  return {
    tree: (): ProcessRow[] => descendants().filter(({ pid }) => !before.has(pid)),
    folders: () => folders().filter((name) => !foldersBefore.has(name)),
  };
}

/** The guard of all children stays, it is one shell for this process. */
const left = (tree: readonly ProcessRow[]) => tree.filter(isSameProcess);

describe.skipIf("missing" in chromium)(`the browser of a session${why}`, () => {
  async function open(options: object = {}) {
    const hanging: (() => void)[] = [];
    const page = await serveHostile((path) => (path === "/" ? "<title>start</title>start" : undefined));
    const gate = await browserGate({ allowPrivate: true, ...options });
    // The first one starts the guard, which outlives it.
    await gate.answer("browser.open", { url: `${page.base}/` });
    await gate.answer("browser.close");
    const seen = watch();
    const context = { sessionId: "one" };
    await gate.answer("browser.open", { url: `${page.base}/` }, context);
    const tree = seen.tree();
    expect(tree.length).toBeGreaterThan(2);
    expect(seen.folders()).toHaveLength(1);
    return { ...gate, page, context, tree, seen, hanging };
  }

  it("is gone after browser.close, with its folder", async () => {
    const { answer, context, tree, seen } = await open();
    await answer("browser.close", {}, context);
    expect(left(tree)).toEqual([]);
    expect(seen.tree()).toEqual([]);
    expect(seen.folders()).toEqual([]);
    expect((await answer("browser.close", {}, context)).text).toBe("No browser was open.");
  });

  it("is gone when a call is cancelled, before the caller hears of it", async () => {
    const { gate, context, tree, seen, code } = await open();
    const silent = await serveHostile(() => undefined);
    const ending = new AbortController();
    const call = gate.dispatch({
      tool: "browser.type",
      input: { selector: "#never", text: "x" },
      ...context,
      signal: ending.signal,
    });
    await sleep(300);
    ending.abort();
    expect(await call).toMatchObject(stopped("cancelled"));
    await until(() => left(tree).length === 0);
    await until(() => seen.folders().length === 0);
    expect(seen.tree()).toEqual([]);
    expect(await code("browser.read", {}, context)).toBe("no_page");
    expect(silent.asked).toEqual([]);
  });

  it("is gone when a call is cancelled while it starts", async () => {
    const { gate, page, seen } = await open();
    const before = new Set(seen.tree().map(({ pid }) => pid));
    const ending = new AbortController();
    const input = { url: `${page.base}/` };
    const call = gate.dispatch({ tool: "browser.open", input, sessionId: "two", signal: ending.signal });
    await until(() => seen.tree().some(({ pid }) => !before.has(pid)));
    ending.abort();
    expect(await call).toMatchObject(stopped("cancelled"));
    await until(() => seen.tree().every(({ pid }) => before.has(pid)));
    await until(() => seen.folders().length === 1);
  });

  it("is gone when its session ends, when nobody uses it, and when the gate closes", async () => {
    const ended = await open();
    await ended.browser.endSession("local", "one");
    const again = await ended.failure("browser.read", {}, { sessionId: "one" });
    expect(again.code).toBe("no_page");
    expect(left(ended.tree)).toEqual([]);

    const idle = await open({ idleMs: 500 });
    await until(() => left(idle.tree).length === 0 && idle.seen.folders().length === 0);

    const closed = await open();
    await closed.close();
    expect(left(closed.tree)).toEqual([]);
    expect(closed.seen.folders()).toEqual([]);
  });

  it("can be opened again after it crashed", async () => {
    const { answer, code, context, tree, page, seen } = await open();
    const [root] = tree.filter(({ parent }) => parent === process.pid);
    process.kill(root?.pid ?? 0, "SIGKILL");
    await until(() => seen.folders().length === 0);
    expect(left(tree)).toEqual([]);
    expect(await code("browser.read", {}, context)).toBe("no_page");
    expect((await answer("browser.open", { url: `${page.base}/` }, context)).text).toContain("start");
  });

  it("is no other session's, and there are only so many", async () => {
    const page = await serveHostile(
      () =>
        "<title>t</title><p id=c></p><script>c.textContent='['+document.cookie+']';document.cookie='a=1'</script>",
    );
    const { answer, code } = await browserGate({ allowPrivate: [page.host], maxBrowsers: 2 });
    const url = `${page.base}/`;
    for (const [sessionId, cookie] of [
      ["one", "[]"],
      ["one", "[a=1]"],
      ["two", "[]"],
    ]) {
      await answer("browser.open", { url }, { sessionId });
      expect((await answer("browser.read", { selector: "#c" }, { sessionId })).text).toContain(cookie);
    }
    expect(await code("browser.read", {}, { sessionId: "three" })).toBe("no_page");
    expect(await code("browser.open", { url }, { sessionId: "three" })).toBe("too_many_browsers");
    const stranger = { id: "other", capabilities: ["*"] };
    expect(await code("browser.read", {}, { sessionId: "one", caller: stranger })).toBe("no_page");
  });
});
