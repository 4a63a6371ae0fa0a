/** What an identity provider publishes (keys, addresses), asked for when it is needed and kept for a while. */

export interface KeptAnswer<Answer> {
  current(): Promise<Answer>;
  /** Asks again. Undefined: it was asked only just now. */
  newer(): Promise<Answer | undefined>;
}

export interface KeptAnswerOptions<Answer> {
  readonly ask: () => Promise<Answer>;
  readonly keepMs: number;
  /** So long nobody is asked again, also after a failure: strangers must not make us ask without end. */
  readonly askAgainMs: number;
  /** When an answer ends although nobody can be asked. */
  readonly endMs: number;
  /** Asked a moment ago, in vain. */
  readonly notYet: () => Error;
  readonly now: () => number;
}

export function createKeptAnswer<Answer>(options: KeptAnswerOptions<Answer>): KeptAnswer<Answer> {
  const { keepMs, askAgainMs, endMs, notYet, now } = options;
  let kept: { readonly answer: Answer; readonly at: number } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<Answer> | undefined;
  /** A clock that was set back would keep an answer until it is as late again. */
  const since = (moment: number) => (now() < moment ? Number.POSITIVE_INFINITY : now() - moment);
  const ask = () => {
    if (asking === undefined) askedAt = now();
    asking ??= options
      .ask()
      .then((answer) => {
        kept = { answer, at: now() };
        return answer;
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };
  return {
    async current() {
      if (kept !== undefined && since(kept.at) < keepMs) return kept.answer;
      const old = kept !== undefined && since(kept.at) < endMs ? kept.answer : undefined;
      if (asking === undefined && since(askedAt) < askAgainMs) {
        if (old !== undefined) return old;
        throw notYet();
      }
      return old === undefined ? ask() : ask().catch(() => old);
    },
    async newer() {
      return since(askedAt) < askAgainMs ? asking : ask();
    },
  };
}
