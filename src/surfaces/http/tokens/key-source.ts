/** The public keys of an identity provider: from a file, or fetched and kept for a while. */
import { readFileSync } from "node:fs";
import type { JSONWebKeySet } from "jose";
import { ToolgateError } from "../../../core/call/errors.ts";
import { safeFetch } from "../../../safe/net/safe-fetch.ts";
import { parseJson } from "../../../safe/schema/json-guard.ts";
import { createKeptAnswer, type KeptAnswer } from "./kept-answer.ts";
import type { OAuthSettings } from "./oauth-settings.ts";

/** `newer` is for an unknown key. */
export type KeySource = KeptAnswer<JSONWebKeySet>;

const keepMs = 10 * 60_000;
/** Tokens with made-up key ids must not make us ask without end. */
const askAgainMs = 30_000;
/** When keys end although the issuer cannot be reached: one of them may have been taken back. */
const endMs = 60 * 60_000;

/** Throws if the file cannot be used. */
export function createKeySource(
  { jwksUrl, jwksFile, allowPrivate }: Pick<OAuthSettings, "jwksUrl" | "jwksFile" | "allowPrivate">,
  now: () => number = Date.now,
): KeySource {
  if (jwksFile !== undefined) {
    const keys = parseKeys(readFileSync(jwksFile, "utf8"), jwksFile);
    return { current: async () => keys, newer: async () => undefined };
  }
  if (jwksUrl === undefined)
    throw new ToolgateError("server.oauth needs jwks_url or jwks_file: where the issuer's public keys are.");
  return createKeptAnswer({
    ask: () => fetchKeys(jwksUrl, allowPrivate),
    keepMs,
    askAgainMs,
    endMs,
    notYet: () =>
      new ToolgateError(`The keys at ${jwksUrl} could not be fetched; they are asked for again soon.`),
    now,
  });
}

async function fetchKeys(url: string, allowPrivate: boolean): Promise<JSONWebKeySet> {
  const answer = await safeFetch({
    url,
    headers: { accept: "application/json" },
    timeoutMs: 5_000,
    maxBytes: 1024 * 1024,
    maxRedirects: 0,
    allowPrivate,
  });
  if (!answer.ok) throw new ToolgateError(`The keys at ${url} cannot be fetched: ${answer.message}`);
  if (answer.status !== 200)
    throw new ToolgateError(`The keys at ${url} cannot be fetched: status ${answer.status}.`);
  return parseKeys(answer.text(), url);
}

function parseKeys(text: string, where: string): JSONWebKeySet {
  const parsed = parseJson(text);
  const keys = parsed.ok ? (parsed.value as { keys?: unknown } | null)?.keys : undefined;
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === "object" && key !== null))
    throw new ToolgateError(`${where} does not hold a JSON Web Key Set: {"keys": [...]}.`);
  // A copy: the guard froze the keys, and the library writes marks into them.
  return structuredClone({ keys }) as JSONWebKeySet;
}
