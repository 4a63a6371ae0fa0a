/** The rows of the ledger: one canonical JSON text each, secrets taken out, and the few fields that are searched by. */
import { canonicalJson } from "../../core/canonical-json.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { LedgerKind } from "../../core/ledger-reader.ts";
import { createRedactor, type RedactorOptions } from "../../safe/redact.ts";
import { shorten } from "../../safe/shorten.ts";

export interface LedgerRow {
  readonly kind: LedgerKind;
  readonly body: string;
  readonly fields: LedgerFields;
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

export type RowMaker = (kind: LedgerKind, facts: JsonObject) => LedgerRow;

/** Texts that come from models, tools and people. The other fields are ids and words of our own. */
const mayHoldSecrets = ["input", "message", "result", "error", "askedFor", "tool", "cwd"] as const;

/** A text shorter than this is stored whole in any case. */
const longFacts = 8_192;

export function createRowMaker(options: RedactorOptions = {}): RowMaker {
  const { redact } = createRedactor(options);
  return (kind, facts) => {
    const clean: Record<string, Json> = {};
    for (const name of Object.keys(facts)) {
      const value = facts[name];
      // `row` is ours: no fact may say that it is another kind of row.
      if (value !== undefined && name !== "row") clean[name] = value;
    }
    for (const name of mayHoldSecrets) {
      const value = clean[name];
      if (value !== undefined) clean[name] = redact(shortened(value)).value;
    }
    clean.row = kind;
    clean.v = 1;
    const body = canonicalJson(clean);
    return { kind, body, fields: fieldsOf(clean) };
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
