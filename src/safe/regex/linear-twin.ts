/** Finds a pattern that V8's linear engine can take and that matches exactly the same texts. */

import { setFlagsFromString } from "node:v8";
import { quietly } from "../../core/run/quietly.ts";
import { withinBudget } from "../process/time-budget.ts";

export interface LinearTwin {
  /** Fast on ordinary texts. After many backtracks V8 takes the linear engine, but it misses some. */
  readonly regexp: RegExp;
  /** Always the linear engine: slower, never quadratic. */
  readonly strict: RegExp;
  /** The twin is exact only for texts that this does not find. */
  readonly exceptTexts?: RegExp;
}

export function linearTwin(source: string, flags: string): LinearTwin | undefined {
  const twin = engine.ready() ? twinSource(source, flags) : undefined;
  const strict = twin === undefined ? undefined : strictRegExp(twin.source, twin.flags);
  if (twin === undefined || strict === undefined) return undefined;
  const regexp = new RegExp(twin.source, twin.flags);
  if (!flags.includes("u")) return { regexp, strict };
  // With u and i together, letters such as U+017F fold into ASCII ones.
  return { regexp, strict, exceptTexts: flags.includes("i") ? NOT_ASCII : NOT_IN_BMP };
}

/** How the twin is written, without building anything: V8 may still not take it. */
export function twinSource(
  source: string,
  flags: string,
): { readonly source: string; readonly flags: string } | undefined {
  if (flags.includes("v")) return undefined;
  // Texts without surrogates have one character per code point, so flag u only changes syntax.
  if (flags.includes("u") && (/\\(?:u\{|[pPk])|\(\?[a-z-]/.test(source) || NOT_IN_BMP.test(source)))
    return undefined;
  const twin = flags.includes("i") ? spellOutCases(source) : source;
  return twin === undefined ? undefined : { source: twin, flags: flags.replace(/[iu]/g, "") };
}

const NOT_IN_BMP = /[\ud800-\udfff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole ASCII range is meant
const NOT_ASCII = /[^\x00-\x7f]/;

/** V8 itself says what the engine takes: it refuses flag `l` for the rest. Nothing is compiled or run. */
function strictRegExp(source: string, flags: string): RegExp | undefined {
  return quietly(() => new RegExp(source, `${flags}l`));
}

/** Without flag i letters become classes. Exact for ASCII: without u nothing else folds into ASCII. */
function spellOutCases(source: string): string | undefined {
  let text = "";
  for (let index = 0; index < source.length; index++) {
    const char = source[index] as string;
    if (char > "\x7f") return undefined;
    if (char === "\\") {
      const escaped = readEscape(source, index);
      if (!escaped) return undefined;
      text += escaped.code === undefined ? escaped.text : bothCases(escaped.code, escaped.text);
      index += escaped.text.length - 1;
    } else if (char === "[") {
      const read = spellOutClass(source, index);
      if (!read) return undefined;
      text += read.text;
      index = read.end;
    } else if (char === "(" && source[index + 1] === "?") {
      const head = /^\(\?(?::|=|!|<=|<!|<\w+>)/.exec(source.slice(index, index + 80))?.[0];
      if (!head) return undefined;
      text += head;
      index += head.length - 1;
    } else {
      text += bothCases(char.charCodeAt(0), char);
    }
  }
  return text;
}

function bothCases(code: number, text: string): string {
  const lower = code | 32;
  if (lower < 97 || lower > 122 || code < 65) return text;
  return `[${String.fromCharCode(lower, lower - 32)}]`;
}

/** `code` only for escapes of one ASCII character; a set such as `\w` is the same in both cases. */
function readEscape(source: string, index: number): { text: string; code?: number } | undefined {
  const text = /^\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|c[A-Za-z]|[dDwWsSbBfnrtv]|0(?!\d)|[^0-9A-Za-z])/.exec(
    source.slice(index, index + 6),
  )?.[0];
  if (text === undefined || text > "\\\x7f") return undefined;
  if (!/^\\[xu]/.test(text)) return { text };
  const code = Number.parseInt(text.slice(2), 16);
  return code > 127 ? undefined : { text, code };
}

function spellOutClass(source: string, start: number): { text: string; end: number } | undefined {
  let index = start + 1;
  let text = "[";
  if (source[index] === "^") text += source[index++];
  while (index < source.length && source[index] !== "]") {
    const low = readClassItem(source, index);
    if (!low) return undefined;
    index += low.text.length;
    text += low.text;
    let highest = low.code;
    if (source[index] === "-" && index + 1 < source.length && source[index + 1] !== "]") {
      const high = readClassItem(source, index + 1);
      if (high?.code === undefined || low.code === undefined) return undefined;
      text += `-${high.text}`;
      index += 1 + high.text.length;
      highest = high.code;
    }
    if (low.code !== undefined && highest !== undefined) text += otherCases(low.code, highest);
  }
  return index < source.length ? { text: `${text}]`, end: index } : undefined;
}

function readClassItem(source: string, index: number): { text: string; code?: number } | undefined {
  const char = source[index] as string;
  if (char > "\x7f") return undefined;
  if (char !== "\\") return { text: char, code: char.charCodeAt(0) };
  const escaped = readEscape(source, index);
  if (escaped && escaped.code === undefined && /^\\[^0-9A-Za-z]$/.test(escaped.text)) {
    return { text: escaped.text, code: escaped.text.charCodeAt(1) };
  }
  return escaped;
}

function otherCases(low: number, high: number): string {
  const part = (from: number, to: number, shift: number): string => {
    const first = Math.max(low, from);
    const last = Math.min(high, to);
    return first > last ? "" : `${String.fromCharCode(first + shift)}-${String.fromCharCode(last + shift)}`;
  };
  return part(65, 90, 32) + part(97, 122, -32);
}

/** Asked once: if V8 ignores our flag, nothing counts as linear. */
const engine = {
  answer: undefined as boolean | undefined,
  ready(): boolean {
    this.answer ??= switchOn();
    return this.answer;
  },
};

function switchOn(): boolean {
  try {
    // Stays on: V8 aborts when a RegExp with flag `l` runs without it, and other threads share the flag.
    setFlagsFromString("--enable-experimental-regexp-engine");
    setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");
    // By default 50,000, and each may walk the whole text: too slow for some thousand characters.
    setFlagsFromString("--regexp-backtracks-before-fallback=2000");
  } catch {
    return false;
  }
  try {
    const trial = withinBudget(200, () => /^(?:a+)+$/.test(`${"a".repeat(40)}b`));
    return trial.ok && trial.value === false;
  } catch {
    // Not tried, because nothing could be opened: then there is no such engine.
    return false;
  }
}

// On load, so that regular expressions of other packages in the process profit too.
engine.ready();
