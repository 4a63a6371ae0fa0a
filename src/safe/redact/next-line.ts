/** Finds a value on the line below its name: `password:` of YAML and dialogues, and blocks. */
import { wordSet } from "../../core/text/words.ts";
import { looksRandom } from "./looks-random.ts";
import { endOfLine, matchAt } from "./replace-parts.ts";
import type { SecretName } from "./secret-name.ts";
import type { Value } from "./value-look.ts";

/** `after`: where the sign ends; `sign`: where it starts. */
export function valueBelow(text: string, after: number, sign: number, secret: SecretName): Value | undefined {
  const found = matchAt(lineBreak, text, after);
  if (found === null || secret.when === "digits" || structured.has(secret.kind)) return undefined;
  const [, block, indent = ""] = found;
  if (block !== undefined) return indent === "" ? undefined : blockAt(text, lineBreak.lastIndex, indent);
  if (!startsLine(text, sign)) return undefined;
  const [, quote = "", value = ""] = matchAt(word, text, lineBreak.lastIndex) ?? [];
  const start = lineBreak.lastIndex + quote.length;
  if (value === "" || !isAlone(value, quote !== "", text[sign] === ":" && indent !== "", secret))
    return undefined;
  const end = start + value.length;
  return { start, end, text: value, quoted: quote !== "", loose: true, compared: false };
}

const lineBreak = /[ \t]{0,4}(?:([|>][+-]?\d?)[ \t]{0,4})?\r?\n([ \t]{0,40})(?=\S)/y;
const word = /(["'`]?)([^\s"'`]{4,200})\1[ \t]{0,4}[,;]?(?=\r?\n|$)/y;
/** They have fields of their own below them. */
const structured = wordSet("auth session cookie authorization credentials");

/** All lines that are as far in as the first. */
function blockAt(text: string, start: number, indent: string): Value {
  let end = endOfLine(text, start);
  while (text.startsWith(indent, end + 1) && end < text.length) end = endOfLine(text, end + 1);
  return { start, end, text: text.slice(start, end), quoted: true, loose: true, compared: false };
}

/** `if password:` and `case token:` are code; `New password:` is a question. */
function startsLine(text: string, sign: number): boolean {
  const from = Math.max(text.lastIndexOf("\n", sign - 1) + 1, sign - 60);
  return question.test(text.slice(from, sign));
}

const question =
  /^[\s>*#"'-]{0,20}(?:(?:const|let|var|val|final|static|private|public|string|enter|new|old|current|your|the|my|confirm|repeat|retype|user|root|db|database)\s){0,3}[\p{L}\w.-]{1,60}(?: de passe)?["' ]{0,3}$/iu;

/** Nothing else on the line says what the word is, so it must not be a word of a language or of a program. */
function isAlone(value: string, quoted: boolean, indented: boolean, secret: SecretName): boolean {
  if (notAlone.test(value)) return false;
  if (secret.when === "random" || !strong.has(secret.kind)) return looksRandom(value);
  if (quoted) return true;
  if (/[()[\]{}=<>]|^[-*#/.@+]|[:;]$/.test(value)) return false;
  return indented || (/\d/.test(value) && /[\p{L}]/u.test(value)) || /\p{L}[!@#$%^&*?~]/u.test(value);
}

const strong: ReadonlySet<string> = new Set(["password", "passphrase", "secret"]);
const notAlone =
  /^(?:return|string|null|none|true|false|undefined|description|required|optional|default|example)\b/i;
