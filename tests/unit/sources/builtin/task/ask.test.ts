import { describe, expect, it } from "vitest";
import { createAsk } from "../../../../../src/sources/builtin/task/ask.ts";
import type { Questioner, QuestionRequest } from "../../../../../src/sources/builtin/task/ports.ts";
import { createGatedTool } from "../../../../tools.ts";
import { describeInput } from "../describe-input.ts";
import { taskGate } from "./task-gate.ts";

function person(...chosen: number[]): Questioner & { readonly asked: QuestionRequest[] } {
  const asked: QuestionRequest[] = [];
  return {
    asked,
    ask: async (request) => {
      asked.push(request);
      return { answers: request.questions.map(() => ({ chosen, text: "and more" })) };
    },
  };
}

describeInput("task.ask", () => createAsk({ questioner: person(0) }), {
  good: { questions: [{ question: "Which?" }] },
  bad: [
    {},
    { questions: [] },
    { question: "" },
    { question: "x", options: [7] },
    { question: "a", questions: [] },
  ],
});

describe("task.ask", () => {
  it("hands the person's choice and words to the model", async () => {
    const questioner = person(1);
    const { say, data } = await taskGate({ questioner });
    const input = { questions: [{ question: "Which?", options: [{ label: "red" }, { label: "blue" }] }] };
    expect(await say("task.ask", input)).toBe("blue; and more");
    expect(await data("task.ask", input)).toEqual({
      answers: [{ question: "Which?", chosen: ["blue"], text: "and more" }],
    });
    expect(questioner.asked[0]).toMatchObject({ sessionId: "s1", caller: "local" });
  });

  it("says that nobody is there", async () => {
    const { say } = await taskGate();
    expect(await say("task.ask", { question: "Which?" })).toMatch(/^nobody_to_ask .*what you assumed/);
  });

  it("says why there is no answer", async () => {
    const silent = await taskGate({ questioner: { ask: async () => ({ declined: "not now" }) } });
    expect(await silent.say("task.ask", { question: "Which?" })).toBe("declined No answer: not now");
    const half = await taskGate({ questioner: { ask: async () => ({ answers: [] }) } });
    expect(await half.say("task.ask", { question: "Which?" })).toMatch(/^declined Not every question/);
  });

  it("shows the person nothing hidden, and knows the choice by its place", async () => {
    const questioner = person(0);
    const { say } = await taskGate({ questioner });
    const said = await say("task.ask", { question: "Sure\u202e?", options: ["y\u200bes"] });
    expect(questioner.asked[0]?.questions[0]).toMatchObject({
      question: "Sure\\u{202E}?",
      options: [{ label: "y\\u{200B}es" }],
    });
    expect(said).toBe("y\u200bes; and more");
  });

  it("drops a choice that was not offered", async () => {
    const { data } = await taskGate({ questioner: person(5) });
    expect(await data("task.ask", { question: "Which?", options: ["a"] })).toMatchObject({
      answers: [{ chosen: [] }],
    });
  });

  it("keeps nobody from writing while it waits", async () => {
    const { promise, resolve } = Promise.withResolvers<{ declined: string }>();
    const { tool, started } = createGatedTool("x.write", "write");
    const { say, gate } = await taskGate(
      { questioner: { ask: () => promise } },
      { policies: [{ name: "all", tools: "*", action: "approve" }] },
    );
    gate.tools.register(tool);
    const waiting = say("task.ask", { question: "Which?" });
    const writing = gate.dispatch({ tool: "x.write" });
    await expect.poll(() => started.length).toBe(1);
    started[0]?.();
    expect((await writing).ok).toBe(true);
    resolve({ declined: "late" });
    expect(await waiting).toContain("late");
  });

  it("tells the questioner when the caller leaves", async () => {
    const leave = new AbortController();
    let told = false;
    const questioner: Questioner = {
      ask: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            told = true;
            reject(signal.reason);
          });
          leave.abort();
        }),
    };
    const { say } = await taskGate({ questioner });
    expect(await say("task.ask", { question: "Which?" }, { signal: leave.signal })).toMatch(/^cancelled /);
    expect(told).toBe(true);
  });

  const options = [{ label: "a", description: "first" }, { label: "b" }];
  it.each([
    ["ask_followup_question", { question: "Q?", options: ["a", "b"] }],
    ["ask_followup_question", { question: "Q?", options: '["a", "b"]', task_progress: "- [ ] x" }],
    ["ask_followup_question", { question: "Q?", follow_up: [{ text: "a", mode: "code" }, { text: "b" }] }],
    ["ask_question", { question: "Q?", options: ["a", "b"] }],
    ["AskUserQuestion", { questions: [{ question: "Q?", header: "H", options, multiSelect: false }] }],
    ["question", { questions: [{ question: "Q?", header: "H", options, multiple: false }] }],
    [
      "ask_user",
      { questions: [{ question: "Q?", header: "H", type: "choice", options, multiSelect: false }] },
    ],
    ["request_user_input", { questions: [{ id: "q", header: "H", question: "Q?", options }] }],
  ])("takes a question as %s writes it", async (name, input) => {
    const questioner = person(1);
    const { say } = await taskGate({ questioner });
    expect(await say(name, input)).toBe("b; and more");
    expect(questioner.asked[0]?.questions[0]?.options.map(({ label }) => label)).toEqual(["a", "b"]);
  });
});
