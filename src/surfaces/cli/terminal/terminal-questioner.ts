/** Puts the questions of task.ask to the person at the terminal. */
import type { Question, QuestionAnswer, Questioner } from "../../../sources/builtin/task/ports.ts";
import type { CliIo } from "./io.ts";

/** The part of @clack/prompts that is used; tests bring their own person. */
export type Prompts = Pick<typeof import("@clack/prompts"), "note" | "select" | "multiselect" | "text">;

/** Undefined: nobody is there to ask. */
export function createTerminalQuestioner(
  io: Pick<CliIo, "isTerminal" | "stdinIsTerminal">,
  load: () => Promise<Prompts> = () => import("@clack/prompts"),
): Questioner | undefined {
  if (!io.isTerminal || io.stdinIsTerminal !== true) return undefined;
  return {
    ask: async ({ questions }, { signal }) => {
      const prompts = await load();
      const answers: QuestionAnswer[] = [];
      for (const question of questions) {
        const answer = await ask(question, prompts, signal);
        // Escape and Ctrl-C: nobody is made to answer.
        if (answer === undefined) return { declined: "the person did not want to answer." };
        answers.push(answer);
      }
      return { answers };
    },
  };
}

const otherWords = -1;

async function ask(
  { question, header, options, multiple }: Question,
  prompts: Prompts,
  signal: AbortSignal,
): Promise<QuestionAnswer | undefined> {
  const message = header === undefined ? question : `${header}: ${question}`;
  if (options.length === 0) return inWords(message, prompts, signal);
  const choices = [
    ...options.map(({ label, description }, value) => ({
      value,
      label,
      ...(description !== undefined && { hint: description }),
    })),
    { value: otherWords, label: "Something else" },
  ];
  const answer = multiple
    ? await prompts.multiselect({ message, options: choices, required: true, signal })
    : await prompts.select({ message, options: choices, signal });
  if (typeof answer === "symbol") return undefined;
  const chosen = [answer].flat();
  if (!chosen.includes(otherWords)) return { chosen };
  const words = await inWords("In your words", prompts, signal);
  return words && { ...words, chosen: chosen.filter((index) => index !== otherWords) };
}

async function inWords(
  message: string,
  prompts: Prompts,
  signal: AbortSignal,
): Promise<QuestionAnswer | undefined> {
  const text = await prompts.text({ message, signal });
  return typeof text === "symbol" ? undefined : { chosen: [], text };
}
