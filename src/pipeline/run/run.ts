/** run: the tool's code, wrapped in its layers. Whatever it does (return, throw, hang, ignore its signal) ends as a value. */

import { Stop } from "../../core/call/errors.ts";
import { sessionOf } from "../../core/call/session-key.ts";
import { asPromise, isPromise } from "../../core/run/abort.ts";
import type { RegisteredTool } from "../../core/tool/registry.ts";
import type { Call } from "../calls.ts";
import { wrap } from "../layers/layer.ts";
import { withRetries } from "../layers/retry.ts";
import type { GateParts } from "../parts.ts";
import { type AdmittedCall, explainStale } from "../stages/approve.ts";
import { Run } from "./active-run.ts";
import type { Hold } from "./call-locks.ts";
import type { RunContext } from "./run-context.ts";
import { type Finishing, stopped } from "./run-end.ts";

export function run<Next>(
  admitted: AdmittedCall,
  registered: RegisteredTool,
  finishing: Finishing<Next>,
  parts: GateParts,
): Next | Promise<Next> {
  const { call } = admitted;
  const queue = call.inOrder ? sessionOf(call) : call.callId;
  const held = parts.locks.acquire(registered.lock, queue, call.signal);
  return isPromise(held)
    ? runLater(admitted, registered, held, finishing, parts)
    : runLocked(admitted, registered, held, finishing, parts);
}

/** Apart from `run`, like everything below that makes a closure: a function pays for the variables of its closures even when it makes none. */
function runLater<Next>(
  admitted: AdmittedCall,
  registered: RegisteredTool,
  held: Promise<Hold | undefined>,
  finishing: Finishing<Next>,
  parts: GateParts,
): Promise<Next> {
  admitted.call.waited = true;
  return held.then((got) => {
    if (got !== undefined) return runLocked(admitted, registered, got, finishing, parts);
    const message = "The call was cancelled while it waited for another to finish.";
    const end = stopped(new Stop("cancelled", "run", message), parts.clock.monotonic(), parts);
    return finishing.done(admitted, end, parts);
  });
}

function runLocked<Next>(
  admitted: AdmittedCall,
  registered: RegisteredTool,
  held: Hold,
  finishing: Finishing<Next>,
  parts: GateParts,
): Next | Promise<Next> {
  const { call } = admitted;
  const stale = explainStale(admitted, parts);
  if (stale !== undefined) {
    parts.locks.release(held);
    return finishing.done(admitted, stopped(stale, call.startedAt, parts), parts);
  }
  call.started = true;
  const run = new Run(admitted, registered, held, finishing, parts);
  let returned: unknown;
  let waiting: Promise<unknown> | undefined;
  try {
    returned = held.isAlone
      ? invokeInside(call, registered, held, run.context, parts)
      : invoke(call, registered, run.context, parts);
    waiting = asPromise(returned);
  } catch (error) {
    return run.threwAtOnce(error);
  }
  return waiting === undefined ? run.returnedAtOnce(returned) : run.waitFor(waiting);
}

function invokeInside(
  call: Call,
  registered: RegisteredTool,
  held: Hold,
  context: RunContext,
  parts: GateParts,
): unknown {
  return parts.locks.runInside(held, () => invoke(call, registered, context, parts));
}

function invoke(call: Call, registered: RegisteredTool, context: RunContext, parts: GateParts): unknown {
  const { tool } = registered;
  const retries = tool.idempotent === true ? (tool.maxRetries ?? 0) : 0;
  if (retries === 0 && parts.layers.length === 0) return tool.run(call.args, context);
  return invokeWrapped(call, registered, context, retries, parts);
}

function invokeWrapped(
  call: Call,
  { id, tool }: RegisteredTool,
  context: RunContext,
  retries: number,
  parts: GateParts,
): Promise<unknown> {
  let next = async () => tool.run(call.args, context);
  if (retries > 0) {
    const once = next;
    next = () => withRetries(once, { maxRetries: retries, signal: context.signal, clock: parts.clock });
  }
  return wrap(parts.layers, { toolId: id, input: call.input, context }, next, () => context.hasEnded)();
}
