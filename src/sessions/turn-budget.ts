/** Counts what a turn uses, and ends it when that is too much. */
import type { SessionBudget, SessionRecord, SessionUsage } from "../core/ports/sessions.ts";
import { RunnerError } from "./runner.ts";

/** A model that calls a tool again and again ends here, unless somebody allows it more. */
export const defaultTurns = 100;

export class TurnBudget {
  readonly #budget: SessionBudget;
  #usage: SessionUsage;
  #steps = 0;

  constructor({ budget, usage }: Pick<SessionRecord, "budget" | "usage">) {
    this.#budget = budget;
    this.#usage = usage;
  }

  beginStep(): void {
    const { turns = defaultTurns, tokens } = this.#budget;
    if (this.#steps >= turns) throw spentBudget(`${turns} answers of the model`);
    const { inputTokens, outputTokens } = this.#usage;
    if (tokens !== undefined && inputTokens + outputTokens >= tokens) throw spentBudget(`${tokens} tokens`);
    this.#steps++;
  }

  /** The sum of the session. */
  add({ inputTokens, outputTokens }: SessionUsage): SessionUsage {
    this.#usage = {
      inputTokens: this.#usage.inputTokens + inputTokens,
      outputTokens: this.#usage.outputTokens + outputTokens,
    };
    return this.#usage;
  }
}

export function spentBudget(what: string): RunnerError {
  return new RunnerError("budget_spent", `The budget of this session is spent: ${what}.`);
}
