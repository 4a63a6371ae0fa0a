/** Makes an upstream of toolgate from a server of another program: a name that can be used, and no secret in the file unless it is wanted. */

import { variableName } from "../../../../agents/mcp-servers/find-servers.ts";
import type { ForeignServer } from "../../../../agents/mcp-servers/foreign-server.ts";
import { explainBadUpstreamName } from "../../../../config/check-upstreams.ts";
import { hiddenValue, shownArguments } from "../../../../config/shown-upstream.ts";
import { explainBadReferences, namesIn } from "../../../../config/variables.ts";
import type { Json, JsonObject } from "../../../../core/json.ts";
import { secretName } from "../../../../safe/redact/secret-name.ts";
import { redactText } from "../../../../safe/redact.ts";

export interface Adopted {
  readonly name: string;
  readonly file: string;
  readonly upstream: JsonObject;
  /** The same without values that are secrets. */
  readonly shown: JsonObject;
  readonly warnings: readonly string[];
  /** Variables that have to be set before it works, with nothing about their values. */
  readonly needs: readonly string[];
}

export function adoptServer(server: ForeignServer, copySecrets: boolean): Adopted {
  const warnings = [...server.notes];
  const needs = new Set<string>();
  const value = (text: string, key: string, variable: string): string => {
    const bad = explainBadReferences(text);
    if (bad !== undefined) warnings.push(`${key}: ${bad}`);
    for (const name of namesIn(text)) needs.add(name);
    if (namesIn(text).length > 0 || !isSecret(key, text)) return text;
    if (copySecrets) {
      warnings.push(
        `${key}: its value is copied into the file as it is; better set a variable and write \${${variable}}`,
      );
      return text;
    }
    needs.add(variable);
    warnings.push(`${key}: its value is not copied; set ${variable} in the environment of toolgate`);
    const scheme = /^(Bearer|Basic|Token) /i.exec(text)?.[0] ?? "";
    return `${scheme}\${${variable}}`;
  };
  const name = usableName(server.name);
  const { command, args, env, envPass, cwd, url, headers, disabledTools } = server;
  for (const argument of args ?? []) for (const one of namesIn(argument)) needs.add(one);
  if (args !== undefined && shownArguments(args).some((shown, index) => shown !== args[index]))
    warnings.push("args: one of them looks like a secret; others on this machine can see it");
  const written = {
    command,
    args: args?.length === 0 ? undefined : args,
    env: mapped(env, (text, key) => value(text, key, key)),
    env_pass: envPass,
    cwd,
    url,
    headers: mapped(headers, (text, key) => value(text, key, variableName(`${name}_${key}`))),
    enabled: server.disabled === true ? false : undefined,
    timeout_ms: server.timeoutMs,
    start_timeout_ms: server.startTimeoutMs,
    tools:
      disabledTools === undefined || disabledTools.length === 0
        ? undefined
        : Object.fromEntries(disabledTools.map((tool) => [tool, { enabled: false }])),
  };
  const upstream = Object.fromEntries(
    Object.entries(written).filter(([, one]) => one !== undefined),
  ) as JsonObject;
  if (name !== server.name) warnings.push(`it is called ${name} here`);
  return {
    name,
    file: server.file,
    upstream,
    shown: withoutSecrets(upstream),
    warnings,
    needs: [...needs],
  };
}

function isSecret(key: string, text: string): boolean {
  if (text === "") return false;
  return secretName(key) !== undefined || /^authorization$/i.test(key) || redactText(text) !== text;
}

function withoutSecrets(upstream: JsonObject): JsonObject {
  const hide = (values: Json | undefined) =>
    mapped(values as Record<string, string> | undefined, (text, key) =>
      namesIn(text).length === 0 && isSecret(key, text) ? hiddenValue : text,
    );
  const { args, env, headers } = upstream;
  return {
    ...upstream,
    ...(args !== undefined && { args: shownArguments(args as readonly string[]) }),
    ...(env !== undefined && { env: hide(env) ?? {} }),
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
function usableName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replaceAll(/[-_]{2,}/g, "-")
    .replaceAll(/^[-_]+|[-_]+$/g, "")
    .slice(0, 32)
    .replaceAll(/[-_]+$/g, "");
  return explainBadUpstreamName(plain) === undefined ? plain : "server";
}
