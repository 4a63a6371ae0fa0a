/** The Gate: what a program holds in its hand. Every way to a tool goes through the walk. */
/// <reference lib="esnext.disposable" preserve="true" />
import type { AnswerResult, ApprovalAnswer, ApprovalRequest, Grant } from "../core/call/approval.ts";
import { type CallContext, type Caller, type CallRequest, isMode, type Mode } from "../core/call/call.ts";
import { messageOf, Stop, ToolgateError } from "../core/call/errors.ts";
import type { Events } from "../core/call/event.ts";
import type { CheckResult, Explanation, Outcome } from "../core/call/outcome.ts";
import type { Ledger } from "../core/ports/ports.ts";
import type { ModeStore } from "../core/ports/store.ts";
import type { TaskStore } from "../core/ports/tasks.ts";
import type { Categories } from "../core/tool/categories.ts";
import type { AnyTool, Tool } from "../core/tool/tool.ts";
import {
  type AgentsRun,
  checkAndWait,
  checkOnly,
  explainTool,
  type LookedBack,
  lookBack,
} from "../pipeline/check.ts";
import type { Layer } from "../pipeline/layers/layer.ts";
import type { GateParts } from "../pipeline/parts.ts";
import type { Plans } from "../pipeline/plans.ts";
import { explainNotCallable } from "../pipeline/stages/permit.ts";
import { resolve } from "../pipeline/stages/resolve.ts";
import { callTool } from "../pipeline/walk.ts";
import type { RuleSet, Rules } from "../rules/rule-set.ts";
import type { Tools, Viewer } from "./gate-tools.ts";
import { incomingCall, type WayIn } from "./incoming-call.ts";
import { type LookedAtCall, type LookRequest, lookAtCall } from "./look-at-call.ts";
import { toDefinitions } from "./model/definitions.ts";
import { dispatchAll } from "./model/dispatch-all.ts";
import type { AnswerTo, DefinitionOf, ModelFormat } from "./model/formats.ts";
import { readPartialArguments } from "./model/partial-arguments.ts";

export interface PartialCall {
  readonly tool: string;
  readonly toolUseId: string;
  /** The input as far as the model has written it: an object, or the text of its JSON so far. */
  readonly input: unknown;
  readonly complete?: boolean;
  readonly sessionId?: string;
  readonly caller?: Caller;
}

/** What `createGate` hands over. */
export interface GateWiring {
  readonly parts: Omit<GateParts, "left" | "modeOf" | "plans">;
  readonly plans: Plans<RuleSet>;
  readonly tools: Tools;
  readonly categories: Categories;
  readonly events: Events;
  readonly modes: ModeStore;
  readonly tasks: TaskStore;
  readonly layers: Layer[];
  readonly replaceRules: (rules: Rules) => Promise<number>;
  readonly onClose: () => void;
  /** When nothing runs any more: ends what served the calls. */
  readonly onClosed: () => Promise<void>;
  readonly recorded: () => Promise<void>;
}

export class Gate {
  readonly tools: Tools;
  readonly categories: Categories;
  readonly events: Events;
  /** Resolves when every change of categories is in the ledger; rejects if one could not be written. */
  readonly recorded: () => Promise<void>;
  readonly approvals: {
    pending(): Promise<readonly ApprovalRequest[]>;
    answer(id: string, answer: ApprovalAnswer): Promise<AnswerResult>;
  };
  /** Where its calls are recorded; for those who refuse a call before it is one. */
  readonly ledger: Ledger;
  /** People answer by `approvals`: a call may wait for them. */
  readonly attended: boolean;
  readonly grants: { list(): Promise<readonly Grant[]>; revoke(id: string, by?: string): Promise<boolean> };
  readonly #parts: GateParts;
  readonly #wiring: GateWiring;
  #closing: { readonly done: Promise<void>; readonly finish: () => void } | undefined;
  #running = 0;

  /** Made by `createGate`, which wires the parts. */
  constructor(wiring: GateWiring) {
    const { tools, categories, events, recorded } = wiring;
    const parts: GateParts = {
      ...wiring.parts,
      plans: wiring.plans,
      modeOf: (sessionId, callerId) => wiring.modes.of(sessionId, callerId),
      left: () => this.#leave(),
    };
    this.#parts = parts;
    this.#wiring = wiring;
    this.tools = tools;
    this.categories = categories;
    this.events = events;
    this.recorded = recorded;
    this.ledger = parts.ledger;
    this.attended = parts.attended;
    this.approvals = {
      pending: async () => parts.desk.pending(),
      answer: async (id, answer) => parts.desk.answer(id, answer),
    };
    this.grants = {
      list: async () => parts.grants.list(),
      revoke: async (id, by = parts.defaultCaller.id) => parts.grants.revoke(id, by),
    };
  }

  /** For code that has the tool in its hand: input and output are typed. */
  call<In, Args, Out>(
    tool: Tool<In, Args, Out>,
    input: In,
    context: CallContext = {},
  ): Promise<Outcome<Out>> {
    return this.#walk({ ...context, tool: tool.id, input }, tool) as Promise<Outcome<Out>>;
  }

  /** For names and input from outside. Never throws and never rejects: every end is an Outcome. */
  dispatch(request: CallRequest): Promise<Outcome> {
    return this.#walk(request, undefined);
  }

  /** The tools that this caller could call, as the API of a model wants to hear of them. */
  definitions<Format extends ModelFormat>(format: Format, viewer: Viewer = {}): DefinitionOf<Format>[] {
    return toDefinitions(this.tools.callable(viewer), format);
  }

  /**
   * Runs the tool uses of one turn of a model, and answers each in the form of its API: what a model wrote
   * never throws, and a refusal is an answer. The list is what the API returned; what is no tool use in it,
   * such as text, is passed over.
   */
  async dispatchAll<const Use>(
    uses: readonly Use[] | null | undefined,
    context: CallContext = {},
  ): Promise<AnswerTo<Use>[]> {
    return (await dispatchAll(this, uses, context)) as AnswerTo<Use>[];
  }

  /**
   * For a call that another agent runs: the walk without the run. Waits for a person where a rule asks,
   * unless `wait` says no: then the verdict is `ask`, and whoever called asks somebody else.
   */
  async check(
    request: CallRequest,
    { wait = true }: { readonly wait?: boolean | (() => boolean) } = {},
  ): Promise<CheckResult> {
    this.#running++;
    try {
      const call = incomingCall(request, checked, this.#parts);
      if (wait === false) return await checkOnly(call, this.#parts);
      return await checkAndWait(call, wait === true ? always : wait, this.#parts);
    } finally {
      this.#leave();
    }
  }

  /**
   * The agent has run a tool of its own that it had checked: the hooks for what comes after a call look at it.
   * Never rejects.
   */
  async lookBack(request: CallRequest, end: AgentsRun): Promise<LookedBack> {
    this.#running++;
    try {
      return await lookBack(incomingCall(request, checked, this.#parts), end, this.#parts);
    } finally {
      this.#leave();
    }
  }

  /** The walk with every stage's finding. Nothing runs, is asked, counted or recorded; hooks do look. */
  async explain(
    request: CallRequest,
    { as = "call" }: { readonly as?: "call" | "check" } = {},
  ): Promise<Explanation> {
    return explainTool(
      incomingCall(request, as === "call" ? explained : explainedCheck, this.#parts),
      this.#parts,
    );
  }

  /** What a call holds and would touch, taken apart for a person. @internal */
  look(request: LookRequest): LookedAtCall | undefined {
    return lookAtCall(request, this.#parts);
  }

  /** Half-streamed input for a tool that can use it. Never runs the tool. */
  async partial(
    partial: PartialCall,
  ): Promise<
    { readonly ok: true; readonly handled: boolean } | { readonly ok: false; readonly error: Stop }
  > {
    const { input: given, complete = false } = partial;
    const input = typeof given === "string" ? await readPartialArguments(given, complete) : given;
    const call = resolve(incomingCall({ ...partial, input }, called, this.#parts), this.#parts);
    if (call instanceof Stop) return { ok: false, error: call };
    const tool = call.registered?.tool;
    const barred = call.registered && explainNotCallable(call.registered, call.caller, this.categories);
    if (barred !== undefined) return { ok: false, error: barred };
    if (tool?.onPartial === undefined) return { ok: true, handled: false };
    const { toolUseId } = partial;
    try {
      const block = Object.freeze({ toolUseId, input: call.input, complete });
      await tool.onPartial(block, { sessionId: call.sessionId, caller: call.caller });
      return { ok: true, handled: true };
    } catch (error) {
      const message = `${call.planned.id} could not take partial input: ${messageOf(error)}`;
      return { ok: false, error: new Stop("tool_failed", "run", message, { cause: error }) };
    }
  }

  /** Wraps the run of every tool, the first layer outermost. Calls in flight keep the layers they have. */
  use(layer: Layer): this {
    if (typeof layer !== "function")
      throw new ToolgateError("A layer is a function (call, next) => Promise.");
    this.#wiring.layers.push(layer);
    return this;
  }

  /** Replaces all rules or none: throws with every problem if one cannot be used. Returns the new version. */
  async setRules(rules: Rules): Promise<number> {
    const version = await this.#wiring.replaceRules(rules);
    this.events.emit("rules-change", { version });
    return version;
  }

  get rulesVersion(): number {
    return this.#wiring.plans.rules.version;
  }

  /** The rules in force: routes in the order in which they are tried, policies by priority. */
  get rules(): Required<Rules> {
    const { routes, policies, limits, hooks } = this.#wiring.plans.rules;
    return {
      routes: routes.map(({ route }) => route),
      policies: policies.map(({ policy }) => policy),
      limits: limits.map(({ limit }) => limit),
      hooks,
    };
  }

  /**
   * Plan mode allows reading only, for every call of the session from now on: of this caller's session, or
   * without a caller of everybody's who names it so.
   */
  setMode(sessionId: string, mode: Mode, callerId?: string): void | Promise<void> {
    if (!isMode(mode)) throw new ToolgateError(`A mode is "act" or "plan", not ${JSON.stringify(mode)}.`);
    // Something else in its place would leave the caller in act mode, and nobody would notice.
    if (callerId !== undefined && typeof callerId !== "string")
      throw new ToolgateError("A mode is set for a caller by its id.");
    return this.#wiring.modes.set(sessionId, mode, callerId);
  }

  /**
   * A person has given the session something new to do: calls that a hook's `cancel` ended are taken again. Of
   * this caller's session; by default the gate's own caller.
   */
  async startTask(sessionId: string, callerId: string = this.#parts.defaultCaller.id): Promise<void> {
    if (typeof sessionId !== "string" || typeof callerId !== "string")
      throw new ToolgateError("A task is started in a session by its id, for a caller by its id.");
    await this.#wiring.tasks.start(callerId, sessionId);
  }

  /** Takes no new calls, ends what waits for a person, waits for what runs. */
  async close(): Promise<void> {
    if (this.#closing === undefined) {
      const { promise, resolve: finish } = Promise.withResolvers<void>();
      this.#closing = { done: promise, finish };
      this.#wiring.onClose();
      await this.#parts.desk.close();
      if (this.#running === 0) finish();
    }
    await this.#closing.done;
    this.#parts.deadlines.close();
    await this.#wiring.onClosed();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #walk(request: CallRequest, expected: AnyTool | undefined): Promise<Outcome> {
    this.#running++;
    return callTool(incomingCall(request, called, this.#parts, expected), this.#parts);
  }

  #leave(): void {
    this.#running--;
    if (this.#closing !== undefined && this.#running === 0) this.#closing.finish();
  }
}

const called: WayIn = { kind: "call", dry: false, surface: "library" };
const always = () => true;
const checked: WayIn = { kind: "check", dry: false, surface: "library" };
const explained: WayIn = { kind: "call", dry: true, surface: "library" };
const explainedCheck: WayIn = { kind: "check", dry: true, surface: "library" };
