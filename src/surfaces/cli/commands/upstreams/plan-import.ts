/** Which servers of another program are taken over, and why the others are not. */
import type { ForeignServer } from "../../../../agents/mcp-servers/foreign-server.ts";
import type { Environment } from "../../../../config/folders.ts";
import { hasUpstream, removeUpstream } from "../../../../config/settings/edit-upstreams.ts";
import { namesIn } from "../../../../config/settings/variables.ts";
import { type Adopted, adoptServer, usableName } from "./adopt-server.ts";
import { explainUnusable } from "./explain-unusable.ts";
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

/** What a name stands for that another server uses, nobody knows before it is set: it is not given to a secret. */
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
