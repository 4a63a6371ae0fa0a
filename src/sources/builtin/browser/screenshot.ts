/** browser.screenshot: what a person would see, as an image. */
import { type ToolResult, toolResult } from "../../../core/call/content.ts";
import { failed } from "../../../core/call/tool-answer.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, flag } from "../input-fields.ts";
import type { Browsers } from "./browsers.ts";
import { describePage, plainFailure, toolTimeoutMs } from "./page-answer.ts";
import { takePicture } from "./take-picture.ts";
import { explainTarget, locate, targetFields } from "./target.ts";

export function createScreenshot(browsers: Browsers) {
  return defineBuiltin("browser.screenshot", {
    title: "Take a picture",
    description:
      "Shows the open page as an image: what the window shows, all of the page, or one element. Places in it are coordinates for browser.click.",
    input: closed([], {
      fullPage: flag("All of the page, to a height of 8000 pixels. Default false."),
      ...targetFields,
    }),
    synonyms: { fullPage: ["full_page"] },
    timeoutMs: toolTimeoutMs,
    validate: ({ fullPage, ...target }) =>
      fullPage === true && (target.ref ?? target.selector) !== undefined
        ? "fullPage and an element exclude each other."
        : explainTarget(target, false),
    run: async ({ fullPage = false, ...target }, context): Promise<ToolResult> => {
      const used = await browsers.use(context, false, async ({ page, notes }) => {
        const picture = await takePicture(page, { element: locate(page, target), fullPage }).catch(
          (error: unknown) => ({
            ok: false as const,
            ...plainFailure(error, page),
          }),
        );
        if (!picture.ok) return failed(picture);
        const { line, url, title } = await describePage(page);
        const text = [line, ...notes.take()].join("\n");
        const structured = { url, title, type: picture.content.mimeType, bytes: picture.bytes };
        return toolResult({ content: [{ type: "text", text }, picture.content], structured });
      });
      return used.ok ? used.value : failed(used);
    },
  });
}
