/** A model in a loop: asks it, runs the tools that it calls, and tells it the results, until it is done. */
import type { JsonObject } from "../../../core/input/json.ts";
import type { SessionUsage } from "../../../core/ports/sessions.ts";
import { cutText } from "../../../core/text/cut-text.ts";
import { exactDuration } from "../../../core/text/duration.ts";
import { estimateTokens } from "../../../core/text/estimate-tokens.ts";
import { type Agent, RunnerError, type RunnerSession, type Turn, type TurnEnd } from "../../runner.ts";
import type { Answer, OpenCall } from "./answer.ts";
import { CallIds } from "./call-ids.ts";
import type { ChatContext } from "./chat-context.ts";
import type { AnswerBlock, CallResult, ModelCall } from "./messages.ts";
import type { ModelApi } from "./model-api.ts";
import type { ModelClient } from "./model-client.ts";
import { ModelFailure } from "./model-failure.ts";
import { PartialInputs } from "./partial-inputs.ts";

export interface ChatAgentParts {
  readonly session: RunnerSession;
  readonly api: ModelApi;
  readonly client: ModelClient;
  readonly context: ChatContext;
  /** Ids that are taken. */
  readonly usedIds: readonly string[];
  readonly newId: () => string;
  readonly model: string;
  readonly system: string;
  readonly maxTokens: number | undefined;
  readonly contextTokens: number;
  /** Of all sessions with this endpoint. */
  readonly learned: Set<string>;
  readonly parameters: JsonObject;
}

/** A message with more calls is no message of a model that works. */
const mostCalls = 256;
/** Shorter waits are not worth a word. */
const toldWaitMs = 5_000;
/** How an endpoint says that it does not take what it was sent. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 415, 422]);

export class ChatAgent implements Agent {
  readonly #parts: ChatAgentParts;
  readonly #ids: CallIds;
  readonly #stopListening: () => void;
  #offered: Offer | undefined;

  constructor(parts: ChatAgentParts) {
    this.#parts = parts;
    this.#ids = new CallIds(parts.newId);
    for (const id of parts.usedIds) this.#ids.use(id);
    this.#stopListening = parts.session.calls.onToolsChange(() => {
      this.#offered = undefined;
    });
  }

  async turn(turn: Turn): Promise<TurnEnd> {
    const { context } = this.#parts;
    // Rules may have changed since the last turn, too.
    this.#offered = undefined;
    context.add({ role: "user", text: turn.prompt });
    for (;;) {
      await this.#takeSteering(turn);
      turn.signal.throwIfAborted();
      turn.log.beginStep();
      await this.#trim(turn);
      const itemId = turn.log.newItem();
      const answer = await this.#ask(turn, itemId);
      const { calls, told } = this.#keep(turn, itemId, answer);
      if (calls.length === 0) {
        await told;
        // Said while the model wrote its last words: it is answered in this turn.
        if (await this.#takeSteering(turn)) continue;
        return { stopReason: answer.stopReason ?? "end_turn" };
      }
      await this.#run(turn, itemId, { calls, told });
      turn.signal.throwIfAborted();
    }
  }

  async close(): Promise<void> {
    this.#stopListening();
  }

  async #takeSteering(turn: Turn): Promise<boolean> {
    let took = false;
    for (let text = await turn.takeSteering(); text !== undefined; text = await turn.takeSteering()) {
      this.#parts.context.add({ role: "user", text });
      took = true;
    }
    return took;
  }

  async #trim({ log }: Turn): Promise<void> {
    const { context, contextTokens } = this.#parts;
    const leftOut = context.trim(Math.max(1_000, contextTokens - this.#offer().tokens));
    if (leftOut !== undefined) await log.note(leftOut);
  }

  /** Asked again without what the endpoint does not take: a field of ours, or pictures. */
  async #ask(turn: Turn, itemId: string): Promise<Answer> {
    const { api, context, learned } = this.#parts;
    try {
      return await this.#askOnce(turn, itemId);
    } catch (error) {
      if (!(error instanceof ModelFailure) || !refusals.has(error.status)) throw error;
      const field = api.learn(error.message);
      if (field !== undefined && !learned.has(field)) learned.add(field);
      else if (context.hasImages) {
        context.dropImages();
        await turn.log.note("The model may not take images: it is told that there are some.");
      } else throw error;
    }
    return this.#ask(turn, itemId);
  }

  async #askOnce({ log, signal }: Turn, itemId: string): Promise<Answer> {
    const { api, client, context, session, model, system, maxTokens, learned, parameters } = this.#parts;
    const partials = new PartialInputs(session.calls, (call) => this.#ids.of(call));
    const answer = await client.ask({
      body: api.body({
        ...{ model, system, maxTokens, learned, parameters },
        messages: context.written,
        tools: this.#offer().json,
      }),
      signal,
      onProgress: (soFar) => {
        const { text, calls } = soFar.takeNews();
        if (text !== "") log.delta(itemId, text);
        if (calls.length > 0) partials.take(calls);
      },
      onRetry: (waitMs, { message }) => {
        if (waitMs >= toldWaitMs)
          log
            .note(`${message} The next try is in ${exactDuration(Math.round(waitMs / 1_000) * 1_000)}.`)
            .catch(() => {});
      },
    });
    partials.end(answer.openCalls());
    return answer;
  }

  #offer(): Offer {
    if (this.#offered !== undefined) return this.#offered;
    const { session, api, system } = this.#parts;
    const definitions = session.calls.definitions(api.name);
    const json = definitions.length === 0 ? undefined : JSON.stringify(definitions);
    this.#offered = { json, tokens: estimateTokens(system) + estimateTokens(json ?? "") };
    return this.#offered;
  }

  /** Everything of this answer is written to the log at once, together with the calls that follow. */
  #keep(turn: Turn, itemId: string, answer: Answer): Kept {
    const { context } = this.#parts;
    const { log } = turn;
    const open = answer.openCalls();
    const told = Promise.all([
      answer.text === "" ? undefined : log.message(itemId, answer.text),
      log.usage(this.#usageOf(answer, open)),
    ]);
    // Whoever waits for it hears of its failure.
    told.catch(() => {});
    this.#refuseBroken(answer, open);
    const blocks = answer.blocks((call) => this.#ids.of(call));
    if (blocks.length > 0) context.add({ role: "assistant", blocks });
    return { calls: blocks.flatMap(callOf), told };
  }

  /** What is no whole call is not run, and neither are those before it: nobody knows what was to follow. */
  #refuseBroken({ stopReason = "" }: Answer, calls: readonly OpenCall[]): void {
    const { api, maxTokens, client } = this.#parts;
    const last = calls.at(-1);
    if (last !== undefined && api.isCutShort(stopReason)) {
      const limit = maxTokens === undefined ? "its limit of tokens" : `the limit of ${maxTokens} tokens`;
      throw new RunnerError(
        "model_failed",
        `The model ran into ${limit} inside a call of ${cutText(last.name, 80)} (${stopReason}): nothing was run. Raise maxTokens, or ask for less at a time.`,
      );
    }
    if (calls.length > mostCalls)
      throw new RunnerError(
        "model_failed",
        `The model at ${client.host} made ${calls.length} calls in one message; at most ${mostCalls} are run.`,
      );
  }

  /** An endpoint that does not count is counted for: budgets hold there, too. */
  #usageOf({ usage, text }: Answer, calls: readonly OpenCall[]): SessionUsage {
    const { context } = this.#parts;
    const written = () => calls.reduce((sum, { json }) => sum + estimateTokens(json), estimateTokens(text));
    return {
      inputTokens: usage.inputTokens ?? context.tokens + this.#offer().tokens,
      outputTokens: usage.outputTokens ?? written(),
    };
  }

  /** All at once: the gate's locks let readers run together and writers one after the other, in this order. */
  async #run(turn: Turn, messageId: string, { calls, told }: Kept): Promise<void> {
    const runs = calls.map((call) => this.#runOne(turn, messageId, call));
    const results = await Promise.allSettled(runs);
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    await told;
    this.#parts.context.add({
      role: "results",
      results: results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])),
    });
  }

  async #runOne({ signal }: Turn, messageId: string, call: ModelCall): Promise<CallResult> {
    const { id, name, input, problem } = call;
    const { content, isError } = await this.#parts.session.calls.run({
      tool: name,
      input,
      toolUseId: id,
      messageId,
      problem,
      signal,
    });
    return { id, content, isError };
  }
}

/** What the model is told besides the conversation. */
interface Offer {
  /** The definitions of the tools. */
  readonly json: string | undefined;
  readonly tokens: number;
}

interface Kept {
  readonly calls: readonly ModelCall[];
  /** The answer stands in the log. */
  readonly told: Promise<unknown>;
}

function callOf(block: AnswerBlock): readonly ModelCall[] {
  return block.type === "call" ? [block.call] : [];
}
