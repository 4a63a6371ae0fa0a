/** The shipped routes as the build has parsed them: reading their YAML would take a tenth of a start. */
import type { ParsedConfig, ParsedFile } from "./file/parse-file.ts";

/** Put in by the build of the command line. */
declare const TOOLGATE_SHIPPED: { readonly sha256: string; readonly parsed: ParsedFile } | undefined;

/** Undefined: it is another text, or this is not that build. */
export function parsedShippedFile(file: string, sha256: string): ParsedConfig | undefined {
  if (typeof TOOLGATE_SHIPPED === "undefined" || TOOLGATE_SHIPPED.sha256 !== sha256) return undefined;
  const { parsed } = TOOLGATE_SHIPPED;
  const routes = parsed.routes.map((route) => ({ ...route, source: { ...route.source, file } }));
  return { ok: true, file: { ...parsed, routes } };
}
