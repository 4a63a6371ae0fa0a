/** What kind of thing a server says it sends. */

export type MediaKind = "html" | "json" | "text" | "binary" | "unknown";

export function mediaKind(contentType: string | undefined): MediaKind {
  const type = essence(contentType);
  if (type === "" || type === "application/octet-stream" || type === "binary/octet-stream") return "unknown";
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (/^(?:application|text)\/json$/.test(type) || type.endsWith("+json")) return "json";
  if (type.startsWith("text/") || type.endsWith("+xml") || textTypes.has(type)) return "text";
  return "binary";
}

/** `text/html` of `Text/HTML; charset=utf-8`. */
export function essence(contentType: string | undefined): string {
  return (contentType ?? "").split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? "";
}

const textTypes = new Set(
  (
    "xml javascript x-javascript ecmascript typescript x-typescript json5 jsonlines x-ndjson ndjson yaml x-yaml toml sql graphql " +
    "x-sh x-httpd-php xml-dtd x-www-form-urlencoded rtf x-tex x-latex x-subrip manifest+json"
  )
    .split(" ")
    .map((name) => `application/${name}`),
);
