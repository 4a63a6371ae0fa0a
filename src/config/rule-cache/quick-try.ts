/** One try of plain JavaScript patterns with a deadline, as cheap as a short process needs it. */
import { Script } from "node:vm";
import { needDescriptors } from "../../safe/process/descriptors.ts";

/**
 * Undefined: no answer in time. Like `safe/process/time-budget.ts`, but without a context of its own, which
 * would cost more than the try. It works only in the process's first context; elsewhere there is no answer,
 * and the caller asks the engines. Throws when no file descriptor is left for the deadline.
 */
export function quickTry<T>(timeoutMs: number, work: () => T): { readonly value: T } | undefined {
  needDescriptors();
  let done: { readonly value: T } | undefined;
  const globals = globalThis as { [place]?: (() => void) | undefined };
  globals[place] = () => {
    done = { value: work() };
  };
  try {
    new Script(source, { filename: "toolgate-quick-try" }).runInThisContext({ timeout: timeoutMs });
  } catch {
    // Out of time, or too much for the engine: not decided.
    return undefined;
  } finally {
    globals[place] = undefined;
  }
  return done;
}

const place = Symbol.for("toolgate.quick-try");
/** A constant: the work is passed as a value, no text from outside is ever code here. */
const source = `globalThis[Symbol.for("toolgate.quick-try")]?.()`;
