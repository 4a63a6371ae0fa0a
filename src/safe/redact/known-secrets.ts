/** Finds secrets whose value is known (our own token, declared variables), also encoded ones. */
import type { Mark } from "./mark.ts";

export function createKnownSecrets(secrets: readonly string[]): (text: string, mark: Mark) => string {
  const forms = new Map<string, string>();
  for (const secret of secrets) {
    // One that is a part of the mark itself would be found in every mark again.
    if (secret.length < shortest || "[redacted:known-secret]".includes(secret)) continue;
    for (const form of formsOf(secret)) {
      if (form.length >= shortest && !forms.has(form)) forms.set(form, secret);
    }
  }
  // Longest first: a secret that contains another must not be left with its ends showing.
  const ordered = [...forms].sort(([one], [other]) => other.length - one.length);
  return (text, mark) => {
    let result = text;
    for (const [form, secret] of ordered) {
      if (result.includes(form)) result = result.replaceAll(form, () => mark("known-secret", secret));
    }
    return result;
  };
}

/** Shorter ones would blot out ordinary words. */
const shortest = 6;

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const percent = encodeURIComponent(secret.toWellFormed());
  const strict = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll("%20", "+"),
    new URLSearchParams({ a: secret }).toString().slice(2),
    strict,
    strict.toUpperCase(),
    json,
    JSON.stringify(json).slice(1, -1),
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...[0, 1, 2].flatMap((shift) => base64Middles(bytes, shift)),
  ];
}

/**
 * In `base64("user:" + secret)` the secret's bits may start at any of three places. Only the characters that
 * depend on nothing but the secret are searched for.
 */
function base64Middles(bytes: Buffer, shift: number): string[] {
  const standard = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  const start = Math.ceil((shift * 8) / 6);
  const end = Math.floor(((shift + bytes.length) * 8) / 6);
  const middle = standard.slice(start, end);
  // With fewer characters than this, other text would match by chance.
  if (middle.length < 8) return [];
  return [middle, middle.replaceAll("+", "-").replaceAll("/", "_")];
}
