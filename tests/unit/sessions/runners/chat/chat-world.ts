/** A gate, a session and the chat runner in front of a model of the test. */
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool } from "../../../../../src/core/tool/tool.ts";
import { createGate } from "../../../../../src/gate/create-gate.ts";
import type { GateOptions } from "../../../../../src/gate/gate-options.ts";
import { createSessions, type Sessions } from "../../../../../src/sessions/create-sessions.ts";
import {
  type ChatRunnerOptions,
  createChatRunner,
} from "../../../../../src/sessions/runners/chat/chat-runner.ts";
import type { SessionEvent } from "../../../../../src/sessions/session-event.ts";
import type { StartSession } from "../../../../../src/sessions/start/start-session.ts";

export const ann = { id: "ann", capabilities: ["*"] };
export const apis = ["anthropic", "openai"] as const;
export type Api = (typeof apis)[number];

const folder = realpathSync(mkdtempSync(join(tmpdir(), "chat-")));
const closing: (() => Promise<void>)[] = [];

/** For `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

export function closeLater(close: () => Promise<void>): void {
  closing.push(close);
}

export const add = defineTool({
  id: "math.add",
  description: "Adds.",
  permission: "read",
  input: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  run: ({ a, b }) => String(Number(a) + Number(b)),
});

export interface World {
  readonly sessions: Sessions;
  readonly gate: Awaited<ReturnType<typeof createGate>>;
  /** Runs one turn to its end, and gives its events. */
  run(prompt: string, more?: Partial<StartSession>): Promise<Ran>;
}

export interface Ran {
  readonly id: string;
  readonly events: readonly SessionEvent[];
  /** The last message of the model. */
  readonly text: string | undefined;
  readonly error:
    | { readonly code: string; readonly message: string; readonly retryable: boolean }
    | undefined;
  readonly stopReason: unknown;
}

export async function world(
  url: string,
  options: Partial<ChatRunnerOptions> & { readonly api: Api },
  gateOptions: Partial<GateOptions> = {},
): Promise<World> {
  const gate = await createGate({ tools: [add], approver: "desk", roots: [folder], ...gateOptions });
  const runner = createChatRunner({ baseUrl: url, model: "scripted", ...options });
  const sessions = await createSessions(gate, { runners: [runner], roots: [folder] });
  closing.push(
    () => gate.close(),
    () => sessions.close(),
  );
  return {
    sessions,
    gate,
    async run(prompt, more = {}) {
      const started = await sessions.start({ prompt, runner: runner.name, cwd: folder, ...more }, ann);
      if (!started.ok) throw new Error(started.message);
      return follow(sessions, started.session.id);
    },
  };
}

/** Until the session waits for the next message. */
export async function follow(sessions: Sessions, id: string, turn = 1): Promise<Ran> {
  const leaving = new AbortController();
  const events: SessionEvent[] = [];
  for await (const event of sessions.events(id, { signal: leaving.signal })) {
    events.push(event);
    const { state } = event.data;
    if (
      event.event === "session" &&
      (state === "idle" || state === "ended") &&
      Number(event.data.turn) >= turn
    )
      leaving.abort();
  }
  const of = (kind: string) => events.filter(({ event, data }) => event === kind && data.turn === turn);
  const said = of("message").filter(({ data }) => data.role === "assistant");
  return {
    id,
    events,
    text: said.at(-1)?.data.text as string | undefined,
    error: of("error").at(-1)?.data as Ran["error"],
    stopReason: of("completed").at(-1)?.data.stopReason,
  };
}
