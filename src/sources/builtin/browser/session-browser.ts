/** The browser of one session: one page, one call at a time, and an end for all of it. */
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import type { Failed } from "../../../core/call/tool-answer.ts";
import { onAbort } from "../../../core/run/abort.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { viewport } from "./chrome-arguments.ts";
import { findChrome } from "./find-chrome.ts";
import { loadPlaywright } from "./load-playwright.ts";
import type { BrowserSettings } from "./options.ts";
import { createPageGuard, type PageGuard } from "./page-guard.ts";
import { createPageNotes, type PageNotes } from "./page-notes.ts";
import { type Chrome, startChrome } from "./start-chrome.ts";

export interface OpenPage {
  readonly page: Page;
  readonly guard: PageGuard;
  readonly notes: PageNotes;
}

export interface SessionBrowser {
  readonly ok: true;
  readonly pid: number;
  /** Calls come one after the other. One that is cancelled ends the browser: its page is in no known state. */
  use<Value>(context: ToolContext, work: (open: OpenPage) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
  readonly ended: Promise<void>;
}

export async function startSessionBrowser(
  settings: BrowserSettings,
  context: ToolContext,
): Promise<SessionBrowser | Failed> {
  const { executable, allowPrivate, sandbox, resolve } = settings;
  const found = findChrome(executable, context.roots);
  if (!found.ok) return found;
  const loaded = await loadPlaywright();
  if (!loaded.ok) return loaded;
  const notes = createPageNotes();
  const guard = createPageGuard(settings, notes);
  const proxy = {
    allowPrivate,
    mayConnect: guard.mayConnect,
    onRefused: (host: string, { message }: { readonly message: string }) =>
      notes.refused("connection", host, message),
    ...(resolve && { resolve }),
  };
  const { signal } = context;
  const started = await startChrome({
    chromium: loaded.chromium,
    executable: found.path,
    sandbox,
    proxy,
    signal,
  });
  if (!started.ok) return started;
  const stopListening = onAbort(signal, () => void started.close());
  try {
    const page = await openPage(started, guard, notes);
    return inTurn(started, { page, guard, notes });
  } catch (error) {
    await started.close();
    if (signal.aborted) return { ok: false, code: "cancelled", message: "The call was cancelled." };
    throw error;
  } finally {
    stopListening();
  }
}

function inTurn(chrome: Chrome, open: OpenPage): SessionBrowser {
  let last: Promise<unknown> = Promise.resolve();
  const { pid, close, ended } = chrome;
  return {
    ok: true,
    pid,
    close,
    ended,
    use: (context, work) => {
      const turn = last.then(async () => {
        const stopListening = onAbort(context.signal, () => void close());
        open.guard.context = context;
        try {
          return await work(open);
        } finally {
          stopListening();
          // Nobody is answered before nothing is left of it.
          if (context.signal.aborted) await ended;
        }
      });
      last = turn.catch(() => {});
      return turn;
    },
  };
}

async function openPage({ browser }: Chrome, guard: PageGuard, notes: PageNotes): Promise<Page> {
  const ofBrowser = await browser.newBrowserCDPSession();
  await ofBrowser.send("Browser.setDownloadBehavior", { behavior: "deny" });
  await guard.watch(ofBrowser);
  const context = await browser.newContext({ acceptDownloads: false, serviceWorkers: "block", viewport });
  const page = await context.newPage();
  const ofPage = await context.newCDPSession(page);
  guard.mainFrame = (await ofPage.send("Page.getFrameTree")).frameTree.frame.id;
  closeOthers(context, page);
  await watchWindows(ofPage, notes);
  page.on("dialog", (dialog) => {
    // A page that does not want to be left is left all the same.
    if (dialog.type() === "beforeunload") void dialog.accept().catch(() => {});
    else void dialog.dismiss().catch(() => {});
    if (dialog.type() !== "beforeunload")
      notes.add(`The page showed a dialog (${dialog.type()}), which was dismissed: ${dialog.message()}`);
  });
  // Whoever listens keeps the browser from looking for a file itself.
  page.on("filechooser", () => notes.add("The page asked for a file. Files cannot be given to pages."));
  page.on("download", (download) => {
    notes.refused("download", download.url(), "Files are not saved. Fetch it with web.fetch.");
    void download.cancel().catch(() => {});
  });
  page.on("crash", () => notes.add("The page crashed. Open it again with browser.open."));
  page.on("console", (message) => {
    if (message.type() === "error") notes.add(`Console: ${message.text()}`);
  });
  page.on("pageerror", ({ message }) => notes.add(`Error in the page: ${message}`));
  page.on("framenavigated", (frame) => {
    if (frame !== page.mainFrame() || guard.wasJudged(frame.url())) return;
    notes.refused("page", frame.url(), "Only pages of http and https are shown.");
    void page.goto("about:blank").catch(() => {});
  });
  return page;
}

/** One page is enough, and only that one is watched. */
function closeOthers(context: BrowserContext, page: Page): void {
  context.on("page", (other) => {
    if (other !== page) void other.close().catch(() => {});
  });
}

async function watchWindows(ofPage: CDPSession, notes: PageNotes): Promise<void> {
  ofPage.on("Page.windowOpen", ({ url }) =>
    notes.refused("window", url, "There is one page only. Call browser.open with it if it is wanted."),
  );
  await ofPage.send("Page.enable");
}
