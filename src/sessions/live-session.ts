/** One session that this process runs: takes its prompts one after the other and keeps the log of each turn. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "../core/call/call.ts";
import { messageOf } from "../core/call/errors.ts";
import type { JsonObject } from "../core/input/json.ts";
import {
  activeStates,
  type NewItem,
  type SessionChange,
  type SessionFacts,
  type SessionRecord,
  type SessionStore,
} from "../core/ports/sessions.ts";
import type { Gate } from "../gate/gate.ts";
import { ApprovalWatch } from "./approval-watch.ts";
import { ItemBatch } from "./item-batch.ts";
import {
  type Agent,
  type Runner,
  RunnerError,
  type RunnerSession,
  type Turn,
  type TurnEnd,
} from "./runner.ts";
import { SessionCalls } from "./session-calls.ts";
import type { SessionFeed } from "./session-feed.ts";
import { spentBudget, TurnBudget } from "./turn-budget.ts";

export interface LiveSessionParts {
  readonly session: SessionRecord;
  readonly runner: Runner;
  readonly gate: Gate;
  readonly caller: Caller;
  readonly store: SessionStore;
  readonly process: string;
  readonly feed: SessionFeed;
  /** The texts of prompts as they were sent: the store keeps them without secrets. */
  readonly promptText: (promptId: string) => string | undefined;
  readonly newId: () => string;
  /** Waits until one more turn may run on this machine. */
  readonly place: (signal: AbortSignal) => Promise<() => void>;
  /** How long an agent that has nothing to do keeps its process. */
  readonly idleMs: number;
  /** An agent that does not end its turn by then is closed. */
  readonly cancelGraceMs: number;
  /** It had nothing to do for that long. */
  readonly onIdle: () => void;
  readonly tell: (message: string) => void;
}

interface RunningTurn {
  readonly number: number;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export class LiveSession {
  readonly #parts: LiveSessionParts;
  readonly #ending = new AbortController();
  readonly #approvals: ApprovalWatch;
  readonly calls: SessionCalls;
  #session: SessionRecord;
  #agent: Agent | undefined;
  #closingAgent: Promise<void> = Promise.resolve();
  #turn: RunningTurn | undefined;
  #pumping: Promise<void> | undefined;
  #again = false;
  #idle: NodeJS.Timeout | undefined;
  #steering: string[] = [];
  readonly #batch = new ItemBatch((items, facts) => this.#change({ facts, items, states: activeStates }));

  constructor(parts: LiveSessionParts) {
    this.#parts = parts;
    const { session, gate, caller } = parts;
    this.#session = session;
    const { id: sessionId, cwd, mode, tools } = session;
    this.#approvals = new ApprovalWatch({
      gate,
      callerId: caller.id,
      add: (items, isWaiting) => this.#add(items, { state: isWaiting ? "waiting" : "running" }),
    });
    this.calls = new SessionCalls({
      gate,
      sessionId,
      caller,
      cwd,
      mode,
      offersNone: tools.offer === "none",
      add: (items) => this.#add(items),
      addLater: (items) => this.#batch.addLater(this.#ofTurn(items)),
      onCallEnd: (callId, code) => this.#approvals.callEnded(callId, code),
      onTaskEnd: (message) => this.#turn?.controller.abort(new TaskEnded(message)),
    });
  }

  get session(): SessionRecord {
    return this.#session;
  }

  get isBusy(): boolean {
    return this.#pumping !== undefined;
  }

  /** There may be a prompt to take. */
  pump(): Promise<void> {
    this.#again = true;
    this.#pumping ??= this.#takeAll().finally(() => {
      this.#pumping = undefined;
      // A prompt that came after the last look was told to a loop that had ended.
      if (this.#again && !this.#ending.signal.aborted) return this.pump();
      return undefined;
    });
    return this.#pumping;
  }

  /** A message for the turn that runs. False: another turn runs, or none. */
  async steer(promptId: string, expectedTurn: number): Promise<boolean> {
    if (this.#turn?.number !== expectedTurn || this.#turn.controller.signal.aborted) return false;
    const { store, process, newId, promptText } = this.#parts;
    const taken = await store.takePrompt(this.#session.id, {
      process,
      promptId,
      steer: true,
      itemId: newId(),
    });
    if (!taken.ok) return false;
    this.#publish(taken.session, taken.items);
    this.#steering.push(promptText(promptId) ?? taken.prompt.text);
    return true;
  }

  /** The state is kept first; then everything that runs is told to end, and is made sure to be gone. */
  async cancel(by: string, turn?: number): Promise<void> {
    const running = this.#turn;
    if (turn !== undefined && running?.number !== turn) return;
    const item: NewItem = {
      kind: "cancelled",
      turn: this.#session.turn,
      itemId: this.#parts.newId(),
      body: { by, what: turn === undefined ? "session" : "turn" },
    };
    const ends: Partial<SessionFacts> =
      turn === undefined || this.#session.single
        ? { state: "ended", end: "cancelled", endedAt: Date.now() }
        : { state: "idle" };
    const left = this.#batch.take();
    await this.#change({
      facts: { ...left.facts, ...ends, cancelAsked: undefined },
      items: [...left.items, item],
      states: [...activeStates, "idle"],
      dropPrompts: ends.state === "ended",
    });
    running?.controller.abort(new Cancelled(by));
    if (ends.state === "ended") await this.close();
    else await running?.done;
  }

  /** Ends what runs and the agent; the session stays as it is in the store. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#turn?.controller.abort(new Cancelled("the process that ends"));
    this.#ending.abort();
    await this.#turn?.done;
    await this.#closeAgent();
    this.#approvals.close();
    await this.#change({ facts: { process: undefined } }).catch(() => {});
  }

  async #takeAll(): Promise<void> {
    const { store, process, newId, place, promptText } = this.#parts;
    while (this.#again && !this.#ending.signal.aborted) {
      this.#again = false;
      const release = await place(this.#ending.signal).catch(() => undefined);
      if (release === undefined) return;
      try {
        const taken = await store.takePrompt(this.#session.id, { process, itemId: newId() });
        if (!taken.ok) {
          if (taken.why === "folder_busy") await this.#folderBusy(taken.holder.id);
          continue;
        }
        clearTimeout(this.#idle);
        this.#again = true;
        this.#publish(taken.session, taken.items);
        await this.#run(promptText(taken.prompt.id) ?? taken.prompt.text);
      } finally {
        release();
      }
    }
    if (this.#ending.signal.aborted) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(this.#parts.onIdle, this.#parts.idleMs).unref();
  }

  async #run(prompt: string): Promise<void> {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const controller = new AbortController();
    const { turn: number, budget } = this.#session;
    this.#turn = { number, controller, done };
    this.#steering = [];
    const timeUp = () => controller.abort(spentBudget(`${budget.timeMs} ms`));
    const timer = budget.timeMs === undefined ? undefined : setTimeout(timeUp, budget.timeMs).unref();
    try {
      const end = await this.#runTurn(prompt, number, controller.signal);
      await this.#finish(this.#item("completed", { stopReason: end.stopReason }));
    } catch (error) {
      await this.#fail(controller.signal.aborted ? controller.signal.reason : error);
    } finally {
      clearTimeout(timer);
      this.#turn = undefined;
      this.#parts.feed.endTurn();
      resolve();
    }
  }

  async #runTurn(prompt: string, number: number, signal: AbortSignal): Promise<TurnEnd> {
    const { gate, caller, runner } = this.#parts;
    const { id } = this.#session;
    await gate.startTask(id, caller.id);
    if (this.#agent === undefined) {
      await this.#change({ facts: { state: "starting" }, states: activeStates });
      this.#agent = await runner.open(this.#forRunner());
      await this.#change({ facts: { state: "running" }, states: activeStates });
    }
    signal.throwIfAborted();
    const budget = new TurnBudget(this.#session);
    const turn: Turn = {
      number,
      prompt,
      signal,
      log: {
        newItem: this.#parts.newId,
        delta: (itemId, text) => {
          if (!signal.aborted) this.#parts.feed.delta(itemId, number, text);
        },
        message: (itemId, text) =>
          this.#add([{ kind: "message", itemId, body: { role: "assistant", text } }]),
        note: (text) => this.#add([this.#item("message", { role: "note", text })]),
        usage: async (added) => {
          const facts = { usage: budget.add(added) };
          const item = this.#item("usage", { ...added });
          // What was used counts, also if nobody waits for the answer any more.
          if (signal.aborted) await this.#change({ facts, items: [{ ...item, turn: number }] });
          else await this.#add([item], facts);
        },
        beginStep: () => budget.beginStep(),
      },
      takeSteering: async () => this.#steering.shift(),
    };
    return this.#untilAborted(this.#agent.turn(turn), signal);
  }

  /** An agent that does not end its turn when it is told to is closed. */
  async #untilAborted(turn: Promise<TurnEnd>, signal: AbortSignal): Promise<TurnEnd> {
    let isSettled = false;
    const settled = turn.then(ignore, ignore).then(() => {
      isSettled = true;
    });
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => {
      const timer = setTimeout(() => aborted.reject(signal.reason), this.#parts.cancelGraceMs);
      void settled.then(() => clearTimeout(timer));
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      return await Promise.race([turn, aborted.promise]);
    } catch (error) {
      await Promise.race([settled, sleep(0)]);
      if (!isSettled) await this.#closeAgent();
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #forRunner(): RunnerSession {
    const { store, tell } = this.#parts;
    const { id, owner, cwd, mode, model, system, tools, budget, agentSessionId } = this.#session;
    return {
      ...{ id, owner, cwd, mode, model, system, budget, agentSessionId, tell },
      offer: tools.offer,
      calls: this.calls,
      signal: this.#ending.signal,
      history: async () => {
        const items = await readAll(store, id);
        return items.filter(({ turn }) => turn < this.#session.turn);
      },
      keep: (facts) => this.#change({ facts }).then(ignore),
    };
  }

  async #finish(item: Omit<NewItem, "turn">): Promise<void> {
    const ended: Partial<SessionFacts> = this.#session.single
      ? { state: "ended", end: "completed", endedAt: Date.now() }
      : { state: "idle" };
    const left = this.#batch.take();
    await this.#change({
      facts: { ...left.facts, ...ended, error: undefined },
      items: [...left.items, { ...item, turn: this.#session.turn }],
      states: activeStates,
    });
    if (this.#session.state === "ended") await this.#closeAgent();
  }

  async #fail(error: unknown): Promise<void> {
    // Whoever cancelled has written it down already.
    if (error instanceof Cancelled) return;
    if (error instanceof TaskEnded)
      return this.#finish(this.#item("completed", { stopReason: "hook_ended_task", message: error.message }));
    const { code, retryable } =
      error instanceof RunnerError ? error : { code: "runner_failed", retryable: false };
    const message = messageOf(error);
    const left = this.#batch.take();
    const item = { ...this.#item("error", { code, message, retryable }), turn: this.#session.turn };
    await this.#change({
      facts: {
        ...left.facts,
        error: { code, message },
        ...(this.#session.single
          ? { state: "ended" as const, end: "failed" as const, endedAt: Date.now() }
          : { state: "idle" as const }),
      },
      items: [...left.items, item],
      states: activeStates,
    });
    await this.#closeAgent();
  }

  async #folderBusy(holder: string): Promise<void> {
    const message = `Session ${holder} works in this folder. Send the message again when it is done.`;
    const item = { ...this.#item("error", { code: "folder_busy", message, holder, retryable: true }) };
    await this.#change({ items: [{ ...item, turn: this.#session.turn }], dropPrompts: true });
  }

  /** Whoever asks waits until the agent is gone, also if somebody else closes it already. */
  #closeAgent(): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    if (agent !== undefined) this.#closingAgent = this.#closingAgent.then(() => this.#endAgent(agent));
    return this.#closingAgent;
  }

  async #endAgent(agent: Agent): Promise<void> {
    await agent.close().catch((error: unknown) => this.#parts.tell(messageOf(error)));
    if (this.#session.agentProcess !== undefined) await this.#change({ facts: { agentProcess: undefined } });
  }

  #item(kind: NewItem["kind"], body: JsonObject): Omit<NewItem, "turn"> {
    return { kind, itemId: this.#parts.newId(), body };
  }

  async #add(items: readonly Omit<NewItem, "turn">[], facts: Partial<SessionFacts> = {}): Promise<void> {
    const added = this.#ofTurn(items);
    if (added.length > 0) await this.#batch.add(added, facts);
  }

  /** Of a turn that was cancelled nothing more is added: its late results are in the ledger. */
  #ofTurn(items: readonly Omit<NewItem, "turn">[]): readonly NewItem[] {
    const turn = this.#turn;
    if (turn === undefined || turn.controller.signal.aborted) return [];
    return items.map((item) => ({ ...item, turn: turn.number }));
  }

  async #change(change: SessionChange): Promise<void> {
    const { store, process } = this.#parts;
    const result = await store.change(this.#session.id, { ...change, process });
    if (result.ok) this.#publish(result.session, result.items);
  }

  #publish(session: SessionRecord, items: Parameters<SessionFeed["publish"]>[1]): void {
    const before = this.#session;
    // Two changes may be answered in another order than they were made.
    if (session.lastSeq >= before.lastSeq) this.#session = session;
    this.#parts.feed.publish(session, items, before.state !== session.state || before.turn !== session.turn);
  }
}

/** Why a turn was aborted. */
class Cancelled extends Error {
  constructor(by: string) {
    super(`Cancelled by ${by}.`);
  }
}

class TaskEnded extends Error {}

async function readAll(store: SessionStore, id: string) {
  const all = [];
  for (let after = 0; ; ) {
    const page = await store.items(id, { after, limit: 5_000 });
    all.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < 5_000) return all;
    after = last.seq;
  }
}

function ignore(): void {}
