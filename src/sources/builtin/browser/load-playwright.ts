/** Loads playwright-core when a browser is asked for: an optional package that most users never need. */
import type { BrowserType } from "playwright-core";
import type { Failed } from "../../../core/call/tool-answer.ts";

export type LoadedPlaywright = { readonly ok: true; readonly chromium: BrowserType } | Failed;

export async function loadPlaywright(
  load: () => Promise<{ readonly chromium: BrowserType }> = () => import("playwright-core"),
): Promise<LoadedPlaywright> {
  try {
    const { chromium } = await load();
    return { ok: true, chromium };
  } catch {
    const message =
      "The browser tools need the package playwright-core (1.65 or later), which is not installed beside toolgate. Ask a person to run " +
      "`npm install playwright-core` where toolgate is installed; it downloads no browser. Until then read pages with web.fetch.";
    return { ok: false, code: "no_playwright", message };
  }
}
