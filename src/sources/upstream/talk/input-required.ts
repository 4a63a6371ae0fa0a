/** The modern way of asking: a server answers with questions, and gets the request again with the answers. */

import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import { signalOf } from "../../../core/run/abort.ts";
import { answerQuestion } from "./answer-server.ts";
import { type CallOptions, UpstreamError } from "./connection.ts";

const maxRounds = 10;
const maxQuestions = 20;
/** A server that only says "again" must not be asked without a pause. */
const pauseMs = 250;

export function needsInput(result: JsonObject): boolean {
  return result.resultType === "input_required";
}

export interface NeededInput {
  /** Of the server. */
  readonly name: string;
  /** Of the request that it answered with questions. */
  readonly params: JsonObject;
  readonly options: CallOptions;
  readonly ask: (params: JsonObject) => Promise<JsonObject>;
}

export async function giveInput(first: JsonObject, needed: NeededInput): Promise<JsonObject> {
  const { name, params, ask } = needed;
  let result = first;
  for (let round = 0; round < maxRounds; round++) {
    const { inputRequests, requestState } = result;
    const questions = isJsonObject(inputRequests) ? Object.entries(inputRequests) : [];
    if (questions.length > maxQuestions) throw wrong(name, `asks more than ${maxQuestions} things at once`);
    const answers: [string, JsonObject][] = [];
    // One after the other: a person cannot answer two at once.
    for (const [key, question] of questions) answers.push([key, await answer(key, question, needed)]);
    if (questions.length === 0) {
      if (typeof requestState !== "string") throw wrong(name, "wants input, but does not say which");
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    result = await ask({
      ...params,
      ...(answers.length > 0 && { inputResponses: Object.fromEntries(answers) }),
      ...(typeof requestState === "string" && { requestState }),
    });
    if (!needsInput(result)) return result;
  }
  throw wrong(name, `still wants input after ${maxRounds} rounds`);
}

async function answer(key: string, question: Json, { name, options }: NeededInput): Promise<JsonObject> {
  if (!isJsonObject(question) || question.method !== "elicitation/create" || !isJsonObject(question.params))
    throw wrong(
      name,
      `wants what toolgate does not give (${isJsonObject(question) ? String(question.method) : "?"})`,
    );
  const { params } = question;
  const signal = signalOf(options.signal);
  const given = await answerQuestion({ params, name, elicit: options.elicit, signal, key });
  if (given === undefined) throw wrong(name, "asks a question that cannot be shown");
  return given;
}

function wrong(name: string, what: string): UpstreamError {
  return new UpstreamError("bad_answer", `The upstream server "${name}" ${what}.`);
}
