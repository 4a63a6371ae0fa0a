/** Says that filters were not run, where that can change what is shown. */
import { visible } from "../../../core/text/visible.ts";
import type { Git } from "./open-git.ts";

export function noteAbout({ filters }: Git, hasChanges: boolean): string {
  if (filters.length === 0 || !hasChanges) return "";
  const names = filters.slice(0, 5).map((name) => visible(name, { maxLength: 60 }));
  return `\n[Filters are not run (${names.join(", ")}): a file that one of them converts may show as changed although it is not.]`;
}
