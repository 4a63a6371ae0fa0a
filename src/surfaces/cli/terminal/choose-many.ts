/** A choice of several things by the person at the terminal. */
import { type CliIo, Interrupted } from "./io.ts";

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** Undefined: nobody is there to ask. `first`: what is chosen before the person has said anything. */
export async function chooseMany(
  question: string,
  choices: readonly Choice[],
  first: readonly string[],
  io: CliIo,
): Promise<readonly string[] | undefined> {
  if (!io.isTerminal || io.stdinIsTerminal !== true) return undefined;
  const prompts = await import("@clack/prompts");
  const answer = await prompts.multiselect({
    message: question,
    options: choices.map((choice) => ({ ...choice })),
    initialValues: [...first],
    required: false,
    signal: io.signal,
  });
  if (typeof answer === "symbol") throw new Interrupted("Interrupted.");
  return answer;
}
