/**
 * Part of our plugin for Cline: answers that take longer than Cline waits. Who asks the same once more gets
 * the answer to the first question, once; so a person's yes is a yes to this very call.
 */

export interface LaterAnswers {
  /** Undefined: it is not there yet. `key`: what the question is about; empty: it is not asked again. */
  soon<Answer>(key: string, ask: () => Promise<Answer>): Promise<Answer | undefined>;
  /** What the model is told; `id`: of the call. */
  waiting(id: string): string;
  /** Once. */
  wasWaiting(id: string): boolean;
}

/** A yes that nobody fetches is none after a while: the rules may have changed. */
const keptMs = 60_000;

export function createLaterAnswers({ patienceMs }: { readonly patienceMs: number }): LaterAnswers {
  const open = new Map<string, Promise<unknown>>();
  const waiting = new Set<string>();
  return {
    async soon<Answer>(key: string, ask: () => Promise<Answer>) {
      const known = open.get(key) as Promise<Answer> | undefined;
      const asked = known ?? ask();
      if (known === undefined && key !== "") {
        open.set(key, asked);
        const forget = () => open.get(key) === asked && open.delete(key);
        void asked.then(() => setTimeout(forget, keptMs).unref());
      }
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), patienceMs);
      });
      const answer = await Promise.race([asked, late]);
      clearTimeout(timer);
      if (answer !== undefined) open.delete(key);
      return answer;
    },
    waiting(id) {
      waiting.add(id);
      return (
        "toolgate has not decided yet whether this call may run; a person may be asked. It has not run. " +
        "Wait for half a minute, for instance with the command `sleep 30`, and make exactly the same call again."
      );
    },
    wasWaiting: (id) => waiting.delete(id),
  };
}
