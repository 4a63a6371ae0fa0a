/** Which of the lines that an edit looks for come back in what it brings. */
import { diffArrays } from "diff";
import type { Line } from "./wanted.ts";

/** So many lines stay, then so many go and these come in their place. */
export interface Hunk {
  readonly equal: number;
  readonly removed: number;
  readonly added: readonly Line[];
}

const mostLines = 4_000;
const mostChanges = 1_000;

/** Beyond some size everything counts as changed: the result is right, only less is kept as it was. */
export function align(sought: readonly Line[], brought: readonly Line[]): readonly Hunk[] {
  const parts =
    sought.length + brought.length > mostLines
      ? undefined
      : diffArrays([...sought], [...brought], { comparator: isSame, maxEditLength: mostChanges });
  if (parts === undefined) return [{ equal: 0, removed: sought.length, added: brought }];
  const hunks: Hunk[] = [];
  let open: Hunk = { equal: 0, removed: 0, added: [] };
  for (const { added, removed, count, value } of parts) {
    if (added) open = { ...open, added: [...open.added, ...value] };
    else if (removed) open = { ...open, removed: open.removed + count };
    else {
      hunks.push(open);
      open = { equal: count, removed: 0, added: [] };
    }
  }
  return [...hunks, open];
}

function isSame(left: Line, right: Line): boolean {
  return left.text === right.text && left.broken === right.broken;
}
