/** Hears what is asked, and what is no longer asked, in any process that shares the store. */
import type { ApprovalRequest } from "../../../core/call/approval.ts";
import type { Store } from "../../../open/open-store.ts";

export interface QuestionListener {
  onAsked(request: ApprovalRequest): void;
  /** Answered, expired or withdrawn. */
  onEnded(request: ApprovalRequest): void | Promise<void>;
}

const safetyLookMs = 1_000;

/** Returns how to stop. */
export function watchQuestions(approvals: Store["approvals"], listener: QuestionListener): () => void {
  const waiting = new Map<string, ApprovalRequest>();
  let stopped = false;
  let isLooking = false;
  let again = false;

  const look = async () => {
    const now = new Map((await approvals.waiting()).map(({ request }) => [request.id, request]));
    if (stopped) return;
    for (const [id, request] of now) {
      if (waiting.has(id)) continue;
      waiting.set(id, request);
      listener.onAsked(request);
    }
    for (const [id, request] of waiting) {
      if (now.has(id)) continue;
      waiting.delete(id);
      await listener.onEnded(request);
    }
  };
  /** One look at a time; what changes meanwhile is seen by the next. */
  const lookSoon = async () => {
    again = true;
    if (isLooking) return;
    isLooking = true;
    while (again && !stopped) {
      again = false;
      // A store that fails is reported where it is used; the next change looks again.
      await look().catch(() => {});
    }
    isLooking = false;
  };
  const stopListening = approvals.onChange(() => void lookSoon());
  // A process that was killed rings no bell: its questions are seen to be gone only by looking.
  const safety = setInterval(() => {
    if (waiting.size > 0) void lookSoon();
  }, safetyLookMs).unref();
  void lookSoon();
  return () => {
    stopped = true;
    clearInterval(safety);
    stopListening();
  };
}
