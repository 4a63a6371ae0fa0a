/**
 * Judges what the browser is about to load, before it does: redirects, frames, workers and clicks included.
 * Where it may connect to, the proxy decides once more, when it does.
 */
import type { CDPSession } from "playwright-core";
import { messageOf } from "../../../core/call/errors.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { checkUrl } from "../../../safe/net/check-url.ts";
import { admit, systemResolve } from "../../../safe/net/connect.ts";
import { areAllPublic, judgeAddress } from "../../../safe/net/public-address.ts";
import { onlySameHost } from "../web/page/follow-redirects.ts";
import type { BrowserSettings } from "./options.ts";
import type { PageNotes } from "./page-notes.ts";

export interface PageGuard {
  /** The call that works with the page now: its caller and its rules count for what the page does. */
  context: ToolContext | undefined;
  /** The frame of the page itself. Every other document is a frame in it. */
  mainFrame: string | undefined;
  /** The address of the call, which the rules have let through. The page before it must be gone. */
  allow(url: string): void;
  /** Whether a page of this address was judged. A script may change the address, but never its origin. */
  wasJudged(url: string): boolean;
  /** The next time that the page is not let where it wants to go: whoever waits for it waits no more. */
  whenRefused(): Promise<void>;
  /** For the proxy: what the rules say about a connection. */
  mayConnect(url: string, isPrivate: boolean): Promise<string | undefined>;
  /** From now on nothing is loaded that was not judged. */
  watch(browser: CDPSession): Promise<void>;
}

/** A host that is opened for its own pages is not opened for those of strangers. */
const fromOutside = "A page of the internet does not reach into one's own network.";
const unasked = "No call asked for it.";
/** What the browser shows instead of a page that could not be loaded. */
const errorPage = "chrome-error://chromewebdata/";
/** How long the rules' word about an origin holds: a page has a hundred parts, and rules may ask hooks. */
const originMs = 60_000;
const maxOrigins = 1_000;

export function createPageGuard(settings: BrowserSettings, notes: PageNotes): PageGuard {
  const { allowPrivate, mayLoad, resolve = systemResolve } = settings;
  const origins = new Map<string, { readonly until: number; readonly answer: Promise<string | undefined> }>();
  const judged = new Set<string>();
  let refusedPage = Promise.withResolvers<void>();
  let allowed: string | undefined;
  let page: { readonly url: string; readonly isPrivate: boolean } | undefined;

  const guard: PageGuard = {
    context: undefined,
    mainFrame: undefined,
    allow: (url) => {
      allowed = url;
      page = undefined;
    },
    wasJudged: (url) => url === "about:blank" || url === errorPage || judged.has(originOf(url)),
    whenRefused: () => refusedPage.promise,
    mayConnect,
    watch: async (browser) => {
      browser.on("Fetch.requestPaused", (event) => void decide(browser, event));
      await browser.send("Fetch.enable", { patterns: [{ urlPattern: "*", requestStage: "Request" }] });
    },
  };
  return guard;

  async function decide(browser: CDPSession, event: Paused): Promise<void> {
    const isPage = event.resourceType === "Document" && event.frameId === guard.mainFrame;
    const objection = await (isPage ? judgePage(event.request.url) : judgePart(event)).catch(
      (error: unknown) => `It could not be judged: ${messageOf(error)}`,
    );
    const { requestId } = event;
    if (objection !== undefined) notes.refused(isPage ? "page" : "part", event.request.url, objection);
    // An aborted page stays where it is, a blocked one would become an error.
    const errorReason = isPage ? "Aborted" : "BlockedByClient";
    const sending =
      objection === undefined
        ? browser.send("Fetch.continueRequest", { requestId })
        : browser.send("Fetch.failRequest", { requestId, errorReason });
    // The request, or the browser, is gone.
    await sending.catch(() => {});
    if (objection === undefined || !isPage) return;
    refusedPage.resolve();
    refusedPage = Promise.withResolvers();
  }

  async function judgePage(to: string): Promise<string | undefined> {
    const url = checkUrl(to);
    if (!url.ok) return `${url.message} ${url.hint}`;
    const admitted = await admit(url.url, allowPrivate, resolve, judgeAddress).catch(() => undefined);
    if (admitted === undefined) return `The host ${url.url.hostname} was not found.`;
    if (!admitted.ok) return `${admitted.message} ${admitted.hint}`;
    const isPrivate = !areAllPublic(admitted.addresses);
    const why = withoutHash(to) === allowed ? undefined : await mayFollow(to, isPrivate);
    if (why !== undefined) return `${why} Call browser.open with it if it is wanted.`;
    allowed = undefined;
    page = { url: to, isPrivate };
    judged.add(url.url.origin);
    return undefined;
  }

  async function mayFollow(to: string, isPrivate: boolean): Promise<string | undefined> {
    if (page === undefined || guard.context === undefined) return unasked;
    if (isPrivate && !page.isPrivate) return fromOutside;
    return mayLoad === undefined ? onlySameHost(page.url, to) : mayLoad(to, guard.context, page.url);
  }

  async function judgePart({ request, resourceType }: Paused): Promise<string | undefined> {
    const { protocol } = new URL(request.url);
    // The bytes are in the address, or in the page's own memory.
    if (protocol === "data:" || protocol === "blob:") return undefined;
    if (protocol !== "http:" && protocol !== "https:") return "Only http and https are loaded.";
    return resourceType === "Document" ? partOfPage(request.url) : undefined;
  }

  async function partOfPage(url: string): Promise<string | undefined> {
    if (guard.context === undefined) return unasked;
    return mayLoad?.(url, guard.context, undefined);
  }

  async function mayConnect(url: string, isPrivate: boolean): Promise<string | undefined> {
    if (isPrivate && page?.isPrivate !== true) return fromOutside;
    const origin = originOf(url);
    const known = origins.get(origin);
    if (known !== undefined && known.until > performance.now()) return known.answer;
    // For the whole origin: nobody sees more of what is encrypted.
    const answer = partOfPage(`${origin}/`);
    if (origins.size >= maxOrigins) origins.clear();
    origins.set(origin, { until: performance.now() + originMs, answer });
    return answer;
  }
}

/** The part that is used of what the browser tells. */
interface Paused {
  readonly requestId: string;
  readonly request: { readonly url: string };
  readonly resourceType: string;
  readonly frameId: string;
}

function withoutHash(url: string): string {
  return url.split("#", 1)[0] ?? url;
}

/** Empty for everything but http and https: a page in a `blob:` has the origin of who made it. */
function originOf(url: string): string {
  const { protocol, origin } = URL.parse(url) ?? {};
  return (protocol === "http:" || protocol === "https:") && origin !== undefined ? origin : "";
}
