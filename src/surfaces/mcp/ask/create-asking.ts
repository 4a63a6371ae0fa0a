/** Who is asked when a rule asks, and how a tool's own questions reach the person at the client. */

import { onAbort } from "../../../core/abort.ts";
import type { Approver } from "../../../core/approval.ts";
import type { Progress } from "../../../core/call.ts";
import type { Elicit, ElicitAnswer } from "../../../core/elicit.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Clock } from "../../../core/ports.ts";
import { visible } from "../../../core/visible.ts";
import { clientName, type Exchange } from "../exchange.ts";
import { approvalQuestion, readDecision } from "./approval-question.ts";
import { type Asking, canShow, kindOf, ProgressTeller, progressTokenOf } from "./asking.ts";

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
  { client, transport }: Exchange,
  isAskable: boolean,
  onProgress: ((progress: Progress) => void) | undefined,
  ask: AskClient,
  { clock, approveByElicitation, attended }: AskOptions,
): Approver | undefined {
  // A program that speaks MCP can answer everything with yes: a token that may only call must not gain that by saying that it shows questions.
  const mayAnswer = approveByElicitation && transport.mayApprove !== false;
  const asksHere = isAskable && mayAnswer && canShow(client, "form");
  if (!asksHere && !attended) return undefined;
  return {
    name: `client:${visible(clientName(client), { maxLength: 100 })}`,
    async ask(request, { signal }) {
      const stop = onProgress === undefined ? undefined : beat(onProgress, signal, clock);
      try {
        if (!asksHere) return await somebodyElse(signal);
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
    },
  };
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
    const said = typeof params.message === "string" ? params.message : "";
    // Who asks must be seen: a server must not speak in the name of another, or of the gate.
    const message = `${visible(from, { maxLength: 100 })} asks: ${visible(said, { keepNewlines: true, maxLength: 4_000 })}`;
    return ask({ ...params, message }, signal, key);
  };
}
