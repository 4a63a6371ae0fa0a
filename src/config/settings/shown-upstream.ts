/** An upstream server as it may be printed: as a file would say it, with every value that may be a secret hidden. */
import type { JsonObject } from "../../core/input/json.ts";
import { redactText } from "../../safe/redact/redact.ts";
import { secretName } from "../../safe/redact/secret-name.ts";
import type { HttpEntry, StdioEntry, UpstreamEntry } from "./upstream-settings.ts";
import { namesIn } from "./variables.ts";

export const hiddenValue = "[hidden]";

export function shownUpstream(entry: UpstreamEntry): JsonObject {
  const { transport, enabled, permission, tools, trustAnnotations, review, era } = entry;
  const { timeoutMs, startTimeoutMs, maxConcurrent } = entry;
  return {
    ...(transport.kind === "stdio" ? shownStdio(transport) : shownHttp(transport)),
    ...(!enabled && { enabled }),
    ...(permission !== undefined && { permission }),
    ...(Object.keys(tools).length > 0 && { tools: tools as unknown as JsonObject }),
    ...(trustAnnotations && { trust_annotations: true }),
    ...(review && { review: true }),
    ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    ...(startTimeoutMs !== undefined && { start_timeout_ms: startTimeoutMs }),
    ...(maxConcurrent !== undefined && { max_concurrent: maxConcurrent }),
    ...(era !== "auto" && { era }),
  };
}

function shownStdio({ command, args, env, envPass, cwd, sandbox }: StdioEntry): JsonObject {
  return {
    command,
    ...(args.length > 0 && { args: shownArguments(args) }),
    ...(Object.keys(env).length > 0 && { env: shownValues(env) }),
    ...(envPass.length > 0 && { env_pass: envPass }),
    ...(cwd !== undefined && { cwd }),
    ...(sandbox !== "off" && { sandbox }),
  };
}

function shownHttp({ url, headers, oauth }: HttpEntry): JsonObject {
  const shown = oauth && {
    token_url: shownUrl(oauth.tokenUrl),
    client_id: oauth.clientId,
    client_secret: shownValue(oauth.clientSecret),
    ...(oauth.scope !== undefined && { scope: oauth.scope }),
  };
  return {
    url: shownUrl(url),
    ...(Object.keys(headers).length > 0 && { headers: shownValues(headers) }),
    ...(shown && { oauth: shown }),
  };
}

/** `--api-key KEY`, `--api-key=KEY` and what looks like a key. */
export function shownArguments(args: readonly string[]): string[] {
  return args.map((argument, index) => {
    if (namesIn(argument).length > 0) return argument;
    const before = args[index - 1] ?? "";
    if (/^--?[A-Za-z]/.test(before) && !before.includes("=") && isSecret(before) && !argument.startsWith("-"))
      return hiddenValue;
    const [flag = "", ...value] = argument.split("=");
    if (value.length > 0 && isSecret(flag)) return `${flag}=${hiddenValue}`;
    return redactText(argument);
  });
}

export function shownUrl(url: string): string {
  const address = namesIn(url).length > 0 ? null : URL.parse(url);
  if (address === null || address.search === "") return redactText(url);
  // Whatever stands behind `?` may be the key that opens it.
  for (const name of [...address.searchParams.keys()])
    if (isSecret(name)) address.searchParams.set(name, hiddenValue);
  return redactText(address.href);
}

function shownValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shownValue(value)]));
}

/** A reference tells nothing; anything else in a variable or a header may be the secret itself. */
function shownValue(value: string): string {
  return /^(?:[A-Za-z]{1,12} )?\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(value) ? value : hiddenValue;
}

function isSecret(name: string): boolean {
  return secretName(name) !== undefined;
}
