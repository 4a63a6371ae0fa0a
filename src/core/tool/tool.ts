/** What a tool is, and `defineTool`, which infers its types from its schemas. */

import type { Caller, Mode, Progress } from "../call/call.ts";
import type { ToolResult } from "../call/content.ts";
import type { Elicit } from "../call/elicit.ts";
import { ToolgateError } from "../call/errors.ts";
import { type InputRoles, statedRoles } from "../input/input-roles.ts";
import type { Json } from "../input/json.ts";
import { unknownKeys } from "../input/unknown-keys.ts";
import type { OpenedPath } from "../ports/location.ts";
import type { Cancellation } from "../run/abort.ts";
import { words } from "../text/words.ts";
import type { CheckAnswer } from "./own-check.ts";
import { type Permission, permissions } from "./permission.ts";
import type { InferInput, InferOutput, Schema } from "./schema.ts";
import { explainBadToolId } from "./tool-name.ts";

/** Services that tools reach through the gate. Extend it by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: users add their services by declaration merging
export interface ToolServices {}

export interface ToolContext {
  readonly callId: string;
  readonly toolUseId: string | undefined;
  readonly sessionId: string | undefined;
  readonly caller: Caller;
  readonly mode: Mode;
  readonly cwd: string;
  readonly roots: readonly string[];
  /** What a rule or a person opened for this very call: paths outside of the roots, and protected ones. */
  readonly opened: readonly OpenedPath[];
  /** Where the call's paths led when it was decided, links followed. Undefined: not all of them are known. */
  readonly judgedPaths?: readonly string[] | undefined;
  /** The gate's own state and configuration, closed to every tool whatever was approved. */
  readonly statePaths: readonly string[];
  /** Aborted when the caller cancels or the time-out passes. */
  readonly signal: AbortSignal;
  /** The same for code that only listens (`onAbort`), at a fraction of the cost. */
  readonly cancellation?: Cancellation | undefined;
  readonly progress: (progress: Progress) => void;
  /** False: nobody listens to it, so there is no need to ask others how far they are. */
  readonly hearsProgress?: boolean;
  /** Something that whoever reads the ledger should see at this call; the model is not told. */
  readonly note: (text: string) => void;
  /** Asks the person at the calling client. Undefined: that client cannot be asked. */
  readonly elicit?: Elicit | undefined;
  readonly services: ToolServices;
}

/** Half-streamed input, while the model is still writing the call. */
export interface PartialBlock {
  readonly toolUseId: string;
  readonly input: Json;
  readonly complete: boolean;
}

export interface PartialContext {
  readonly sessionId: string | undefined;
  readonly caller: Caller;
}

/** Hints for clients, as MCP names them; they never raise trust. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/**
 * Which other calls a call waits for. `session`, the default: those of its own session; what reads runs
 * beside readers, what writes or executes runs alone. `read` and `write` say which of the two, whatever the
 * permission. `gate`: all calls of all sessions, it runs alone. `none`: nobody, the right one for a tool that
 * only calls other tools.
 */
export type LockKind = "none" | "session" | "read" | "write" | "gate";

/** The same with nothing left open. */
export type RunLock = Exclude<LockKind, "session">;

export function runLockOf({ lock = "session", permission }: AnyTool): RunLock {
  if (lock !== "session") return lock;
  return permission === "read" ? "read" : "write";
}

const lockKinds: readonly unknown[] = ["none", "session", "read", "write", "gate"] satisfies LockKind[];

/** Judged like a command, its folder and a URL that stand in the input. */
export interface DerivedValues {
  readonly command?: string;
  /** Where the command runs. Default: the working folder of the call. */
  readonly cwd?: string;
  /** Why the program that runs the command may read it in another way than rules do. */
  readonly doubt?: string;
  readonly url?: string;
  /** A file that another name stands for, such as a URL. */
  readonly path?: string;
  /** A file below a folder that the tool fixes: no rule judges it, but a yes is bound to its place. */
  readonly boundPath?: string;
  /** The URLs are names that only their server understands, and may be read: nobody fetches from them. */
  readonly urlIsName?: boolean;
}

interface ToolParts {
  /** `category.verb`, such as `fs.read`. */
  readonly id: string;
  readonly title?: string;
  readonly description: string;
  /** Defaults to `custom`, which is on and allows everything that policy allows. */
  readonly category?: string;
  readonly permission: Permission;
  readonly capabilities?: readonly string[];
  readonly aliases?: readonly string[];
  readonly annotations?: ToolAnnotations;
  /** Which input fields hold paths, commands, URLs or content, where their names do not say it. */
  readonly roles?: InputRoles;
  readonly timeoutMs?: number;
  /** May be run again after a failure without doing harm. */
  readonly idempotent?: boolean;
  /** Only ever used for idempotent tools. */
  readonly maxRetries?: number;
  readonly maxOutputBytes?: number;
  readonly lock?: LockKind;
  /**
   * True: its commands run where secrets of the workspace cannot be seen, so that reading a whole folder
   * reads none of them. Only what always holds counts: a sandbox that is required.
   */
  readonly hidesSecrets?: () => boolean;
  onPartial?(block: PartialBlock, context: PartialContext): void | Promise<void>;
}

/** A tool as the gate holds it. Callers pass `In`, `run` gets `Args` and gives back `Out`. */
export interface Tool<In = unknown, Args = unknown, Out = unknown> extends ToolParts {
  readonly input: Schema;
  readonly output?: Schema;
  validate?(args: Args, context: ToolContext): CheckAnswer | Promise<CheckAnswer>;
  run(args: Args, context: ToolContext): unknown;
  /**
   * What a call does that no field of its input says by itself: the command line or the URL that is made from
   * several. Undefined: it cannot be told, and no rule approves it unseen.
   */
  derive?(args: Args): DerivedValues | undefined;
  /** Calls of this tool become calls of the tool named here, before any rule sees them. */
  delegate?(input: Json): { readonly tool: string; readonly input: Json };
  /** Carries the types only; never set. */
  readonly "~types"?: { readonly in: In; readonly out: Out };
}

// biome-ignore lint/suspicious/noExplicitAny: a registry holds tools of every type; `unknown` would refuse them all by variance
export type AnyTool = Tool<any, any, any>;

/** With an output schema `run` returns what it describes; without one the type of the result counts. */
export function defineTool<const In extends Schema, const Out extends Schema>(
  definition: ToolParts & {
    readonly input: In;
    readonly output: Out;
    validate?(args: InferOutput<In>, context: ToolContext): CheckAnswer | Promise<CheckAnswer>;
    derive?(args: InferOutput<In>): DerivedValues | undefined;
    run(
      args: InferOutput<In>,
      context: ToolContext,
    ): InferInput<Out> | ToolResult | Promise<InferInput<Out> | ToolResult>;
  },
): Tool<InferInput<In>, InferOutput<In>, InferOutput<Out>>;
export function defineTool<const In extends Schema, Returned>(
  definition: ToolParts & {
    readonly input: In;
    readonly output?: undefined;
    validate?(args: InferOutput<In>, context: ToolContext): CheckAnswer | Promise<CheckAnswer>;
    derive?(args: InferOutput<In>): DerivedValues | undefined;
    run(args: InferOutput<In>, context: ToolContext): Returned;
  },
): Tool<InferInput<In>, InferOutput<In>, ValueOf<Awaited<Returned>>>;
export function defineTool(definition: object): AnyTool {
  const tool = definition as AnyTool;
  const problem = explainBadTool(tool);
  if (problem !== undefined) throw new ToolgateError(problem);
  return Object.freeze({ ...tool });
}

type ValueOf<Returned> = [Returned] extends [ToolResult] ? unknown : Exclude<Returned, ToolResult>;

const toolKeys = words(
  "id title description category permission capabilities aliases annotations roles timeoutMs idempotent maxRetries " +
    "maxOutputBytes lock hidesSecrets onPartial input output validate run derive delegate ~types",
);

/**
 * A copy that nothing can change: a field with a getter, or a proxy, must not say one thing to the rules and
 * another to a waiting approval. Methods of a class keep the object that they belong to.
 */
export function readToolOnce(given: AnyTool): AnyTool {
  if (typeof given !== "object" || given === null) return given;
  const read: Partial<Record<string, unknown>> = {};
  const isPlain = Object.getPrototypeOf(given) === Object.prototype;
  // Misspelt keys come along, to be complained about.
  for (const key of new Set([...Object.keys(given), ...toolKeys])) {
    const value: unknown = given[key as keyof AnyTool];
    if (value === undefined) continue;
    if (typeof value === "function") read[key] = isPlain ? value : value.bind(given);
    else read[key] = dataKeys.includes(key) ? frozenCopy(value) : value;
  }
  return Object.freeze(read) as Partial<AnyTool> as AnyTool;
}

const dataKeys = ["capabilities", "aliases", "annotations", "roles"];

function frozenCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, frozenCopy(one)])));
}

/** Fields whose wrong form would silently take a protection away. */
function explainBadForm({ capabilities, aliases, roles, lock }: AnyTool): string | undefined {
  for (const [name, list] of Object.entries({ capabilities, aliases })) {
    if (list !== undefined && !isTexts(list)) return `${name} must be a list of texts.`;
  }
  if (lock !== undefined && !lockKinds.includes(lock))
    return 'lock must be "session", "gate", "none", "read" or "write".';
  for (const [role, fields] of Object.entries(roles ?? {})) {
    if (!statedRoles.some((name) => name === role))
      return `roles has no "${role}"; it takes ${statedRoles.join(", ")}.`;
    if (!isTexts(fields)) return `roles.${role} must be a list of field names.`;
  }
  return undefined;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** Checked again at registration: a tool may come from a plain object that never passed `defineTool`. */
export function explainBadTool(tool: AnyTool): string | undefined {
  if (typeof tool !== "object" || tool === null) return "A tool must be an object: use defineTool({...}).";
  const badId = explainBadToolId(tool.id);
  if (badId !== undefined) return badId;
  const where = `Tool "${tool.id}"`;
  const [unknown] = unknownKeys(tool, toolKeys);
  if (unknown !== undefined) return `${where} has an unknown key "${unknown.key}"; ${unknown.instead}`;
  const badForm = explainBadForm(tool);
  if (badForm !== undefined) return `${where}: ${badForm}`;
  if (typeof tool.description !== "string" || tool.description.trim() === "") {
    return `${where} needs a description: it is how a model chooses the tool.`;
  }
  if (!permissions.includes(tool.permission)) {
    return `${where} needs permission "read", "write" or "execute", not ${JSON.stringify(tool.permission)}.`;
  }
  if (typeof tool.run !== "function") return `${where} needs a run(input, context) function.`;
  if (tool.input === undefined || tool.input === null) {
    return `${where} needs an input schema (a Standard Schema such as zod, or a JSON Schema object).`;
  }
  for (const [field, minimum] of [
    ["timeoutMs", 1],
    ["maxRetries", 0],
    ["maxOutputBytes", 1],
  ] as const) {
    const value = tool[field];
    if (value !== undefined && !(Number.isInteger(value) && value >= minimum)) {
      return `${where}: ${field} must be a whole number of at least ${minimum}, not ${String(value)}.`;
    }
  }
  if ((tool.maxRetries ?? 0) > 0 && tool.idempotent !== true) {
    return `${where} has maxRetries but is not idempotent: only tools that may safely run twice are retried.`;
  }
  return undefined;
}
