/** The approval desk that several processes share: opened here, answered anywhere; a bell wakes who waits. */
import type {
  AnswerResult,
  ApprovalAnswer,
  ApprovalBinding,
  ApprovalEnd,
  ApprovalRequest,
} from "../../../core/call/approval.ts";
import type { Json } from "../../../core/input/json.ts";
import type { ApprovalStore } from "../../../core/ports/approval-store.ts";
import type { Clock } from "../../../core/ports/ports.ts";
import { badAnswer, explainBadAnswer } from "../../port/approval-answer.ts";
import { hashInput as hashAsGate } from "../../port/hash-input.ts";
import { createSealReader, type SealReader, sealInput } from "../../port/sealed-input.ts";
import type { SqliteClient } from "../open-sqlite.ts";
import type { WaitedRecord } from "./approval-rows.ts";
import type { approvalsArea } from "./approvals-area.ts";
import { createWaiters } from "./waiters.ts";

export interface SqliteApprovalsOptions {
  readonly clock: Clock;
  readonly hashInput?: (input: unknown) => string | undefined;
  /** A denial also rejects what else waits in the same session. */
  readonly rejectOthers?: boolean;
  /** Of all processes together. */
  readonly maxPending?: number;
}

export function createSqliteApprovals(client: SqliteClient, options: SqliteApprovalsOptions): ApprovalStore {
  const { clock, hashInput = hashAsGate, rejectOthers = true, maxPending = 100 } = options;
  const area = client.area<typeof approvalsArea>("approvals");
  const listen = (listener: () => void) => client.listen("approvals", listener);
  let reader: SealReader | undefined;
  let closed = false;

  const endOf = (record: WaitedRecord) => toEnd(record, reader);
  const waiters = createWaiters({
    clock,
    listen,
    look: async (ids) =>
      (await area.read("ends", { ids })).map((one) => [one.request.id, endOf(one)] as const),
    expire: (id) => area.write("expire", { id, now: clock.now() }),
  });

  async function withdraw(id: string): Promise<void> {
    await area.write("withdraw", { id, now: clock.now() });
    await waiters.look();
  }

  return {
    rejectsOthers: rejectOthers,
    async open(request: ApprovalRequest) {
      if (closed) return false;
      reader ??= createSealReader();
      const now = clock.now();
      const opened = await area.write("open", {
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
      const [record] = await area.read("ends", { ids: [id] });
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
      const result = await area.write("answer", { id, answer: rest, ...sealed, now: clock.now() });
      if (result.ok) await waiters.look();
      return result;
    },

    claim: (id: string, binding: ApprovalBinding) => area.write("claim", { id, binding, now: clock.now() }),
    done: (id) => area.write("done", { id, now: clock.now() }),
    withdraw,
    waiting: () => area.read("pending", undefined),
    pending: async () => (await area.read("pending", undefined)).map(({ request }) => request),
    find: (prefix) => area.read("find", { prefix }),
    past: ({ tool, limit = 100 }) => area.read("past", { tool, limit }),
    tally: (since) => area.read("tally", { since }),
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
    const asked = await area.read("seal", { id });
    if (asked === undefined) return noEditedInput;
    if (asked.redactions > 0 && JSON.stringify(input as Json).includes("[redacted:"))
      return badAnswer(
        "The edited input still holds a value that was taken out for showing ([redacted:...]); write the real value or leave it out.",
      );
    return { sealedInput: sealInput(input, asked.sealKey, id), inputHash };
  }
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
