/** Tells a value that is a secret from a type, a piece of program code, a label or a reference. */
import { wordSet } from "../../core/text/words.ts";
import { fitsDigits } from "./digits.ts";
import { fold } from "./fold-letters.ts";
import { looksRandom } from "./looks-random.ts";
import { isMarked } from "./mark.ts";
import type { NameJudge, SecretName } from "./secret-name.ts";

export interface Value {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly quoted: boolean;
  /** `name: value` or `name = value` with blanks: prose and program code look like this too. */
  readonly loose: boolean;
  /** `name == value` */
  readonly compared: boolean;
}

export function isSecretValue(value: Value, secret: SecretName, judge: NameJudge): boolean {
  const { text, quoted, loose, compared } = value;
  if (isMarked(text) || isReference(text)) return false;
  if (secret.when === "random") return !compared && looksRandom(text);
  if (secret.when === "digits") return fitsDigits(secret.kind, text.replace(closing, ""));
  // `apiKey === "function"`, `if (token == null)`; a password in a comparison is one.
  if (compared && !(quoted && secret.kind === "password") && !looksRandom(text)) return false;
  if (isLabel(text)) return false;
  if (quoted) return true;
  if (notValues.test(text)) return false;
  if (brackets.test(text)) return false;
  if (loose && (codeValue.test(text) || isPathOfNames(text, judge))) return false;
  if (secret.kind === "password" || secret.kind === "secret" || wholeLine.has(secret.kind)) return true;
  if (secret.when === "text" && /^\d{1,9}$/.test(text)) return false;
  // "token: unexpected end" is a message; a key has digits or is long.
  const unmarked = text.includes("[redacted:") ? text.replace(/\[redacted:[^\]]*\]?/g, "") : text;
  return !loose || (unmarked.length >= 6 && /\d/.test(unmarked)) || unmarked.length >= 20;
}

/** Names where the secret is kept instead of the secret: `${TOKEN}`, `$TOKEN`, `<token>`, `***`. */
export function isReference(text: string): boolean {
  return text.length >= 3 && text.length <= 120 && reference.test(text);
}

const reference =
  /^(?:Bearer |Basic |token )?(?:\$\{[A-Za-z_][\w.]*\}|\$\{\{[\w .-]+\}\}|\$[A-Z_][A-Z0-9_]{2,}|%[A-Z_][A-Z0-9_]{2,}%|\{\{[\w .-]+\}\}|<[a-z][\w -]*>|\*{3,}|x{4,}|\.{3})$/;
const notValues =
  /^(?:string|str|number|int|integer|bool|boolean|any|unknown|object|null|nil|none|undefined|true|false|required|optional|missing|invalid|latest|String|Option|Optional|Buffer)\b[\w.;,)\]}>|?[-]{0,12}$/;
const codeValue =
  /^(?:(?:await|new|return)$|process\.env|os\.environ|os\.getenv|System\.getenv|import\.meta|(?:this|self|config|cfg|props|req|request|opts|options|args|ctx|settings|env)[.[]|[A-Za-z_$][\w$.]{0,60}\(|\((?:\w{1,40}[:,)?]|\)))/;
/** `= {`, `: [`, `=> (`: what follows is on the next lines. */
const brackets = /^[()[\]{}<>=;,]{1,4}$/;
const closing = /[)\]};,.]{1,3}$/;

/** These take the rest of their line. */
export const wholeLine: ReadonlySet<string> = new Set(["authorization", "cookie", "passphrase"]);

/** `jwt: "JWT"`, `type: "password"`: a label. */
function isLabel(text: string): boolean {
  return text.length >= 3 && text.length <= 16 && labels.has(fold(text).toLowerCase());
}

const labels = wordSet(
  "password passwords passwd passwort kennwort contrasena motdepasse senha wachtwoord token tokens secret secrets jwt cookie " +
    "cookies key keys apikey auth bearer session credential credentials passphrase",
);

/** `exports.nextToken = tokens.nextToken;` */
function isPathOfNames(text: string, judge: NameJudge): boolean {
  if (text.length > 200 || !path.test(text)) return false;
  return judge(text.slice(text.lastIndexOf(".") + 1).replace(closing, "")) !== undefined;
}

const path = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[)\]};,]{0,3}$/;
