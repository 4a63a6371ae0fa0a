/** The ways in which agents write a question: alone, in a list, options as texts or as suggestions. */
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import { parseJson } from "../../../safe/schema/json-guard.ts";

export function fromOtherQuestions(input: JsonObject): JsonObject | string {
  const { task_progress: _progress, questions, ...one } = input;
  if (questions === undefined) return { questions: [toQuestion(one)] };
  if (Object.keys(one).length > 0 && "question" in one)
    return 'expected either "questions" or one "question", not both';
  return { ...one, questions: Array.isArray(questions) ? questions.map(toQuestion) : questions };
}

function toQuestion(question: Json): Json {
  if (typeof question === "string") return { question };
  if (!isJsonObject(question)) return question;
  // Other words are always taken as an answer.
  const { custom: _custom, isOther: _isOther, isSecret: _secret, ...asked } = question;
  const { id: _id, type: _type, placeholder: _hint, multiSelect, follow_up, ...rest } = asked;
  const given = rest.options ?? follow_up;
  const multiple = rest.multiple ?? multiSelect;
  const options = typeof given === "string" ? fromText(given) : given;
  return {
    ...rest,
    ...(options !== undefined && options !== null && { options: toOptions(options) }),
    ...(multiple !== undefined && { multiple }),
  };
}

function toOptions(options: Json): Json {
  if (!Array.isArray(options)) return options;
  return options.map((option) => {
    if (typeof option === "string") return { label: option };
    if (!isJsonObject(option)) return option;
    const { mode: _mode, text, ...rest } = option;
    return text === undefined || rest.label !== undefined ? option : { ...rest, label: text };
  });
}

/** A list that was written as text. */
function fromText(text: string): Json {
  if (text.trim() === "") return [];
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}
