import { describe, expect, it } from "vitest";
import type { Question } from "../../../../../src/sources/builtin/task/ports.ts";
import {
  createTerminalQuestioner,
  type Prompts,
} from "../../../../../src/surfaces/cli/terminal/terminal-questioner.ts";

const terminal = { isTerminal: true, stdinIsTerminal: true };
const cancelled = Symbol("cancelled");
const options = [{ label: "this", description: "The first." }, { label: "that" }];

/** A person who gives these answers, one after the other; what they were shown is kept. */
function person(...answers: unknown[]) {
  const shown: { message: string; labels?: unknown[] }[] = [];
  const prompt = async ({ message, options: given }: { message: string; options?: { label?: string }[] }) => {
    shown.push({ message, ...(given && { labels: given.map(({ label }) => label) }) });
    return answers.shift();
  };
  const prompts = { select: prompt, multiselect: prompt, text: prompt } as unknown as Prompts;
  const ask = (...questions: Question[]) =>
    createTerminalQuestioner(terminal, async () => prompts)?.ask(
      { questions, callId: "c", sessionId: undefined, caller: "local" },
      { signal: new AbortController().signal },
    );
  return { ask, shown };
}

const one: Question = { question: "Which?", header: "Way", options, multiple: false };

describe("the questioner at a terminal", () => {
  it.each([
    { isTerminal: false, stdinIsTerminal: true },
    { isTerminal: true, stdinIsTerminal: false },
    { isTerminal: true },
  ])("is not there for %j", (io) => {
    expect(createTerminalQuestioner(io)).toBeUndefined();
  });

  it("shows the options and a way out of them, and answers by number", async () => {
    const { ask, shown } = person(1);
    expect(await ask(one)).toEqual({ answers: [{ chosen: [1] }] });
    expect(shown).toEqual([{ message: "Way: Which?", labels: ["this", "that", "Something else"] }]);
  });

  it("takes several options, and words besides them", async () => {
    const { ask } = person([0, -1], "and tea");
    expect(await ask({ ...one, multiple: true })).toEqual({ answers: [{ chosen: [0], text: "and tea" }] });
  });

  it("asks for words where there are no options, each question in its turn", async () => {
    const { ask, shown } = person("blue", 0);
    const free: Question = { question: "Colour?", options: [], multiple: false };
    expect(await ask(free, one)).toEqual({ answers: [{ chosen: [], text: "blue" }, { chosen: [0] }] });
    expect(shown.map(({ message }) => message)).toEqual(["Colour?", "Way: Which?"]);
  });

  it.each([[[cancelled]], [[-1, cancelled]]])("takes leaving for no answer: %j", async (answers) => {
    const { ask } = person(...answers);
    expect(await ask(one, one)).toEqual({ declined: "the person did not want to answer." });
  });
});
