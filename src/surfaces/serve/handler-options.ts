/** What `createHttpHandler` takes, and what is refused at once: a door that was not made as its owner meant. */
import { ToolgateError } from "../../core/call/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import { isRight, rights } from "../../core/ports/tokens.ts";
import type { Gate } from "../../gate/gate.ts";
import { refuseUnknownKeys } from "../../gate/gate-options.ts";
import { explainBadTokenName, isTokenText } from "../http/tokens/give-token.ts";
import type { HandlerLimits, HandlerMcpOptions, HttpHandlerOptions } from "./create-http-handler.ts";

export function checkHandlerOptions(gate: Gate, options: HttpHandlerOptions): void {
  need(isRecord(gate) && typeof gate.dispatch === "function", "createHttpHandler takes a gate and options.");
  need(isRecord(options), "createHttpHandler takes a gate and an object of options.");
  refuseUnknownKeys("createHttpHandler", options, optionNames);
  const { prefix = "", tokens = [], findToken, store, hosts = [], origins = [], mcp = true } = options;
  need(
    typeof prefix === "string" && /^(?:\/[\w.~-]+)*$/.test(prefix),
    'prefix must be a path without a slash at its end, such as "/toolgate".',
  );
  need(Array.isArray(tokens), "tokens must be a list of { token, name, rights }.");
  tokens.forEach(checkToken);
  need(findToken === undefined || typeof findToken === "function", "findToken must be a function.");
  need(
    tokens.length > 0 || findToken !== undefined || store !== undefined,
    "createHttpHandler needs somebody who may come in: tokens, findToken, or a store with tokens.",
  );
  need(
    store === undefined || store.ledger === gate.ledger,
    "store must be the gate's own: give it to createGate, too.",
  );
  need(
    options.sessions === undefined || typeof options.sessions?.start === "function",
    "sessions must be what createSessions made.",
  );
  need(isTexts(hosts), 'hosts must be a list of names such as "gate.example.com".');
  need(
    isTexts(origins) && origins.every((origin) => URL.parse(origin)?.origin === origin),
    'origins must be a list of origins such as "https://console.example.com".',
  );
  if (typeof mcp !== "boolean") {
    refuseUnknownKeys("mcp", mcp, mcpNames);
    need(
      ["all", "search", "auto"].includes(mcp.tools ?? "auto"),
      'mcp.tools must be "all", "search" or "auto".',
    );
  }
  checkLimits(options.limits ?? {});
}

const optionNames: readonly (keyof HttpHandlerOptions)[] = [
  "prefix",
  "tokens",
  "findToken",
  "store",
  "sessions",
  "plugins",
  "hosts",
  "origins",
  "rest",
  "mcp",
  "limits",
  "onBroken",
];
const mcpNames: readonly (keyof HandlerMcpOptions)[] = ["tools", "approveByElicitation"];
const limitNames: readonly (keyof HandlerLimits)[] = [
  "maxBodyBytes",
  "sendTimeoutMs",
  "maxInFlight",
  "maxPerMinute",
  "maxStreams",
  "maxSessions",
];
const tokenNames = ["token", "name", "rights", "capabilities", "expiresAt"];

function checkToken(given: unknown, index: number): void {
  const where = `tokens[${index}]`;
  need(isRecord(given), `${where} must be { token, name, rights }.`);
  const { token, name, rights: held, capabilities, expiresAt } = given as Readonly<Record<string, unknown>>;
  refuseUnknownKeys(where, given as object, tokenNames);
  need(
    isTokenText(token),
    `${where}.token must be a text of 32 to 512 letters, digits and . _ ~ + / - characters.`,
  );
  const badName = explainBadTokenName(name);
  if (badName !== undefined) throw new ToolgateError(`${where}.name: ${badName}`);
  need(
    Array.isArray(held) && held.length > 0 && held.every(isRight),
    `${where}.rights must be a list of ${rights.join(", ")}.`,
  );
  need(capabilities === undefined || isTexts(capabilities), `${where}.capabilities must be a list of texts.`);
  need(
    expiresAt === undefined || (typeof expiresAt === "string" && Number.isFinite(Date.parse(expiresAt))),
    `${where}.expiresAt must be an ISO time.`,
  );
}

function checkLimits(limits: HandlerLimits): void {
  refuseUnknownKeys("limits", limits, limitNames);
  for (const [name, value] of Object.entries(limits))
    need(Number.isInteger(value) && value > 0, `limits.${name} must be a whole number above 0.`);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string" && one !== "");
}

function need(holds: boolean, message: string): void {
  if (!holds) throw new ToolgateError(message);
}
