/** What whoever calls a tool is told that nobody has accepted. */

import type { PendingTool } from "../../../core/ports/upstream.ts";
import { shownName } from "../../../core/text/visible.ts";
import type { Withheld } from "../../../core/tool/registry.ts";

export function withheldBecause(server: string, tool: string, why: PendingTool["why"]): Withheld {
  const what = why === "new" ? "is new" : "has changed since it was accepted";
  return {
    message: `The tool ${shownName(tool)} of the upstream ${server} ${what}, and nobody has accepted it yet.`,
    hint: `A person can look at it and accept it: toolgate upstreams review ${server}`,
  };
}
