/** browser.close: ends the browser of the session and forgets all that it kept. */
import { answered } from "../../../core/call/tool-answer.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed } from "../input-fields.ts";
import type { Browsers } from "./browsers.ts";

export function createClose(browsers: Browsers) {
  return defineBuiltin("browser.close", {
    title: "Close the browser",
    description: "Ends the browser of this session; cookies and everything else it kept are gone.",
    input: closed([], {}),
    lock: "write",
    run: async (_input, context) => {
      const ended = await browsers.end(context);
      return answered(ended ? "The browser is closed." : "No browser was open.", { closed: ended });
    },
  });
}
