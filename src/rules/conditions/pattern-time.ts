/** How long the patterns of one call have taken. Each is quick, but a file may hold hundreds. */
import { cpuMsSince, cpuUsed } from "../../core/run/cpu-time.ts";
import { monotonicMs } from "../../core/run/monotonic.ts";

const maxMs = 20;

/**
 * The clock is cheap to ask, but on a busy machine it goes on while we wait for a processor. So it only says
 * from when on processor time is counted, and that decides: nothing is denied because others work.
 */
export class PatternTime {
  #wallMs = 0;
  #cpuMs = 0;

  get isUp(): boolean {
    return this.#cpuMs > maxMs;
  }

  measure<Answer>(run: () => Answer): Answer {
    if (this.#wallMs > maxMs) return this.#measureCpu(run);
    const began = monotonicMs();
    const answer = run();
    this.#wallMs += monotonicMs() - began;
    return answer;
  }

  #measureCpu<Answer>(run: () => Answer): Answer {
    const before = cpuUsed();
    const answer = run();
    this.#cpuMs += cpuMsSince(before);
    return answer;
  }
}
