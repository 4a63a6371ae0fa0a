/** Finds secrets told without a sign: SQL, `define("X", "y")`, netrc, pgpass, "the password is y". */
import { endOfQuoted } from "./assignments.ts";
import { looksRandom } from "./looks-random.ts";
import { isMarked, type Mark } from "./mark.ts";
import { matchAt, replaceParts, type SecretPart } from "./replace-parts.ts";
import { isSaidSecret } from "./said-value.ts";
import type { NameJudge } from "./secret-name.ts";
import { isReference } from "./value-look.ts";

export function redactStatements(text: string, judge: NameJudge, mark: Mark): string {
  let result = redactSetters(redactTold(text, mark), judge, mark);
  if (pgpassHint.test(result)) result = redactPgpass(result, mark);
  return result;
}

const words =
  "passwor(?:d|ds|t)|passwd|pwd|passphrase|passcode|kennwort|contrase(?:ñ|n\\u0303|n)a|mot de passe|senha|wachtwoord|l(?:ö|o\\u0308|o)senord|" +
  "пароль|identified by|pin(?: code)?|otp|(?:verification|security|one-time|access) code|secret|token|(?:api|access|secret) key|" +
  "ssn|social security number";
/** Only where a blank, a bracket or a quote follows: a sign is looked at elsewhere. */
const told = new RegExp(
  `(?:(?<![A-Za-z0-9])|(?<=set|with))(${words}|identified with \\w{1,40} by)(?=[\\s("'\\\\])`,
  "gi",
);

/** Goes from word to word and looks at what follows it. */
function redactTold(text: string, mark: Mark): string {
  return replaceParts(text, told, mark, ({ 1: word = "", index }, after) =>
    toldValue(text, index, after, word.toLowerCase()),
  );
}

function toldValue(text: string, index: number, after: number, word: string): SecretPart | undefined {
  const kind = kindOf(word);
  const [link = ""] = matchAt(linked, text, after) ?? [];
  if (link !== "") {
    const [, quote = "", value = ""] = matchAt(said, text, after + link.length) ?? [];
    const start = after + link.length + quote.length;
    const bare = value.replace(/[.,;:!?)\]}]+$/, "");
    const before = text.slice(Math.max(0, index - 24), index);
    const ends = /^[.!)]?\s*(?:$|\n)/.test(text.slice(start + bare.length, start + bare.length + 8));
    const how = { kind, quoted: quote !== "", before, ends };
    return isSaidSecret(bare, how) ? { kind, start, end: start + bare.length } : undefined;
  }
  // `PASSWORD 'x'`, `IDENTIFIED BY "x"`, `PASSWORD('x')`, `.setPassword("x")`
  const [sign = "", bracket = "", quote = ""] = matchAt(quoted, text, after) ?? [];
  if (sign !== "") {
    if (bracket !== "" && !isSetter(text, index)) return undefined;
    const start = after + sign.length;
    const end = endOfQuoted(text, start, quote);
    const isSql = word.startsWith("identified") && isStatement(text, index, word);
    return isQuotedSecret(text.slice(start, end), kind, isSql) ? { kind, start, end } : undefined;
  }
  if (!isStatement(text, index, word) || matchAt(plain, text, after) === null) return undefined;
  const end = plain.lastIndex;
  const start = after + (/^\s+(?:[0-9]\s+)?/.exec(text.slice(after, after + 24))?.[0].length ?? 0);
  const value = text.slice(start, end);
  return isMarked(value) || isReference(value) || value.length < 3 ? undefined : { kind, start, end };
}

const linked =
  /["']?\s{1,3}(?:is|was|to|ist|lautet|est|es|\u00e9|\u00e8|fue|\u044f\u0432\u043b\u044f\u0435\u0442\u0441\u044f)(?:\s?:)?\s{1,3}/iuy;
const said = /(["'`\u201c\u201e\u00ab]?)([^\s"'`\u201c\u201d\u201e\u00ab\u00bb]{3,128})/y;
const quoted = /[ \t]{0,4}(\(?)[ \t]{0,2}(\\{0,3}["'])/y;
const plain = /\s{1,20}(?:[0-9]\s{1,4})?[^\s"'`;,<>()]{3,200}/y;

function kindOf(word: string): string {
  if (word.startsWith("identified")) return "password";
  if (word.startsWith("pin")) return "pin";
  if (word === "ssn" || word.startsWith("social")) return "ssn";
  if (word === "otp" || word.endsWith("code")) return "code";
  if (word.endsWith("key")) return "api-key";
  return word === "secret" || word === "token" ? word : "password";
}

/** `Unexpected token 'export'` looks like a secret; a value has no blanks and starts like a value. */
function isQuotedSecret(value: string, kind: string, isSql: boolean): boolean {
  if (value === "" || isMarked(value) || isReference(value)) return false;
  if (isSql) return true;
  if (kind !== "password") return kind !== "pin" && kind !== "code" && looksRandom(value);
  return (
    /^[\p{L}\d!#$%&*@^_~?-][^\s]{2,200}$/u.test(value) && !/^(?:string|text|password|hidden)$/i.test(value)
  );
}

/** A method or SQL's function; `hasPassword("x")` and `password("Enter it")` are others. */
function isSetter(text: string, index: number): boolean {
  return (
    text[index - 1] === "." ||
    text.startsWith("PASSWORD", index) ||
    /\b(?:set|with)$/.test(text.slice(Math.max(0, index - 5), index))
  );
}

/** Where a bare word follows: netrc, SQL of Oracle, the configuration of routers. */
function isStatement(text: string, index: number, word: string): boolean {
  // "identified by its name" is prose.
  if (word.startsWith("identified")) return sqlUser.test(text.slice(Math.max(0, index - 160), index));
  if (word !== "password" && word !== "secret") return false;
  return statement.test(text.slice(Math.max(0, index - 160), index));
}

const sqlUser = /(?:user|role|grant)\s/i;
const statement = /(?:^|\s)(?:(?:machine|login|account|user|username)\s{1,20}\S{1,100}|enable)\s{1,20}$/;

const setters =
  /(?:define|setenv|putenv|set|setdefault|setproperty|setitem|put|append|add|header|env|config|option)\(\s{0,8}\\{0,3}["']([^"'\\\s,]{2,80})\\{0,3}["']\s{0,8},\s{0,8}(\\{0,3}["'`])/gi;

/** `define('DB_PASSWORD', 'x')`, `setenv("TOKEN", "x", 1)`, `headers.append("Authorization", "x")` */
function redactSetters(text: string, judge: NameJudge, mark: Mark): string {
  return replaceParts(text, setters, mark, ({ 1: name = "", 2: quote = '"' }, start) => {
    const secret = judge(name);
    if (secret === undefined || secret.when === "digits") return undefined;
    const end = endOfQuoted(text, start, quote);
    const value = text.slice(start, end);
    if (value === "" || isMarked(value) || isReference(value)) return undefined;
    if (secret.when === "random" && !looksRandom(value)) return undefined;
    return { kind: secret.kind, start, end };
  });
}

/** `host:port:database:user:password` */
function redactPgpass(text: string, mark: Mark): string {
  return text.replace(pgpass, (whole, head: string, secret: string) =>
    isMarked(secret) || isReference(secret) || /^[0-9a-f:\s]+$/i.test(whole)
      ? whole
      : `${head}${mark("password", secret)}`,
  );
}

/** The look ahead keeps V8's linear engine away, which is slower here. */
const pgpassHint = /:(?=[\d*])(?:\d{4,5}|\*):/;
const pgpass =
  /((?:^|(?<=[\s"']))(?:[\w.-]{1,100}|\*):(?:\d{4,5}|\*):(?!\d+:)[^\s:"'\\]{1,63}:[^\s:"'\\]{1,63}:)([^\s"']{1,200})(?=["'\s]|$)/gm;
