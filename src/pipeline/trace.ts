/** What the stages found, for whoever wants a call explained. */
import type { Stop } from "../core/call/errors.ts";
import type { Finding } from "../core/call/outcome.ts";

export class Trace {
  readonly #findings: Finding[] = [];
  /** The end of the walk, if its stage has told it here. */
  #told: Stop | undefined;

  push(finding: Finding): void {
    this.#findings.push(finding);
  }

  /** The finding says all that the Stop says. */
  stop(stop: Stop, finding: string): void {
    const { stage, rule } = stop;
    this.push({ stage, finding, ...(rule && { rule }) });
    this.#told = stop;
  }

  /** All findings; the end of the walk is the last of them, told once. */
  endedBy(stop: Stop): readonly Finding[] {
    const { stage, message } = stop;
    return this.#told === stop ? this.#findings : [...this.#findings, { stage, finding: message }];
  }

  get findings(): readonly Finding[] {
    return this.#findings;
  }
}

/** For a stage that ends a walk in words of its own; by default in those of the Stop. */
export function stopTraced(call: { readonly trace: Trace | undefined }, stop: Stop, finding?: string): Stop {
  call.trace?.stop(stop, finding ?? stop.message);
  return stop;
}
