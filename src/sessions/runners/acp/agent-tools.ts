/**
 * The agent's own tool calls of one turn. Each question of the agent is answered by the gate, once and for
 * this call alone. A call that ran unasked is found by what the agent tells of it.
 */
import type { JsonObject } from "../../../core/input/json.ts";
import { findAgentsTool } from "../../../core/tool/known-tools.ts";
import { RunnerError, type RunnerSession } from "../../runner.ts";
import type { AgentCall } from "../../session-calls.ts";
import type { GateServer } from "./gate-server.ts";
import {
  harmless,
  hasPlainKind,
  type JudgedCall,
  judgedCall,
  nameOf,
  type Readings,
  shown,
} from "./judged-call.ts";
import { cancelled, reject, selectOnce, subjectOf } from "./permission-answer.ts";
import { textIn } from "./protocol.ts";
import { addFacts } from "./tool-facts.ts";
import { newCall, type TrackedCall } from "./tracked-call.ts";
import type { AgentSpeech } from "./turn-log.ts";

export interface ToolRules extends Readings {
  /** What happens when a call has run that the gate was not asked about. */
  readonly ungated: "end" | "tell";
  /** Tools that may run unasked, by the agent's names: those that do nothing. */
  readonly unasked: readonly string[];
}

export interface AgentToolsParts {
  readonly session: Pick<RunnerSession, "calls" | "offer">;
  readonly agent: { readonly name: string; readonly version: string | undefined };
  readonly rules: ToolRules;
  readonly speech: AgentSpeech;
  readonly server: GateServer | undefined;
  readonly turn: number;
  readonly signal: AbortSignal;
  readonly fail: (error: unknown) => void;
}

/** Some agents ask first, and tell what they ask about a moment later. */
const factsWithinMs = 1_000;
/** Some say "in progress" before they ask. */
const askWithinMs = 10_000;

export class AgentTools {
  readonly #parts: AgentToolsParts;
  readonly #calls = new Map<string, TrackedCall>();

  constructor(parts: AgentToolsParts) {
    this.#parts = parts;
  }

  /** Answers `session/request_permission`. */
  async permission(params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { speech } = this.#parts;
    const one = this.#track(subjectOf(params));
    one.state = "asking";
    clearTimeout(one.late);
    speech.endMessage();
    await speech.written();
    const allowed = await this.#decide(one, signal);
    if (signal.aborted || this.#parts.signal.aborted) return cancelled;
    const answer = allowed ? selectOnce(params.options) : undefined;
    one.startedAt = performance.now();
    one.state = answer === undefined ? "refused" : "allowed";
    return answer ?? reject(params.options);
  }

  /** Takes `tool_call` and `tool_call_update`. */
  update(said: JsonObject): void {
    const one = this.#track(said);
    one.wake?.();
    const { status } = one.facts;
    if (one.isOver) return;
    if (status === "completed" || status === "failed") this.#over(one, status === "completed");
    else if (status === "in_progress" && one.state === "unasked")
      one.late ??= setTimeout(() => {
        if (one.state === "unasked" && !one.isOver) this.#over(one, true);
      }, askWithinMs).unref();
  }

  /** Nothing of the turn runs any more. */
  close(): void {
    for (const { late, wake } of this.#calls.values()) {
      clearTimeout(late);
      wake?.();
    }
  }

  #track(said: JsonObject): TrackedCall {
    const { speech, turn } = this.#parts;
    const id = textIn(said.toolCallId) ?? "call";
    const known = this.#calls.get(id);
    if (known === undefined) {
      speech.endMessage();
      speech.beginStep();
    }
    const one = known ?? newCall(id, `${turn}-${speech.step}`);
    one.facts = addFacts(one.facts, said);
    this.#calls.set(id, one);
    return one;
  }

  async #decide(one: TrackedCall, signal: AbortSignal): Promise<boolean> {
    const { session, server } = this.#parts;
    if (server?.toolNamed(one.facts) !== undefined) return true;
    if (session.offer !== "agent")
      return this.#refuse(one, "own_tools_off", "This session does not offer the agent's own tools.");
    const judged = await this.#judged(one, signal);
    if (!judged.ok) return this.#refuse(one, "not_told", `${judged.message} It was refused.`);
    return this.#check(one, judged, signal);
  }

  /** Waits a little for facts that are missing. */
  async #judged(one: TrackedCall, signal: AbortSignal): Promise<JudgedCall> {
    const { rules } = this.#parts;
    const until = performance.now() + factsWithinMs;
    for (;;) {
      const judged = judgedCall(one.facts, rules);
      const left = until - performance.now();
      if (judged.ok || left <= 0 || signal.aborted || this.#parts.signal.aborted) return judged;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        one.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      one.wake = undefined;
    }
  }

  async #check(
    one: TrackedCall,
    { tools, input }: JudgedCall & { readonly ok: true },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { session, agent, speech } = this.#parts;
    const { id } = one.facts;
    const toolUseId = ++one.questions === 1 ? id : `${id}-${one.questions}`;
    const asked = { input, toolUseId, messageId: one.messageId, signal };
    const tool = await this.#strictest(tools, asked);
    const isHarmless = harmless.has(findAgentsTool(tool)?.id ?? tool);
    one.call = { ...asked, tool, isHarmless };
    const told = { ...agent, tool: nameOf(one.facts) };
    const result = await session.calls.check(one.call, told);
    one.callId = result.callId;
    for (const context of result.contexts) speech.note(context);
    const isAllowed = result.verdict === "allow" || (isHarmless && result.verdict === "abstain");
    if (isAllowed && result.input === undefined) return true;
    const changed =
      "A rule changed the input of this call, and an agent of this kind cannot be given another.";
    const message = result.input === undefined ? (result.message ?? "It was not approved.") : changed;
    return this.#refuse(one, result.error?.code ?? "policy_denied", message);
  }

  async #strictest(tools: readonly string[], call: Omit<AgentCall, "tool">): Promise<string> {
    const [first = "", ...others] = tools;
    if (others.length === 0) return first;
    const rank = { allow: 0, abstain: 0, ask: 1, deny: 2 };
    let worst = { tool: first, rank: -1 };
    for (const tool of tools) {
      const { verdict } = await this.#parts.session.calls.explain({ ...call, tool });
      if (rank[verdict] > worst.rank) worst = { tool, rank: rank[verdict] };
    }
    return worst.tool;
  }

  async #refuse(one: TrackedCall, code: string, text: string): Promise<false> {
    await this.#parts.session.calls.ended(this.#callOf(one), { ok: false, code, text, callId: one.callId });
    return false;
  }

  #callOf({ call, facts, messageId }: TrackedCall): AgentCall {
    const tool = nameOf(facts) ?? facts.kind ?? "other";
    const { signal } = this.#parts;
    return call ?? { tool, input: facts.input ?? {}, toolUseId: facts.id, messageId, signal };
  }

  #over(one: TrackedCall, isDone: boolean): void {
    const { speech, server } = this.#parts;
    clearTimeout(one.late);
    one.isOver = true;
    speech.endStep();
    const own = server?.toolNamed(one.facts);
    if (own !== undefined) {
      if (isDone && server?.arrived(own) !== true)
        this.#ungated(one, "and never reached the gate that it was meant for");
    } else if (one.state === "allowed") speech.write(() => this.#tellEnd(one, isDone));
    else if (!isDone) return;
    else if (one.state === "asking") this.#ungated(one, "before its question was answered");
    else if (one.state === "refused") this.#ungated(one, "although it was refused");
    else speech.write(() => this.#judgeLate(one));
  }

  async #tellEnd(one: TrackedCall, ok: boolean): Promise<void> {
    const { session, speech } = this.#parts;
    const { output: text } = one.facts;
    const durationMs = Math.round(performance.now() - one.startedAt);
    const end = { ok, callId: one.callId, text, ran: { result: text, durationMs } };
    const code = ok ? undefined : "agent_failed";
    const { contexts, stop } = await session.calls.ended(this.#callOf(one), { ...end, code });
    for (const context of contexts) speech.note(context);
    if (stop !== undefined) speech.note(stop.message);
  }

  /** It has run. What only reads is taken, if the rules would have let it through. */
  async #judgeLate(one: TrackedCall): Promise<void> {
    const { rules, session } = this.#parts;
    const { facts } = one;
    const isQuiet = facts.kind === "read" || facts.kind === "search" || facts.kind === "think";
    const isNamed =
      hasPlainKind(facts) && [facts.name, ...facts.titles].some((name) => rules.unasked.includes(name ?? ""));
    if (!isQuiet && !isNamed) return this.#ungated(one, "without asking");
    const judged = judgedCall(facts, rules);
    const call = this.#callOf(one);
    if (judged.ok && facts.kind !== "think" && !isNamed) {
      const { input } = judged;
      const tool = await this.#strictest(judged.tools, { ...call, input });
      one.call = { ...call, tool, input };
      const { verdict, message } = await session.calls.explain(one.call);
      if (verdict === "deny" || verdict === "ask")
        return this.#ungated(one, `without asking, though the rules say ${verdict} (${message})`);
    }
    await session.calls.unasked(this.#callOf(one), facts.output);
  }

  #ungated({ facts }: TrackedCall, how: string): void {
    const { rules, speech, fail } = this.#parts;
    const message = `${shown(facts)} ran ${how}. Start this agent so that it asks about every tool.`;
    if (rules.ungated === "tell") speech.note(message);
    else fail(new RunnerError("ungated_call", message));
  }
}
