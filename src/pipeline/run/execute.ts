/** The walk from the run on: intent into the ledger, run, after-hooks. Takes only what `approve` admitted. */

import { messageOf, Stop } from "../../core/call/errors.ts";
import { asPromise } from "../../core/run/abort.ts";
import type { Call } from "../calls.ts";
import type { GateParts } from "../parts.ts";
import { afterHooks } from "../stages/after-hooks.ts";
import { type AdmittedCall, isAdmitted } from "../stages/approve.ts";
import { storeAway } from "../store-away.ts";
import { run } from "./run.ts";
import { type Finishing, finishLater, type RunEnd, type Running, stopped } from "./run-end.ts";

export function execute<Next>(
  admitted: AdmittedCall,
  finishing: Finishing<Next>,
  parts: GateParts,
): Next | Promise<Next> {
  if (!isAdmitted(admitted)) throw new TypeError("execute takes only a call that approve has admitted.");
  const { call } = admitted;
  const { registered } = call;
  if (registered === undefined) return finishing.done(admitted, notOurs(call, parts), parts);
  const running = { admitted, registered, finishing, parts };
  return isPlain(call) ? run(running) : finishLater(executeWithCare(running), running);
}

/** Most calls read, hold nothing and have no hooks behind them: they go straight through. */
function isPlain({ planned, plan, release }: Call): boolean {
  const reads = planned.permission === "read" && release === undefined;
  return reads && plan.after.length === 0 && plan.onError.length === 0;
}

function notOurs({ planned, startedAt }: Call, parts: GateParts): RunEnd {
  const stop = new Stop("internal_error", "run", `${planned.id} is not a tool of this gate.`);
  return stopped(stop, startedAt, parts);
}

const justTheEnd: Finishing<RunEnd> = {
  done: (_, end) => end,
  broke: (_, error) => {
    throw error;
  },
};

async function executeWithCare({ admitted, registered, parts }: Running<unknown>): Promise<RunEnd> {
  const { call } = admitted;
  try {
    const refused = await openIntent(admitted, parts);
    if (refused !== undefined) return stopped(refused, call.startedAt, parts);
    if (call.signal?.aborted === true) {
      const message = `${registered.id} was cancelled before it ran.`;
      return stopped(new Stop("cancelled", "run", message), call.startedAt, parts);
    }
    const end = await run({ admitted, registered, finishing: justTheEnd, parts });
    if (call.plan.after.length === 0 && (end.stop === undefined || call.plan.onError.length === 0))
      return end;
    const stop = await afterHooks(call, end, parts);
    return stop === undefined ? end : stopped(stop, end.endedAt - end.durationMs, parts);
  } finally {
    // A run gives back what it holds itself, a tool that outlives its time-out later than now.
    if (!call.started) call.release?.();
  }
}

/** No record, no execution: what writes or executes waits until its intent is kept. */
function openIntent(
  { call, approval }: AdmittedCall,
  parts: GateParts,
): Stop | undefined | Promise<Stop | undefined> {
  const { planned, callId, at, sessionId, toolUseId, input } = call;
  const { permission } = planned;
  if (permission === "read") return undefined;
  const failed = (error: unknown) => {
    const away = storeAway(error);
    if (away !== undefined) return away;
    const message = `The intent to run ${planned.id} could not be recorded, so it was not run: ${messageOf(error)}`;
    return new Stop("ledger_failed", "ledger", message, { cause: error });
  };
  try {
    const tool = planned.id;
    const opened = parts.ledger.open({
      callId,
      at,
      tool,
      permission,
      caller: call.caller.id,
      ...(call.caller.owner !== undefined && { owner: call.caller.owner }),
      sessionId,
      toolUseId,
      input,
      approval,
    });
    return asPromise(opened)?.then(() => undefined, failed);
  } catch (error) {
    return failed(error);
  }
}
