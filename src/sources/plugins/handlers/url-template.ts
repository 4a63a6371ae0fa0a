/**
 * The URL of an http handler, read once when the plugin is loaded: a value can fill a part of the path or of
 * the query and nothing else. Where a placeholder starts the URL, the value is a whole URL and is checked as
 * one.
 */
import { checkUrl } from "../../../safe/net/check-url.ts";
import { markPlaceholders, type Placeholder } from "../../../safe/template/placeholders.ts";

export type FilledUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly message: string };

export interface UrlTemplate {
  readonly ok: true;
  /** The placeholders, each once. */
  readonly names: readonly string[];
  /** The host is the author's; otherwise the caller chooses it. */
  readonly fixedHost: boolean;
  /** Names of the query's parameters that the author wrote. */
  readonly queryNames: readonly string[];
  fill(value: (name: string) => unknown): FilledUrl;
}

export type CompiledUrl = UrlTemplate | { readonly ok: false; readonly errors: readonly string[] };

export function compileUrl(template: string, known: ReadonlySet<string>): CompiledUrl {
  if (typeof template !== "string" || template.trim() === "") return refuse("The URL is empty.");
  const marked = markPlaceholders(template, known);
  if (!marked.ok) return marked;
  const { text, placeholders } = marked;
  const [first] = placeholders;
  const whole = first?.pos === 0 ? first : undefined;
  // A host that cannot exist stands in for the caller's, so that what follows can be checked all the same.
  const sample = whole === undefined ? text : `http://host.invalid${text.slice(whole.token.length)}`;
  if (whole !== undefined && !/^(?:[/?]|$)/.test(text.slice(whole.token.length)))
    return refuse(
      `What follows {{${whole.name}}} would change the host of that URL; go on with / or ?, or write the host yourself.`,
    );
  const checked = checkUrl(sample);
  if (!checked.ok) return refuse(`${checked.message} ${checked.hint}`);
  const { authority, path, query, hash } = split(sample);
  if (hash !== undefined) return refuse("The part after # is never sent; leave it out.");
  const chosen = find(placeholders, authority);
  if (chosen !== undefined)
    return refuse(
      `{{${chosen.name}}} stands in the host, port or user of the URL, where a value would choose who is asked. Write the host yourself, or start the URL with one placeholder for all of it.`,
    );
  const cut = placeholders.find(({ pos }) => /%[0-9a-f]?$/i.test(text.slice(0, pos)));
  if (cut !== undefined)
    return refuse(`{{${cut.name}}} would complete the % before it; write the encoded character in full.`);
  const base =
    whole === undefined ? { origin: sample.slice(0, sample.indexOf("//") + 2) + authority } : { whole };
  const pairs = query === undefined ? [] : query.split("&").filter((pair) => pair !== "");
  return {
    ok: true,
    names: [...new Set(placeholders.map(({ name }) => name))],
    fixedHost: whole === undefined,
    queryNames: pairs.map((pair) => decode(pair.split("=", 1)[0] ?? "")),
    fill: (value) => fill({ base, path, pairs, placeholders }, value),
  };
}

interface UrlParts {
  readonly base: { readonly origin: string } | { readonly whole: Placeholder };
  /** From its first slash; may be empty. */
  readonly path: string;
  readonly pairs: readonly string[];
  readonly placeholders: readonly Placeholder[];
}

class Refused extends Error {}

function fill({ base, path, pairs, placeholders }: UrlParts, value: (name: string) => unknown): FilledUrl {
  try {
    const segments = path.split("/").map((segment) => fillSegment(segment, placeholders, value));
    const query = pairs.flatMap((pair) => fillPair(pair, placeholders, value));
    const rest = segments.join("/") + (query.length === 0 ? "" : `?${query.join("&")}`);
    const start = "origin" in base ? base.origin : wholeUrl(base.whole.name, value(base.whole.name), rest);
    const checked = checkUrl(start + rest);
    return checked.ok ? checked : { ok: false, message: `${checked.message} ${checked.hint}` };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, message: error.message };
    throw error;
  }
}

function fillSegment(
  segment: string,
  placeholders: readonly Placeholder[],
  value: (name: string) => unknown,
): string {
  const filled = replaceTokens(segment, placeholders, (name) => {
    const text = toText(name, value(name));
    if (text === undefined)
      throw new Refused(`${quoted(name)} is missing; it is a part of the URL's path. Give it a value.`);
    // `/users/` is another resource than `/users/7`: with DELETE, all of them.
    if (text === "") throw new Refused(`${quoted(name)} is empty, which would change what the URL means.`);
    return text;
  });
  // `/x/../admin` is `/admin`: URLs resolve dots before anybody is asked.
  if (filled !== segment && /^(?:\.|%2e){1,2}$/i.test(filled))
    throw new Refused(`An argument makes a part of the path "${filled}", which leads elsewhere.`);
  return filled;
}

/** A pair whose value is absent is left out. */
function fillPair(
  pair: string,
  placeholders: readonly Placeholder[],
  value: (name: string) => unknown,
): string[] {
  let absent = false;
  const filled = replaceTokens(pair, placeholders, (name) => {
    const text = toText(name, value(name));
    absent ||= text === undefined;
    return text ?? "";
  });
  return absent ? [] : [filled];
}

/** In one pass: a value that looks like the mark of another placeholder is still only a value. */
function replaceTokens(
  text: string,
  placeholders: readonly Placeholder[],
  textFor: (name: string) => string,
): string {
  let rest = text;
  let filled = "";
  for (const { name, token } of placeholders) {
    const at = rest.indexOf(token);
    if (at === -1) continue;
    filled += rest.slice(0, at) + encodeURIComponent(textFor(name));
    rest = rest.slice(at + token.length);
  }
  return filled + rest;
}

/** The caller's URL up to where the author's part goes on. */
function wholeUrl(name: string, value: unknown, rest: string): string {
  const text = toText(name, value);
  if (text === undefined || text === "")
    throw new Refused(`${quoted(name)} is missing; it must be a whole http or https URL.`);
  const checked = checkUrl(text);
  if (!checked.ok)
    throw new Refused(
      `${quoted(name)} must be a whole http or https URL. ${checked.message} ${checked.hint}`,
    );
  if (rest === "") return text;
  // Behind a ? or # the author's path would be a part of the query, or would not be sent at all.
  if (/[?#]/.test(text))
    throw new Refused(
      `${quoted(name)} holds ? or #, and the tool adds ${JSON.stringify(rest)} to it. Give the URL without them.`,
    );
  return rest.startsWith("/") ? text.replace(/\/+$/, "") : text;
}

/** The one text form of a value; undefined when it is absent. */
export function toText(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const plain =
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value));
  if (!plain) throw new Refused(`${quoted(name)} must be text, a number or true/false to stand in a URL.`);
  const text = String(value);
  if (!text.isWellFormed())
    throw new Refused(`${quoted(name)} holds half of a surrogate pair, which is not a character.`);
  return text;
}

function split(url: string) {
  const [, authority = "", path = "", query, hash] =
    /^https?:\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(url) ?? [];
  return { authority, path, query, hash };
}

function find(placeholders: readonly Placeholder[], text: string): Placeholder | undefined {
  return placeholders.find(({ token }) => text.includes(token));
}

function decode(text: string): string {
  return new URLSearchParams(`${text}=`).keys().next().value ?? "";
}

function quoted(name: string): string {
  return `The argument ${JSON.stringify(name)}`;
}

function refuse(...errors: string[]): CompiledUrl {
  return { ok: false, errors };
}
