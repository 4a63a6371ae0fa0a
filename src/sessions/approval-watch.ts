/** Questions about the calls of one session: asked and answered, as items of its log. */
import type { ApprovalRequest } from "../core/call/approval.ts";
import { defined } from "../core/input/defined.ts";
import type { JsonObject } from "../core/input/json.ts";
import type { NewItem } from "../core/ports/sessions.ts";
import type { Gate } from "../gate/gate.ts";

export interface ApprovalWatchParts {
  readonly gate: Pick<Gate, "events">;
  readonly callerId: string;
  /** `isWaiting`: somebody still has to answer. */
  readonly add: (items: readonly Omit<NewItem, "turn">[], isWaiting: boolean) => Promise<void>;
}

export class ApprovalWatch {
  readonly #parts: ApprovalWatchParts;
  readonly #waiting = new Map<string, ApprovalRequest>();
  readonly #stops: readonly (() => void)[];

  constructor(parts: ApprovalWatchParts) {
    this.#parts = parts;
    const { events } = parts.gate;
    this.#stops = [
      events.on("approval-request", ({ request }) => {
        if (request.caller !== parts.callerId) return;
        this.#waiting.set(request.id, request);
        const { reason, createdAt, expiresAt, rule } = request;
        const asked = { reason, createdAt, expiresAt, rule: rule && { kind: rule.kind, name: rule.name } };
        return this.#tell(request, "asked", asked);
      }),
      events.on("approval-answer", ({ id, answer }) => {
        const request = this.#waiting.get(id);
        if (request === undefined) return;
        this.#waiting.delete(id);
        const { decision, by, reason, scope } = answer;
        return this.#tell(request, decision === "approve" ? "approved" : "denied", { by, reason, scope });
      }),
    ];
  }

  /** Nobody will answer what this call still waited for. */
  async callEnded(callId: string, code: string | undefined): Promise<void> {
    for (const request of [...this.#waiting.values()]) {
      if (request.callId !== callId) continue;
      this.#waiting.delete(request.id);
      await this.#tell(request, code === "approval_expired" ? "expired" : "withdrawn", {});
    }
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #tell(
    { id, callId, toolUseId, toolId: tool }: ApprovalRequest,
    state: string,
    more: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const body = defined({ id, state, callId, toolUseId, tool, ...more }) as unknown as JsonObject;
    return this.#parts.add([{ kind: "approval", itemId: `${id}-${state}`, body }], this.#waiting.size > 0);
  }
}
