/**
 * Finds secrets in markup: `<password>x</password>`, `<input type="password" value="x">`, `<add
 * key="DbPassword" value="x"/>`.
 */
import { fitsDigits } from "./digits.ts";
import { looksRandom } from "./looks-random.ts";
import { isMarked, type Mark } from "./mark.ts";
import type { NameJudge, SecretName } from "./secret-name.ts";
import { isReference } from "./value-look.ts";

export function redactMarkup(text: string, judge: NameJudge, mark: Mark): string {
  if (!text.includes("<")) return text;
  let result = text;
  if (result.includes("</")) result = redactElements(result, judge, mark);
  if (result.includes("=")) result = redactTags(result, judge, mark);
  return result;
}

/** `<password>x</password>` as in Maven's or a SOAP message. */
function redactElements(text: string, judge: NameJudge, mark: Mark): string {
  return text.replace(element, (whole, name: string, value: string) => {
    const secret = judge(name);
    return secret === undefined || !isSecret(value, secret)
      ? whole
      : `<${name}>${mark(secret.kind, value)}</`;
  });
}

const element = /<([A-Za-z][\w:.-]{0,60})>([^<]+)<\//g;

/** One attribute names, another one or the text behind the tag is the value. */
function redactTags(text: string, judge: NameJudge, mark: Mark): string {
  return text.replace(tag, (whole, attributes: string, content: string | undefined) => {
    const secret = named(attributes, judge);
    if (secret === undefined) return whole;
    let found = false;
    const clean = whole.replace(valueAttribute, (all, head: string, value: string) => {
      found = true;
      return isSecret(value, secret) ? head + mark(secret.kind, value) : all;
    });
    if (found || content === undefined || content.trim() === "" || !isSecret(content, secret)) return clean;
    const head = whole.slice(0, whole.length - content.length - 2);
    return `${head}${mark(secret.kind, content)}</`;
  });
}

// A tag ends where the next one begins, so nothing is read twice.
const tag = /<[A-Za-z][\w:.-]{0,30}\s([^<>]{1,2000})>(?:([^<>]{1,2000})<\/)?/g;
const typeAttribute = /\btype\s{0,2}=\s{0,2}\\{0,3}["']?password\b/i;
const nameAttribute = /(?<![\w-])(?:name|key|id)\s{0,2}=\s{0,2}\\{0,3}["']([\w:.[\]-]{1,80})\\{0,3}["']/gi;
const valueAttribute = /((?<![\w-])(?:value|content)\s{0,2}=\s{0,2}\\{0,3}["'])([^"'\\<>]{1,2000})/gi;

function named(attributes: string, judge: NameJudge): SecretName | undefined {
  if (typeAttribute.test(attributes)) return { kind: "password", when: "always" };
  for (const [, name = ""] of attributes.matchAll(nameAttribute)) {
    const secret = judge(name);
    if (secret !== undefined) return secret;
  }
  return undefined;
}

function isSecret(value: string, secret: SecretName): boolean {
  if (isMarked(value) || isReference(value)) return false;
  if (secret.when === "random") return looksRandom(value);
  return secret.when !== "digits" || fitsDigits(secret.kind, value);
}
