/** The configuration may change while a client shows a question: its yes counts only if the client may answer when the yes arrives. */

import type { AnsweredVia, ApprovalAnswer, ApprovalRequest, Approver } from "../../core/call/approval.ts";
import { ToolgateError } from "../../core/call/errors.ts";
import { onAbort } from "../../core/run/abort.ts";
import type { Asking } from "./ask/asking.ts";

/** `attended`: people at the desk can answer instead. */
export function countOnlyWhile(mayAnswer: () => boolean, asking: Asking, attended: boolean): Asking {
  const { signal, onProgress, approver, elicit } = asking;
  if (approver === undefined || !mayAnswer()) return asking;
  return { signal, onProgress, elicit, approver: new CountedApprover(approver, mayAnswer, attended) };
}

/** A class, because every call has one and hardly any is asked. */
class CountedApprover implements Approver {
  readonly #client: Approver;
  readonly #mayAnswer: () => boolean;
  readonly #attended: boolean;

  constructor(client: Approver, mayAnswer: () => boolean, attended: boolean) {
    this.#client = client;
    this.#mayAnswer = mayAnswer;
    this.#attended = attended;
  }

  get name(): string {
    return this.#client.name;
  }

  get via(): AnsweredVia | undefined {
    return this.#client.via;
  }

  async ask(
    request: ApprovalRequest,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<Omit<ApprovalAnswer, "by">> {
    const answer = await this.#client.ask(request, { signal });
    if (answer.decision !== "approve" || this.#mayAnswer()) return answer;
    if (!this.#attended)
      throw new ToolgateError("clients may no longer approve (mcp.approve_by_elicitation)");
    // The question is still at the desk, and whoever answers there ends the wait.
    return new Promise((_, reject) => {
      onAbort(signal, () => reject(signal.reason));
    });
  }
}
