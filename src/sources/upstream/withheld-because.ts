/** What whoever calls a tool is told that nobody has accepted. */
import type { Withheld } from "../../core/registry.ts";
import type { PendingTool } from "../../core/upstream.ts";
import { shownName } from "../../core/visible.ts";

export function withheldBecause(server: string, tool: string, why: PendingTool["why"]): Withheld {
  const what = why === "new" ? "is new" : "has changed since it was accepted";
  return {
    message: `The tool ${shownName(tool)} of the upstream ${server} ${what}, and nobody has accepted it yet.`,
    hint: `A person can look at it and accept it: toolgate upstreams review ${server}`,
  };
}
