/** What a test wants of a call: its text or its data where it must succeed, code and message where it must fail. */
import { textOf } from "../../../../src/core/call/content.ts";
import type { Gate, Outcome } from "../../../../src/index.ts";

type Call = [tool: string, input?: unknown, context?: object];

/** `always` is part of every call: a session, a working folder. */
export function callsOf(gate: Gate, always: object = {}) {
  const call = (...[tool, input = {}, context = {}]: Call): Promise<Outcome> =>
    gate.dispatch({ tool, input, ...always, ...context });
  const success = async (...given: Call) => {
    const outcome = await call(...given);
    if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
    return outcome;
  };
  const failure = async (...given: Call) => {
    const outcome = await call(...given);
    if (outcome.ok) throw new Error(`It should have failed: ${textOf(outcome.result)}`);
    const { message, hint } = outcome.error;
    // A tool that fails has a code of its own.
    const { code = outcome.error.code } = (outcome.result.structured ?? {}) as { code?: string };
    return { code, message, hint };
  };
  return {
    call,
    failure,
    code: async (...given: Call) => (await failure(...given)).code,
    text: async (...given: Call) => textOf((await success(...given)).result),
    data: async (...given: Call) => (await success(...given)).value as Record<string, unknown>,
    /** `code message` of a failure, or the text of a success. */
    say: async (...given: Call) => {
      const outcome = await call(...given);
      if (outcome.ok) return textOf(outcome.result);
      const { code = outcome.error.code } = (outcome.result.structured ?? {}) as { code?: string };
      return `${code} ${outcome.error.message}`;
    },
  };
}
