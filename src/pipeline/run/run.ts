/** run: the tool's code in its layers. Return, throw, hang or ignore the signal: the end is a value. */

import { Stop } from "../../core/call/errors.ts";
import { sessionOf } from "../../core/call/session-key.ts";
import { asPromise, isPromise } from "../../core/run/abort.ts";
import type { RegisteredTool } from "../../core/tool/registry.ts";
import type { AnyTool } from "../../core/tool/tool.ts";
import type { Call } from "../calls.ts";
import { wrap } from "../layers/layer.ts";
import { withRetries } from "../layers/retry.ts";
import type { GateParts } from "../parts.ts";
import { explainStale } from "../stages/approve.ts";
import { explainEnded } from "../stages/ended-task.ts";
import { Run } from "./active-run.ts";
import type { Hold } from "./call-locks.ts";
import type { RunContext } from "./run-context.ts";
import { type Running, stopped } from "./run-end.ts";

export function run<Next>(running: Running<Next>): Next | Promise<Next> {
  const { admitted, registered, parts } = running;
  const { call } = admitted;
  const queue = call.inOrder ? sessionOf(call) : call.callId;
  const held = parts.locks.acquire(registered.lock, queue, call.signal);
  return isPromise(held) ? runLater(running, held) : runLocked(running, held);
}

/** Apart, as all that makes a closure below: a function pays for closures that it never makes. */
function runLater<Next>(running: Running<Next>, held: Promise<Hold | undefined>): Promise<Next> {
  const { admitted, finishing, parts } = running;
  admitted.call.waited = true;
  return held.then((got) => {
    if (got !== undefined) return runLocked(running, got);
    const message = "The call was cancelled while it waited for another to finish.";
    const end = stopped(new Stop("cancelled", "run", message), parts.clock.monotonic(), parts);
    return finishing.done(admitted, end, parts);
  });
}

function runLocked<Next>(running: Running<Next>, held: Hold): Next | Promise<Next> {
  const { admitted, registered, finishing, parts } = running;
  const { call } = admitted;
  // A call that waited may have waited for the one whose hook ended the task.
  const stale = (call.waited ? explainEnded(call, "run", parts) : undefined) ?? explainStale(admitted, parts);
  if (stale !== undefined) {
    parts.locks.release(held);
    return finishing.done(admitted, stopped(stale, call.startedAt, parts), parts);
  }
  call.started = true;
  const run = new Run(running, held);
  let returned: unknown;
  let waiting: Promise<unknown> | undefined;
  try {
    returned = held.isAlone
      ? invokeInside(running, held, run.context)
      : invoke(call, registered, run.context, parts);
    waiting = asPromise(returned);
  } catch (error) {
    return run.threwAtOnce(error);
  }
  return waiting === undefined ? run.returnedAtOnce(returned) : run.waitFor(waiting);
}

function invokeInside(
  { admitted, registered, parts }: Running<unknown>,
  held: Hold,
  context: RunContext,
): unknown {
  return parts.locks.runInside(held, () => invoke(admitted.call, registered, context, parts));
}

function invoke(call: Call, registered: RegisteredTool, context: RunContext, parts: GateParts): unknown {
  const { tool } = registered;
  return retriesOf(tool) === 0 && parts.layers.length === 0
    ? tool.run(call.args, context)
    : invokeWrapped(call, registered, context, parts);
}

function invokeWrapped(
  call: Call,
  { id, tool }: RegisteredTool,
  context: RunContext,
  { layers, clock }: GateParts,
): Promise<unknown> {
  const once = async () => tool.run(call.args, context);
  const maxRetries = retriesOf(tool);
  const run =
    maxRetries === 0 ? once : () => withRetries(once, { maxRetries, signal: context.signal, clock });
  return wrap(layers, { toolId: id, input: call.input, context }, run, () => context.hasEnded)();
}

function retriesOf({ idempotent, maxRetries = 0 }: AnyTool): number {
  return idempotent === true ? maxRetries : 0;
}
