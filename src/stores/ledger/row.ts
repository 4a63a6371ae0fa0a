/** The rows of the ledger: one canonical JSON text each, secrets taken out, and the few fields that are searched by. */
import { canonicalJson, sortedKeys } from "../../core/canonical-json.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { LedgerKind } from "../../core/ledger-reader.ts";
import { createRedactor, type RedactorOptions } from "../../safe/redact.ts";
import { shorten } from "../../safe/shorten.ts";

export interface LedgerRow {
  readonly body: string;
  readonly fields: LedgerFields;
  /** The input as it stands in the body. */
  readonly inputText: string | undefined;
}

/** Copies of what is in the body, for indexes; whoever verifies compares them. */
export interface LedgerFields {
  readonly kind: string;
  readonly at: number;
  readonly callId: string | null;
  readonly tool: string | null;
  readonly caller: string | null;
  readonly sessionId: string | null;
  readonly verdict: string | null;
  readonly code: string | null;
  readonly durationMs: number | null;
}

/** `inputText` is the input of a row that was made before, for another row about the same call. */
export type RowMaker = (kind: LedgerKind, facts: JsonObject, inputText?: string) => LedgerRow;

/** Texts that come from models, tools and people. The other fields are ids and words of our own. */
const mayHoldSecrets: ReadonlySet<string> = new Set(["message", "result", "error", "cwd"]);
/** The same few again and again. */
const names: ReadonlySet<string> = new Set(["askedFor", "tool"]);
const maxKnownNames = 1_000;

/** Less than this in all is stored whole. */
const longFacts = 8_192;

export function createRowMaker(options: RedactorOptions = {}): RowMaker {
  const { redact } = createRedactor(options);
  const cleanNames = new Map<string, Json>();
  const cleanName = (name: Json): Json => {
    if (typeof name !== "string") return clean(name);
    const known = cleanNames.get(name);
    if (known !== undefined) return known;
    if (cleanNames.size >= maxKnownNames) cleanNames.clear();
    const made = clean(name);
    cleanNames.set(name, made);
    return made;
  };
  const clean = (value: Json): Json => redact(shortened(value)).value;
  return (kind, facts, inputText) => {
    let input = inputText;
    const row: Record<string, Json> = {};
    let body = "{";
    const write = (key: string, text: string) => {
      body += `${body.length > 1 ? "," : ""}${JSON.stringify(key)}:${text}`;
    };
    // Ours: no fact may say that it is another kind of row.
    const given: Record<string, Json> = { ...facts, row: kind, v: 1 };
    if (inputText !== undefined) given.input ??= null;
    for (const key of sortedKeys(given)) {
      const value = given[key] as Json;
      if (key === "input") {
        input ??= canonicalJson(clean(value));
        write(key, input);
        continue;
      }
      const kept = mayHoldSecrets.has(key) ? clean(value) : names.has(key) ? cleanName(value) : value;
      row[key] = kept;
      write(key, canonicalJson(kept));
    }
    return { body: `${body}}`, fields: fieldsOf(row), inputText: input };
  };
}

/** Before redacting, which takes time by length; a secret at the cut goes as a whole. */
function shortened(value: Json): Json {
  if (typeof value === "string") return value.length > longFacts ? shorten(value) : value;
  if (typeof value !== "object" || value === null) return value;
  return isLong(value, { left: longFacts }) ? shorten(value) : value;
}

function isLong(value: Json, room: { left: number }): boolean {
  if (typeof value === "string") room.left -= value.length;
  else if (typeof value === "object" && value !== null) {
    const members = Array.isArray(value) ? value : Object.values(value as JsonObject);
    for (const member of members) if (isLong(member as Json, room)) return true;
  }
  return room.left < 0;
}

/** Also for whoever verifies: `body` as it was parsed. */
export function fieldsOf(body: JsonObject): LedgerFields {
  return {
    kind: text(body.row) ?? "",
    at: typeof body.at === "number" && Number.isFinite(body.at) ? Math.trunc(body.at) : 0,
    callId: text(body.callId),
    tool: text(body.tool),
    caller: text(body.caller),
    sessionId: text(body.sessionId),
    verdict: text(body.verdict),
    code: text(body.code),
    durationMs: typeof body.durationMs === "number" ? body.durationMs : null,
  };
}

function text(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}
