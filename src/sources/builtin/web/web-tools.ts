/** The tools that reach the web, and what they keep running while they are used. */
import type { AnyTool } from "../../../core/tool/tool.ts";
import { createFetch } from "./fetch.ts";
import { readOptions, type WebOptions } from "./options.ts";
import { createSearch } from "./search.ts";

export interface WebTools {
  readonly tools: readonly AnyTool[];
  /** Ends the process that reads pages. If nobody calls it, the process ends when it is idle for a while. */
  close(): Promise<void>;
}

export function createWebTools(options: WebOptions = {}): WebTools {
  const settings = readOptions(options);
  const fetch = createFetch(settings);
  return {
    tools: [fetch.tool, createSearch(settings.search)],
    close: async () => fetch.close(),
  };
}
