/** browser.type: text into a field of the page, or a key. */
import { defineBuiltin } from "../define-builtin.ts";
import { closedOneOf, flag } from "../input-fields.ts";
import type { Browsers } from "./browsers.ts";
import { act, actionMs, screenshotField, toolTimeoutMs } from "./page-answer.ts";
import { explainTarget, locate, targetFields } from "./target.ts";

export function createType(browsers: Browsers) {
  return defineBuiltin("browser.type", {
    title: "Type",
    description:
      "Puts text into a field of the open page, in place of what is there, and presses a key after it if one is given (Enter sends most forms). " +
      "Without a field the text goes where the last click was.",
    input: closedOneOf({
      text: { type: "string", maxLength: 50_000, description: "What to type." },
      key: {
        type: "string",
        pattern: "^(?:(?:Shift|Control|Alt|Meta)\\+){0,3}(?:[A-Za-z][A-Za-z0-9]{0,19}|[0-9])$",
        description: "A key to press then: Enter, Tab, Escape, ArrowDown, Control+A.",
      },
      ...targetFields,
      append: flag("Add to what the field holds. Default false: the text takes its place."),
      screenshot: screenshotField,
    }),
    timeoutMs: toolTimeoutMs,
    validate: ({ text, key, append, ...target }) => {
      if (text === undefined && key === undefined) return "give a text, a key or both.";
      const hasField = target.ref !== undefined || target.selector !== undefined;
      if (append !== undefined && !hasField) return "append is for a field: give its ref or selector, too.";
      return explainTarget(target, false);
    },
    run: ({ text, key, append = false, screenshot, ...target }, context) =>
      act(browsers, context, { screenshot }, async ({ page }) => {
        const field = locate(page, target);
        const { keyboard } = page;
        if (field !== undefined && text !== undefined && !append)
          await field.fill(text, { timeout: actionMs });
        else if (field !== undefined) {
          await field.focus({ timeout: actionMs });
          if (text !== undefined) await keyboard.press("End");
        }
        if (text !== undefined && (field === undefined || append)) await keyboard.insertText(text);
        if (key !== undefined) await keyboard.press(key);
        return undefined;
      }),
  });
}
