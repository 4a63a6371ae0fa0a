/** The one way in: makes a `Call` of a request. `resolve` takes the only copy of the input, frozen. */
import type { CallRequest } from "../core/call/call.ts";
import type { AnyTool } from "../core/tool/tool.ts";
import type { Call } from "../pipeline/calls.ts";
import type { DecidingParts } from "../pipeline/parts.ts";
import { emptyPlan, noTool } from "../pipeline/plans.ts";
import { noName } from "../pipeline/stages/resolve.ts";
import { Trace } from "../pipeline/trace.ts";

/** What a gate does with a request, and how the surface is called that does not name itself. */
export interface WayIn extends Pick<Call, "kind" | "dry"> {
  readonly surface: string;
}

/** Reads each field once: a getter that throws, or answers differently the second time, ends here. */
export function incomingCall(
  request: CallRequest,
  way: WayIn,
  parts: DecidingParts,
  expected?: AnyTool,
): Call {
  try {
    return read(request, way, parts, expected);
  } catch {
    // What cannot be read counts as a call that names no tool.
    return read({}, way, parts, expected);
  }
}

function read(
  request: Partial<CallRequest>,
  { kind, dry, surface: otherwise }: WayIn,
  parts: DecidingParts,
  expected: AnyTool | undefined,
): Call {
  const { clock, ids } = parts;
  const { tool, input, sessionId, toolUseId, turnId, cwd, mode, signal, surface, onProgress } = request;
  const { approver, agent, elicit, isStillAllowed, isPlanning, inOrder, unsure, decidesAlone } = request;
  const caller = request.caller ?? parts.defaultCaller;
  const startedAt = clock.monotonic();
  const roots = request.roots ?? parts.roots;
  return {
    callId: ids.call(),
    at: clock.dateOf(startedAt),
    startedAt,
    askedFor: typeof tool === "string" ? tool : noName,
    given: input,
    caller,
    sessionId,
    toolUseId,
    turnId,
    // A call may ask for plan mode, but cannot talk itself out of the session's.
    mode: parts.modeOf(sessionId, caller.id) === "plan" ? "plan" : (mode ?? "act"),
    isPlanning: kind === "check" && isPlanning === true,
    inOrder: inOrder !== false,
    // `hooks.default` is stricter than the gate's own default where somebody has set it.
    otherwise:
      kind === "call" || (decidesAlone === true && parts.checkDefault === "abstain") ? "gate" : "abstain",
    unsure: kind === "check" && (unsure === "abstain" || unsure === "deny") ? unsure : "ask",
    cwd: cwd ?? roots[0] ?? "/",
    roots,
    surface: surface ?? otherwise,
    signal,
    onProgress,
    approver,
    elicit,
    agent: kind === "check" ? agent : undefined,
    isStillAllowed,
    kind,
    dry,
    trace: dry ? new Trace() : undefined,
    expected,
    planned: noTool,
    registered: undefined,
    plan: emptyPlan,
    input: emptyInput,
    fitting: undefined,
    args: undefined,
    contexts: nothing,
    contextHooks: nothing,
    taskEnd: undefined,
    askedBy: undefined,
    decision: undecided,
    shadows: undefined,
    opened: nothing,
    subjects: undefined,
    bound: undefined,
    meaning: undefined,
    release: undefined,
    waited: false,
    started: false,
    notes: undefined,
    through: undefined,
  };
}

const emptyInput = Object.freeze({});
const nothing: readonly never[] = Object.freeze([]);
const undecided = Object.freeze({ verdict: "deny" as const, message: "Nothing has been decided yet." });
