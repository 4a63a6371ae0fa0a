import { describe, expect, it } from "vitest";
import type { ElicitAnswer, ElicitRequest } from "../../../../../src/core/call/elicit.ts";
import { createAsk } from "../../../../../src/sources/builtin/task/ask.ts";
import { createTestGate } from "../../../../../src/testing/test-gate.ts";

const questions = [
  {
    question: "Which colour?",
    header: "Colour",
    options: [{ label: "red" }, { label: "green", description: "calm" }],
  },
  { question: "Which toppings?", options: [{ label: "a" }, { label: "b" }], multiple: true },
  { question: "Why?" },
];

async function ask(answer: ElicitAnswer) {
  const asked: ElicitRequest[] = [];
  const { gate } = await createTestGate({ tools: [createAsk({})], enable: { enableAll: true } });
  const outcome = await gate.dispatch({
    tool: "task.ask",
    input: { questions },
    elicit: async (request) => {
      asked.push(request);
      return answer;
    },
  });
  await gate.close();
  const [first] = outcome.result.content;
  return { asked, outcome, text: first?.type === "text" ? first.text : "" };
}

describe("task.ask without anybody of its own", () => {
  it("asks the person at the client, in one form", async () => {
    const { asked, outcome, text } = await ask({
      action: "accept",
      content: { answer_1: "green", answer_2: "a, b", answer_3: "because" },
    });
    expect(outcome.ok).toBe(true);
    for (const said of ["green", "a", "b", "because"]) expect(text).toContain(said);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.params).toMatchObject({
      requestedSchema: {
        type: "object",
        properties: {
          answer_1: { title: "Colour", enum: ["red", "green"] },
          other_1: {},
          answer_2: {},
          answer_3: {},
        },
      },
    });
  });

  it("takes other words than those offered", async () => {
    const { text } = await ask({
      action: "accept",
      content: { other_1: "blue", answer_2: "neither", answer_3: 7 },
    });
    expect(text).toContain("blue");
    expect(text).toContain("neither");
  });

  it("says so when the person does not answer", async () => {
    const { outcome, text } = await ask({ action: "decline" });
    expect(text).toContain("declined");
    expect(outcome.result.isError).toBe(true);
  });
});
