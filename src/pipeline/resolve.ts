/** resolve: which tool is meant, and is the input plain JSON of bearable size. Aliases end here; rules see one tool. */
import { resolve as resolvePath } from "node:path";
import { isMode } from "../core/call.ts";
import { Stop } from "../core/errors.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { findKnownTool } from "../core/known-tools.ts";
import type { RegisteredTool } from "../core/registry.ts";
import { shownName, visible } from "../core/visible.ts";
import { insideFolder } from "../rules/paths.ts";
import type { Call, ResolvedCall } from "./calls.ts";
import type { GateParts } from "./parts.ts";

/** Stands for the name of a call whose name is not even text. */
export const noName = "(no name)";

/** No agent has tools with longer names; remembering such names would only fill the memory. */
const maxForeignName = 256;

const emptyInput: JsonObject = Object.freeze({});

export function resolve(call: Call, parts: GateParts): ResolvedCall | Stop {
  if (parts.isClosed()) return new Stop("gate_closed", "resolve", "The gate is closed; no call can run.");
  if (call.signal?.aborted === true)
    return new Stop("cancelled", "resolve", "The call was cancelled before it began.");
  if (call.askedFor === noName)
    return new Stop("bad_call", "resolve", `The call names no tool: "tool" must be a string.`);
  const bad = explainBadContext(call, parts);
  if (bad !== undefined) {
    const hint = "Mend the surface that makes this call; the model cannot.";
    return new Stop("bad_call", "resolve", bad, { hint });
  }
  const input = takeInput(call.given, () => shownName(call.askedFor), parts);
  if (input instanceof Stop) return input;
  call.input = input;
  let registered = parts.registry.get(call.askedFor);
  if (registered?.tool.delegate !== undefined) {
    const target = followDelegate(registered, input, parts);
    if (target instanceof Stop) return target;
    call.through = registered;
    registered = target.registered;
    call.input = target.input;
  }
  if (call.expected !== undefined && registered?.tool !== call.expected) return notTheSame(call.expected.id);
  if (registered === undefined && (call.kind === "call" || call.askedFor === ""))
    return unknownTool(call.askedFor, parts);
  if (call.askedFor.length > maxForeignName) return unknownTool(call.askedFor, parts);
  const { planned, plan } =
    registered === undefined ? parts.plans.ofForeign(call.askedFor) : parts.plans.of(registered);
  call.registered = registered;
  call.planned = planned;
  call.plan = plan;
  call.trace?.push({ stage: "resolve", finding: resolvedFinding(call, registered) });
  return call as ResolvedCall;
}

function takeInput(given: unknown, name: () => string, parts: GateParts): JsonObject | Stop {
  if (given === undefined || given === null) return emptyInput;
  const taken = parts.takeJson(given);
  if (taken.ok && isJsonObject(taken.value)) return taken.value;
  const whose = name();
  if (!taken.ok) {
    const code = taken.tooLarge === true ? "input_too_large" : "bad_call";
    return new Stop(
      code,
      "resolve",
      `The input of ${whose} cannot be taken: ${taken.path}: ${taken.message}`,
    );
  }
  const got = Array.isArray(taken.value) ? "a list" : typeof taken.value;
  return new Stop("bad_call", "resolve", `The input of ${whose} must be a JSON object, not ${got}.`);
}

/** Surfaces fill the context; a mistake there must not turn into a caller with no name or a workspace that is everywhere. */
function explainBadContext(call: Call, parts: GateParts): string | undefined {
  const { caller, cwd, roots, sessionId, mode, signal } = call;
  if (
    caller !== parts.defaultCaller &&
    (typeof caller?.id !== "string" || caller.id === "" || !Array.isArray(caller.capabilities))
  ) {
    return "The call's caller needs an id and a list of capabilities.";
  }
  if (typeof cwd !== "string") return "The call's cwd must be a path.";
  if (sessionId !== undefined && typeof sessionId !== "string")
    return "The call's sessionId must be a string.";
  if (signal !== undefined && !(signal instanceof AbortSignal))
    return "The call's signal must be an AbortSignal.";
  if (!isMode(mode)) return `The call's mode must be "act" or "plan".`;
  if (roots === parts.roots) return undefined;
  if (!Array.isArray(roots) || !roots.every((root) => typeof root === "string")) {
    return "The call's roots must be a list of paths.";
  }
  const wider = roots.find(
    (root) => !parts.roots.some((gateRoot) => insideFolder(resolvePath(root), gateRoot)),
  );
  if (wider === undefined) return undefined;
  return `The call's root "${visible(wider)}" is not inside the gate's roots; a call can only narrow them.`;
}

/** `tools.call` and `mcp.call` become the call they carry, so that every rule about the target holds. One step, no chains. */
function followDelegate(registered: RegisteredTool, input: JsonObject, parts: GateParts) {
  let target: { readonly tool: string; readonly input: unknown };
  try {
    target = registered.tool.delegate?.(input) ?? { tool: "", input };
  } catch (error) {
    return new Stop("bad_call", "resolve", `${registered.id} could not tell which tool to call.`, {
      cause: error,
    });
  }
  const next = parts.registry.get(String(target.tool));
  if (next === undefined) return unknownTool(String(target.tool), parts);
  if (next.tool.delegate !== undefined) {
    const why = "which itself only calls another tool";
    return new Stop("bad_call", "resolve", `${registered.id} may not call ${next.id}, ${why}.`);
  }
  const taken = takeInput(target.input, () => next.id, parts);
  return taken instanceof Stop ? taken : { registered: next, input: taken };
}

function unknownTool(name: string, parts: GateParts): Stop {
  // `Bash` is everybody's name for the shell tool, also where it is registered only as `shell.exec`.
  const known = findKnownTool(name)?.id;
  const close = known !== undefined && parts.registry.has(known) ? [known] : parts.registry.suggest(name);
  const hint = close.length > 0 ? `Did you mean ${close.map((id) => `"${id}"`).join(" or ")}?` : undefined;
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
