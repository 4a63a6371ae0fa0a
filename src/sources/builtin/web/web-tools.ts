/** The tools that reach the web, and what they keep running while they are used. */
import type { ToolSet } from "../define-builtin.ts";
import { createFetch } from "./fetch.ts";
import { readOptions, type WebOptions } from "./options.ts";
import { createSearch } from "./search.ts";

/** `close` ends the process that reads pages. Otherwise the process ends when it is idle for a while. */
export function createWebTools(options: WebOptions = {}): ToolSet {
  const settings = readOptions(options);
  const fetch = createFetch(settings);
  return {
    tools: [fetch.tool, createSearch(settings.search)],
    close: async () => fetch.close(),
  };
}
