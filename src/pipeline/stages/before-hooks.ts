/**
 * before-hooks: hooks may stop the call, add context, or change the input. A changed input is routed and
 * validated on the spot and shown to every other hook, so what is decided afterwards is exactly what will
 * run.
 */

import { type RuleSource, Stop } from "../../core/call/errors.ts";
import type { HookOf } from "../../core/call/hook.ts";
import { fingerprint } from "../../core/input/fingerprint.ts";
import { isJsonObject } from "../../core/input/json.ts";
import { isPromise } from "../../core/run/abort.ts";
import type { Call, HookedCall, ValidCall } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";
import { andThen, type Step } from "../step.ts";
import { stopTraced } from "../trace.ts";
import { maxRewrites, route } from "./route.ts";
import { type HookEnd, noObjection, runHook } from "./run-hook.ts";
import { validate } from "./validate.ts";

type BeforeHook = HookOf<"PreToolUse">;

export function beforeHooks(call: ValidCall, parts: DecidingParts): Step<HookedCall> {
  // An edited input is looked at again, and only what is said about it counts.
  call.askedBy = undefined;
  if (call.plan.before.length > 0) return new HookRound(call, parts).go();
  call.trace?.push({ stage: "before-hooks", finding: "no hook concerns this tool" });
  return call as HookedCall;
}

/** One pass over the hooks; a rewrite begins it again. */
class HookRound {
  readonly #call: ValidCall;
  readonly #parts: DecidingParts;
  #index = 0;
  #rewrites = 0;
  #event: object;
  /** Who made the input as it is now: that hook need not see its own work again. */
  #maker: BeforeHook | undefined;

  constructor(call: ValidCall, parts: DecidingParts) {
    this.#call = call;
    this.#parts = parts;
    this.#event = eventFor(call);
  }

  go(): Step<HookedCall> {
    const hooks = this.#call.plan.before;
    while (this.#index < hooks.length) {
      const hook = hooks[this.#index++] as BeforeHook;
      if (hook === this.#maker) continue;
      const end = runHook(hook, this.#event, this.#parts.clock, this.#call.signal);
      if (end === noObjection) continue;
      const taken = isPromise(end) ? this.#takeLater(hook, end) : this.#take(hook, end);
      if (taken !== this) return andThen(taken, goOn, this.#parts);
    }
    this.#call.trace?.push({ stage: "before-hooks", finding: this.#passed(hooks) });
    return this.#call as HookedCall;
  }

  #takeLater(hook: BeforeHook, end: Promise<HookEnd>): Promise<HookRound | Stop> {
    return end.then((settled) => this.#take(hook, settled));
  }

  /** What one hook answered: itself to go on, or a Stop. */
  #take(hook: BeforeHook, end: HookEnd): Step<HookRound> {
    if (end.kind === "aborted") {
      return new Stop("cancelled", "before-hooks", "The call was cancelled while a hook was looking at it.");
    }
    if (end.kind === "failed") return this.#failed(hook, end.why);
    const { answer } = end;
    addContext(this.#call, answer.contextModification, hook.name);
    if (answer.cancel === true || answer.wasCancelled === true) {
      const rule = refOf(hook);
      const message = answer.errorMessage ?? `Hook "${hook.name}" cancelled this call.`;
      const stop = new Stop("hook_cancelled", "before-hooks", message, { rule });
      return stopTraced(this.#call, stop, `cancelled: ${message}`);
    }
    if (answer.ask === true) this.#ask(hook, answer.errorMessage);
    return answer.modifiedParams === undefined ? this : this.#rewrite(hook, answer.modifiedParams);
  }

  /** `permit` asks about what it would let pass, and denies as ever. The first hook that asks is named. */
  #ask(hook: BeforeHook, why: string | undefined): void {
    const rule = refOf(hook);
    const message = why ?? `Hook "${hook.name}" wants a person to look at this call.`;
    this.#call.trace?.push({ stage: "before-hooks", finding: `asks: ${message}`, rule });
    this.#call.askedBy ??= { verdict: "ask", message, rule };
  }

  /** The same value again is no change: a hook may state its wish every time without looping. */
  #rewrite(hook: BeforeHook, params: unknown): Step<HookRound> {
    const rule = refOf(hook);
    const taken = this.#parts.takeJson(params);
    if (!taken.ok || !isJsonObject(taken.value)) {
      const why = taken.ok ? "they are not an object" : `${taken.path}: ${taken.message}`;
      const message = `Hook "${hook.name}" gave parameters that cannot be taken: ${why}`;
      return new Stop("hook_failed", "before-hooks", message, { rule });
    }
    if (fingerprint(taken.value) === fingerprint(this.#call.input)) return this;
    if (++this.#rewrites > maxRewrites) {
      const message = `Hooks changed the input ${maxRewrites} times and still want to change it; the last was "${hook.name}".`;
      return new Stop("rewrite_loop", "before-hooks", message, { rule });
    }
    const wished = taken.value;
    this.#call.input = wished;
    const again = andThen(route(this.#call, this.#parts), validate, this.#parts);
    // If a route changed the wish, the hook has not seen what came of it.
    return andThen(again, ({ input }) => this.#restart(input === wished ? hook : undefined), this.#parts);
  }

  #restart(maker: BeforeHook | undefined): HookRound {
    this.#maker = maker;
    this.#event = eventFor(this.#call);
    this.#index = 0;
    return this;
  }

  #failed(hook: BeforeHook, why: string): Stop | HookRound {
    const open = hook.failMode === "open";
    const rule = refOf(hook);
    const message = `Hook "${hook.name}" failed: ${why}.`;
    this.#call.trace?.push({
      stage: "before-hooks",
      finding: `${message} It fails ${open ? "open" : "closed"}.`,
      rule,
    });
    if (open) return this;
    return new Stop("hook_failed", "before-hooks", `${message} It fails closed, so the call is stopped.`, {
      rule,
    });
  }

  #passed(hooks: readonly BeforeHook[]): string {
    const changed = this.#rewrites > 0 ? `, input changed to ${JSON.stringify(this.#call.input)}` : "";
    const names = hooks.map(({ name }) => name).join(", ");
    return `${hooks.length} hook${hooks.length === 1 ? "" : "s"} passed (${names})${changed}`;
  }
}

function goOn(round: HookRound): Step<HookedCall> {
  return round.go();
}

export function addContext(call: Call, context: string | undefined, by: string): void {
  if (context === undefined || context === "" || call.contexts.includes(context)) return;
  call.contexts = [...call.contexts, context];
  call.contextHooks = [...call.contextHooks, by];
}

function eventFor({ callId, askedFor, toolUseId, sessionId, cwd, planned, input }: Call): object {
  const preToolUse = Object.freeze({ toolName: planned.id, parameters: input });
  return Object.freeze({ callId, calledAs: askedFor, toolUseId, sessionId, cwd, preToolUse });
}

export function refOf(hook: { readonly name: string; readonly source?: RuleSource }) {
  return { kind: "hook" as const, name: hook.name, ...(hook.source && { source: hook.source }) };
}
