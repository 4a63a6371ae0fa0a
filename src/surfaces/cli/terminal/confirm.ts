/** A yes-or-no question to the person at the terminal. */
import { type CliIo, Interrupted } from "./io.ts";

/** Undefined: nobody is there to ask. */
export async function confirm(question: string, io: CliIo): Promise<boolean | undefined> {
  if (!io.isTerminal || io.stdinIsTerminal !== true) return undefined;
  const prompts = await import("@clack/prompts");
  const answer = await prompts.confirm({ message: question, initialValue: false, signal: io.signal });
  // The person wants to be out, not to say no to this and meet the next question.
  if (typeof answer === "symbol") throw new Interrupted("Interrupted.");
  return answer;
}
