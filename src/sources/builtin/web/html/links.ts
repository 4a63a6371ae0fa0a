/** Makes addresses of a page absolute, and leaves out those that lead nowhere for a reader of its text. */

const maxLength = 2_000;
const readable = new Set(["http:", "https:", "mailto:"]);

/** Undefined: a place in the same page, a script, data, or no address at all. */
export function absoluteLink(href: string | undefined, base: string, page: string): string | undefined {
  const address = href?.trim() ?? "";
  if (address === "" || address.startsWith("#") || address.length > maxLength) return undefined;
  const url = URL.parse(address, base);
  if (url === null || !readable.has(url.protocol) || url.href.length > maxLength) return undefined;
  if (url.hash !== "" && withoutPlace(url.href) === withoutPlace(page)) return undefined;
  // Brackets would end the address where Markdown is read.
  return url.href.replaceAll("(", "%28").replaceAll(")", "%29");
}

function withoutPlace(url: string): string {
  return url.split("#", 1)[0] ?? "";
}
