/** Who is asked when a rule asks, and how a tool's own questions reach the person at the client. */

import type { AnsweredVia, ApprovalAnswer, ApprovalRequest, Approver } from "../../../core/call/approval.ts";
import type { Progress } from "../../../core/call/call.ts";
import type { Elicit, ElicitAnswer } from "../../../core/call/elicit.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import type { Clock } from "../../../core/ports/ports.ts";
import { onAbort } from "../../../core/run/abort.ts";
import { visible } from "../../../core/text/visible.ts";
import { clientName, type Exchange } from "../exchange.ts";
import { approvalQuestion, readDecision } from "./approval-question.ts";
import { type Asking, canShow, kindOf, ProgressTeller, progressTokenOf } from "./asking.ts";
import { hidesInSchema, shownQuestion } from "./shown-question.ts";

export interface AskOptions {
  readonly clock: Clock;
  readonly approveByElicitation: boolean;
  readonly attended: boolean;
}

/** Puts one question, as `elicitation/create` has it, to the client; `key` is what the asking side would call it. */
export type AskClient = (params: JsonObject, signal: AbortSignal, key?: string) => Promise<ElicitAnswer>;

/** So often a client that waits for a person hears that the call is alive. */
const heartbeatMs = 10_000;

/** No person reads and closes a question in less. Claude Code says that it can show them also where nobody sits (`claude -p`), and closes them at once. */
const soonestMs = 1_000;

export function createAsking(
  exchange: Exchange,
  ask: AskClient,
  options: AskOptions,
  onProgress: Asking["onProgress"] = progressTo(exchange),
): Asking {
  const { request, client } = exchange;
  const isAskable = client.capabilities.elicitation !== undefined;
  return {
    signal: request.cancellation,
    onProgress,
    approver:
      isAskable || options.attended
        ? createApprover(exchange, isAskable, onProgress, ask, options)
        : undefined,
    elicit: isAskable ? createElicit(exchange, ask) : undefined,
  };
}

/** Undefined: the client did not ask to be told. */
export function progressTo(exchange: Exchange): Asking["onProgress"] {
  const token = progressTokenOf(exchange);
  return token === undefined ? undefined : new ProgressTeller(exchange, token).tell;
}

function createApprover(
  exchange: Exchange,
  isAskable: boolean,
  onProgress: ((progress: Progress) => void) | undefined,
  ask: AskClient,
  options: AskOptions,
): Approver | undefined {
  const { client, transport } = exchange;
  // A program that speaks MCP can answer everything with yes. So this counts only where the configuration trusts clients, and a token that may
  // only call must not gain more by saying that it shows questions.
  const mayAnswer = options.approveByElicitation && transport.mayApprove !== false;
  const asksHere = isAskable && mayAnswer && canShow(client, "form");
  if (!asksHere && !options.attended) return undefined;
  return new ClientApprover(client, onProgress, asksHere ? ask : undefined, options);
}

/** A class, because every call has one and hardly any is asked. */
class ClientApprover implements Approver {
  readonly #client: Exchange["client"];
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  /** Undefined: only people at the desk can be asked. */
  readonly #askClient: AskClient | undefined;
  readonly #options: AskOptions;

  constructor(
    client: Exchange["client"],
    onProgress: ((progress: Progress) => void) | undefined,
    askClient: AskClient | undefined,
    options: AskOptions,
  ) {
    this.#client = client;
    this.#onProgress = onProgress;
    this.#askClient = askClient;
    this.#options = options;
  }

  /** Nobody answers their own question; this client may, because the configuration trusts it. The record must say so. */
  get via(): AnsweredVia {
    return "elicitation";
  }

  get name(): string {
    return `client:${visible(clientName(this.#client), { maxLength: 100 })}`;
  }

  async ask(
    request: ApprovalRequest,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<Omit<ApprovalAnswer, "by">> {
    const { clock, attended } = this.#options;
    const onProgress = this.#onProgress;
    const askClient = this.#askClient;
    const stop = onProgress === undefined ? undefined : beat(onProgress, signal, clock);
    try {
      if (askClient === undefined) return await somebodyElse(signal);
      const askedAt = clock.monotonic();
      const answer = await askClient(approvalQuestion(request), signal);
      const isUnread = answer.action === "cancel" && clock.monotonic() - askedAt < soonestMs;
      return attended && isUnread ? await somebodyElse(signal) : readDecision(answer);
    } catch (error) {
      // The client cannot show it after all; people at the desk still can.
      if (attended && !signal.aborted) return await somebodyElse(signal);
      throw error;
    } finally {
      stop?.();
    }
  }
}

/** The question is at the desk; whoever answers there ends the wait. */
function somebodyElse(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    onAbort(signal, () => reject(signal.reason));
  });
}

function beat(tell: (progress: Progress) => void, signal: AbortSignal, clock: Clock): () => void {
  let cancel = () => {};
  const next = () => {
    if (signal.aborted) return;
    tell({ message: "Waits for a person's approval (toolgate approvals)." });
    cancel = clock.after(heartbeatMs, next);
  };
  next();
  return () => cancel();
}

function createElicit({ client }: Exchange, ask: AskClient): Elicit {
  return ({ from, params, key }, { signal }) => {
    if (!canShow(client, kindOf(params))) return Promise.resolve({ action: "cancel" });
    if (hidesInSchema(params.requestedSchema)) return Promise.resolve({ action: "cancel" });
    return ask(shownQuestion(from, params), signal, key);
  };
}
