/** Writes out `{a,b}`: one pattern for each choice, up to a number. */

const maxPatterns = 256;

/** Undefined when there are too many, or a brace is never closed. */
export function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const choice = firstChoice(next);
    if (choice === undefined) return undefined;
    if (choice === "none") done.push(next);
    else {
      const { before, options, after } = choice;
      waiting.unshift(...options.map((option) => before + option + after));
    }
    if (done.length + waiting.length > maxPatterns) return undefined;
  }
  return done;
}

interface Choice {
  readonly before: string;
  readonly options: readonly string[];
  readonly after: string;
}

function firstChoice(pattern: string): Choice | "none" | undefined {
  let open = -1;
  let depth = 0;
  let from = 0;
  const options: string[] = [];
  for (let index = 0; index < pattern.length; index++) {
    const char = pattern[index];
    if (char === "\\") index += 1;
    else if (char === "[") index = endOfClass(pattern, index);
    else if (char === "{") {
      if (depth === 0) {
        open = index;
        from = index + 1;
      }
      depth += 1;
    } else if (char === "}" && depth === 0) return undefined;
    else if (char === "," && depth === 1) {
      options.push(pattern.slice(from, index));
      from = index + 1;
    } else if (char === "}") {
      depth -= 1;
      if (depth > 0) continue;
      options.push(pattern.slice(from, index));
      return { before: pattern.slice(0, open), options, after: pattern.slice(index + 1) };
    }
  }
  return depth === 0 ? "none" : undefined;
}

/** Braces and commas in a class are characters of it. */
function endOfClass(pattern: string, start: number): number {
  let index = start + 1;
  if (pattern[index] === "!" || pattern[index] === "^") index += 1;
  if (pattern[index] === "]") index += 1;
  while (index < pattern.length && pattern[index] !== "]") index += pattern[index] === "\\" ? 2 : 1;
  return index < pattern.length ? index : start;
}
