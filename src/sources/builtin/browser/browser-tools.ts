/** The browser tools of one gate over one set of browsers. */
import type { ToolSet } from "../define-builtin.ts";
import { action } from "./action.ts";
import { Browsers } from "./browsers.ts";
import { createClick } from "./click.ts";
import { createClose } from "./close.ts";
import { createOpen } from "./open.ts";
import { type BrowserOptions, readOptions } from "./options.ts";
import { createRead } from "./read.ts";
import { createScreenshot } from "./screenshot.ts";
import { createScroll } from "./scroll.ts";
import { createType } from "./type.ts";

/** `close` ends every browser and starts no more. If nobody calls it, they end when this process does. */
export interface BrowserTools extends ToolSet {
  /** Ends the browser of a session that is over. */
  endSession(callerId: string, sessionId: string): Promise<void>;
}

export function createBrowserTools(options: BrowserOptions = {}): BrowserTools {
  const browsers = new Browsers(readOptions(options));
  return {
    tools: [
      createOpen(browsers),
      createRead(browsers),
      createClick(browsers),
      createType(browsers),
      createScroll(browsers),
      createScreenshot(browsers),
      createClose(browsers),
      action,
    ],
    endSession: (callerId, sessionId) => browsers.endSession(callerId, sessionId),
    close: () => browsers.close(),
  };
}
