/** How long the patterns of one call have taken. Each is quick, but a file may hold hundreds. */

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
    // Loading `performance` would cost the hook more than the patterns do.
    const began = process.hrtime();
    const answer = run();
    const [seconds, nanoseconds] = process.hrtime(began);
    this.#ms += seconds * 1_000 + nanoseconds / 1_000_000;
    return answer;
  }
}
