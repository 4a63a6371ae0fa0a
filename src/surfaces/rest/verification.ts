/** A check of the whole chain, in the background: how far it is, and how the last one ended. */
import { messageOf } from "../../core/call/errors.ts";
import { defined } from "../../core/input/defined.ts";
import type { LedgerVerification } from "../../core/ports/ledger-reader.ts";
import type { Clock } from "../../core/ports/ports.ts";
import type { Store } from "../../open/open-store.ts";
import type { Verification, VerificationState } from "./contract.ts";

export interface BackgroundVerification {
  readonly state: VerificationState;
  /** Does nothing while one runs. */
  start(request: VerificationRequest): void;
}

export interface VerificationRequest {
  /** Who wants to know. */
  readonly by: string;
  readonly clock: Pick<Clock, "now">;
  /** Aborted when the server begins to end. */
  readonly signal: AbortSignal;
}

const known = new WeakMap<Store, BackgroundVerification>();

/** One for each store, whoever asks. */
export function verificationOf(store: Store): BackgroundVerification {
  let verification = known.get(store);
  if (verification === undefined) {
    verification = createVerification(store.ledger);
    known.set(store, verification);
  }
  return verification;
}

function createVerification(ledger: Pick<Store["ledger"], "verify">): BackgroundVerification {
  let state: VerificationState = { state: "never" };
  const run = async ({ by, clock, signal }: VerificationRequest) => {
    const begun = { startedAt: clock.now(), startedBy: by };
    state = { state: "running", ...begun };
    try {
      const onProgress = (seq: number, lastSeq: number) => {
        state = { state: "running", ...begun, seq, lastSeq };
      };
      const result = verificationJson(await ledger.verify({ signal, onProgress }));
      state = { state: "done", ...begun, finishedAt: clock.now(), lastSeq: result.lastSeq, result };
    } catch (error) {
      state = { state: "failed", ...begun, finishedAt: clock.now(), message: messageOf(error) };
    }
  };
  return {
    get state() {
      return state;
    },
    start(request) {
      if (state.state !== "running") void run(request);
    },
  };
}

export function verificationJson({ problems, anchors, ...rest }: LedgerVerification): Verification {
  return { ...rest, ...defined({ anchors }), problems: problems.map(defined) };
}
