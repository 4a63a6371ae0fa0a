/** A gate with sessions in a folder of their own, which are closed after the test. */
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type AnyTool, defineTool } from "../../../src/core/tool/tool.ts";
import { createGate } from "../../../src/gate/create-gate.ts";
import type { GateOptions } from "../../../src/gate/gate-options.ts";
import {
  createSessions,
  type Sessions,
  type SessionsOptions,
} from "../../../src/sessions/create-sessions.ts";
import type { Runner } from "../../../src/sessions/runner.ts";
import type { SessionEvent } from "../../../src/sessions/session-event.ts";
import { type Script, scriptedRunner } from "./scripted-runner.ts";

export const ann = { id: "ann", capabilities: ["*"] };
export const folder = realpathSync(mkdtempSync(join(tmpdir(), "sessions-")));

export interface WorldOptions extends Partial<SessionsOptions> {
  readonly gate?: GateOptions;
}

/** Sessions of a scripted agent, or of the runner that is given. */
export async function sessionsWorld(agent: Script | Runner, { gate: more, ...options }: WorldOptions = {}) {
  const gate = await createGate({ roots: [folder], ...more });
  const runner = typeof agent === "function" ? scriptedRunner(agent) : { ...agent, seen: [] };
  const sessions = await createSessions(gate, { runners: [runner], roots: [folder], ...options });
  onTestFinished(async () => {
    await sessions.close();
    await gate.close();
  });
  const start = async (request: object = {}) => {
    const started = await sessions.start({ prompt: "go", runner: runner.name, ...request }, ann);
    if (!started.ok) throw new Error(`${started.code}: ${started.message}`);
    return started.session.id;
  };
  return {
    ...{ gate, runner, sessions, start },
    /** Everything that a reader gets until an event that it waits for. */
    read: (id: string, until: (event: SessionEvent) => boolean, after?: string) =>
      readEvents(sessions, id, until, after),
    /** One prompt to its end. */
    async run(request: object = {}) {
      const id = await start({ single: true, ...request });
      const events = await readEvents(sessions, id, isState("ended"));
      return { id, events, items: await sessions.items(id), session: await sessions.get(id) };
    },
  };
}

async function readEvents(
  sessions: Sessions,
  id: string,
  until: (event: SessionEvent) => boolean,
  after?: string,
) {
  const leaving = new AbortController();
  const events: SessionEvent[] = [];
  for await (const event of sessions.events(id, { after, signal: leaving.signal })) {
    events.push(event);
    if (until(event)) leaving.abort();
  }
  return events;
}

export const isState = (state: string) => (event: SessionEvent) =>
  event.event === "session" && event.data.state === state;

/** Waits for its next message after this turn. */
export const isIdleAfter =
  (turn: number) =>
  ({ event, data }: SessionEvent) =>
    event === "session" && (data.state === "idle" || data.state === "ended") && Number(data.turn) >= turn;

export const untilCancelled = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

const types = { a: "number", b: "number", n: "number" } as const;

/** A tool that reads, unless it is said otherwise; it takes these texts and numbers. */
export function tool(
  id: string,
  run: (input: Record<string, unknown>, context: { readonly signal: AbortSignal }) => unknown,
  names: readonly string[] = [],
  permission: "read" | "write" | "execute" = "read",
): AnyTool {
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: types[name as keyof typeof types] ?? "string" }]),
  );
  return defineTool({
    ...{ id, description: `The tool ${id}.`, permission },
    input: { type: "object", properties, required: [...names] },
    run: (input, context) => run(input as Record<string, unknown>, context),
  });
}

export const add = tool("math.add", ({ a, b }) => String(Number(a) + Number(b)), ["a", "b"]);
