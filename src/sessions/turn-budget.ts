/** Counts what a turn uses, and ends it when that is too much. */
import type { SessionBudget, SessionRecord, SessionUsage } from "../core/ports/sessions.ts";
import { RunnerError } from "./runner.ts";

/** A model that calls a tool again and again ends here, unless somebody allows it more. */
export const defaultTurns = 100;

export class TurnBudget {
  readonly #budget: SessionBudget;
  readonly #parent: TurnBudget | undefined;
  #usage: SessionUsage;
  #steps = 0;

  /** `parent`: of the turn that this one works for. All its sub-tasks together have what it has, and no more. */
  constructor({ budget, usage }: Pick<SessionRecord, "budget" | "usage">, parent?: TurnBudget) {
    this.#budget = budget;
    this.#usage = usage;
    this.#parent = parent;
  }

  /** The sum of the session, with its sub-tasks. */
  get usage(): SessionUsage {
    return this.#usage;
  }

  beginStep(): void {
    const { turns = defaultTurns } = this.#budget;
    if (this.#steps >= turns) throw spentBudget(`${turns} answers of the model`);
    this.#checkTokens();
    this.#steps++;
  }

  add(added: SessionUsage): SessionUsage {
    this.#usage = {
      inputTokens: this.#usage.inputTokens + added.inputTokens,
      outputTokens: this.#usage.outputTokens + added.outputTokens,
    };
    this.#parent?.add(added);
    return this.#usage;
  }

  #checkTokens(): void {
    const { tokens } = this.#budget;
    const { inputTokens, outputTokens } = this.#usage;
    if (tokens !== undefined && inputTokens + outputTokens >= tokens) throw spentBudget(`${tokens} tokens`);
    if (this.#parent !== undefined) this.#parent.#checkTokens();
  }
}

/** Agents tell what they used: what is no number of tokens gives them no more. */
export function countable({ inputTokens, outputTokens }: SessionUsage): SessionUsage {
  const count = (said: number) => (Number.isFinite(said) ? Math.max(0, said) : 0);
  return { inputTokens: count(inputTokens), outputTokens: count(outputTokens) };
}

/** A longer timer would end at once. */
export function timerMs(ms: number): number {
  return Math.min(ms, 2 ** 31 - 1);
}

export function spentBudget(what: string): RunnerError {
  return new RunnerError("budget_spent", `The budget of this session is spent: ${what}.`);
}
