/**
 * What SEARCH/REPLACE blocks make of a file, written a second time: slow, simple, and without a line of the code that it judges. Texts are
 * compared line by line at every place; of several ways to lay the new lines beside the old ones, all that keep as many as possible count.
 */

export interface ReferenceBlock {
  readonly search: readonly string[];
  readonly replace: readonly string[];
  readonly startLine?: number | undefined;
}

export interface ReferenceLine {
  readonly body: string;
  readonly ending: string;
}

interface State {
  readonly mark: string;
  readonly lines: readonly ReferenceLine[];
  /** Where each line of the first file stands now, by its number from 0. */
  readonly where: readonly number[];
}

const refused = "refused";

/** All texts that are right; `refused` among them where the blocks must not, or need not, apply. */
export function referenceResults(text: string, blocks: readonly ReferenceBlock[]): Set<string> {
  const returns = text.includes("\r") && !text.includes("\n");
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const where = Array.from({ length: 1_000 }, (_, line) => line);
  let states: State[] = [{ mark, lines: linesOf(text.slice(mark.length), returns), where }];
  const results = new Set<string>();
  for (const block of blocks) {
    const next = new Map<string, State>();
    for (const state of states) {
      const made = applyBlock(state, block, returns);
      if (made.length === 0) results.add(refused);
      // The next block meets the text, in which a carriage return and the break that came behind it are one.
      for (const one of made)
        next.set(JSON.stringify([textOf(one), one.where]), {
          ...one,
          lines: linesOf(textOf(one).slice(mark.length), returns),
        });
    }
    states = [...next.values()];
  }
  for (const state of states) results.add(textOf(state) === text ? refused : textOf(state));
  return results;
}

function textOf({ mark, lines }: State): string {
  return mark + lines.map(({ body, ending }) => body + ending).join("");
}

function linesOf(text: string, returns: boolean): ReferenceLine[] {
  const lines: ReferenceLine[] = [];
  let body = "";
  for (let at = 0; at < text.length; at += 1) {
    const two = text.slice(at, at + 2);
    const ending = two === "\r\n" ? two : two[0] === "\n" || (returns && two[0] === "\r") ? two[0]! : "";
    if (ending === "") body += text[at];
    else {
      lines.push({ body, ending });
      body = "";
      at += ending.length - 1;
    }
  }
  return body === "" ? lines : [...lines, { body, ending: "" }];
}

function applyBlock(state: State, block: ReferenceBlock, returns: boolean): State[] {
  const split = (lines: readonly string[]) => lines.flatMap((line) => (returns ? line.split("\r") : [line]));
  const search = split(block.search);
  const replace = split(block.replace);
  if (JSON.stringify(search) === JSON.stringify(replace)) return [];
  if (search.length === 0) {
    if (state.lines.length > 0) return [];
    return [{ ...state, lines: replace.map((body) => ({ body, ending: "\n" })) }];
  }
  for (const [name, form] of forms) {
    const places = placesOf(state.lines, search, form);
    if (places.length === 0) continue;
    const place = places.length === 1 ? places[0] : nearest(places, state, block.startLine);
    if (place === undefined) return [];
    return alignments(search, replace)
      .map((pairs) => put(state, place, { name, search, replace, pairs, returns }))
      .filter((made) => textOf(made) !== textOf(state));
  }
  return alignments(search, replace).flatMap((pairs) => {
    const place = guess(state.lines, search, pairs);
    const made =
      place === undefined ? undefined : put(state, place, { name: "fuzzy", search, replace, pairs, returns });
    return made === undefined || textOf(made) === textOf(state) ? [] : [made];
  });
}

/**
 * The one place that is clearly nearest, where at most some context is remembered wrongly: three telling lines or more, half of them right,
 * every line that the block changes right, no other place nearly as good.
 */
function guess(lines: readonly ReferenceLine[], search: readonly string[], pairs: Pairs): number | undefined {
  const sought = search.map(squeezed);
  const telling = [...sought.keys()].filter((index) => sought[index] !== "");
  if (telling.length < 3 || search.reduce((sum, line) => sum + line.length + 1, 0) < 30) return undefined;
  const places = [...lines.keys()].slice(0, Math.max(0, lines.length - search.length + 1)).map((first) => {
    const alike = sought.map((line, index) => likeness(line, squeezed(lines[first + index]!.body)));
    const weight = sought.reduce((sum, line) => sum + line.length, 0);
    const score = sought.reduce((sum, line, index) => sum + line.length * alike[index]!, 0) / weight;
    return { first, alike, score };
  });
  const [best, second] = places.sort((left, right) => right.score - left.score);
  if (best === undefined || best.score < 0.9 || (second?.score ?? 0) > best.score - 0.1) return undefined;
  const { alike, first } = best;
  const right = telling.filter((index) => alike[index] === 1);
  const kept = new Set(pairs.map(([old]) => old));
  const fits =
    right.length * 2 >= telling.length &&
    alike[telling[0]!]! >= 0.8 &&
    alike[telling.at(-1)!]! >= 0.8 &&
    telling.every((index) => alike[index]! >= (kept.has(index) ? 0.5 : 1));
  return fits ? first : undefined;
}

/** One less the share of characters that have to change. */
function likeness(left: string, right: string): number {
  if (left === right) return 1;
  if (left === "" || right === "") return 0;
  const known = new Map<string, number>();
  const distance = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i} ${j}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const change = left[i - 1] === right[j - 1] ? 0 : 1;
    const least = Math.min(distance(i - 1, j) + 1, distance(i, j - 1) + 1, distance(i - 1, j - 1) + change);
    known.set(key, least);
    return least;
  };
  return 1 - distance(left.length, right.length) / Math.max(left.length, right.length);
}

type Form = (line: string) => string;

const lookalikes: readonly (readonly [string, RegExp])[] = [
  ["'", /[‘’‚‛]/g],
  ['"', /[“”„‟]/g],
  ["-", /[‐‑‒–—―−﹘﹣－]/g],
  [" ", /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g],
];
const keyboard: Form = (line) =>
  lookalikes.reduce((text, [plain, pattern]) => text.replace(pattern, plain), line);
const straight: Form = (line) => keyboard(line).normalize("NFC");
const squeezed: Form = (line) => straight(line).trim().split(/\s+/).join(" ");

/** From strict to lenient; the first that finds a place decides. */
const forms: readonly (readonly [string, Form])[] = [
  ["exact", (line) => line],
  ["trim-end", (line) => line.trimEnd()],
  ["trim", (line) => line.trim()],
  ["unicode", (line) => straight(line).trimEnd()],
  ["unicode", (line) => straight(line).trim()],
  ["spaces", squeezed],
];

function placesOf(lines: readonly ReferenceLine[], search: readonly string[], form: Form): number[] {
  if (search.every((line) => line.trim() === "")) return [];
  return [...lines.keys()].filter((first) =>
    search.every((line, index) => {
      const real = lines[first + index];
      return real !== undefined && form(real.body) === form(line);
    }),
  );
}

function nearest(
  places: readonly number[],
  { where }: State,
  startLine: number | undefined,
): number | undefined {
  if (startLine === undefined) return undefined;
  const far = (place: number) => Math.abs(place - where[startLine - 1]!);
  const least = Math.min(...places.map(far));
  const best = places.filter((place) => far(place) === least);
  return best.length === 1 && least <= 40 ? best[0] : undefined;
}

type Pairs = readonly (readonly [old: number, fresh: number])[];

/** Every way to keep as many of the old lines as possible. */
function alignments(search: readonly string[], replace: readonly string[]): Pairs[] {
  const all: Pairs[] = [];
  const walk = (old: number, fresh: number, pairs: Pairs) => {
    all.push(pairs);
    for (let i = old; i < search.length; i += 1)
      for (let j = fresh; j < replace.length; j += 1)
        if (search[i] === replace[j]) walk(i + 1, j + 1, [...pairs, [i, j]]);
  };
  walk(0, 0, []);
  const most = Math.max(...all.map(({ length }) => length));
  return all.filter(({ length }) => length === most);
}

interface Change {
  readonly name: string;
  readonly search: readonly string[];
  readonly replace: readonly string[];
  readonly pairs: Pairs;
  readonly returns: boolean;
}

function put(state: State, place: number, change: Change): State {
  const { search, replace, pairs, returns } = change;
  const { lines } = state;
  const old = lines.slice(place, place + search.length);
  const usual =
    lines[place]!.ending || lines[place - 1]?.ending || lines[0]!.ending || (returns ? "\r" : "\n");
  const made: ReferenceLine[] = [];
  let from: readonly [number, number] = [0, 0];
  for (const [i, j] of [...pairs, [search.length, replace.length] as const]) {
    const gone = old.slice(from[0], i);
    for (let fresh = from[1]; fresh < j; fresh += 1) {
      const step = fresh - from[1];
      const ending = gone[Math.min(step, gone.length - 1)]?.ending || made.at(-1)?.ending || usual;
      const at = step < gone.length ? from[0] + step : i - 1;
      made.push({ body: newLine(change, old, fresh, step < gone.length ? at : undefined, at), ending });
    }
    if (i < search.length) made.push(old[i]!);
    from = [i + 1, j + 1];
  }
  const endless = old.at(-1)!.ending === "";
  const put = made.map(({ body, ending }, index) => ({
    body,
    ending: index < made.length - 1 ? ending || usual : endless ? "" : ending,
  }));
  const added = endless ? Math.max(0, put.length - 1) : put.length;
  const removed = endless ? search.length - 1 : search.length;
  const where = state.where.map((line) => {
    if (line <= place) return line;
    return line < place + removed ? Math.min(line, place + added) : line + added - removed;
  });
  return {
    mark: state.mark,
    lines: [...lines.slice(0, place), ...put, ...lines.slice(place + search.length)],
    where,
  };
}

/** A new line as it is written into the file: `instead` of this old line, if there is one; `beside` this one in any case. */
function newLine(
  { name, search, replace }: Change,
  old: readonly ReferenceLine[],
  fresh: number,
  instead: number | undefined,
  beside: number,
): string {
  const line = replace[fresh]!;
  if (name === "exact" || name === "trim-end") return line;
  const kept =
    name === "unicode" && instead !== undefined ? keepOwn(line, search[instead]!, old[instead]!.body) : line;
  const indents = search.flatMap((text, index) =>
    text.trim() === "" ? [] : [[indentOf(text), indentOf(old[index]!.body)] as const],
  );
  const near = (search[beside] ?? "").trim() === "" ? undefined : beside;
  return withIndent(kept, indents, near === undefined ? undefined : [search[near]!, old[near]!.body]);
}

function indentOf(line: string): string {
  return line.slice(0, line.search(/[^ \t]|$/));
}

type Indents = readonly (readonly [written: string, real: string])[];

function withIndent(line: string, indents: Indents, near: readonly [string, string] | undefined): string {
  const own = indentOf(line);
  if (own === line || indents.every(([written, real]) => written === real)) return line;
  const rest = line.slice(own.length);
  const realOf = (indent: string) => indents.find(([written]) => written === indent)?.[1];
  const irregular = indents.some(([written, real]) => realOf(written) !== real);
  if (irregular && near !== undefined && indentOf(near[0]) === own) return indentOf(near[1]) + rest;
  const known = realOf(own);
  if (known !== undefined) return known + rest;
  for (let length = own.length - 1; length > 0; length -= 1) {
    const base = own.slice(0, length);
    const real = realOf(base);
    if (real !== undefined) return real + inUnit(own.slice(length), base, real) + rest;
  }
  const first = indents.filter(
    ([written], index) => indents.findIndex((one) => one[0] === written) === index,
  );
  const [[written, real] = ["", ""]] = first;
  if (real.endsWith(written)) {
    const more = real.slice(0, real.length - written.length);
    if (first.every(([w, r]) => r === more + w)) return more + own + rest;
  }
  if (written.endsWith(real)) {
    const less = written.slice(0, written.length - real.length);
    if (first.every(([w, r]) => w === less + r))
      return (own.startsWith(less) ? own.slice(less.length) : "") + rest;
  }
  const unit = first.find(([w, r]) => w !== "" && r !== "");
  return (unit === undefined ? own : inUnit(own, unit[0], unit[1])) + rest;
}

/** Blanks where the file has tabs, and the other way round. */
function inUnit(more: string, written: string, real: string): string {
  const only = (text: string, character: string) => text.replaceAll(character, "") === "";
  if (only(written, " ") && real !== "" && only(real, "\t") && only(more, " ")) {
    const width = Math.max(1, Math.round(written.length / real.length));
    return "\t".repeat(Math.floor(more.length / width)) + " ".repeat(more.length % width);
  }
  if (only(written, "\t") && real !== "" && only(real, " ") && only(more, "\t"))
    return " ".repeat(more.length * Math.max(1, Math.round(real.length / written.length)));
  return more;
}

/** Characters that the block repeats from the line it looked for stay as the file has them. */
function keepOwn(line: string, asked: string, real: string): string {
  const core = real.trim();
  if (core.length !== asked.trim().length || keyboard(core) !== keyboard(asked.trim())) return line;
  const lead = asked.trim() === "" ? asked.length : asked.indexOf(asked.trim());
  const own = asked.slice(0, lead) + core + asked.slice(lead + core.length);
  let head = 0;
  while (head < line.length && head < asked.length && line[head] === asked[head]) head += 1;
  let tail = 0;
  while (
    tail < Math.min(line.length, asked.length) - head &&
    line[line.length - 1 - tail] === asked[asked.length - 1 - tail]
  )
    tail += 1;
  return own.slice(0, head) + line.slice(head, line.length - tail) + own.slice(own.length - tail);
}
