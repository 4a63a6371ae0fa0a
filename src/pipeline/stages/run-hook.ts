/** One hook, once: bounded in time, its answer checked, its failure turned into a value. */

import { messageOf } from "../../core/call/errors.ts";
import type { Hook, HookAnswer } from "../../core/call/hook.ts";
import { unknownKeys } from "../../core/input/unknown-keys.ts";
import type { Clock } from "../../core/ports/ports.ts";
import { asPromise, type Cancellable, Cancellation, onAbort } from "../../core/run/abort.ts";
import { exactDuration } from "../../core/text/duration.ts";

export type HookEnd =
  | { readonly kind: "answer"; readonly answer: HookAnswer }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "aborted" };

export const defaultHookTimeoutMs = 10_000;

/** A misspelt `cancel` must not read as no objection. */
const answerKeys = ["cancel", "wasCancelled", "contextModification", "errorMessage", "ask", "modifiedParams"];

export const noObjection: HookEnd = { kind: "answer", answer: {} };

/** A hook that answers without waiting costs no promise and no timer. */
export function runHook(
  hook: Hook,
  event: object,
  clock: Clock,
  signal: Cancellable | undefined,
): HookEnd | Promise<HookEnd> {
  const context = new Cancellation();
  let reply: unknown;
  let waiting: Promise<unknown> | undefined;
  try {
    reply = (hook.run as (event: object, context: object) => unknown)(event, context);
    waiting = asPromise(reply);
  } catch (error) {
    return { kind: "failed", why: messageOf(error) };
  }
  if (waiting === undefined) return reply === undefined ? noObjection : readReply(reply);
  const { timeoutMs = defaultHookTimeoutMs, isCancellable } = hook;
  return settle(waiting, { timeoutMs, context, clock, signal: isCancellable === false ? undefined : signal });
}

interface Waiting {
  readonly timeoutMs: number;
  readonly context: Cancellation;
  readonly clock: Clock;
  readonly signal: Cancellable | undefined;
}

function settle(reply: Promise<unknown>, { timeoutMs, context, clock, signal }: Waiting): Promise<HookEnd> {
  return new Promise((resolve) => {
    const finish = (end: HookEnd) => {
      stopTimer();
      stopListening();
      resolve(end);
    };
    const stopTimer = clock.after(timeoutMs, () => {
      context.cancel();
      finish({ kind: "failed", why: `it did not answer within ${exactDuration(timeoutMs)}` });
    });
    let stopListening: () => void = () => {};
    reply.then(
      (value) => finish(readReply(value)),
      (error: unknown) => finish({ kind: "failed", why: messageOf(error) }),
    );
    stopListening = onAbort(signal, () => {
      context.cancel();
      finish({ kind: "aborted" });
    });
  });
}

function readReply(reply: unknown): HookEnd {
  try {
    return understand(reply);
  } catch (error) {
    return { kind: "failed", why: `its answer could not be read: ${messageOf(error)}` };
  }
}

function understand(reply: unknown): HookEnd {
  if (reply === undefined || reply === null) return noObjection;
  if (typeof reply === "string") return { kind: "answer", answer: { contextModification: reply } };
  if (Array.isArray(reply)) return { kind: "failed", why: "it answered a list, not an object" };
  if (typeof reply !== "object") return { kind: "failed", why: `it answered ${typeof reply}, not an object` };
  // An Error, a Map or a class has no fields of its own to see, and would read as no objection.
  const kind: unknown = Object.getPrototypeOf(reply);
  if (kind !== Object.prototype && kind !== null)
    return { kind: "failed", why: `it answered ${nameOf(reply)}, not a plain object` };
  const [unknown] = unknownKeys(reply, answerKeys);
  if (unknown !== undefined) {
    const instead = unknown.instead.replace(/\.$/, "");
    return { kind: "failed", why: `it answered with the unknown key "${unknown.key}" (${instead})` };
  }
  // Each field is read once: an answer with getters must not change its mind.
  const { cancel, wasCancelled, contextModification, errorMessage, ask, modifiedParams } =
    reply as HookAnswer;
  const answer = {
    cancel,
    wasCancelled,
    contextModification,
    errorMessage,
    ask,
    modifiedParams,
  } as HookAnswer;
  for (const field of ["cancel", "wasCancelled", "ask"] as const) {
    if (answer[field] !== undefined && typeof answer[field] !== "boolean")
      return { kind: "failed", why: `${field} must be true or false` };
  }
  for (const field of ["contextModification", "errorMessage"] as const) {
    if (answer[field] !== undefined && typeof answer[field] !== "string")
      return { kind: "failed", why: `${field} must be text` };
  }
  return { kind: "answer", answer };
}

function nameOf(reply: object): string {
  const { name } = reply.constructor ?? {};
  return typeof name === "string" && name !== "" ? `a ${name}` : "an object of a class";
}
