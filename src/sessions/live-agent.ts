/** The agent of a session: opened for its first turn, told to end turns, and closed when it does not. */
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../core/call/errors.ts";
import type { Agent, Runner, RunnerSession, Turn, TurnEnd } from "./runner.ts";

export interface LiveAgentParts {
  readonly runner: Runner;
  /** An agent that does not end its turn by then is closed. */
  readonly cancelGraceMs: number;
  /** Its process is gone. */
  readonly onClosed: () => Promise<void>;
  readonly tell: (message: string) => void;
}

export class LiveAgent {
  readonly #parts: LiveAgentParts;
  #agent: Agent | undefined;
  #closing: Promise<void> = Promise.resolve();

  constructor(parts: LiveAgentParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#agent !== undefined;
  }

  /** One that does not come up is given up with the turn that waits for it. */
  async open(session: RunnerSession, turn: AbortSignal): Promise<void> {
    const opening = new AbortController();
    const giveUp = () => opening.abort(turn.reason);
    turn.addEventListener("abort", giveUp, { once: true });
    if (turn.aborted) giveUp();
    try {
      const signal = AbortSignal.any([session.signal, opening.signal]);
      this.#agent = await this.#parts.runner.open({ ...session, signal });
    } finally {
      turn.removeEventListener("abort", giveUp);
    }
  }

  /** Rejects when the agent fails, or with the reason of the signal. */
  async turn(turn: Turn): Promise<TurnEnd> {
    const { signal } = turn;
    const agent = this.#agent;
    if (agent === undefined) throw new Error("The agent was closed before its turn.");
    const running = agent.turn(turn);
    let isSettled = false;
    const settled = running.then(ignore, ignore).then(() => {
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
      return await Promise.race([running, aborted.promise]);
    } catch (error) {
      await Promise.race([settled, sleep(0)]);
      if (!isSettled) await this.close();
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Whoever asks waits until the agent is gone, also if somebody else closes it already. */
  close(): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    if (agent !== undefined) this.#closing = this.#closing.then(() => this.#end(agent));
    return this.#closing;
  }

  async #end(agent: Agent): Promise<void> {
    await agent.close().catch((error: unknown) => this.#parts.tell(messageOf(error)));
    await this.#parts.onClosed();
  }
}

function ignore(): void {}
