import { EventEmitter } from "node:events";
import type { CDPSession } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { ToolContext } from "../../../../../src/core/tool/tool.ts";
import { type BrowserOptions, readOptions } from "../../../../../src/sources/builtin/browser/options.ts";
import { createPageGuard } from "../../../../../src/sources/builtin/browser/page-guard.ts";
import { createPageNotes } from "../../../../../src/sources/builtin/browser/page-notes.ts";
import { words } from "../../../../words.ts";

/** The browser's end of the line: it says what it is about to load and hears what to do. */
async function guarded(options: BrowserOptions = {}) {
  const notes = createPageNotes();
  const hosts: Record<string, string> = { "public.example": "93.184.216.34", "inner.example": "10.0.0.7" };
  const resolve = async (host: string) => (hosts[host] === undefined ? [] : [hosts[host]]);
  const allowPrivate = ["inner.example:80"];
  const guard = createPageGuard(readOptions({ allowPrivate, resolve, ...options }), notes);
  const browser = new EventEmitter() as EventEmitter & {
    send: (method: string, more: object) => Promise<void>;
  };
  const answers = new Map<string, (verdict: string) => void>();
  browser.send = async (method, more) => {
    const { requestId } = more as { requestId?: string };
    if (requestId !== undefined) answers.get(requestId)?.(method);
  };
  await guard.watch(browser as unknown as CDPSession);
  guard.mainFrame = "main";
  guard.context = {} as ToolContext;
  let count = 0;
  const ask = (url: string, frameId = "main", resourceType = "Document") =>
    new Promise<string>((resolveAnswer) => {
      const requestId = String(count++);
      answers.set(requestId, resolveAnswer);
      browser.emit("Fetch.requestPaused", { requestId, request: { url }, resourceType, frameId });
    });
  const open = (url: string) => {
    guard.allow(url);
    return ask(url);
  };
  return { guard, notes, ask, open };
}

const goes = "Fetch.continueRequest";
const fails = "Fetch.failRequest";

describe("what a browser loads", () => {
  it("is nothing that no call asked for", async () => {
    const { ask, notes } = await guarded();
    expect(await ask("http://public.example/")).toBe(fails);
    expect(notes.take()[0]).toContain("No call asked for it.");
  });

  it("is the page that was asked for, and those of its host", async () => {
    const { ask, open, notes, guard } = await guarded();
    expect(await open("http://public.example/")).toBe(goes);
    expect(await ask("http://public.example/two")).toBe(goes);
    expect(await ask("http://other.example/")).toBe(fails);
    expect(guard.wasJudged("http://public.example/three")).toBe(true);
    for (const url of words(`
      blob:http://public.example/x data:text/html,x file:///etc/passwd http://public.example:81/
    `))
      expect(guard.wasJudged(url), url).toBe(false);
    expect(notes.take()[0]).toContain("other.example");
  });

  it("is no other scheme, as a page or as a part of one", async () => {
    const { ask, open } = await guarded();
    await open("http://public.example/");
    for (const url of words(`
      file:///etc/passwd chrome://version filesystem:http://public.example/t/x ftp://public.example/
    `)) {
      expect(await ask(url), url).toBe(fails);
      expect(await ask(url, "frame"), url).toBe(fails);
      expect(await ask(url, "frame", "Image"), url).toBe(fails);
    }
    expect(await ask("data:text/html,x")).toBe(fails);
    expect(await ask("data:image/png,x", "frame", "Image")).toBe(goes);
  });

  it("stays outside of one's own network where the page is from outside", async () => {
    const { ask, open, guard } = await guarded();
    expect(await open("http://inner.example/")).toBe(goes);
    expect(await guard.mayConnect("http://inner.example/", true)).toBeUndefined();
    expect(await open("http://public.example/")).toBe(goes);
    expect(await guard.mayConnect("http://inner.example/", true)).toContain("does not reach into");
    expect(await guard.mayConnect("http://public.example/", false)).toBeUndefined();
    const { ask: askFree, open: openFree } = await guarded({ mayLoad: async () => undefined });
    await openFree("http://public.example/");
    expect(await askFree("http://inner.example/")).toBe(fails);
    expect(await ask("http://inner.example:81/")).toBe(fails);
  });

  it("is refused where the rules cannot be asked", async () => {
    const mayLoad = async (to: string) => {
      if (to.includes("broken")) throw new Error("no store");
      return to.includes("denied") ? "The rules refuse it." : undefined;
    };
    const { ask, open, guard, notes } = await guarded({ mayLoad });
    await open("http://public.example/");
    expect(await ask("http://public.example/broken")).toBe(fails);
    expect(await ask("http://public.example/broken", "frame")).toBe(fails);
    expect(await ask("http://public.example/denied", "frame")).toBe(fails);
    expect(await ask("http://public.example/fine", "frame")).toBe(goes);
    expect(notes.take().join()).toContain("It could not be judged: no store");
    expect(await guard.mayConnect("http://denied.example/x", false)).toBe("The rules refuse it.");
  });
});
