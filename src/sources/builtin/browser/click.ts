/** browser.click: the mouse on an element of the page, or on a place of it. */
import { defineBuiltin } from "../define-builtin.ts";
import { closedOneOf } from "../input-fields.ts";
import { withoutAction } from "./action.ts";
import type { Browsers } from "./browsers.ts";
import { act, actionMs, screenshotField, toolTimeoutMs } from "./page-answer.ts";
import { coordinateField, explainTarget, locate, placeOf, targetFields, withCoordinate } from "./target.ts";

export function createClick(browsers: Browsers) {
  return defineBuiltin("browser.click", {
    title: "Click",
    description:
      "Clicks on an element of the open page, by the handle that browser.read lists, by CSS selector or by place, and answers where that led. " +
      "A link to another host may be refused; open its address with browser.open.",
    input: closedOneOf({
      ...targetFields,
      coordinate: coordinateField,
      button: {
        type: "string",
        enum: ["left", "right", "middle"],
        description: "Which button of the mouse. Default left.",
      },
      clicks: { type: "integer", minimum: 1, maximum: 3, description: "2 is a double click. Default 1." },
      screenshot: screenshotField,
    }),
    adapt: (input) => withoutAction(withCoordinate(input)),
    timeoutMs: toolTimeoutMs,
    validate: (target) => explainTarget(target, true),
    run: ({ button = "left", clicks = 1, screenshot, ...target }, context) =>
      act(browsers, context, { screenshot }, async ({ page }) => {
        const how = { button, clickCount: clicks };
        const element = locate(page, target);
        if (element !== undefined) await element.click({ ...how, timeout: actionMs });
        else if (target.coordinate !== undefined) {
          const { x, y } = placeOf(target.coordinate);
          await page.mouse.click(x, y, how);
        }
        return undefined;
      }),
  });
}
