/** Finds `name = value`, `"name": "value"`, `--name value` and `<name>value</name>` in text where the name says that the value is secret. */
import { looksRandom } from "./looks-random.ts";
import { isMarked, type Mark } from "./mark.ts";
import type { SecretName } from "./secret-name.ts";

export type NameJudge = (name: string) => SecretName | undefined;

/** Goes from separator to separator and looks back for the name, so every character is read a fixed number of times. */
export function redactAssignments(original: string, judge: NameJudge, mark: Mark): string {
  const text = original.includes("</") ? redactElements(original, judge, mark) : original;
  let result = "";
  let done = 0;
  separator.lastIndex = 0;
  for (let found = separator.exec(text); found !== null; found = separator.exec(text)) {
    const name = found[0].startsWith("--") ? (found[1] ?? "") : nameBefore(text, found.index);
    if (name === "") continue;
    const secret = judge(name);
    if (secret === undefined) continue;
    const value = valueAfter(text, separator.lastIndex, found[0], secret);
    if (value === undefined || !isSecretValue(value, secret)) continue;
    result += text.slice(done, value.start) + mark(secret.kind, text.slice(value.start, value.end));
    done = value.end;
    separator.lastIndex = value.end;
  }
  return done === 0 ? text : result + text.slice(done);
}

const separator = /=>|:=|[=:]|(?<![\w-])--([A-Za-z][\w.-]{1,60})[ \t]{1,4}(?=[^\s-])/g;

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

interface Value {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly quoted: boolean;
  /** `name: value` or `name = value` with blanks: prose and program code look like this too. */
  readonly loose: boolean;
}

function valueAfter(text: string, from: number, sign: string, secret: SecretName): Value | undefined {
  let start = from;
  while (start < from + 4 && isBlank(text.charCodeAt(start))) start += 1;
  const loose = start > from && !sign.startsWith("--");
  opening.lastIndex = start;
  const quote = opening.exec(text)?.[0];
  if (quote !== undefined) {
    const open = start + quote.length;
    const end = endOfQuoted(text, open, quote);
    return end === open ? undefined : { start: open, end, text: text.slice(open, end), quoted: true, loose };
  }
  const pattern = patternFor(sign, secret);
  pattern.lastIndex = start;
  if (!pattern.test(text)) return undefined;
  let end = pattern.lastIndex;
  if (pattern === restOfWord) end = widened(text, start, end, secret);
  return { start, end, text: text.slice(start, end), quoted: false, loose };
}

function patternFor(sign: string, secret: SecretName): RegExp {
  if (secret.when === "random") return restOfKey;
  return wholeLine.has(secret.kind) && !sign.startsWith("--") ? restOfLine : restOfWord;
}

const opening = /\\{0,3}["'`]/y;
const restOfLine = /[^\r\n"'`\\]+/y;
const restOfWord = /[^\s"'`&;,|<>\\]+/y;
/** Most of these are no secrets, so the next name must not be part of them: `key=key=key=` would be read again and again. */
const restOfKey = /[^\s"'`&;,|<>\\=:]{1,4096}={0,2}/y;
const restOfRun = /[^\s"'`=:]*/y;
const wholeLine: ReadonlySet<string> = new Set(["authorization", "cookie", "passphrase"]);

/** A password may hold `,` `;` `&` or `|`; they end it only where another assignment follows. */
function widened(text: string, start: number, end: number, secret: SecretName): number {
  if (isMarked(text.slice(start, end))) return end;
  if (secret.kind !== "password" && secret.kind !== "secret") return end;
  restOfRun.lastIndex = end;
  restOfRun.test(text);
  const stop = restOfRun.lastIndex;
  if (text[stop] !== "=" && text[stop] !== ":") return stop;
  const run = text.slice(end, stop);
  return end + Math.max(0, ...[",", ";", "&", "|"].map((sign) => run.lastIndexOf(sign)));
}

function endOfQuoted(text: string, open: number, quote: string): number {
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

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

function isSecretValue(value: Value, secret: SecretName): boolean {
  const { text } = value;
  if (isMarked(text) || isReference(text)) return false;
  if (secret.when === "random") return looksRandom(text);
  if (value.quoted) return true;
  if (notValues.test(text)) return false;
  if (value.loose && codeValue.test(text)) return false;
  if (secret.kind === "password" || secret.kind === "secret" || wholeLine.has(secret.kind)) return true;
  if (secret.when === "text" && /^\d{1,9}$/.test(text)) return false;
  // "token: unexpected end" is a message; a key has digits or is long.
  const unmarked = text.replace(/\[redacted:[^\]]*\]?/g, "");
  return !value.loose || (unmarked.length >= 6 && /\d/.test(unmarked)) || unmarked.length >= 20;
}

/** Names a place where the secret is kept instead of the secret: `${TOKEN}`, `$TOKEN`, `{{token}}`, `<token>`, `***`. */
export function isReference(text: string): boolean {
  return text.length <= 120 && reference.test(text);
}

const reference =
  /^(?:Bearer |Basic |token )?(?:\$\{[A-Za-z_][\w.]*\}|\$\{\{[\w .-]+\}\}|\$[A-Z_][A-Z0-9_]{2,}|%[A-Z_][A-Z0-9_]{2,}%|\{\{[\w .-]+\}\}|<[a-z][\w -]*>|\*{3,}|x{4,}|\.{3})$/;
const notValues =
  /^(?:string|str|number|int|integer|bool|boolean|any|unknown|object|null|nil|none|undefined|true|false|required|optional|missing|invalid|String|Option|Optional|Buffer)\b[\w.;,)\]}>|?[-]{0,12}$/;
const codeValue =
  /^(?:(?:await|new|return)$|process\.env|os\.environ|os\.getenv|System\.getenv|import\.meta|(?:this|self|config|cfg|props|req|request|opts|options|args|ctx|settings|env)[.[]|[A-Za-z_$][\w$.]{0,60}\()/;

/** `<password>x</password>` as in Maven's or a SOAP message. */
function redactElements(text: string, judge: NameJudge, mark: Mark): string {
  return text.replace(element, (whole, name: string, value: string) => {
    const secret = judge(name);
    if (secret === undefined || isMarked(value) || isReference(value)) return whole;
    if (secret.when === "random" && !looksRandom(value)) return whole;
    return `<${name}>${mark(secret.kind, value)}</`;
  });
}

const element = /<([A-Za-z][\w:.-]{0,60})>([^<]+)<\//g;

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
    code === 46
  );
}
