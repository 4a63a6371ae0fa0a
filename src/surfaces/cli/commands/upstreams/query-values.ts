/** The values in the query of an address, one by one; everything else stays as it is written, `${NAME}` too. */

export function mapQueryValues(url: string, change: (value: string, parameter: string) => string): string {
  const [, before, query = "", after = ""] = /^([^?#]*\?)([^#]*)(.*)$/s.exec(url) ?? [];
  if (before === undefined) return url;
  const pairs = query.split("&").map((pair) => changed(pair, change));
  return `${before}${pairs.join("&")}${after}`;
}

function changed(pair: string, change: (value: string, parameter: string) => string): string {
  const start = pair.indexOf("=") + 1;
  const [parameter] = new URLSearchParams(pair).keys();
  if (start === 0 || parameter === undefined) return pair;
  return `${pair.slice(0, start)}${change(pair.slice(start), parameter)}`;
}
