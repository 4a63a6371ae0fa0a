/** One gate's share of an approval desk: when the gate closes, its own questions end and nobody else's. */
import type { ApprovalDesk, ApprovalEnd } from "../../core/call/approval.ts";

export function deskOfGate(desk: ApprovalDesk): ApprovalDesk {
  const asked = new Set<string>();
  /** Of questions that were being opened while the gate closed: nobody else would end them. */
  const endedAtOnce = new Map<string, Promise<ApprovalEnd>>();
  let closed = false;
  const { rejectsOthers } = desk;
  return {
    ...(rejectsOthers !== undefined && { rejectsOthers }),
    async open(request) {
      if (closed || !(await desk.open(request))) return false;
      asked.add(request.id);
      if (closed) {
        // Waiting begins first: some desks forget a question with its end.
        endedAtOnce.set(request.id, desk.wait(request.id));
        await desk.withdraw(request.id);
      }
      return true;
    },
    async wait(id) {
      try {
        return await (endedAtOnce.get(id) ?? desk.wait(id));
      } finally {
        asked.delete(id);
        endedAtOnce.delete(id);
      }
    },
    answer: (id, answer) => desk.answer(id, answer),
    claim: (id, binding) => desk.claim(id, binding),
    done: (id) => desk.done(id),
    withdraw: (id) => desk.withdraw(id),
    pending: () => desk.pending(),
    async close() {
      closed = true;
      await Promise.all([...asked].map((id) => desk.withdraw(id)));
    },
  };
}
