/** Finds `name = value`, `--name value` and values on the next line, where the name says "secret". */
import { wordSet } from "../../core/text/words.ts";
import { fold } from "./fold-letters.ts";
import { isMarked, type Mark } from "./mark.ts";
import { valueBelow } from "./next-line.ts";
import { endOfLine, matchAt, replaceParts } from "./replace-parts.ts";
import type { NameJudge, SecretName } from "./secret-name.ts";
import { isSecretValue, type Value, wholeLine } from "./value-look.ts";

/** Goes from separator to separator and looks back for the name: no character is read often. */
export function redactAssignments(text: string, judge: NameJudge, mark: Mark): string {
  return replaceParts(text, separator, mark, ({ 0: sign, 1: flag, index }, after) => {
    const name = flag ?? nameBefore(text, index);
    if (name === "") return undefined;
    const secret = judge(name) ?? judgePhrase(text, name, index, judge);
    if (secret === undefined) return undefined;
    const value =
      valueAfter(text, after, sign, secret) ??
      (flag === undefined ? valueBelow(text, after, index, secret) : undefined);
    if (value === undefined || !isSecretValue(value, secret, judge) || isFolder(name, value.text))
      return undefined;
    return { kind: secret.kind, start: value.start, end: value.end };
  });
}

const separator = /=>|:=|={1,3}|[:\uff1a\uff1d]|(?<![\w-])--([A-Za-z][\w.-]{1,60})[ \t]{1,4}(?=[^\s-])/g;

/** The shell's variable for where it stands. */
function isFolder(name: string, value: string): boolean {
  return (name === "PWD" || name === "OLDPWD") && /^(?:\/|~|[A-Z]:)/.test(value);
}

/** `mot de passe:`, `Card number:`: names of several words, known by the last one. */
function judgePhrase(text: string, name: string, index: number, judge: NameJudge): SecretName | undefined {
  if (name.length > 8 || !phraseEnds.has(fold(name).toLowerCase())) return undefined;
  let start = index;
  let blanks = 0;
  for (const stop = Math.max(0, index - 40); start > stop; start -= 1) {
    const code = text.charCodeAt(start - 1);
    if (code === 32) blanks += 1;
    else if (!isNameCode(code) && code !== 39 && code !== 34) break;
    if (blanks > 4) break;
  }
  return judge(text.slice(start, index));
}

const phraseEnds = wordSet(
  "passe number no num code word khau sandi ordine tarjeta carte carta security card",
);

/** The name may be quoted, escaped or bracketed: `"password":`, `\"password\":`, `env['password'] =`. */
function nameBefore(text: string, index: number): string {
  let end = index;
  const stopBlank = Math.max(0, index - 4);
  while (end > stopBlank && isBlank(text.charCodeAt(end - 1))) end -= 1;
  const stopQuote = Math.max(0, end - 6);
  while (end > stopQuote && quoting.includes(text[end - 1] ?? " ")) end -= 1;
  const stopName = Math.max(0, end - 80);
  let start = end;
  while (start > stopName && isNameCode(text.charCodeAt(start - 1))) start -= 1;
  // `[redacted:password]"=`: the word in a mark names nothing.
  return text.startsWith("[redacted:", start - 10) ? "" : text.slice(start, end);
}

function valueAfter(text: string, from: number, sign: string, secret: SecretName): Value | undefined {
  let start = from;
  while (start < from + 4 && isBlank(text.charCodeAt(start))) start += 1;
  const loose = start > from && !sign.startsWith("--");
  const compared = sign.length > 1 && sign.startsWith("==");
  const quote = matchAt(opening, text, start)?.[0];
  if (quote !== undefined) {
    const open = start + quote.length;
    const end = endOfQuoted(text, open, quote);
    if (end === open) return undefined;
    return { start: open, end, text: text.slice(open, end), quoted: true, loose, compared };
  }
  const pattern = patternFor(sign, secret);
  if (matchAt(pattern, text, start) === null) return undefined;
  const stop = pattern.lastIndex;
  const end = pattern === restOfWord ? widened(text, start, stop, secret) : stop;
  return { start, end, text: text.slice(start, end), quoted: false, loose, compared };
}

function patternFor(sign: string, secret: SecretName): RegExp {
  if (secret.when === "random") return restOfKey;
  return wholeLine.has(secret.kind) && !sign.startsWith("--") ? restOfLine : restOfWord;
}

const opening = /\\{0,3}["'`]/y;
const restOfLine = /[^\r\n"'`\\]+/y;
const restOfWord = /[^\s"'`&;,|<>\\]+/y;
/** Most are no secrets, so they must not hold the next name: `key=key=key=` would be read many times. */
const restOfKey = /[^\s"'`&;,|<>\\=:]{1,4096}={0,2}/y;
const restOfRun = /[^\s"'`=:]*/y;

const listSigns = ",;&|";

/** A password may hold `,` `;` `&` or `|`; they end it only where another assignment follows. */
function widened(text: string, start: number, end: number, secret: SecretName): number {
  if (isMarked(text.slice(start, end))) return end;
  if (secret.kind !== "password" && secret.kind !== "secret") return end;
  // Where a shell goes on with another command, no password does.
  if (text.startsWith("&&", end) || text.startsWith("||", end)) return end;
  matchAt(restOfRun, text, end);
  const stop = restOfRun.lastIndex;
  if (text[stop] !== "=" && text[stop] !== ":") return stop;
  for (let at = stop - 1; at > end; at -= 1) if (listSigns.includes(text[at] as string)) return at;
  return end;
}

export function endOfQuoted(text: string, open: number, quote: string): number {
  if (quote.length > 1) {
    const close = text.indexOf(quote, open);
    return close === -1 ? endOfLine(text, open) : close;
  }
  for (let at = open; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === quote) return at;
    else if (character === "\n" && quote !== "`") return at;
  }
  return text.length;
}

const quoting = "\"'`\\]";

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46 ||
    (code >= 0xc0 && isForeignLetter(code))
  );
}

/** Roughly: whatever is no punctuation. What is no name is known by nobody. */
function isForeignLetter(code: number): boolean {
  return !(
    (code >= 0x2000 && code <= 0x2bff) ||
    (code >= 0x3000 && code <= 0x303f) ||
    (code >= 0xff00 && code <= 0xff20)
  );
}
