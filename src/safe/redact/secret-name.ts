/** Decides from a name alone (`clientSecret`, `x-api-key`, `max_tokens`) whether it names a secret. */
import { fold } from "./fold-letters.ts";
import {
  counting,
  describing,
  foreignPasswords,
  foreignRandom,
  foreignSecrets,
  lastWords,
  notPasswords,
  notSecretKeys,
  numberNames,
  passwordEnding,
  passwordPhrases,
  phrases,
  randomWords,
  secretKeys,
  textEnding,
} from "./name-words.ts";

export interface SecretName {
  readonly kind: string;
  /**
   * `always`: the value is a secret whatever it looks like, numbers too. `text`: any text is. `random`: only
   * a value that looks like a generated key is. `digits`: only one with as many digits as its kind has.
   */
  readonly when: "always" | "text" | "random" | "digits";
}

export type NameJudge = (name: string) => SecretName | undefined;

/** Remembers answers, because the same few names come back in every record. */
export function createSecretNames(): NameJudge {
  const known = new Map<string, SecretName | null>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before ?? undefined;
    const found = secretName(name);
    if (known.size >= 4_000) known.clear();
    if (name.length <= 128) known.set(name, found ?? null);
    return found;
  };
}

export function secretName(name: string): SecretName | undefined {
  // `src/login-token.ts:42` tells a place.
  if (fileName.test(name)) return undefined;
  const words = wordsOf(name.length > 200 ? name.slice(-200) : name);
  let weak: SecretName | undefined;
  for (const [index, word] of words.entries()) {
    const found = judgeWord(word, words, index);
    if (found === undefined) continue;
    if (found.when !== "random") return found;
    weak = found;
  }
  return weak;
}

const fileName =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|h|hpp|swift|vue|svelte|css|html?|md|sh|sql|txt|log)$/;

/** `clientSecret_v2`, `CLIENT-SECRET` and `client.secret` all become `client secret`. */
function wordsOf(name: string): string[] {
  return fold(name)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/\d+$/, ""))
    .filter((word) => word !== "");
}

function judgeWord(word: string, words: readonly string[], index: number): SecretName | undefined {
  // `password_min_length`, `token_type`, `cookie_policy` describe a secret; they are none.
  const describes = words.slice(index + 1).some((later) => describing.has(later));
  const before = words[index - 1] ?? "";
  const pair = `${before} ${word}`;
  const isLast = index === words.length - 1;

  if (/passphrases?$$/.test(word)) return describes ? undefined : { kind: "passphrase", when: "text" };
  if (passwordEnding.test(word) || foreignPasswords.test(word) || passwordPhrases.has(pair)) {
    return describes ? undefined : { kind: "password", when: "always" };
  }
  const number = isLast ? (numberNames.get(pair) ?? numberNames.get(word)) : undefined;
  if (number !== undefined) return { kind: number, when: "digits" };
  if (word === "secret" && words[index + 1] === "id") return { kind: "secret", when: "text" };
  const ending = textEnding.exec(word);
  if (ending !== null && !describes) return { kind: kindOfEnding(ending[0]), when: "text" };
  if (/tokens?$/.test(word) && !describes) {
    return word === "tokens" && counting.has(before) ? undefined : { kind: "token", when: "text" };
  }
  if (word === "key" || word === "keys") {
    if (notSecretKeys.has(before)) return undefined;
    if (secretKeys.has(before) && !describes) return { kind: "api-key", when: "text" };
    return isLast ? { kind: "key", when: "random" } : undefined;
  }
  if (foreignSecrets.test(word)) return { kind: "secret", when: "text" };
  if (phrases.has(pair)) return { kind: "secret", when: "text" };
  if (isLast && lastWords.has(word) && !(word === "pass" && notPasswords.has(before))) {
    return { kind: word === "pass" ? "password" : word, when: "text" };
  }
  if (randomWords.has(word) || foreignRandom.test(word)) return { kind: "key", when: "random" };
  return undefined;
}

function kindOfEnding(ending: string): string {
  if (ending.startsWith("cookie")) return "cookie";
  if (ending.startsWith("cred")) return "credentials";
  if (ending.includes("key")) return "api-key";
  if (ending === "authorization" || ending === "bearer" || ending === "jwt") return ending;
  return "secret";
}
