/** Fills a real store through a real gate: calls of agents on several days, and a person who answers at the desk. */

import type { ApprovalAnswer, ApprovalRequest } from "../../src/core/call/approval.ts";
import type { JsonObject } from "../../src/core/input/json.ts";
import type { Clock } from "../../src/core/ports/ports.ts";
import { createSystemClock } from "../../src/gate/system.ts";
import { createGate } from "../../src/index.ts";
import type { Policy } from "../../src/rules/policies.ts";
import { openSqliteStore } from "../../src/stores/sqlite/sqlite-store.ts";

export interface FilledCall {
  readonly tool: string;
  readonly input: JsonObject;
}

export interface Filling {
  readonly stateFolder: string;
  readonly workspace: string;
  readonly policies: readonly Policy[];
  /** Days back from now, oldest first; each with the calls of its sessions. */
  readonly days: readonly {
    readonly daysAgo: number;
    readonly sessions: readonly (readonly FilledCall[])[];
  }[];
  readonly answer: (request: ApprovalRequest) => Omit<ApprovalAnswer, "by">;
  readonly by?: string;
}

const day = 86_400_000;
const agent = { name: "claude-code" };

/** Returns how many calls were made. */
export async function fillStore(filling: Filling): Promise<number> {
  const { stateFolder, workspace, policies, days, answer, by = "console:ann" } = filling;
  let offsetMs = 0;
  const system = createSystemClock();
  const clock: Clock = {
    now: () => system.now() + offsetMs,
    monotonic: () => system.monotonic(),
    dateOf: (monotonic) => system.dateOf(monotonic) + offsetMs,
    after: (ms, run) => system.after(ms, run),
  };
  await using store = await openSqliteStore({ stateFolder, approvals: { rejectOthers: false } }, clock);
  const gate = await createGate({ store, clock, roots: [workspace], policies, approver: "desk" });
  const answered = new Set<string>();
  const stop = store.approvals.onChange(() => void answerAll());
  let calls = 0;
  try {
    for (const { daysAgo, sessions } of days) {
      for (const [index, session] of sessions.entries()) {
        offsetMs = -daysAgo * day + index * 3_600_000;
        for (const { tool, input } of session) {
          // Nobody answers twice within a second.
          offsetMs += 20_000;
          const sessionId = `s-${daysAgo}-${index}`;
          const checking = gate.check({ tool, input, sessionId, cwd: workspace, agent });
          await answerAll();
          await checking;
          calls++;
        }
      }
    }
  } finally {
    stop();
    await gate.close();
  }
  return calls;

  async function answerAll(): Promise<void> {
    for (const { request } of await store.approvals.waiting()) {
      if (answered.has(request.id)) continue;
      answered.add(request.id);
      offsetMs += 5_000;
      await store.approvals.answer(request.id, { ...answer(request), by });
    }
  }
}
