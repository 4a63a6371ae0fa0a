/** How long the patterns of one call have taken: each is quick by itself, and a file may hold hundreds of them. */

const maxMs = 20;

export class PatternTime {
  #ms = 0;
  #cpu: NodeJS.CpuUsage | undefined;

  /** Time that passes on a busy machine while we hardly run says nothing about the patterns. */
  get isUp(): boolean {
    if (this.#ms <= maxMs) return false;
    const { user, system } = process.cpuUsage(this.#cpu);
    return user + system > maxMs * 1_000;
  }

  measure<Answer>(run: () => Answer): Answer {
    this.#cpu ??= process.cpuUsage();
    const began = performance.now();
    const answer = run();
    this.#ms += performance.now() - began;
    return answer;
  }
}
