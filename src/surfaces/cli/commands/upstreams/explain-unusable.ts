/** Why a server cannot stand in the configuration: asked of each by itself, because one that cannot must not hold up the others. */
import { explainBadUrl } from "../../../../config/file/check-upstreams.ts";
import { parseConfigFile } from "../../../../config/file/parse-file.ts";
import { writeYaml } from "../../../../config/file/write-yaml.ts";
import type { JsonObject } from "../../../../core/input/json.ts";

/** Undefined: it can be used. */
export function explainUnusable(name: string, upstream: JsonObject): string | undefined {
  const parsed = parseConfigFile(writeYaml({ upstreams: { [name]: upstream } }), "", "config");
  const why = parsed.ok ? explainAddress(upstream.url) : parsed.problems[0]?.message;
  return why?.replace(`upstreams.${name}.`, "").replace(/\.$/, "");
}

/** The configuration does not look at an address that holds variables; what they cannot change is known all the same. */
function explainAddress(url: JsonObject[string] | undefined): string | undefined {
  if (typeof url !== "string" || url.startsWith("${")) return undefined;
  // A digit may stand anywhere in an address, also for a port.
  const why = explainBadUrl(url.replaceAll(/\$\{[^}]*\}/g, "1"));
  return why === undefined ? undefined : `url: ${why}`;
}
