/**
 * The row of a call that succeeded with nothing else to tell, ready but for its time. Almost all rows are these, and a call waits for its own:
 * what is the same for every call of a tool is written once, and only the rest for each.
 */

import type { RuleRef } from "../../../core/call/errors.ts";
import { canonicalJson } from "../../../core/input/canonical-json.ts";
import type { Json } from "../../../core/input/json.ts";
import type { LedgerRecord } from "../../../core/ports/ports.ts";
import type { Cleaner } from "../../ledger/clean-text.ts";
import { timeToCome } from "./ready-row.ts";

/** As `packRow` would pack it; undefined: the record is not that simple. `inputText`: as it stands in the intent's row. */
export type ReadySuccess = (record: LedgerRecord, inputText?: string) => string | undefined;

/** What lies between the facts of one call, and of what it was made. */
interface Frame {
  readonly askedFor: string;
  readonly caller: string;
  readonly cwd: string;
  readonly kind: LedgerRecord["kind"];
  readonly mode: LedgerRecord["mode"];
  readonly rule: RuleRef | undefined;
  readonly surface: string;
  readonly verdict: LedgerRecord["verdict"];
  readonly beforeAt: string;
  readonly beforeDuration: string;
  readonly beforeResult: string;
  readonly beforeSession: string;
  readonly beforeToolUse: string;
  readonly beforeFields: string;
  /** Of the fields that are searched by. */
  readonly names: string;
  readonly lastNames: string;
}

/** A program of its own may leave out what the gate always says. */
const texts = ["askedFor", "caller", "cwd", "kind", "mode", "surface", "tool", "verdict"] as const;
const maxFrames = 1_000;
const longName = 1_000;
const longResult = 4_000;

export function createReadySuccess({ clean, cleanName, cleanId, shortJson, isClean }: Cleaner): ReadySuccess {
  const frames = new Map<string, Frame>();
  /** Many calls begin in the same millisecond. */
  let lastAt = 0;
  let lastAtText = "0";

  function textOfTime(at: number): string {
    if (at !== lastAt) {
      lastAt = at;
      lastAtText = String(at);
    }
    return lastAtText;
  }

  function frameFor(record: LedgerRecord): Frame | undefined {
    const known = frames.get(record.tool);
    if (known !== undefined && fits(known, record)) return known;
    const made = makeFrame(record);
    if (made === undefined) return undefined;
    if (frames.size >= maxFrames) frames.clear();
    frames.set(record.tool, made);
    return made;
  }

  function makeFrame(record: LedgerRecord): Frame | undefined {
    const { askedFor, caller, cwd, kind, mode, rule, surface, tool, verdict } = record;
    if (!texts.every((name) => typeof record[name] === "string")) return undefined;
    if (askedFor.length + cwd.length + tool.length > longName) return undefined;
    const toolName = cleanName(tool);
    if (breaks.test(`${toolName.value}${caller}${verdict}`)) return undefined;
    const by = rule === undefined ? "" : `"rule":${canonicalJson(rule as unknown as Json)},`;
    return {
      askedFor,
      caller,
      cwd,
      kind,
      mode,
      rule,
      surface,
      verdict,
      beforeAt: `{"askedFor":${cleanName(askedFor).json},"at":`,
      beforeDuration: `,"caller":${JSON.stringify(caller)},"cwd":${cleanName(cwd).json},"durationMs":`,
      beforeResult: `,"kind":${JSON.stringify(kind)},"mode":${JSON.stringify(mode)},"ok":true,"recordedAt":${timeToCome},"result":`,
      beforeSession: `,"row":"completion",${by}`,
      beforeToolUse: `"surface":${JSON.stringify(surface)},"tool":${toolName.json},`,
      beforeFields: `"v":1,"verdict":${JSON.stringify(verdict)}}\t`,
      names: `\t=${toolName.value}\t=${caller}\t`,
      lastNames: `\t=${verdict}\t\t`,
    };
  }

  return (record, earlierInput) => {
    const { agent, approval, at, callId, code, durationMs, message, notes, ok, result } = record;
    const { sessionId, stage, toolUseId } = record;
    if (!ok || result === undefined || result.length > longResult || !Number.isInteger(at)) return undefined;
    if ((agent ?? approval ?? code ?? message ?? notes ?? stage) !== undefined) return undefined;
    const frame = frameFor(record);
    if (frame === undefined) return undefined;
    let inputText = earlierInput ?? shortJson(record.input);
    if (inputText === undefined) return undefined;
    let resultText = JSON.stringify(result);
    // One look at both: nothing that looks like a secret reads across the end of a JSON text.
    const looked = earlierInput === undefined ? inputText + resultText : resultText;
    if (!isClean(looked)) {
      inputText = earlierInput ?? clean(record.input);
      resultText = clean(result);
    }
    const id = plain.test(callId) ? `"${callId}"` : undefined;
    if (id === undefined && breaks.test(callId)) return undefined;
    const named = cleanName(sessionId);
    if (named.value !== null && breaks.test(named.value)) return undefined;
    const session = named.json === "" ? "" : `"sessionId":${named.json},`;
    const toolUse = toolUseId === undefined ? "" : `"toolUseId":${cleanId(toolUseId)},`;
    const time = textOfTime(at);
    const duration = textOfDuration(durationMs);
    const fields = `${time}\t=${callId}${frame.names}${named.value === null ? "" : `=${named.value}`}${frame.lastNames}${duration}`;
    const end = `${frame.beforeSession}${session}${frame.beforeToolUse}${toolUse}${frame.beforeFields}${fields}`;
    return `${frame.beforeAt}${time},"callId":${id ?? JSON.stringify(callId)}${frame.beforeDuration}${duration},"input":${inputText}${frame.beforeResult}${resultText}${end}`;
  };
}

const longestMs = 1_000_000;
/** `.001` to `.999`, as numbers are written. */
const fractions = Array.from({ length: 1_000 }, (_, index) =>
  index === 0 ? "" : `.${String(index).padStart(3, "0").replace(/0+$/, "")}`,
);

/** As `String` writes it. The engine keeps each text that it makes of a number for a while; of small whole ones there are few. */
function textOfDuration(ms: number): string {
  const micros = Math.round(ms * 1_000);
  if (ms < 0 || ms > longestMs || micros / 1_000 !== ms) return String(ms);
  const whole = Math.trunc(ms);
  return `${whole}${fractions[micros - whole * 1_000]}`;
}

/** Needs no escapes. */
const plain = /^[\w-]+$/;
/** What the packed form cannot carry. */
const breaks = /[\t\n]/;

function fits(
  frame: Frame,
  { askedFor, caller, cwd, kind, mode, rule, surface, verdict }: LedgerRecord,
): boolean {
  return (
    frame.rule === rule &&
    frame.caller === caller &&
    frame.cwd === cwd &&
    frame.askedFor === askedFor &&
    frame.surface === surface &&
    frame.kind === kind &&
    frame.mode === mode &&
    frame.verdict === verdict
  );
}
