/** A gate, a session and the chat runner in front of a model of the test. */
import type { GateOptions } from "../../../../../src/gate/gate-options.ts";
import {
  type ChatRunnerOptions,
  createChatRunner,
} from "../../../../../src/sessions/runners/chat/chat-runner.ts";
import { add, isIdleAfter, sessionsWorld } from "../../sessions-world.ts";

export const apis = ["anthropic", "openai"] as const;

interface ModelError {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

export async function chatWorld(
  url: string,
  options: Partial<ChatRunnerOptions> & { readonly api: (typeof apis)[number] },
  gate: GateOptions = {},
) {
  const runner = createChatRunner({ baseUrl: url, model: "scripted", ...options });
  // Whoever is cancelled ends at once, or this would be waited for.
  const cancelGraceMs = 600_000;
  const world = await sessionsWorld(runner, {
    cancelGraceMs,
    gate: { tools: [add], approver: "desk", ...gate },
  });
  /** Until the session waits for the next message; with the last message, error and end of the turn. */
  const follow = async (id: string, turn = 1) => {
    const events = await world.read(id, isIdleAfter(turn));
    const of = (kind: string) => events.filter(({ event, data }) => event === kind && data.turn === turn);
    const said = of("message").filter(({ data }) => data.role === "assistant");
    return {
      ...{ id, events, text: said.at(-1)?.data.text },
      error: of("error").at(-1)?.data as unknown as ModelError | undefined,
      stopReason: of("completed").at(-1)?.data.stopReason,
    };
  };
  const run = async (prompt: string, more: object = {}) => follow(await world.start({ prompt, ...more }));
  return { ...world, follow, run };
}
