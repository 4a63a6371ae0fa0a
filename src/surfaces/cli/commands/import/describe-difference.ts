/** What would change in a file, line by line, with nothing hidden in it. */
import { structuredPatch } from "diff";
import { visible } from "../../../../core/text/visible.ts";
import type { Colours } from "../../terminal/colours.ts";

export function describeDifference(before: string, after: string, colours: Colours): string {
  const patch = structuredPatch("", "", before, after, "", "", { context: 2 });
  return patch.hunks
    .map(
      ({ lines, newStart }) =>
        `${colours.dim(`@@ line ${newStart}`)}\n${lines.map((line) => `${painted(line, colours)}\n`).join("")}`,
    )
    .join("");
}

function painted(line: string, colours: Colours): string {
  const shown = visible(line);
  if (line.startsWith("+")) return colours.green(shown);
  return line.startsWith("-") ? colours.red(shown) : shown;
}
