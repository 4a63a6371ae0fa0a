/** What the configuration says about tools that a server does not have: misspelt names, or former ones. */

import type { UpstreamStatus } from "../../../core/ports/upstream.ts";
import { closestNames } from "../../../core/tool/tool-name.ts";
import type { UpstreamSpec } from "../upstream-spec.ts";

export function misnamedTools(
  said: UpstreamSpec["tools"],
  known: ReadonlySet<string> | undefined,
): UpstreamStatus["misnamed"] {
  if (known === undefined) return [];
  return Object.keys(said)
    .filter((tool) => !known.has(tool))
    .map((tool) => {
      const [closest] = closestNames(tool, known, 1);
      return { tool, ...(closest !== undefined && { closest }) };
    });
}
