/**
 * A person who approves another input was not shown where that one leads. What they wrote counts, and what
 * they were shown: a path that is neither (a link was followed) was put there by somebody else.
 */
import { relative } from "node:path";
import type { Meaning } from "../../core/call/approval.ts";
import type { JsonObject } from "../../core/input/json.ts";

export interface Edited {
  readonly input: JsonObject;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly home: string | undefined;
}

/** Undefined: everything that the edited input means was shown or is spelled out in it. */
export function explainUnseen(asked: Meaning, now: Meaning, edited: Edited): string | undefined {
  const shown = new Set(asked.paths.map(({ path }) => path));
  const text = JSON.stringify(edited.input);
  const isSpelled = (path: string) => spellings(path, edited).some((one) => text.includes(one));
  const strange = now.paths.find(({ path }) => !shown.has(path) && path !== edited.cwd && !isSpelled(path));
  if (strange !== undefined)
    return `the edited input leads to ${strange.path}, which it does not spell out; write the path in full`;
  for (const { name, files } of now.programs) {
    const was = asked.programs.find((program) => program.name === name);
    const isKnown = was !== undefined && was.files.join("\0") === files.join("\0");
    const own = files.find((file) => edited.roots.some((root) => file.startsWith(`${root}/`)));
    if (!isKnown && own !== undefined && !isSpelled(own))
      return `${name} of the edited input is ${own}, which nobody was shown; write the path in full`;
  }
  return undefined;
}

/** As JSON writes them, without the quotes. Not the workspace itself, whose name from itself is nothing. */
function spellings(path: string, { cwd, roots, home }: Edited): string[] {
  const below = home !== undefined && path.startsWith(`${home}/`) ? [`~${path.slice(home.length)}`] : [];
  return [path, ...below, ...[cwd, ...roots].map((folder) => relative(folder, path))]
    .filter((one) => one !== "" && one !== "..")
    .map((one) => JSON.stringify(one).slice(1, -1));
}
