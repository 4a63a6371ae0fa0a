import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createBrowserTools } from "../../../../../src/sources/builtin/browser/browser-tools.ts";
import { findChrome } from "../../../../../src/sources/builtin/browser/find-chrome.ts";
import { loadPlaywright } from "../../../../../src/sources/builtin/browser/load-playwright.ts";
import { rule } from "../../rule.ts";
import { because } from "../../stopped.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { browserGate, enableBrowser } from "./browser-gate.ts";

const url = "https://example.org/page";

describe("the browser tools without a browser", () => {
  it("are off by default, and ask where they are on", async () => {
    const off = await browserGate({}, {});
    expect(await off.code("browser.open", { url })).toBe("category_disabled");
    const on = await browserGate({}, { enable: { enabledCategories: ["browser"] } });
    expect(await on.code("browser.open", { url })).toBe("no_approver");
    expect(await on.code("browser.read")).toBe("no_page");
  });

  it("say how to get a browser, and how to get playwright-core", async () => {
    const { failure } = await browserGate({ executable: "/nowhere/chrome" });
    const { code, message } = await failure("browser.open", { url });
    expect(code).toBe("no_browser");
    expect(message).toContain("CHROME_PATH");
    expect(message).toContain("apt install chromium");
    const nothing = await loadPlaywright(() => Promise.reject(new Error("ERR_MODULE_NOT_FOUND")));
    expect(nothing).toMatchObject({ ok: false, code: "no_playwright" });
    expect(nothing).toHaveProperty("message", expect.stringContaining("npm install playwright-core"));
  });

  it("take the browser that CHROME_PATH names, and none of the workspace", () => {
    const folder = temporaryFolder("browser");
    const program = join(folder, "chromium");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    expect(findChrome(undefined, [], { CHROME_PATH: program })).toEqual({ ok: true, path: program });
    expect(findChrome(undefined, [], { CHROME_PATH: "chromium" })).toMatchObject({ code: "no_browser" });
    expect(findChrome(undefined, [], { CHROME_PATH: folder })).toMatchObject({ code: "no_browser" });
    const inWorkspace = findChrome(undefined, [folder], { PATH: folder });
    expect("path" in inWorkspace ? inWorkspace.path : "").not.toBe(program);
  });

  it.for([
    ["browser.open", {}],
    ["browser.open", { url: "file:///etc/passwd" }],
    ["browser.open", { url: "javascript:alert(1)" }],
    ["browser.open", { url: "data:text/html,x" }],
    ["browser.open", { url: "chrome://version" }],
    ["browser.open", { url: "view-source:https://example.org/" }],
    ["browser.open", { url: "https://user:pw@example.org/" }],
    ["browser.open", { url: "https:\\\\example.org" }],
    ["browser.click", {}],
    ["browser.click", { ref: "e1", selector: "a" }],
    ["browser.click", { ref: "e1 >> xpath=/" }],
    ["browser.click", { coordinate: "far,away" }],
    ["browser.type", { selector: "a" }],
    ["browser.type", { text: "x", append: true }],
    ["browser.type", { key: "Enter; rm" }],
    ["browser.scroll", { pixels: 1 }],
    ["browser.scroll", { direction: "down", ref: "e1" }],
    ["browser.screenshot", { fullPage: true, ref: "e1" }],
    ["browser.read", { file: "x" }],
  ] as const)("refuse before anybody is asked: %s %j", async ([tool, input]) => {
    expect(await (await browserGate()).code(tool, input)).toBe("invalid_input");
  });

  it("refuse options that they do not know", () => {
    expect(() => createBrowserTools({ sandbox: "no" as unknown as boolean })).toThrow("sandbox");
    expect(() => createBrowserTools({ idleMs: 0 })).toThrow("idleMs");
    expect(() => createBrowserTools({ headful: true } as object)).toThrow('"headful"');
  });

  it("run no page without the browser's sandbox unless somebody says so", async () => {
    if (process.getuid?.() !== 0) return;
    const { failure } = await browserGate({ sandbox: true, executable: process.execPath });
    const { code, message } = await failure("browser.open", { url });
    expect(code).toBe("no_sandbox");
    expect(message).toContain("web: { browser: { sandbox: false } }");
  });
});

describe("browser_action", () => {
  it("becomes the tool that it means, so that its rules hold", async () => {
    const deny = rule("deny", "browser.*", [], { priority: 5 });
    const { gate } = await browserGate({}, { ...enableBrowser, policies: [deny] });
    for (const [input, id] of [
      [{ action: "launch", url }, "browser.open"],
      [{ action: "click", coordinate: "450,300" }, "browser.click"],
      [{ action: "type", text: "x" }, "browser.type"],
      [{ action: "press", text: "Enter" }, "browser.type"],
      [{ action: "scroll_down" }, "browser.scroll"],
      [{ action: "scroll_up", task_progress: "- [ ] look" }, "browser.scroll"],
      [{ action: "read" }, "browser.read"],
      [{ action: "screenshot" }, "browser.screenshot"],
      [{ action: "close" }, "browser.close"],
    ] as const) {
      const { walk, verdict } = await gate.explain({ tool: "browser_action", input });
      expect(verdict, input.action).toBe("deny");
      expect(walk[0]?.finding, input.action).toContain(id);
    }
  });

  it("says which actions there are", async () => {
    const { failure } = await browserGate();
    const named = because("invalid_input", "must be one of launch, click, type");
    for (const action of [undefined, "hover", "__proto__", 1])
      expect(await failure("browser_action", { action, url })).toMatchObject(named);
    for (const input of [{}, { action: "hover" }])
      expect(await failure("browser_action", input)).toMatchObject(named);
  });

  it("is judged by the rules for browser.open where an agent has a tool of that name", async () => {
    const deny = rule("deny", "browser.open", [["url", "inside", "example.org"]]);
    const { gate } = await browserGate({}, { policies: [deny] });
    const check = (to: string) =>
      gate.check({ tool: "browser_action", input: { action: "launch", url: to } });
    expect(await check(url)).toMatchObject({ verdict: "deny" });
    expect(await check("https://example.net/")).not.toMatchObject({ verdict: "deny" });
  });
});

describe("a tool of an agent that is left out on purpose", () => {
  it("is unknown, with what to use instead", async () => {
    const { failure } = await browserGate();
    for (const [name, hint] of [
      ["generate_image", "tools.search"],
      ["report_bug", "your answer"],
      ["generate_explanation", "git.diff"],
      ["CronCreate", "scheduler"],
    ] as const) {
      const said = await failure(name, {});
      expect(said.code).toBe("unknown_tool");
      expect(said.hint).toContain(hint);
    }
    expect((await failure("browser.opn", {})).hint).toContain("browser.open");
  });
});
