/** Reads the structure of a regular expression: caps, foreign spellings, the cost of compiling. */

export const MAX_PATTERN_CHARS = 5_000;
const MAX_COUNT = 10_000;
const MAX_COUNT_PRODUCT = 1_000_000;
const MAX_GROUP_DEPTH = 100;
const MAX_REPEAT_DEPTH = 10;

export interface PatternShape {
  /** Places that can be passed in several ways without reading a character, copies by repetition included. */
  readonly branchings: number;
  readonly lookBehinds: number;
  readonly lookAheads: number;
  readonly repeats: number;
  /** Parts that may be left out, the copies that V8 makes of them included. */
  readonly options: number;
  /**
   * Characters and classes to look for once every counted repetition is written out: what building it costs.
   */
  readonly weight: number;
  readonly hasCounts: boolean;
  readonly hasReferences: boolean;
}

export type PatternSyntax =
  | { readonly ok: true; readonly source: string; readonly flags: string; readonly shape: PatternShape }
  | { readonly ok: false; readonly message: string };

/** Translates `(?i)` at the start and Python's group names, refuses what no rule needs. */
export function readPattern(source: string, flags: string): PatternSyntax {
  if (typeof source !== "string" || typeof flags !== "string") return refuse("expected text");
  if (source.length > MAX_PATTERN_CHARS) {
    return refuse(`it is longer than ${MAX_PATTERN_CHARS} characters: split it into several rules`);
  }
  const plain = fromForeignSpelling(source, flags);
  if (/[^dgimsuv]/.test(plain.flags)) {
    return refuse(`the flag "${/[^dgimsuv]/.exec(plain.flags)?.[0]}" is not accepted: use i, m, s, u or v`);
  }
  // `g` keeps a position between calls and `d` costs time; neither changes whether a text matches.
  const kept = [...new Set(plain.flags)]
    .filter((flag) => flag !== "g" && flag !== "d")
    .sort()
    .join("");
  const shape = measure(plain.source, kept);
  return typeof shape === "string" ? refuse(shape) : { ok: true, source: plain.source, flags: kept, shape };
}

/**
 * V8 has no way to stop a compile that explodes. It explodes (found by experiment) where there are several
 * ways to pass without reading a character, one after another: look-behinds, `^`, `$`, `\b`, choices like
 * `(?:a||)`, rows of optional parts. A guess from the outside, for code that cannot wait: patterns of files
 * are tried, whatever it says.
 */
export function mayHangCompile(source: string, shape: PatternShape): boolean {
  return (
    shape.lookBehinds > 0 ||
    shape.branchings > 8 ||
    shape.lookAheads > 8 ||
    shape.repeats > 40 ||
    shape.options > maxOptions ||
    source.length > 2_000
  );
}

/**
 * One character after the other, perhaps between `^` and `$`: there is only one way to pass each of them, so
 * compiling takes as long as reading. A list of what may stand there; all else has to be tried.
 */
export function isPlainSequence(source: string, flags: string): boolean {
  return source.length <= 200 && (flags === "" || flags === "i") && plainSequence.test(source);
}

const plainSequence = /^\^?(?:[\w !"#%&',./:;<=>@`~-]|\\[./-])*\$?$/;

/** Each part that may be left out doubles or so what V8 looks at: sixteen take 4 ms, forty take 6 s. */
const maxOptions = 16;
/** V8 writes out counted repetitions up to here; the others are loops. */
const maxUnrolled = 3;

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message };
}

function fromForeignSpelling(source: string, flags: string): { source: string; flags: string } {
  const leading = /^\(\?([ims]+)\)/.exec(source);
  let text = leading ? source.slice(leading[0].length) : source;
  if (text.includes("(?P")) {
    text = text.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?P<|\(\?P=(\w+)\)/g, (found, name?: string) =>
      found === "(?P<" ? "(?<" : name === undefined ? found : `\\k<${name}>`,
    );
  }
  return { source: text, flags: flags + (leading?.[1] ?? "") };
}

/** One atom, or a group read so far. */
interface Part {
  branchings: number;
  options: number;
  weight: number;
  repeatDepth: number;
  product: number;
  /** Can match the empty text; for an open group: its current branch can. */
  nullable: boolean;
  /** Finished branches of a group that can match the empty text. */
  emptyBranches: number;
  readonly lookAround: boolean;
}

function part(nullable: boolean, branchings = 0, lookAround = false): Part {
  const [options, weight] = [0, nullable ? 0 : 1];
  return { branchings, options, weight, repeatDepth: 0, product: 1, nullable, emptyBranches: 0, lookAround };
}

function measure(source: string, flags: string): PatternShape | string {
  const open: Part[] = [part(true)];
  let last = part(true);
  const total = { lookBehinds: 0, lookAheads: 0, repeats: 0, hasCounts: false, hasReferences: false };

  const next = (atom: Part): void => {
    const group = open.at(-1) as Part;
    group.branchings += last.branchings;
    group.options += last.options;
    group.weight += last.weight;
    group.repeatDepth = Math.max(group.repeatDepth, last.repeatDepth);
    group.product = Math.max(group.product, last.product);
    group.nullable &&= last.nullable;
    last = atom;
  };
  const endBranch = (): void => {
    next(part(true));
    const group = open.at(-1) as Part;
    if (group.nullable) group.emptyBranches++;
    group.nullable = true;
  };
  const endGroup = (group: Part): void => {
    group.nullable = group.lookAround || group.emptyBranches > 0;
    group.branchings += Math.max(0, group.emptyBranches - 1);
    last = group;
  };
  const repeat = (copies: number, times: number, optional: boolean, left = 0): void => {
    total.repeats++;
    const twiceEmpty = optional && last.nullable ? 1 : 0;
    last.branchings = (last.branchings + twiceEmpty) * copies;
    last.options = last.options * (times > maxUnrolled ? 1 : times) + left;
    last.weight *= times;
    last.repeatDepth++;
    last.product *= times;
    last.nullable ||= optional;
  };

  for (let index = 0; index < source.length; index++) {
    const char = source[index];
    if (char === "\\") {
      const escaped = source[++index] ?? "";
      const edge = /[bB]/.test(escaped);
      const reference = /[1-9k]/.test(escaped);
      total.hasReferences ||= reference;
      next(part(edge || reference, edge ? 1 : 0));
    } else if (char === "[") {
      index = endOfClass(source, index, flags.includes("v"));
      next(part(false));
    } else if (char === "(") {
      const kind = /^\(\?(<?[=!])/.exec(source.slice(index, index + 4))?.[1];
      if (kind?.startsWith("<")) total.lookBehinds++;
      else if (kind) total.lookAheads++;
      next(part(true));
      open.push(part(true, 0, kind !== undefined));
      if (open.length > MAX_GROUP_DEPTH) return `it nests groups deeper than ${MAX_GROUP_DEPTH} levels`;
      index +=
        /^\(\?(?:<?[=!]|<[^>]*>|[a-z-]*:)/.exec(source.slice(index, index + 200))?.[0].slice(1).length ?? 0;
    } else if (char === ")") {
      endBranch();
      if (open.length > 1) endGroup(open.pop() as Part);
    } else if (char === "|") {
      endBranch();
    } else if (char === "^" || char === "$") {
      next(part(true, 1));
    } else if (char === "*" || char === "+" || char === "?") {
      // A question mark after a repetition only makes it lazy.
      if (char === "?" && /[*+?}]/.test(source[index - 1] ?? "")) continue;
      repeat(2, 1, char !== "+", char === "?" ? 1 : 0);
    } else if (char === "{") {
      const count = /^\{(\d+)(,(\d*))?\}/.exec(source.slice(index, index + 24));
      if (count === null) {
        next(part(false));
        continue;
      }
      index += count[0].length - 1;
      const times = Math.max(Number(count[1]), Number(count[3] || 0), 1);
      if (times > MAX_COUNT) return `it repeats more than ${MAX_COUNT} times: ${count[0]}`;
      total.hasCounts = true;
      const left = count[3] ? Math.min(times - Number(count[1]), maxUnrolled) : 0;
      repeat(times + 1, times, Number(count[1]) === 0, left);
    } else {
      next(part(false));
    }
    if (last.repeatDepth > MAX_REPEAT_DEPTH)
      return `it nests repetitions deeper than ${MAX_REPEAT_DEPTH} levels`;
    if (last.product > MAX_COUNT_PRODUCT)
      return `its nested counts multiply to more than ${MAX_COUNT_PRODUCT}`;
  }
  endBranch();
  // Unclosed groups are a syntax error that RegExp reports; here they only must not hide anything.
  const sum = (of: (group: Part) => number): number => open.reduce((all, group) => all + of(group), 0);
  const branchings = sum(({ branchings: own, emptyBranches }) => own + Math.max(0, emptyBranches - 1));
  return {
    branchings,
    options: sum(({ options }) => options),
    weight: sum(({ weight }) => weight),
    ...total,
  };
}

function endOfClass(source: string, start: number, nested: boolean): number {
  let depth = 0;
  for (let index = start; index < source.length; index++) {
    const char = source[index];
    if (char === "\\") index++;
    else if (char === "[" && (nested || index === start)) depth++;
    else if (char === "]" && --depth === 0) return index;
  }
  return source.length;
}
