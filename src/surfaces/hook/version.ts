/** Which toolgate this is: part of the key of everything it keeps. */
import { readFileSync } from "node:fs";

declare const TOOLGATE_BUILD: string | undefined;

/** Set by the bundler, from the version and the bundle's own text; elsewhere the package says it. */
export function toolgateBuild(): string {
  if (typeof TOOLGATE_BUILD === "string") return TOOLGATE_BUILD;
  const file = new URL("../../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

/** Compiled code fits one build, one Node and one set of V8's flags only; this is what a file of it is compared with. */
export function codeIdentity(): string {
  const { execPath, execArgv, versions, env } = process;
  return `${toolgateBuild()} ${versions.v8} ${execPath} ${execArgv.join(" ")} ${env.NODE_OPTIONS ?? ""}`;
}

/** A name under which it will usually be found. */
export function codeName(): string {
  const { version, arch, env } = process;
  return `${toolgateBuild()}-${version}-${arch}${env.NODE_OPTIONS ? "-options" : ""}`;
}
