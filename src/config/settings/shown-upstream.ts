/** An upstream server as it may be printed: as a file would say it, with hidden secrets. */
import type { JsonObject } from "../../core/input/json.ts";
import { redactText } from "../../safe/redact/redact.ts";
import { secretName } from "../../safe/redact/secret-name.ts";
import { asWritten, unlessEmpty } from "./read-section.ts";
import type { HttpEntry, StdioEntry, UpstreamEntry } from "./upstream-settings.ts";
import { namesIn } from "./variables.ts";

export const hiddenValue = "[hidden]";

export function shownUpstream({ transport, tools, ...entry }: UpstreamEntry): JsonObject {
  const { enabled, permission, trustAnnotations, review, era } = entry;
  const { timeoutMs, startTimeoutMs, maxConcurrent } = entry;
  return {
    ...(transport.kind === "stdio" ? shownStdio(transport) : shownHttp(transport)),
    ...asWritten({
      enabled: enabled ? undefined : false,
      permission,
      tools: unlessEmpty(tools),
      trustAnnotations: trustAnnotations || undefined,
      review: review || undefined,
      timeoutMs,
      startTimeoutMs,
      maxConcurrent,
      era: era === "auto" ? undefined : era,
    }),
  };
}

function shownStdio({ command, args, env, envPass, cwd, sandbox }: StdioEntry): JsonObject {
  return asWritten({
    command,
    args: unlessEmpty(shownArguments(args)),
    env: unlessEmpty(shownValues(env)),
    envPass: unlessEmpty(envPass),
    cwd,
    sandbox: sandbox === "off" ? undefined : sandbox,
  });
}

function shownHttp({ url, headers, oauth }: HttpEntry): JsonObject {
  const shown = oauth && {
    tokenUrl: shownUrl(oauth.tokenUrl),
    clientId: oauth.clientId,
    clientSecret: shownValue(oauth.clientSecret),
    scope: oauth.scope,
  };
  return asWritten({
    url: shownUrl(url),
    headers: unlessEmpty(shownValues(headers)),
    oauth: shown && asWritten(shown),
  });
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
