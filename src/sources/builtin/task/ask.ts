/** task.ask: puts questions to the person and waits for the answers. An answer approves nothing. */
import type { ToolResult } from "../../../core/call/content.ts";
import { answered, failed } from "../../../core/call/tool-answer.ts";
import { visible } from "../../../core/text/visible.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, flag } from "../input-fields.ts";
import { fromOtherQuestions } from "./ask-shapes.ts";
import { createElicitQuestioner } from "./elicit-questioner.ts";
import type { Question, QuestionAnswer, TaskPorts } from "./ports.ts";

const maxAnswerCharacters = 16_000;

type AskedQuestion = Pick<Question, "question" | "header"> & Partial<Question>;

export function createAsk({
  questioner,
  timeoutMs = 10 * 60_000,
}: Pick<TaskPorts, "questioner"> & { readonly timeoutMs?: number }) {
  return defineBuiltin("task.ask", {
    title: "Ask the person",
    description:
      "Asks the person up to four questions and waits for the answers. Offer options where the likely answers are known; the person may always answer in other words. " +
      "Ask only what you cannot find out by yourself. An answer approves no call.",
    input: closed(["questions"], {
      questions: {
        type: "array",
        minItems: 1,
        maxItems: 4,
        items: closed(["question"], {
          question: { type: "string", minLength: 1, maxLength: 4_000 },
          header: { type: "string", maxLength: 100, description: "A few words over it." },
          options: {
            type: "array",
            maxItems: 10,
            items: closed(["label"], {
              label: { type: "string", minLength: 1, maxLength: 500 },
              description: { type: "string", maxLength: 1_000 },
            }),
          },
          multiple: flag("Several options may be chosen. Default false."),
        }),
      },
    }),
    adapt: fromOtherQuestions,
    timeoutMs,
    // A person takes minutes; whoever wants to write meanwhile must not wait for them.
    lock: "none",
    run: ({ questions }, context) =>
      ask(questions, context, questioner ?? (context.elicit && createElicitQuestioner(context.elicit))),
  });
}

async function ask(
  asked: readonly AskedQuestion[],
  { callId, sessionId, caller, signal }: ToolContext,
  questioner: TaskPorts["questioner"],
): Promise<ToolResult> {
  if (questioner === undefined) {
    const message =
      "Nobody can be asked here. Decide by yourself where it is safe, and say in your answer what you assumed.";
    return failed({ code: "nobody_to_ask", message });
  }
  const questions = asked.map(shown);
  const end = await questioner.ask({ questions, callId, sessionId, caller: caller.id }, { signal });
  if ("declined" in end) return failed({ code: "declined", message: `No answer: ${cut(end.declined)}` });
  if (end.answers.length !== asked.length)
    return failed({ code: "declined", message: "Not every question was answered. Ask again if it matters." });
  const answers = asked.map((question, index) => ({
    question: question.question,
    ...answerOf(question, end.answers[index]),
  }));
  const text = answers
    .map(({ question, chosen, text: words }) => {
      const answer = [...chosen, ...(words === undefined ? [] : [words])].join("; ") || "(no answer)";
      return asked.length === 1 ? answer : `${question}\n  ${answer}`;
    })
    .join("\n");
  return answered(text, { answers });
}

/** What a terminal or a page may show: nothing hidden, nothing that moves what is seen. */
function shown({ question, header, options = [], multiple = false }: AskedQuestion): Question {
  return {
    question: visible(question, { keepNewlines: true }),
    ...(header !== undefined && { header: visible(header) }),
    options: options.map(({ label, description }) => ({
      label: visible(label),
      ...(description !== undefined && { description: visible(description) }),
    })),
    multiple,
  };
}

function answerOf({ options = [] }: AskedQuestion, answer: QuestionAnswer | undefined) {
  const chosen = (answer?.chosen ?? []).flatMap((index) => options[index]?.label ?? []);
  return { chosen, ...(answer?.text !== undefined && answer.text !== "" && { text: cut(answer.text) }) };
}

function cut(text: string): string {
  return text.length > maxAnswerCharacters ? `${text.slice(0, maxAnswerCharacters)}…` : text;
}
