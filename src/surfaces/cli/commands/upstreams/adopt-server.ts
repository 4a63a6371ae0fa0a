/** Makes an upstream from a server of another program, without secrets unless they are wanted. */

import { variableName } from "../../../../agents/mcp-servers/find-servers.ts";
import type { ForeignServer } from "../../../../agents/mcp-servers/foreign-server.ts";
import { explainBadUpstreamName } from "../../../../config/file/check-upstreams.ts";
import { hiddenValue, shownArguments, shownUrl } from "../../../../config/settings/shown-upstream.ts";
import { explainBadReferences, fillIn, namesIn } from "../../../../config/settings/variables.ts";
import { defined } from "../../../../core/input/defined.ts";
import type { Json, JsonObject } from "../../../../core/input/json.ts";
import { redactText } from "../../../../safe/redact/redact.ts";
import { secretName } from "../../../../safe/redact/secret-name.ts";
import { createVariableNames, type VariableNames } from "./variable-names.ts";

export interface Adopted {
  readonly name: string;
  readonly file: string;
  readonly upstream: JsonObject;
  /** The same without values that are secrets. */
  readonly shown: JsonObject;
  readonly warnings: readonly string[];
  /** Variables that have to be set before the server works. */
  readonly needs: readonly string[];
}

/** `variables` is the same for all servers of an import. */
export function adoptServer(
  server: ForeignServer,
  copySecrets: boolean,
  variables: VariableNames = createVariableNames(),
): Adopted {
  const name = usableName(server.name);
  const warnings = [...server.notes];
  /** `place`: where the value stands, for a person. */
  const value = (text: string, key: string, wanted: readonly string[], place = key): string => {
    const bad = explainBadReferences(text);
    if (bad !== undefined) warnings.push(`${place}: ${bad}`);
    if (namesIn(text).length > 0 || !isSecret(key, text)) return text;
    const scheme = /^(Bearer|Basic|Token) /i.exec(text)?.[0] ?? "";
    const variable = variables.nameFor(text.slice(scheme.length), wanted);
    if (copySecrets) {
      warnings.push(
        `${place}: its value is copied into the file as it is; better set a variable and write \${${variable}}`,
      );
      return text;
    }
    warnings.push(`${place}: its value is not copied; set ${variable} in the environment of toolgate`);
    return `${scheme}\${${variable}}`;
  };
  const ofServer = (key: string) => variableName(`${name}_${key}`);
  const { command, args, env, envPass, cwd, url, headers, disabledTools } = server;
  if (args !== undefined && shownArguments(args).some((shown, index) => shown !== args[index]))
    warnings.push("args: one of them looks like a secret; others on this machine can see it");
  if (url !== undefined && isSecret("", beforeQuery(url)))
    warnings.push("url: a part of it looks like a secret, and is copied as it is");
  const written = {
    command,
    args: args?.length === 0 ? undefined : args,
    env: mapped(env, (text, key) => value(text, key, [key, ofServer(key)])),
    env_pass: envPass,
    cwd,
    url: url && mapQueryValues(url, (text, key) => value(text, key, [ofServer(key)], `url, ${key}`)),
    headers: mapped(headers, (text, key) => value(text, key, [ofServer(key)])),
    enabled: server.disabled === true ? false : undefined,
    timeout_ms: server.timeoutMs,
    start_timeout_ms: server.startTimeoutMs,
    tools:
      disabledTools === undefined || disabledTools.length === 0
        ? undefined
        : Object.fromEntries(disabledTools.map((tool) => [tool, { enabled: false }])),
  };
  const upstream: JsonObject = defined(written);
  if (name !== server.name) warnings.push(`it is called ${name} here`);
  return {
    name,
    file: server.file,
    upstream,
    shown: withoutSecrets(upstream),
    warnings,
    needs: [...new Set(neededBy(upstream))],
  };
}

/** Variables without a value for the case that they are not set. */
function neededBy(value: Json): readonly string[] {
  if (typeof value === "string") {
    const filled = fillIn(value, {});
    return filled.ok ? [] : filled.missing;
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(neededBy) : [];
}

/** Without variables, too: their names are no secrets. */
function beforeQuery(url: string): string {
  return (url.split("?", 1)[0] ?? "").replaceAll(/\$\{[^}]*\}/g, "");
}

function isSecret(key: string, text: string): boolean {
  if (text === "") return false;
  return secretName(key) !== undefined || /^authorization$/i.test(key) || redactText(text) !== text;
}

function withoutSecrets(upstream: JsonObject): JsonObject {
  const hide = (values: Json | undefined) =>
    mapped(values as Record<string, string> | undefined, (text, key) =>
      namesIn(text).length === 0 && isSecret(key, text) ? hiddenValue : redactText(text),
    );
  const { args, env, url, headers } = upstream;
  return {
    ...upstream,
    ...(args !== undefined && { args: shownArguments(args as readonly string[]) }),
    ...(env !== undefined && { env: hide(env) ?? {} }),
    ...(url !== undefined && { url: shownUrl(url as string) }),
    ...(headers !== undefined && { headers: hide(headers) ?? {} }),
  };
}

function mapped(
  values: Readonly<Record<string, string>> | undefined,
  change: (text: string, key: string) => string,
): Record<string, string> | undefined {
  if (values === undefined || Object.keys(values).length === 0) return undefined;
  return Object.fromEntries(Object.entries(values).map(([key, text]) => [key, change(text, key)]));
}

/** `GitHub (work)` -> `github-work`. */
export function usableName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replaceAll(/[-_]{2,}/g, "-")
    .replaceAll(/^[-_]+|[-_]+$/g, "")
    .slice(0, 32)
    .replaceAll(/[-_]+$/g, "");
  return explainBadUpstreamName(plain) === undefined ? plain : "server";
}

/** The values in the query of an address. The rest stays as it is written, `${NAME}` too. */
function mapQueryValues(url: string, change: (value: string, parameter: string) => string): string {
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
