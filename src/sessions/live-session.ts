/** One session that this process runs: takes its prompts one after the other, runs their turns, ends them. */
import type { Caller } from "../core/call/call.ts";
import { activeStates, type SessionRecord, type SessionStore } from "../core/ports/sessions.ts";
import type { Gate } from "../gate/gate.ts";
import { ApprovalWatch } from "./approval-watch.ts";
import { LiveAgent } from "./live-agent.ts";
import { type Runner, RunnerError, type RunnerSession, type Turn, type TurnEnd } from "./runner.ts";
import { SessionCalls } from "./session-calls.ts";
import type { SessionFeed } from "./session-feed.ts";
import { explainMoved } from "./session-folder.ts";
import { SessionLog } from "./session-log.ts";
import { countable, spentBudget, TurnBudget, timerMs } from "./turn-budget.ts";
import { Cancelled, ended, failTurn, finishTurn, idle, TaskEnded, type TurnEnding } from "./turn-end.ts";

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
  /** Of the turn that this session works for. */
  readonly parentBudget: () => TurnBudget | undefined;
  readonly tell: (message: string) => void;
}

interface RunningTurn {
  readonly number: number;
  readonly controller: AbortController;
  readonly done: Promise<void>;
  /** Messages that came while it runs. */
  readonly steering: string[];
}

export class LiveSession {
  readonly #parts: LiveSessionParts;
  readonly #ending = new AbortController();
  readonly #log: SessionLog;
  readonly #agent: LiveAgent;
  readonly #approvals: ApprovalWatch;
  readonly #calls: SessionCalls;
  #turn: RunningTurn | undefined;
  #pumping: Promise<void> | undefined;
  #again = false;
  #idle: NodeJS.Timeout | undefined;
  #budget: TurnBudget | undefined;

  constructor(parts: LiveSessionParts) {
    this.#parts = parts;
    const { session, gate, caller } = parts;
    const { id: sessionId, cwd, mode, tools } = session;
    const log = new SessionLog(parts);
    this.#log = log;
    this.#agent = new LiveAgent({
      ...parts,
      onClosed: async () => {
        if (log.session.agentProcess !== undefined) await log.change({ facts: { agentProcess: undefined } });
      },
    });
    this.#approvals = new ApprovalWatch({
      gate,
      callerId: caller.id,
      add: (items, isWaiting) => log.add(items, { state: isWaiting ? "waiting" : "running" }),
    });
    this.#calls = new SessionCalls({
      gate,
      sessionId,
      caller,
      cwd,
      mode,
      offersNone: tools.offer === "none",
      add: (items) => log.add(items),
      addLater: (items) => log.addLater(items),
      onCallEnd: (callId, code) => this.#approvals.callEnded(callId, code),
      onFolderMoved: (message) => this.#turn?.controller.abort(new RunnerError("folder_moved", message)),
      onTaskEnd: (message) => this.#turn?.controller.abort(new TaskEnded(message)),
    });
  }

  get session(): SessionRecord {
    return this.#log.session;
  }

  /** Of the turn that runs: what its sub-tasks use counts here, too. */
  get budget(): TurnBudget | undefined {
    return this.#turn && this.#budget;
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
    const turn = this.#turn;
    if (turn?.number !== expectedTurn || turn.controller.signal.aborted) return false;
    const { store, process, newId, promptText } = this.#parts;
    const taker = { process, promptId, steer: true, itemId: newId() };
    const taken = await store.takePrompt(this.session.id, taker);
    if (!taken.ok) return false;
    this.#log.publish(taken.session, taken.items);
    turn.steering.push(promptText(promptId) ?? taken.prompt.text);
    return true;
  }

  /** The state is kept first; then everything that runs is told to end, and is made sure to be gone. */
  async cancel(by: string, turn?: number): Promise<void> {
    const running = this.#turn;
    if (turn !== undefined && running?.number !== turn) return;
    const ends = turn === undefined || this.session.single;
    await this.#log.end(this.#log.item("cancelled", { by, what: turn === undefined ? "session" : "turn" }), {
      facts: { ...(ends ? ended("cancelled") : idle), cancelAsked: undefined },
      states: [...activeStates, "idle"],
      dropPrompts: ends,
    });
    running?.controller.abort(new Cancelled(by));
    if (ends) await this.close();
    else await running?.done;
  }

  /** Ends what runs and the agent; the session stays as it is in the store. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#turn?.controller.abort(new Cancelled("the process that ends"));
    this.#ending.abort();
    await this.#turn?.done;
    await this.#agent.close();
    this.#approvals.close();
    await this.#log.change({ facts: { process: undefined } }).catch(() => {});
  }

  async #takeAll(): Promise<void> {
    const { store, process, newId, place, promptText } = this.#parts;
    while (this.#again && !this.#ending.signal.aborted) {
      this.#again = false;
      const release = await place(this.#ending.signal).catch(() => undefined);
      if (release === undefined) return;
      try {
        const taken = await store.takePrompt(this.session.id, { process, itemId: newId() });
        if (!taken.ok) {
          if (taken.why === "folder_busy") await this.#folderBusy(taken.holder.id);
          continue;
        }
        clearTimeout(this.#idle);
        this.#again = true;
        this.#log.publish(taken.session, taken.items);
        await this.#run(promptText(taken.prompt.id) ?? taken.prompt.text);
      } finally {
        release();
      }
    }
    if (this.#ending.signal.aborted) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(this.#parts.onIdle, timerMs(this.#parts.idleMs)).unref();
  }

  async #run(prompt: string): Promise<void> {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const controller = new AbortController();
    const { signal } = controller;
    const { turn: number, budget } = this.session;
    const turn: RunningTurn = { number, controller, done, steering: [] };
    this.#turn = turn;
    this.#log.beginTurn(number, signal);
    const timeUp = () => controller.abort(spentBudget(`${budget.timeMs} ms`));
    const { timeMs } = budget;
    const timer = timeMs === undefined ? undefined : setTimeout(timeUp, timerMs(timeMs)).unref();
    try {
      const { stopReason } = await this.#runTurn(prompt, turn);
      signal.throwIfAborted();
      await finishTurn(this.#turnEnding, { stopReason });
    } catch (error) {
      await failTurn(this.#turnEnding, signal.aborted ? signal.reason : error);
    } finally {
      clearTimeout(timer);
      this.#turn = undefined;
      this.#budget = undefined;
      this.#log.endTurn();
      resolve();
    }
  }

  async #runTurn(prompt: string, { number, controller, steering }: RunningTurn): Promise<TurnEnd> {
    const { gate, caller, newId } = this.#parts;
    const { signal } = controller;
    const log = this.#log;
    const moved = explainMoved(this.session.cwd);
    if (moved !== undefined) throw new RunnerError("folder_moved", moved);
    await gate.startTask(this.session.id, caller.id);
    if (!this.#agent.isOpen) {
      await log.change({ facts: { state: "starting" }, states: activeStates });
      await this.#agent.open(this.#forRunner(), signal);
      await log.change({ facts: { state: "running" }, states: activeStates });
    }
    signal.throwIfAborted();
    const budget = new TurnBudget(this.session, this.#parts.parentBudget());
    this.#budget = budget;
    const turn: Turn = {
      number,
      prompt,
      signal,
      log: {
        newItem: newId,
        delta: (itemId, text) => log.delta(itemId, text),
        message: (itemId, text) => log.add([{ kind: "message", itemId, body: { role: "assistant", text } }]),
        note: (text) => log.add([log.item("message", { role: "note", text })]),
        usage: async (said) => {
          const added = countable(said);
          const facts = { usage: budget.add(added) };
          const item = log.item("usage", { ...added });
          // What was used counts, also if nobody waits for the answer any more.
          if (signal.aborted) await log.change({ facts, items: [{ ...item, turn: number }] });
          else await log.add([item], facts);
        },
        beginStep: () => budget.beginStep(),
      },
      takeSteering: async () => steering.shift(),
    };
    return this.#agent.turn(turn);
  }

  #forRunner(): RunnerSession {
    const { id, owner, cwd, mode, model, system, tools, budget, agentSessionId } = this.session;
    return {
      ...{ id, owner, cwd, mode, model, system, budget, agentSessionId },
      offer: tools.offer,
      calls: this.#calls,
      signal: this.#ending.signal,
      history: () => this.#log.history(),
      keep: (facts) => this.#log.change({ facts }),
      tell: this.#parts.tell,
    };
  }

  get #turnEnding(): TurnEnding {
    return { log: this.#log, agent: this.#agent, budget: this.#budget };
  }

  async #folderBusy(holder: string): Promise<void> {
    const message = `Session ${holder} works in this folder. Send the message again when it is done.`;
    const item = this.#log.item("error", { code: "folder_busy", message, holder, retryable: true });
    await this.#log.change({ items: [{ ...item, turn: this.session.turn }], dropPrompts: true });
  }
}
