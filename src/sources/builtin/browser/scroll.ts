/** browser.scroll: moves what is seen of the page. */
import { defineBuiltin } from "../define-builtin.ts";
import { closedOneOf, wholeNumber } from "../input-fields.ts";
import type { Browsers } from "./browsers.ts";
import { viewport } from "./chrome-arguments.ts";
import { act, actionMs, screenshotField, toolTimeoutMs } from "./page-answer.ts";
import { explainTarget, locate, targetFields } from "./target.ts";

const defaultPixels = viewport.height - 100;

export function createScroll(browsers: Browsers) {
  return defineBuiltin("browser.scroll", {
    title: "Scroll",
    description: "Scrolls the open page up or down, or until an element is seen.",
    input: closedOneOf({
      direction: { type: "string", enum: ["up", "down"], description: "Where to." },
      pixels: wholeNumber(1, 100_000, `How far. Default ${defaultPixels}, almost the height of the window.`),
      ...targetFields,
      screenshot: screenshotField,
    }),
    synonyms: { pixels: ["amount"] },
    timeoutMs: toolTimeoutMs,
    validate: ({ direction, pixels, ...target }) => {
      const toElement = target.ref !== undefined || target.selector !== undefined;
      if (toElement === (direction !== undefined))
        return "give a direction, or an element (ref, selector) to scroll to.";
      if (toElement && pixels !== undefined) return "pixels is for a direction.";
      return explainTarget(target, false);
    },
    run: ({ direction, pixels = defaultPixels, screenshot, ...target }, context) =>
      act(browsers, context, { screenshot }, async ({ page }) => {
        const element = locate(page, target);
        if (element !== undefined) await element.scrollIntoViewIfNeeded({ timeout: actionMs });
        else {
          await page.mouse.move(viewport.width / 2, viewport.height / 2);
          await page.mouse.wheel(0, direction === "up" ? -pixels : pixels);
        }
        return undefined;
      }),
  });
}
