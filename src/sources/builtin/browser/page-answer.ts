/** What a tool answers after it did something to a page: where the page is, and what happened there. */
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import type { Page } from "playwright-core";
import { type ToolResult, toolResult } from "../../../core/call/content.ts";
import { messageOf } from "../../../core/call/errors.ts";
import { type Failure, failed } from "../../../core/call/tool-answer.ts";
import { visible } from "../../../core/text/visible.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { type Browsers, PageStuck } from "./browsers.ts";
import type { OpenPage } from "./session-browser.ts";
import { takePicture } from "./take-picture.ts";
import { withTime } from "./with-time.ts";

/** What a tool may ask for besides what it does. */
export interface AnswerWish {
  readonly screenshot?: boolean | undefined;
}

export const screenshotField = {
  type: "boolean",
  description: "Answer with a picture of the page, too. Default false.",
} as const;

/** For an element to be there, and for the browser to do what is asked. */
export const actionMs = 10_000;
/** Longer than everything that an action waits for. */
export const toolTimeoutMs = 90_000;
/** For a page that loads because of an action. */
const settleMs = 4_000;
const startMs = 250;

/** Does something to the page of the session, and tells where that led. */
export async function act(
  browsers: Browsers,
  context: ToolContext,
  { start = false, ...wish }: AnswerWish & { readonly start?: boolean },
  work: (open: OpenPage) => Promise<Failure | undefined>,
): Promise<ToolResult> {
  const used = await browsers.use(context, start, async (open) => {
    const refused = open.guard.whenRefused();
    const failure = await work(open).catch((error: unknown) => {
      if (error instanceof PageStuck) throw error;
      return plainFailure(error, open.page);
    });
    if (open.page.isClosed()) throw new Error("The page is closed.");
    await settle(open.page, refused);
    return answerAbout(open, wish, failure);
  });
  return used.ok ? used.value : failed(used);
}

async function answerAbout(
  { page, notes }: OpenPage,
  { screenshot = false }: AnswerWish,
  failure: Failure | undefined,
): Promise<ToolResult> {
  const { line, url, title } = await describePage(page);
  const happened = notes.take();
  const text = [...(failure === undefined ? [] : [failure.message]), line, ...happened].join("\n");
  const picture = screenshot && failure === undefined ? await takePicture(page) : undefined;
  const structured = { url, title, notes: happened, ...(failure?.code && { code: failure.code }) };
  const content = [{ type: "text" as const, text }, ...(picture?.ok === true ? [picture.content] : [])];
  return toolResult({ content, structured, isError: failure !== undefined });
}

export async function describePage(page: Page) {
  const url = visible(page.url(), { maxLength: 2_000 });
  // A page whose script never ends answers nothing.
  const title = visible(await withTime(page.title(), "", 2_000), { maxLength: 200 });
  return { url, title, line: `[${url}${title === "" ? "" : ` "${title}"`}]` };
}

/** A click may lead somewhere: whoever looks next should see where. */
async function settle(page: Page, refused: Promise<void>): Promise<void> {
  await sleep(startMs);
  await Promise.race([page.waitForLoadState("load", { timeout: settleMs }).catch(() => {}), refused]);
}

/** Playwright's errors carry a log in colours; a model needs their first lines. */
export function plainFailure(error: unknown, page: Page): Failure {
  if (page.isClosed()) throw error;
  const lines = stripVTControlCharacters(messageOf(error)).split("\n");
  const said = visible(
    lines
      .slice(0, 2)
      .join(" ")
      .replace(/^\w+\.\w+: /, ""),
    { maxLength: 400 },
  );
  const advice = /aria-ref|Timeout/.test(said)
    ? " Handles hold until the page changes: read it again with browser.read."
    : "";
  return { code: "page_failed", message: `It did not work: ${said}${advice}` };
}
