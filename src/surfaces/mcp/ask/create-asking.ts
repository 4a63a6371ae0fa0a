/** Who is asked when a rule asks, and how a tool's own questions reach the person at the client. */

import type { AnsweredVia, ApprovalAnswer, ApprovalRequest, Approver } from "../../../core/call/approval.ts";
import type { Progress } from "../../../core/call/call.ts";
import type { Elicit, ElicitAnswer } from "../../../core/call/elicit.ts";
import { ToolgateError } from "../../../core/call/errors.ts";
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import type { Clock } from "../../../core/ports/ports.ts";
import { type Cancellable, onAbort } from "../../../core/run/abort.ts";
import { visible } from "../../../core/text/visible.ts";
import type { ClientFacts } from "../../../mcp/eras.ts";
import { isRequestId, maxIdCharacters, type RequestId } from "../../../mcp/messages.ts";
import { clientName, type Exchange, wrongParams } from "../exchange.ts";
import { approvalQuestion, readDecision } from "./approval-question.ts";
import { hidesInSchema, shownQuestion } from "./shown-question.ts";

/** What a walk is given to ask the person at the client, to tell of its progress, and to be cancelled. */
export interface Asking {
  readonly signal: Cancellable;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly approver: Approver | undefined;
  readonly elicit: Elicit | undefined;
}

export interface AskOptions {
  readonly clock: Clock;
  /** Whether a yes of a client counts: the configuration may change while the client shows a question. */
  readonly mayClientAnswer: () => boolean;
  /** People at the desk can answer instead. */
  readonly attended: boolean;
}

/** Puts one question, as in `elicitation/create`, to the client. `key`: its name at the asking side. */
export type AskClient = (params: JsonObject, signal: AbortSignal, key?: string) => Promise<ElicitAnswer>;

/** So often a client that waits for a person hears that the call is alive. */
const heartbeatMs = 10_000;

/**
 * No person reads and closes a question in less. Claude Code says that it can show questions also where
 * nobody sits (`claude -p`), and closes them at once.
 */
const soonestMs = 1_000;

export function createAsking(
  exchange: Exchange,
  ask: AskClient,
  options: AskOptions,
  onProgress: Asking["onProgress"] = progressTo(exchange),
): Asking {
  const { request, client, transport } = exchange;
  const isAskable = client.clientCapabilities.elicitation !== undefined;
  // A program that speaks MCP can answer everything with yes. So this counts only where the configuration
  // trusts clients, and a token that may only call must not gain more by saying that it shows questions.
  const asksHere =
    isAskable && transport.mayApprove !== false && options.mayClientAnswer() && canShow(client, "form");
  return {
    signal: request.cancellation,
    onProgress,
    approver:
      asksHere || options.attended
        ? new ClientApprover({ client, onProgress, ask: asksHere ? ask : undefined, options })
        : undefined,
    elicit: isAskable ? createElicit(exchange, ask) : undefined,
  };
}

/** Undefined: the client did not ask to be told. */
export function progressTo(exchange: Exchange): Asking["onProgress"] {
  const token = progressTokenOf(exchange);
  return token === undefined ? undefined : new ProgressTeller(exchange, token).tell;
}

interface ApproverParts {
  readonly client: Exchange["client"];
  readonly onProgress: Asking["onProgress"];
  /** Undefined: only people at the desk can be asked. */
  readonly ask: AskClient | undefined;
  readonly options: AskOptions;
}

/** A class, because every call has one and hardly any is asked. */
class ClientApprover implements Approver {
  readonly #parts: ApproverParts;

  constructor(parts: ApproverParts) {
    this.#parts = parts;
  }

  /** This client may answer its own question, because the configuration trusts it. The record says so. */
  get via(): AnsweredVia {
    return "elicitation";
  }

  get name(): string {
    return `client:${visible(clientName(this.#parts.client), { maxLength: 100 })}`;
  }

  async ask(
    request: ApprovalRequest,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<Omit<ApprovalAnswer, "by">> {
    const { attended, mayClientAnswer } = this.#parts.options;
    const answer = await this.#askClient(request, signal);
    if (answer.decision !== "approve" || mayClientAnswer()) return answer;
    if (!attended) throw new ToolgateError("clients may no longer approve (mcp.approve_by_elicitation)");
    return somebodyElse(signal);
  }

  async #askClient(request: ApprovalRequest, signal: AbortSignal): Promise<Omit<ApprovalAnswer, "by">> {
    const { onProgress, ask, options } = this.#parts;
    const { clock, attended } = options;
    const stop = onProgress === undefined ? undefined : beat(onProgress, signal, clock);
    try {
      if (ask === undefined) return await somebodyElse(signal);
      const askedAt = clock.monotonic();
      const answer = await ask(approvalQuestion(request), signal);
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
    if (!canShow(client, params.mode === "url" ? "url" : "form"))
      return Promise.resolve({ action: "cancel" });
    if (hidesInSchema(params.requestedSchema)) return Promise.resolve({ action: "cancel" });
    return ask(shownQuestion(from, params), signal, key);
  };
}

/** Which kinds of questions the client says it can show. A bare `elicitation` means forms. */
function canShow({ clientCapabilities }: ClientFacts, kind: "form" | "url"): boolean {
  const { elicitation } = clientCapabilities;
  if (!isJsonObject(elicitation)) return false;
  return kind === "url"
    ? isJsonObject(elicitation.url)
    : isJsonObject(elicitation.form) || elicitation.url === undefined;
}

/** Undefined: the client did not ask to be told. Throws an RpcError for a token that is too long. */
function progressTokenOf({ request }: Exchange): RequestId | undefined {
  const { _meta: meta } = request.params;
  const token = isJsonObject(meta) ? meta.progressToken : undefined;
  if (typeof token === "string" && token.length > maxIdCharacters)
    throw wrongParams(`"progressToken" may have at most ${maxIdCharacters} characters.`);
  return isRequestId(token) ? token : undefined;
}

/** Tells the client, with numbers that only grow. */
class ProgressTeller {
  readonly #exchange: Exchange;
  readonly #token: RequestId;
  #last = 0;

  constructor(exchange: Exchange, token: RequestId) {
    this.#exchange = exchange;
    this.#token = token;
  }

  readonly tell = ({ done, total, message }: Progress): void => {
    if (done !== undefined && done <= this.#last && this.#last > 0) return;
    this.#last = done ?? this.#last + 1;
    const { connection, request } = this.#exchange;
    if (request.cancelled) return;
    connection.peer.notify(
      "notifications/progress",
      {
        progressToken: this.#token,
        progress: this.#last,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      },
      request.id,
    );
  };
}
