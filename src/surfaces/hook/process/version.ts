/** Which toolgate this is: part of the key of everything it keeps. */
import { readFileSync } from "node:fs";

declare const TOOLGATE_BUILD: string | undefined;

/** Set by the bundler, from the version and the bundle's own text; elsewhere the package says it. */
export function toolgateBuild(): string {
  if (typeof TOOLGATE_BUILD === "string") return TOOLGATE_BUILD;
  const file = new URL("../../../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
