/** Puts the questions of task.ask to the person at the client that made the call, as one form. */
import type { Elicit } from "../../../core/call/elicit.ts";
import type { Json, JsonObject } from "../../../core/input/json.ts";
import type { Question, QuestionAnswer, Questioner } from "./ports.ts";

export function createElicitQuestioner(elicit: Elicit): Questioner {
  return {
    async ask({ questions }, { signal }) {
      const { action, content = {} } = await elicit(
        { from: "The agent", params: formOf(questions) },
        { signal },
      );
      if (action !== "accept")
        return { declined: action === "decline" ? "the person declined" : "the question was closed" };
      return { answers: questions.map((question, index) => answerOf(question, index, content)) };
    },
  };
}

const fieldOf = (index: number) => `answer_${index + 1}`;
const otherOf = (index: number) => `other_${index + 1}`;

function formOf(questions: readonly Question[]): JsonObject {
  const properties: Record<string, Json> = {};
  for (const [index, question] of questions.entries()) {
    const title = question.header ?? `Question ${index + 1}`;
    const isChoice = question.options.length > 0 && !question.multiple;
    properties[fieldOf(index)] = {
      type: "string",
      title,
      description: describe(question),
      ...(isChoice && { enum: question.options.map(({ label }) => label) }),
    };
    if (isChoice) properties[otherOf(index)] = { type: "string", title: `${title}: in other words` };
  }
  const message = questions.map(({ question }) => question).join("\n");
  return { message, requestedSchema: { type: "object", properties } };
}

function describe({ question, options, multiple }: Question): string {
  const offered = options.map(({ label, description }) =>
    description ? `${label} (${description})` : label,
  );
  if (offered.length === 0) return question;
  return `${question}\n${multiple ? "One or more of, with commas: " : ""}${offered.join("; ")}`;
}

function answerOf({ options, multiple }: Question, index: number, content: JsonObject): QuestionAnswer {
  const said = textOf(content[fieldOf(index)]);
  const other = textOf(content[otherOf(index)]);
  const parts = multiple ? said.split(",").map((part) => part.trim()) : [said];
  const chosen = parts.map((part) => options.findIndex(({ label }) => label === part));
  const isKnown = said !== "" && chosen.every((found) => found !== -1);
  const text = [isKnown ? "" : said, other].filter((part) => part !== "").join("; ");
  return { chosen: isKnown ? chosen : [], ...(text !== "" && { text }) };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}
