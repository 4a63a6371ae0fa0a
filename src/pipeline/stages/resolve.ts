/** resolve: which tool is meant, and is the input plain JSON of bearable size. Aliases end here. */

import { resolve as resolvePath } from "node:path";
import { isMode } from "../../core/call/call.ts";
import { messageOf, Stop } from "../../core/call/errors.ts";
import { readRoles } from "../../core/input/input-roles.ts";
import type { InputShape } from "../../core/input/input-shapes.ts";
import { isInside } from "../../core/input/inside-folder.ts";
import { isJsonObject, type JsonObject } from "../../core/input/json.ts";
import { Cancellation } from "../../core/run/abort.ts";
import { shownName, visible } from "../../core/text/visible.ts";
import { findAgentsTool } from "../../core/tool/known-tools.ts";
import { insteadOf } from "../../core/tool/left-out-tools.ts";
import type { RegisteredTool } from "../../core/tool/registry.ts";
import { planFor } from "../../rules/compile-plan.ts";
import type { Call, ResolvedCall } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";
import type { Planned } from "../plans.ts";

/** Stands for the name of a call whose name is not even text. */
export const noName = "(no name)";

/** No agent has tools with longer names; remembering such names would only fill the memory. */
const maxForeignName = 256;

export function resolve(call: Call, parts: DecidingParts): ResolvedCall | Stop {
  const barred = parts.isClosed() || !isUsual(call, parts) ? explainBarred(call, parts) : undefined;
  if (barred !== undefined) return barred;
  const named = seenPlan(call, parts);
  // Only where the gate runs the tool: an agent that runs it itself gets its own input back.
  const shape = call.kind === "call" ? named?.shape : undefined;
  const flat = shape === undefined ? named?.registered.flatInput : undefined;
  const fitting = flat === undefined ? undefined : parts.takeFitting(call.given, flat);
  call.fitting = fitting;
  if (fitting !== undefined) call.input = fitting;
  else {
    const taken = takeInput(call.given, shape, parts);
    if (!taken.ok) return notTaken(taken, shownName(call.askedFor));
    call.input = taken.value;
  }
  if (named === undefined) return resolveForeign(call, parts);
  return named.registered.tool.delegate === undefined
    ? resolveTo(call, named.registered, named)
    : resolveDelegate(call, named.registered, parts);
}

/** What the caller does not see is unknown to it. */
function seenPlan({ askedFor, caller }: Call, { plans, isHidden }: DecidingParts) {
  const named = plans.named(askedFor);
  return named !== undefined && isHidden?.(named.registered, caller) === true ? undefined : named;
}

/** The quick yes for a call that leaves its context to the gate; anybody else's is looked at closely. */
function isUsual(
  { caller, roots, cwd, sessionId, turnId, mode, signal, askedFor }: Call,
  parts: DecidingParts,
): boolean {
  return (
    caller === parts.defaultCaller &&
    roots === parts.roots &&
    signal === undefined &&
    mode === "act" &&
    typeof cwd === "string" &&
    (sessionId === undefined || typeof sessionId === "string") &&
    turnId === undefined &&
    askedFor !== noName
  );
}

function explainBarred(call: Call, parts: DecidingParts): Stop | undefined {
  if (parts.isClosed()) return new Stop("gate_closed", "resolve", "The gate is closed; no call can run.");
  if (call.signal?.aborted === true)
    return new Stop("cancelled", "resolve", "The call was cancelled before it began.");
  if (call.askedFor === noName)
    return new Stop("bad_call", "resolve", `The call names no tool: "tool" must be a string.`);
  const bad = explainBadContext(call, parts);
  if (bad === undefined) return undefined;
  const hint = "Mend the surface that makes this call; the model cannot.";
  return new Stop("bad_call", "resolve", bad, { hint });
}

function resolveTo(call: Call, registered: RegisteredTool, planned: Planned): ResolvedCall | Stop {
  if (call.expected !== undefined && registered.given !== call.expected) return notTheSame(call.expected.id);
  return resolved(call, registered, planned);
}

function resolveForeign(call: Call, parts: DecidingParts): ResolvedCall | Stop {
  if (call.expected !== undefined) return notTheSame(call.expected.id);
  const { kind, askedFor } = call;
  if (kind === "call" || askedFor === "" || askedFor.length > maxForeignName)
    return unknownTool(askedFor, call, parts);
  return resolved(call, undefined, parts.plans.ofForeign(askedFor));
}

function resolveDelegate(call: Call, through: RegisteredTool, parts: DecidingParts): ResolvedCall | Stop {
  const target = followDelegate(through, call, parts);
  if (target instanceof Stop) return target;
  call.through = through;
  call.input = target.input;
  call.fitting = undefined;
  return resolveTo(call, target.registered, parts.plans.of(target.registered));
}

function resolved(
  call: Call,
  registered: RegisteredTool | undefined,
  { planned, plan }: Planned,
): ResolvedCall {
  call.registered = registered;
  call.planned = planned;
  call.plan = plan.withCommand === undefined ? plan : planFor(plan, readRoles(planned.roles, call.input));
  call.trace?.push({ stage: "resolve", finding: resolvedFinding(call, registered) });
  return call as ResolvedCall;
}

type TakenInput =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly code: "bad_call" | "input_too_large"; readonly why: string };

const noInput: TakenInput = { ok: true, value: Object.freeze({}) };

/** The only copy of an input that a call gets. What a shape makes of it is new, so it is taken, too. */
function takeInput(given: unknown, shape: InputShape | undefined, parts: DecidingParts): TakenInput {
  if (given === undefined || given === null) return noInput;
  const taken = parts.takeJson(given);
  if (!taken.ok) {
    const code = taken.tooLarge === true ? "input_too_large" : "bad_call";
    return { ok: false, code, why: `cannot be taken: ${taken.path}: ${taken.message}` };
  }
  const { value } = taken;
  if (isJsonObject(value))
    return shape === undefined ? { ok: true, value } : takeInput(shape(value), undefined, parts);
  const got = Array.isArray(value) ? "a list" : typeof value;
  return { ok: false, code: "bad_call", why: `must be a JSON object, not ${got}.` };
}

function notTaken({ code, why }: TakenInput & { readonly ok: false }, whose: string): Stop {
  return new Stop(code, "resolve", `The input of ${whose} ${why}`);
}

/** A mistake of a surface must not become a caller without a name, or a workspace that is everywhere. */
function explainBadContext(call: Call, parts: DecidingParts): string | undefined {
  const { caller, cwd, roots, sessionId, turnId, mode, signal } = call;
  if (
    caller !== parts.defaultCaller &&
    (typeof caller?.id !== "string" || caller.id === "" || !Array.isArray(caller.capabilities))
  ) {
    return "The call's caller needs an id and a list of capabilities.";
  }
  if (typeof cwd !== "string") return "The call's cwd must be a path.";
  if (sessionId !== undefined && typeof sessionId !== "string")
    return "The call's sessionId must be a string.";
  if (turnId !== undefined && typeof turnId !== "string") return "The call's turnId must be a string.";
  if (signal !== undefined && !(signal instanceof AbortSignal || signal instanceof Cancellation))
    return "The call's signal must be an AbortSignal.";
  if (!isMode(mode)) return `The call's mode must be "act" or "plan".`;
  return roots === parts.roots ? undefined : explainBadRoots(roots, parts);
}

function explainBadRoots(roots: readonly string[], parts: DecidingParts): string | undefined {
  if (!Array.isArray(roots) || !roots.every((root) => typeof root === "string")) {
    return "The call's roots must be a list of paths.";
  }
  const wider = roots.find((root) => !parts.roots.some((gateRoot) => isInside(resolvePath(root), gateRoot)));
  if (wider === undefined) return undefined;
  return `The call's root "${visible(wider)}" is not inside the gate's roots; a call can only narrow them.`;
}

/** `tools.call` becomes the call that it carries, so that all rules about the target hold. One step only. */
function followDelegate(registered: RegisteredTool, call: Call, parts: DecidingParts) {
  const { input, caller } = call;
  let target: { readonly tool: string; readonly input: unknown };
  try {
    target = registered.tool.delegate?.(input) ?? { tool: "", input };
  } catch (error) {
    const why = visible(messageOf(error), { maxLength: 300 });
    const message = `${registered.id} could not tell which tool to call: ${why}`;
    return new Stop("bad_call", "resolve", message, { cause: error });
  }
  const next = parts.registry.get(String(target.tool));
  if (next === undefined || parts.isHidden?.(next, caller) === true)
    return unknownTool(String(target.tool), call, parts);
  if (next.tool.delegate !== undefined) {
    const why = "which itself only calls another tool";
    return new Stop("bad_call", "resolve", `${registered.id} may not call ${next.id}, ${why}.`);
  }
  const taken = takeInput(target.input, undefined, parts);
  return taken.ok ? { registered: next, input: taken.value } : notTaken(taken, next.id);
}

function unknownTool(name: string, { caller }: Call, { registry, isHidden }: DecidingParts): Stop {
  const withheld = registry.withheld(name);
  // Only tools of upstream servers are withheld.
  if (withheld !== undefined && isHidden?.({ id: name, names: [name], category: "mcp" }, caller) !== true) {
    const { message, hint } = withheld;
    return new Stop("not_accepted", "resolve", message, { hint });
  }
  // `Bash` is everybody's name for the shell tool, also where it is registered only as `shell.exec`.
  const known = findAgentsTool(name)?.id;
  const isSeen = (id: string) => {
    const tool = registry.get(id);
    return tool !== undefined && isHidden?.(tool, caller) !== true;
  };
  const close = known !== undefined && isSeen(known) ? [known] : registry.suggest(name).filter(isSeen);
  const didYouMean =
    close.length > 0 ? `Did you mean ${close.map((id) => `"${id}"`).join(" or ")}?` : undefined;
  const hint = insteadOf(name) ?? didYouMean;
  return new Stop("unknown_tool", "resolve", `There is no tool ${shownName(name)}.`, { hint });
}

function notTheSame(id: string): Stop {
  const message = `The tool "${id}" that was passed is not the one registered with this gate under that id.`;
  const hint = "Register it first, or call the tool by its name with dispatch.";
  return new Stop("unknown_tool", "resolve", message, { hint });
}

function resolvedFinding({ askedFor, planned }: Call, registered: RegisteredTool | undefined): string {
  if (registered === undefined) return `${shownName(askedFor)} is a tool of the agent's own (${planned.id})`;
  const { id, source, category } = registered;
  const alias = askedFor === id ? id : `${shownName(askedFor)} is ${id}`;
  return `${alias} (${source.kind}${source.name === undefined ? "" : ` ${source.name}`}, category ${category})`;
}
