/** What a call means on this machine, in lines for the person who is asked: a yes is bound to it. */

import { visible } from "../text/visible.ts";
import type { Meaning } from "./approval.ts";

const maxLines = 20;
const maxCharacters = 300;

export function describeMeaning({ paths, programs }: Meaning): string[] {
  const lines = [
    ...paths.map(({ path, inside, protected: reason }) => {
      const outside = inside ? "" : " (outside of the workspace)";
      return `${shown(path)}${outside}${reason === undefined ? "" : ` (${shown(reason)})`}`;
    }),
    ...programs
      .filter(({ files }) => files.length > 0)
      .map(({ name, files }) => `${shown(name)} is ${files.map(shown).join(", ")}`),
  ];
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more`];
}

function shown(text: string): string {
  return visible(text, { maxLength: maxCharacters });
}
