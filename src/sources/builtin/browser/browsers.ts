/** The browsers of all sessions. A session has its own only, and nothing outlives `close`. */
import { sessionKey, sessionOf } from "../../../core/call/session-key.ts";
import type { Failed } from "../../../core/call/tool-answer.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import type { BrowserSettings } from "./options.ts";
import { type OpenPage, type SessionBrowser, startSessionBrowser } from "./session-browser.ts";

export type Used<Value> = { readonly ok: true; readonly value: Value } | Failed;

interface Entry {
  /** Undefined: it could not be started. */
  readonly browser: Promise<SessionBrowser | Failed>;
  idle: NodeJS.Timeout | undefined;
  /** Calls that work with it or wait to. */
  users: number;
}

/** The page cannot be left: whoever asked for another one gets a new browser. */
export class PageStuck extends Error {}

export class Browsers {
  readonly #settings: BrowserSettings;
  readonly #bySession = new Map<string, Entry>();
  #closed = false;

  constructor(settings: BrowserSettings) {
    this.#settings = settings;
  }

  /** Works with the page of the session. `start`: opens a browser where there is none. */
  async use<Value>(
    context: ToolContext,
    start: boolean,
    work: (open: OpenPage) => Promise<Value>,
  ): Promise<Used<Value>> {
    try {
      return await this.#useOnce(context, start, work);
    } catch (error) {
      if (!(error instanceof PageStuck)) throw error;
      await this.end(context);
      return this.#useOnce(context, start, work);
    }
  }

  async #useOnce<Value>(
    context: ToolContext,
    start: boolean,
    work: (open: OpenPage) => Promise<Value>,
  ): Promise<Used<Value>> {
    const session = sessionOf(context);
    const entry = this.#bySession.get(session) ?? (start ? this.#start(session, context) : noPage);
    if ("ok" in entry) return entry;
    entry.users += 1;
    clearTimeout(entry.idle);
    try {
      const browser = await entry.browser;
      if (!browser.ok) return browser;
      return { ok: true, value: await browser.use(context, work) };
    } catch (error) {
      if (context.signal.aborted) return cancelled;
      if (this.#bySession.get(session) !== entry) return gone;
      throw error;
    } finally {
      entry.users -= 1;
      if (entry.users === 0 && this.#bySession.get(session) === entry) this.#closeWhenIdle(entry);
    }
  }

  /** False: there was none. */
  async end(context: ToolContext): Promise<boolean> {
    return this.#end(sessionOf(context));
  }

  /** A session that is over needs its browser no more. */
  async endSession(caller: string, sessionId: string): Promise<void> {
    await this.#end(sessionKey(caller, sessionId));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#bySession.keys()].map((session) => this.#end(session)));
  }

  #start(session: string, context: ToolContext): Entry | Failed {
    if (this.#closed) return failure("closed", "The browser tools are closed; nothing can be opened.");
    const { maxBrowsers } = this.#settings;
    if (this.#bySession.size >= maxBrowsers) {
      const message = `${maxBrowsers} browsers run already. Try again later, or end another session's with browser.close.`;
      return failure("too_many_browsers", message);
    }
    const browser = startSessionBrowser(this.#settings, context);
    const entry: Entry = { browser, idle: undefined, users: 0 };
    this.#bySession.set(session, entry);
    const forget = () => {
      clearTimeout(entry.idle);
      if (this.#bySession.get(session) === entry) this.#bySession.delete(session);
    };
    browser.then((started) => (started.ok ? void started.ended.then(forget) : forget()), forget);
    return entry;
  }

  async #end(session: string): Promise<boolean> {
    const entry = this.#bySession.get(session);
    if (entry === undefined) return false;
    this.#bySession.delete(session);
    clearTimeout(entry.idle);
    const browser = await entry.browser.catch(() => undefined);
    if (browser?.ok !== true) return false;
    await browser.close();
    return true;
  }

  #closeWhenIdle(entry: Entry): void {
    const close = async () => {
      const browser = await entry.browser;
      if (browser.ok) await browser.close();
    };
    entry.idle = setTimeout(() => void close().catch(() => {}), this.#settings.idleMs);
    entry.idle.unref();
  }
}

function failure(code: string, message: string): Failed {
  return { ok: false, code, message };
}

const noPage = failure("no_page", "This session has no page open. Open one with browser.open first.");
const cancelled = failure("cancelled", "The call was cancelled, and the browser of this session was closed.");
const gone = failure(
  "no_page",
  "The browser has ended: it crashed, was closed, or its page asked for too much at once. Open a page with browser.open.",
);
