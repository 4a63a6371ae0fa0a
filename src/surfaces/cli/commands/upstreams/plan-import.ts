/** Which servers of another program are taken over, and why the others are not. */

import type { ForeignServer } from "../../../../agents/mcp-servers/foreign-server.ts";
import { explainBadUrl } from "../../../../config/file/check-upstreams.ts";
import { parseConfigFile } from "../../../../config/file/parse-file.ts";
import { writeYaml } from "../../../../config/file/write-yaml.ts";
import type { Environment } from "../../../../config/folders.ts";
import { hasUpstream, removeUpstream } from "../../../../config/settings/edit-upstreams.ts";
import { namesIn } from "../../../../config/settings/variables.ts";
import type { JsonObject } from "../../../../core/input/json.ts";
import { type Adopted, adoptServer, usableName } from "./adopt-server.ts";
import { isToolgate, type OwnAddresses } from "./is-toolgate.ts";
import { createVariableNames, type VariableNames } from "./variable-names.ts";

export interface ImportPlan {
  readonly taken: readonly Adopted[];
  readonly left: readonly { readonly name: string; readonly file: string; readonly why: string }[];
}

export interface ImportChoices {
  readonly names?: readonly string[] | undefined;
  readonly copySecrets?: boolean | undefined;
  readonly replace?: boolean | undefined;
  readonly review?: boolean | undefined;
}

/** What toolgate has already. */
export interface ImportInto {
  /** Of the configuration file. */
  readonly text: string;
  readonly own: OwnAddresses;
  readonly env: Environment;
}

export function planImport(
  found: readonly ForeignServer[],
  into: ImportInto,
  { names = [], copySecrets, replace, review }: ImportChoices,
): ImportPlan {
  const { text, own } = into;
  const taken = new Map<string, Adopted>();
  const left: { name: string; file: string; why: string }[] = [];
  const servers = found.filter(({ name }) => names.length === 0 || names.includes(name));
  const variables = variablesFor(servers, into, replace === true);
  const explainLeft = (server: ForeignServer, name: string): string | undefined => {
    if (server.unusable !== undefined) return server.unusable;
    if (isToolgate(server, own)) return "it is toolgate itself";
    if (taken.has(name)) return `${name} is taken from ${taken.get(name)?.file}`;
    return hasUpstream(text, name) && replace !== true
      ? "there is one of that name already; --replace puts this one in its place"
      : undefined;
  };
  for (const server of servers) {
    const { name, file } = server;
    const leave = (why: string) => left.push({ name, file, why });
    const why = explainLeft(server, usableName(name));
    if (why !== undefined) {
      leave(why);
      continue;
    }
    const adopted = adoptServer(server, copySecrets === true, variables);
    const unusable = explainUnusable(adopted.name, adopted.upstream);
    if (unusable !== undefined) leave(unusable);
    else
      taken.set(
        adopted.name,
        review === true ? { ...adopted, upstream: { ...adopted.upstream, review: true } } : adopted,
      );
  }
  return { taken: [...taken.values()], left };
}

/** A name that another server uses is not given to a secret: its value is not known yet. */
function variablesFor(
  servers: readonly ForeignServer[],
  { text, env }: ImportInto,
  replace: boolean,
): VariableNames {
  const staying = replace
    ? servers.reduce((rest, { name }) => removeUpstream(rest, usableName(name)), text)
    : text;
  return createVariableNames(env, [...namesIn(staying), ...namesIn(JSON.stringify(servers))]);
}

/** Why a server cannot be configured. Asked of each alone: a bad one must not hold up the others. */
function explainUnusable(name: string, upstream: JsonObject): string | undefined {
  const parsed = parseConfigFile(writeYaml({ upstreams: { [name]: upstream } }), "", "config");
  const why = parsed.ok ? explainAddress(upstream.url) : parsed.problems[0]?.message;
  return why?.replace(`upstreams.${name}.`, "").replace(/\.$/, "");
}

/** The configuration skips an address with variables; what they cannot change is checked here. */
function explainAddress(url: JsonObject[string] | undefined): string | undefined {
  if (typeof url !== "string" || url.startsWith("${")) return undefined;
  // A digit may stand anywhere in an address, also for a port.
  const why = explainBadUrl(url.replaceAll(/\$\{[^}]*\}/g, "1"));
  return why === undefined ? undefined : `url: ${why}`;
}
