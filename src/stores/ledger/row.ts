/** Rows of the ledger: a canonical JSON text without secrets, and the fields that are searched by. */
import { canonicalJson, sortedKeys } from "../../core/input/canonical-json.ts";
import type { Json, JsonObject } from "../../core/input/json.ts";
import type { LedgerKind } from "../../core/ports/ledger-reader.ts";
import { type Cleaner, type CleanName, createCleaner } from "./clean-text.ts";

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
  readonly recordedAt: number;
  readonly callId: string | null;
  readonly tool: string | null;
  readonly caller: string | null;
  readonly sessionId: string | null;
  readonly verdict: string | null;
  readonly code: string | null;
  readonly durationMs: number | null;
}

/** A text stands for a time that is not known yet; the row is whole when it has been replaced. */
type Time = number | string;

export interface RowMaker {
  /** Of facts of any shape. `inputText`: the input as it stands in an earlier row about the same call. */
  any(kind: LedgerKind, facts: JsonObject, inputText?: string): LedgerRow;
  /** The two rows of a call, as `any` would make them; most rows are these. */
  intent(facts: JsonObject, recordedAt: Time, process: string): LedgerRow;
  completion(facts: JsonObject, recordedAt: Time, inputText?: string): LedgerRow;
}

/** Texts that come from models, tools and people. The other fields are ids and words of our own. */
const mayHoldSecrets: ReadonlySet<string> = new Set(["message", "notes", "result", "error", "about"]);
/** The same few again and again. */
const names: ReadonlySet<string> = new Set([
  ...["agentTool", "agentVersion", "askedFor", "cwd", "sessionId", "subAgent", "tool"],
]);
/** Whatever the caller gives a call. */
const ids: ReadonlySet<string> = new Set(["toolUseId"]);

/** What the two short ways below know; whatever else a record holds is not lost. */
const ofIntent = fieldNames("approval at callId caller input permission sessionId tool toolUseId");
const ofCompletion = fieldNames(
  "agent approval askedFor at callId caller code cwd durationMs input kind message mode notes ok result rule sessionId stage surface tool toolUseId verdict",
);

function fieldNames(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

function hasOthers(facts: JsonObject, known: ReadonlySet<string>): boolean {
  for (const key in facts) if (!known.has(key) && facts[key] !== undefined) return true;
  return false;
}

export function createRowMaker({ clean, cleanName, cleanId }: Cleaner = createCleaner()): RowMaker {
  /** One member, or nothing if there is no such fact. */
  const member = (name: string, value: Json | undefined): string =>
    value === undefined ? "" : `"${name}":${canonicalJson(value)},`;
  const cleanMember = (name: string, value: Json | undefined): string =>
    value === undefined ? "" : `"${name}":${clean(value)},`;
  const idMember = (name: string, id: Json | undefined): string =>
    id === undefined ? "" : `"${name}":${cleanId(id)},`;
  const nameMember = (name: string, { json }: CleanName): string => (json === "" ? "" : `"${name}":${json},`);

  const any: RowMaker["any"] = (kind, facts, inputText) => {
    let input = inputText;
    let body = "{";
    // Ours: no fact may say that it is another kind of row.
    const given: Record<string, Json> = { ...facts, row: kind, v: 1 };
    if (inputText !== undefined) given.input ??= null;
    for (const key of sortedKeys(given)) {
      const value = given[key] as Json;
      if (value === undefined) continue;
      if (key === "input") input ??= clean(value);
      const text =
        key === "input"
          ? (input as string)
          : mayHoldSecrets.has(key)
            ? clean(value)
            : names.has(key)
              ? cleanName(value).json
              : ids.has(key)
                ? cleanId(value)
                : canonicalJson(value);
      body += `${body.length > 1 ? "," : ""}${JSON.stringify(key)}:${text}`;
    }
    body += "}";
    // From the text: a name may have been redacted.
    return { body, fields: fieldsOf(JSON.parse(body) as JsonObject), inputText: input };
  };

  return {
    any,

    intent(facts, recordedAt, process) {
      if (hasOthers(facts, ofIntent)) return any("intent", { ...facts, process, recordedAt });
      const { approval, at, callId, caller, permission, sessionId, tool, toolUseId } = facts;
      const inputText = facts.input === undefined ? undefined : clean(facts.input);
      const toolName = cleanName(tool);
      const session = cleanName(sessionId);
      let body = `{${member("approval", approval)}${member("at", at)}${member("callId", callId)}${member("caller", caller)}`;
      if (inputText !== undefined) body += `"input":${inputText},`;
      body += `${member("permission", permission)}"process":${JSON.stringify(process)},"recordedAt":${recordedAt},"row":"intent",`;
      body += `${nameMember("sessionId", session)}${nameMember("tool", toolName)}${idMember("toolUseId", toolUseId)}"v":1}`;
      const fields: LedgerFields = {
        kind: "intent",
        at: toTime(at),
        recordedAt: Number(recordedAt),
        callId: text(callId),
        tool: toolName.value,
        caller: text(caller),
        sessionId: session.value,
        verdict: null,
        code: null,
        durationMs: null,
      };
      return { body, fields, inputText };
    },

    completion(facts, recordedAt, earlierInput) {
      if (hasOthers(facts, ofCompletion)) return any("completion", { ...facts, recordedAt }, earlierInput);
      const { agent, approval, askedFor, at, callId, caller, code, cwd, durationMs, kind, message, mode } =
        facts;
      const { notes, ok, result, rule, sessionId, stage, surface, tool, toolUseId, verdict } = facts;
      const inputText = earlierInput ?? (facts.input === undefined ? undefined : clean(facts.input));
      const toolName = cleanName(tool);
      const session = cleanName(sessionId);
      let body = `{${member("agent", agent)}${member("approval", approval)}${nameMember("askedFor", cleanName(askedFor))}${member("at", at)}`;
      body += `${member("callId", callId)}${member("caller", caller)}${member("code", code)}`;
      body += `${nameMember("cwd", cleanName(cwd))}${member("durationMs", durationMs)}`;
      if (inputText !== undefined) body += `"input":${inputText},`;
      body += `${member("kind", kind)}${cleanMember("message", message)}${member("mode", mode)}${cleanMember("notes", notes)}${member("ok", ok)}`;
      body += `"recordedAt":${recordedAt},${cleanMember("result", result)}"row":"completion",${member("rule", rule)}`;
      body += `${nameMember("sessionId", session)}${member("stage", stage)}${member("surface", surface)}`;
      body += `${nameMember("tool", toolName)}${idMember("toolUseId", toolUseId)}"v":1`;
      body += verdict === undefined ? "}" : `,"verdict":${canonicalJson(verdict)}}`;
      const fields: LedgerFields = {
        kind: "completion",
        at: toTime(at),
        recordedAt: Number(recordedAt),
        callId: text(callId),
        tool: toolName.value,
        caller: text(caller),
        sessionId: session.value,
        verdict: text(verdict),
        code: text(code),
        durationMs: typeof durationMs === "number" ? durationMs : null,
      };
      return { body, fields, inputText };
    },
  };
}

/** Also for whoever verifies: `body` as it was parsed. */
export function fieldsOf(body: JsonObject): LedgerFields {
  return {
    kind: text(body.row) ?? "",
    at: toTime(body.at),
    recordedAt: toTime(body.recordedAt),
    callId: text(body.callId),
    tool: text(body.tool),
    caller: text(body.caller),
    sessionId: text(body.sessionId),
    verdict: text(body.verdict),
    code: text(body.code),
    durationMs: typeof body.durationMs === "number" ? body.durationMs : null,
  };
}

function toTime(value: Json | undefined): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.trunc(value) : 0;
}

function text(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}
