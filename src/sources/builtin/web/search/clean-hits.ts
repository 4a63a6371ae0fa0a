/** Treats what a backend answered as text of strangers: addresses checked, marks and hidden text removed. */
import { isRecord } from "../../../../core/input/json.ts";
import { visible } from "../../../../core/text/visible.ts";
import { decodeEntities } from "../html/entities.ts";
import { removeHidden } from "../page/hidden-characters.ts";
import type { SearchHit } from "./backend.ts";

export interface HitFilter {
  readonly limit: number;
  readonly site?: string | undefined;
  readonly excluded: readonly string[];
}

const maxTitle = 200;
const maxSnippet = 500;
const maxUrl = 2_000;
/** Of what is looked at; a backend that answers with more is not trusted to know what it does. */
const maxHits = 200;

export function cleanHits(hits: unknown, { limit, site, excluded }: HitFilter): SearchHit[] {
  const found = new Map<string, SearchHit>();
  for (const hit of Array.isArray(hits) ? (hits.slice(0, maxHits) as unknown[]) : []) {
    const clean = cleanHit(hit);
    if (clean === undefined || found.has(clean.url)) continue;
    const { hostname } = new URL(clean.url);
    if (site !== undefined && !isOf(hostname, site)) continue;
    if (!excluded.some((one) => isOf(hostname, one))) found.set(clean.url, clean);
  }
  return [...found.values()].slice(0, limit);
}

function cleanHit(hit: unknown): SearchHit | undefined {
  if (!isRecord(hit)) return undefined;
  const { title, url, snippet, published } = hit;
  const address = typeof url === "string" && url.length <= maxUrl ? URL.parse(url.trim()) : null;
  if (address === null || !/^https?:$/.test(address.protocol)) return undefined;
  if (address.username !== "" || address.password !== "") return undefined;
  const shortTitle = cleanText(title, maxTitle);
  const shortSnippet = cleanText(snippet, maxSnippet);
  const date = cleanText(published, 40);
  return {
    title: shortTitle === "" ? address.hostname : shortTitle,
    url: address.href,
    ...(shortSnippet !== "" && { snippet: shortSnippet }),
    ...(date !== "" && { published: date }),
  };
}

/** Backends put the words that matched between tags. */
function cleanText(value: unknown, maxLength: number): string {
  if (typeof value !== "string") return "";
  const plain = decodeEntities(
    value.slice(0, maxLength * 4).replace(/<\/?(?:b|strong|em|i|mark|span)\b[^<>]{0,100}>/gi, ""),
  );
  const line = removeHidden(plain).text.replace(/\s+/g, " ").trim();
  return visible(line, { maxLength });
}

/** The host itself, or one below it. */
export function isOf(hostname: string, site: string): boolean {
  return hostname === site || hostname.endsWith(`.${site}`);
}
