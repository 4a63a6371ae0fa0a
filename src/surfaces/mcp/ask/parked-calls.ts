/**
 * Modern clients are asked by an answer: `input_required`. The walk stays where it asked. The client's next
 * request, which carries the person's answer, goes on with the walk.
 */
import { randomBytes } from "node:crypto";
import type { Progress } from "../../../core/call/call.ts";
import type { ElicitAnswer } from "../../../core/call/elicit.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import { onAbort } from "../../../core/run/abort.ts";
import type { Answer } from "../../../mcp/peer.ts";
import { callerIdOf, type Exchange, type Stamps, wrongParams } from "../exchange.ts";
import { readElicitAnswer } from "./approval-question.ts";
import { type Asking, type AskOptions, createAsking, progressTo } from "./create-asking.ts";
import { createRequestStates, type StateFacts } from "./request-state.ts";

export type ParkedCalls = ReturnType<typeof createParkedCalls>;

const maxParked = 512;
const maxPerCaller = 32;
/** A walk whose client does not come back is cancelled after this time. */
const parkMs = 15 * 60_000;

interface Question {
  readonly params: JsonObject;
  readonly answer: (given: ElicitAnswer) => void;
}

interface Leg {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  readonly tell: ((progress: Progress) => void) | undefined;
}

interface Parked {
  readonly id: string;
  readonly caller: string;
  /** The request that began it. */
  readonly first: Exchange;
  readonly questions: Map<string, Question>;
  /** The request that waits now; undefined between two of them. */
  leg: Leg | undefined;
  turn: number;
  /** How it ended while nobody waited for it. */
  end: { readonly settle: (leg: Leg) => void } | undefined;
  cancelTimer: () => void;
}

export function createParkedCalls(options: AskOptions, stamps: Stamps) {
  const { clock } = options;
  const states = createRequestStates();
  const parked = new Map<string, Parked>();
  let lastId = 0;

  const forget = (call: Parked) => {
    call.cancelTimer();
    parked.delete(call.id);
  };

  /** Kept from its first question on. False: there are too many. */
  const keep = (call: Parked): boolean => {
    if (parked.has(call.id)) return true;
    const ofCaller = [...parked.values()].filter(({ caller }) => caller === call.caller).length;
    if (parked.size >= maxParked || ofCaller >= maxPerCaller) return false;
    parked.set(call.id, call);
    call.cancelTimer = clock.after(parkMs, () => {
      parked.delete(call.id);
      call.first.request.cancel();
    });
    return true;
  };

  /** The request that waits is answered with every question that is open. */
  const tellQuestions = (call: Parked) => {
    const { leg } = call;
    if (leg === undefined || call.questions.size === 0) return;
    call.leg = undefined;
    call.turn++;
    const { id, turn, first } = call;
    const requestState = states.write({ id, turn, expiresAt: clock.now() + parkMs }, factsOf(first));
    const inputRequests = Object.fromEntries(
      [...call.questions].map(([key, { params }]) => [key, { method: "elicitation/create", params }]),
    );
    leg.resolve(stamps.result("modern", { resultType: "input_required", inputRequests, requestState }));
  };

  const ask = (
    call: Parked,
    params: JsonObject,
    signal: AbortSignal,
    named?: string,
  ): Promise<ElicitAnswer> => {
    if (!keep(call)) return Promise.reject(new Error("Too many questions wait for an answer already."));
    return new Promise((resolve, reject) => {
      const isFree = named !== undefined && goodKey.test(named) && !call.questions.has(named);
      const key = isFree ? named : `q${randomBytes(6).toString("hex")}`;
      const stop = onAbort(signal, () => {
        call.questions.delete(key);
        reject(signal.reason);
      });
      const answer = (given: ElicitAnswer) => {
        stop();
        call.questions.delete(key);
        resolve(given);
      };
      call.questions.set(key, { params: withoutLegacyFields(params), answer });
      // After the turn: a tool that asks two things at once has them answered at once.
      queueMicrotask(() => tellQuestions(call));
    });
  };

  const begin = (exchange: Exchange, start: (asking: Asking) => Promise<Answer>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const tell = progressTo(exchange);
      const call: Parked = {
        id: String(++lastId),
        caller: callerIdOf(exchange.transport),
        first: exchange,
        questions: new Map(),
        leg: { resolve, reject, tell },
        turn: 0,
        end: undefined,
        cancelTimer: nothing,
      };
      const told = tell && ((progress: Progress) => call.leg?.tell?.(progress));
      const asking = createAsking(exchange, (...question) => ask(call, ...question), options, told);
      const finish = (settle: (leg: Leg) => void) => {
        const { leg } = call;
        call.leg = undefined;
        // Ended between two requests: the next one gets it.
        if (leg === undefined) call.end = { settle };
        else {
          forget(call);
          settle(leg);
        }
      };
      start(asking).then(
        (answer) => finish((leg) => leg.resolve(answer)),
        (error: unknown) => finish((leg) => leg.reject(error)),
      );
    });

  const goOn = (call: Parked, exchange: Exchange): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const leg: Leg = { resolve, reject, tell: progressTo(exchange) };
      const { request } = exchange;
      // Only now: a request that cannot be taken has used up nothing.
      call.turn++;
      if (call.end !== undefined) {
        forget(call);
        call.end.settle(leg);
        return;
      }
      call.leg = leg;
      onAbort(request.signal, () => {
        if (call.leg === leg) call.first.request.cancel();
      });
      const { inputResponses } = request.params;
      let answered = false;
      for (const [key, given] of Object.entries(isJsonObject(inputResponses) ? inputResponses : {})) {
        const question = call.questions.get(key);
        if (question === undefined) continue;
        answered = true;
        question.answer(readElicitAnswer(given));
      }
      if (!answered || call.questions.size > 0) tellQuestions(call);
    });

  return {
    /** Starts a walk, or goes on with the one that the request's `requestState` names. */
    run(exchange: Exchange, start: (asking: Asking) => Promise<Answer>): Promise<Answer> {
      const { requestState: state } = exchange.request.params;
      if (state === undefined) return begin(exchange, start);
      if (typeof state !== "string") throw wrongParams('"requestState" must be a text.');
      const read = states.read(state, factsOf(exchange), clock.now());
      // Of an earlier process: nothing of it is left, so the person is asked again.
      if (!read.ok && read.why === "foreign") return begin(exchange, start);
      const call = read.ok ? parked.get(read.id) : undefined;
      if (!read.ok || call === undefined || call.turn !== read.turn || call.leg !== undefined)
        throw wrongParams(
          "This requestState cannot be used: it is expired, was used already, belongs to another request, or your token may do other things now. Send the request without it.",
        );
      return goOn(call, exchange);
    },
    close(): void {
      for (const call of [...parked.values()]) {
        forget(call);
        call.first.request.cancel();
      }
    },
  };
}

const goodKey = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

function nothing(): void {}

function factsOf(exchange: Exchange): StateFacts {
  const { transport } = exchange;
  const { caller, mayRead, mayApprove } = transport;
  // The call goes on with the rights that it began with: a token that answers must have the same.
  const who = [
    callerIdOf(transport),
    mayRead !== false,
    mayApprove !== false,
    ...(caller?.capabilities ?? []),
  ];
  return { who, about: aboutOf(exchange) };
}

/** The request as such, without what may differ when it comes back. */
function aboutOf({ request }: Exchange): Json {
  const { _meta, requestState, inputResponses, ...params } = request.params;
  return { method: request.method, params };
}

/** `elicitationId` belongs to the older way of asking. */
function withoutLegacyFields({ elicitationId: _id, ...params }: JsonObject): JsonObject {
  return params;
}
