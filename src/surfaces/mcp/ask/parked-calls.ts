/**
 * Modern clients are asked by an answer: `input_required`. The walk stays where it asked. The client's next
 * request, which carries the person's answer, goes on with the walk.
 */
import { randomBytes } from "node:crypto";
import type { Progress } from "../../../core/call/call.ts";
import type { ElicitAnswer } from "../../../core/call/elicit.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { onAbort } from "../../../core/run/abort.ts";
import type { Answer } from "../../../mcp/peer.ts";
import { callerIdOf, type Exchange, type Stamps, wrongParams } from "../exchange.ts";
import { readElicitAnswer } from "./approval-question.ts";
import { type Asking, type AskOptions, createAsking, progressTo } from "./create-asking.ts";
import {
  type Came,
  factsOf,
  freeKey,
  type Leg,
  type Parked,
  responsesOf,
  unusable,
  withoutLegacyFields,
} from "./parked-call.ts";
import { createRequestStates } from "./request-state.ts";
import { answerForAnother, askAnother, type SharedCalls } from "./shared-calls.ts";

export type ParkedCalls = ReturnType<typeof createParkedCalls>;

const maxParked = 512;
const maxPerCaller = 32;
/** A walk whose client does not come back is cancelled after this time. */
const parkMs = 15 * 60_000;

/** `shared`: clients may come back to another process. */
export function createParkedCalls(options: AskOptions, stamps: Stamps, shared?: SharedCalls) {
  const { clock } = options;
  const states = createRequestStates(shared?.secret);
  const parked = new Map<string, Parked>();
  // Of this process: in another one the same number is another call.
  const mark = randomBytes(9).toString("base64url");
  let lastId = 0;

  const forget = (call: Parked) => {
    call.cancelTimer();
    if (parked.delete(call.id)) shared?.store.drop(call.id).catch(nothing);
  };

  /** Kept from its first question on. False: there are too many. */
  const keep = (call: Parked): boolean => {
    if (parked.has(call.id)) return true;
    const ofCaller = [...parked.values()].filter(({ caller }) => caller === call.caller).length;
    if (parked.size >= maxParked || ofCaller >= maxPerCaller) return false;
    parked.set(call.id, call);
    call.cancelTimer = clock.after(parkMs, () => {
      forget(call);
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
    const parts = { id, turn, expiresAt: clock.now() + parkMs };
    const requestState = states.write(parts, factsOf(first));
    const inputRequests = Object.fromEntries(
      [...call.questions].map(([key, { params }]) => [key, { method: "elicitation/create", params }]),
    );
    const asks = stamps.result("modern", { resultType: "input_required", inputRequests, requestState });
    // Whoever comes back must find it, wherever that is.
    if (shared === undefined) leg.resolve(asks);
    else shared.store.park(parts).then(() => leg.resolve(asks), leg.reject);
  };

  const ask = (
    call: Parked,
    params: JsonObject,
    signal: AbortSignal,
    named?: string,
  ): Promise<ElicitAnswer> => {
    if (!keep(call)) return Promise.reject(new Error("Too many questions wait for an answer already."));
    return new Promise((resolve, reject) => {
      const key = freeKey(call, params, named);
      if (Object.hasOwn(call.brought, key)) return resolve(readElicitAnswer(call.brought[key]));
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

  const begin = (
    exchange: Exchange,
    start: (asking: Asking) => Promise<Answer>,
    brought: Parked["brought"] = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const tell = progressTo(exchange);
      const call: Parked = {
        id: `${mark}${++lastId}`,
        brought,
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

  const goOn = (call: Parked, came: Came): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const leg: Leg = { resolve, reject, tell: came.tell };
      // Only now: a request that cannot be taken has used up nothing.
      call.turn++;
      if (call.end !== undefined) {
        forget(call);
        call.end.settle(leg);
        return;
      }
      call.leg = leg;
      if (came.signal !== undefined)
        onAbort(came.signal, () => {
          if (call.leg === leg) call.first.request.cancel();
        });
      let answered = false;
      for (const [key, given] of Object.entries(came.responses)) {
        const question = call.questions.get(key);
        if (question === undefined) continue;
        answered = true;
        question.answer(readElicitAnswer(given));
      }
      if (!answered || call.questions.size > 0) tellQuestions(call);
    });

  /** The client came back here with the answers. */
  const comeBack = async (call: Parked, turn: number, exchange: Exchange): Promise<Answer> => {
    if (shared !== undefined && !(await shared.store.use({ id: call.id, turn }))) throw unusable();
    const { signal } = exchange.request;
    return goOn(call, { signal, tell: progressTo(exchange), responses: responsesOf(exchange) });
  };

  /** Undefined: whoever held it is dead, and the call may begin anew. */
  const passOn = async (
    id: string,
    turn: number,
    exchange: Exchange,
    { store }: SharedCalls,
  ): Promise<Answer | undefined> => {
    const came = { turn, responses: responsesOf(exchange) };
    const handed = await askAnother(store, { id, turn }, came, exchange.request.signal);
    if (handed === "unknown") throw unusable();
    return handed === "lost" ? undefined : handed.answer();
  };

  const stopTaking = shared?.store.take((id, came) =>
    answerForAnother(came, ({ turn, responses }) => {
      const call = parked.get(id);
      if (call === undefined || call.turn !== turn || call.leg !== undefined) throw unusable();
      return goOn(call, { signal: undefined, tell: undefined, responses });
    }),
  );

  return {
    /** Starts a walk, or goes on with the one that the request's `requestState` names. */
    run(exchange: Exchange, start: (asking: Asking) => Promise<Answer>): Promise<Answer> {
      const { requestState: state } = exchange.request.params;
      if (state === undefined) return begin(exchange, start);
      if (typeof state !== "string") throw wrongParams('"requestState" must be a text.');
      const read = states.read(state, factsOf(exchange), clock.now());
      // Of an earlier process: nothing of it is left, so the person is asked again.
      if (!read.ok && read.why === "foreign") return begin(exchange, start);
      if (!read.ok) throw unusable();
      const call = parked.get(read.id);
      if (call === undefined && shared !== undefined && !read.id.startsWith(mark))
        return passOn(read.id, read.turn, exchange, shared).then(
          (answer) => answer ?? begin(exchange, start, responsesOf(exchange)),
        );
      if (call === undefined || call.turn !== read.turn || call.leg !== undefined) throw unusable();
      return comeBack(call, read.turn, exchange);
    },
    close(): void {
      stopTaking?.();
      for (const call of [...parked.values()]) {
        forget(call);
        call.first.request.cancel();
      }
    },
  };
}

function nothing(): void {}
