/** An approval desk that several processes share: opened here, answered anywhere; a bell wakes who waits. */
import type {
  AnswerResult,
  ApprovalAnswer,
  ApprovalBinding,
  ApprovalEnd,
  ApprovalRequest,
} from "../../core/call/approval.ts";
import type { Json } from "../../core/input/json.ts";
import type { ApprovalRecord, ApprovalStore, ApprovalTally } from "../../core/ports/approval-store.ts";
import type { Clock } from "../../core/ports/ports.ts";
import { badAnswer, explainBadAnswer } from "./approval-answer.ts";
import type { WaitedRecord } from "./approval-rows.ts";
import { hashInput as hashAsGate } from "./hash-input.ts";
import { createSealReader, type SealReader, sealInput } from "./sealed-input.ts";
import { createWaiters } from "./waiters.ts";

export interface SharedApprovalsOptions {
  readonly clock: Clock;
  readonly hashInput?: (input: unknown) => string | undefined;
  /** A denial also rejects what else waits in the same session. */
  readonly rejectOthers?: boolean;
  /** Of all processes together. */
  readonly maxPending?: number;
}

export interface Opening {
  readonly request: ApprovalRequest;
  readonly sealKey: string;
  readonly rejectOthers: boolean;
  readonly maxPending: number;
  readonly now: number;
}

export interface Answering {
  readonly id: string;
  /** Without the edited input, which comes sealed. */
  readonly answer: ApprovalAnswer;
  readonly sealedInput: string | undefined;
  /** Undefined: the input that was asked for. */
  readonly inputHash: string | undefined;
  readonly now: number;
}

interface OfOne {
  readonly id: string;
  readonly now: number;
}

/** What a database does with approvals. Each is whole or not done. */
export interface ApprovalOperations {
  /** False: too many wait already. */
  open(opening: Opening): Promise<boolean>;
  answer(answering: Answering): Promise<AnswerResult>;
  claim(claim: OfOne & { readonly binding: ApprovalBinding }): Promise<boolean>;
  done(one: OfOne): Promise<void>;
  withdraw(one: OfOne): Promise<void>;
  /** If it waits still, and is of this process. */
  expire(one: OfOne): Promise<void>;
  pending(): Promise<readonly ApprovalRecord[]>;
  find(prefix: string): Promise<readonly ApprovalRecord[]>;
  past(tool: string, limit: number): Promise<readonly ApprovalRecord[]>;
  tally(since: number): Promise<ApprovalTally>;
  /** How these stand now. */
  ends(ids: readonly string[]): Promise<readonly WaitedRecord[]>;
  /** Whom an edited input is sealed for, and whether the one that was shown had values taken out. */
  seal(id: string): Promise<{ readonly sealKey: string; readonly redactions: number } | undefined>;
  /** Hears of changes in any process. Returns how to stop. */
  listen(listener: () => void): () => void;
}

export function createSharedApprovals(
  operations: ApprovalOperations,
  options: SharedApprovalsOptions,
): ApprovalStore {
  const { clock, hashInput = hashAsGate, rejectOthers = true, maxPending = 100 } = options;
  const listen = (listener: () => void) => operations.listen(listener);
  let reader: SealReader | undefined;
  let closed = false;

  const endOf = (record: WaitedRecord) => toEnd(record, reader);
  const waiters = createWaiters({
    clock,
    listen,
    look: async (ids) => (await operations.ends(ids)).map((one) => [one.request.id, endOf(one)] as const),
    expire: (id) => operations.expire({ id, now: clock.now() }),
  });

  async function withdraw(id: string): Promise<void> {
    await operations.withdraw({ id, now: clock.now() });
    await waiters.look();
  }

  return {
    rejectsOthers: rejectOthers,
    async open(request: ApprovalRequest) {
      if (closed) return false;
      reader ??= createSealReader();
      const now = clock.now();
      const opened = await operations.open({
        request,
        sealKey: reader.sealKey,
        rejectOthers,
        maxPending,
        now,
      });
      if (opened) waiters.add(request.id, request.expiresAt);
      return opened;
    },

    async wait(id) {
      const waiting = waiters.of(id);
      if (waiting !== undefined) {
        void waiters.look();
        return waiting;
      }
      const [record] = await operations.ends([id]);
      if (record === undefined) return { state: "expired" };
      return endOf(record) ?? waiters.add(id, record.request.expiresAt);
    },

    async answer(id, answer): Promise<AnswerResult> {
      const bad = explainBadAnswer(answer);
      if (bad !== undefined) return badAnswer(bad);
      const { input, ...rest } = answer;
      const sealed =
        answer.decision === "approve" && input !== undefined ? await seal(id, input) : noEditedInput;
      if ("ok" in sealed) return sealed;
      const result = await operations.answer({ id, answer: rest, ...sealed, now: clock.now() });
      if (result.ok) await waiters.look();
      return result;
    },

    claim: (id: string, binding: ApprovalBinding) => operations.claim({ id, binding, now: clock.now() }),
    done: (id) => operations.done({ id, now: clock.now() }),
    withdraw,
    waiting: () => operations.pending(),
    pending: async () => (await operations.pending()).map(({ request }) => request),
    find: (prefix) => operations.find(prefix),
    past: ({ tool, limit = 100 }) => operations.past(tool, limit),
    records: async (ids) => (ids.length === 0 ? [] : (await operations.ends(ids)).map(unsealed)),
    tally: (since) => operations.tally(since),
    onChange: listen,

    async close() {
      closed = true;
      // Where the store has stopped working, the end of this process withdraws them.
      await Promise.allSettled(waiters.ids().map(withdraw));
      waiters.end({ state: "withdrawn" });
    },
  };

  async function seal(id: string, input: unknown) {
    const inputHash = hashInput(input);
    if (inputHash === undefined) return badAnswer("The edited input is not plain JSON.");
    const asked = await operations.seal(id);
    if (asked === undefined) return noEditedInput;
    if (asked.redactions > 0 && JSON.stringify(input as Json).includes("[redacted:"))
      return badAnswer(
        "The edited input still holds a value that was taken out for showing ([redacted:...]); write the real value or leave it out.",
      );
    return { sealedInput: sealInput(input, asked.sealKey, id), inputHash };
  }
}

function unsealed({ sealedInput: _, ...record }: WaitedRecord): ApprovalRecord {
  return record;
}

const noEditedInput = { sealedInput: undefined, inputHash: undefined };

/** Undefined: it waits still. */
function toEnd(record: WaitedRecord, reader: SealReader | undefined): ApprovalEnd | undefined {
  const { state, answer, becauseOf, sealedInput, request } = record;
  if (state === "pending") return undefined;
  if (answer === undefined || state === "withdrawn")
    return { state: state === "withdrawn" ? "withdrawn" : "expired" };
  if (state === "denied") return { state, answer, ...(becauseOf !== undefined && { becauseOf }) };
  const input = sealedInput === undefined ? undefined : reader?.open(sealedInput, request.id);
  const given: ApprovalAnswer = { ...answer, ...(input !== undefined && { input }) };
  return { state: "approved", answer: given };
}
