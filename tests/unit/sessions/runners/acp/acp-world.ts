/** A gate with sessions of the scripted agent, in a folder of its own. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createGate } from "../../../../../src/gate/create-gate.ts";
import type { Policy } from "../../../../../src/index.ts";
import { createSessions, type SessionsOptions } from "../../../../../src/sessions/create-sessions.ts";
import {
  type AcpRunnerOptions,
  createAcpRunner,
} from "../../../../../src/sessions/runners/acp/create-acp-runner.ts";
import type { SessionEvent } from "../../../../../src/sessions/session-event.ts";
import { createBuiltinTools } from "../../../../../src/sources/builtin/builtin-tools.ts";

export const ann = { id: "ann", capabilities: ["*"] };
const script = join(import.meta.dirname, "scripted-agent.mjs");

/** What the scripted agent is told to do: its name for the step, and what that takes. */
export type Step = readonly [string, ...unknown[]];

export interface AcpWorldOptions extends Partial<AcpRunnerOptions> {
  readonly flags?: readonly string[];
  readonly policies?: readonly Policy[];
  readonly sessions?: Partial<SessionsOptions>;
}

export async function acpWorld({
  flags = [],
  policies = [],
  sessions: more = {},
  ...options
}: AcpWorldOptions = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "acp-")));
  const seenFile = join(folder, ".seen");
  writeFileSync(seenFile, "");
  const state = mkdtempSync(join(tmpdir(), "acp-state-"));
  const builtin = createBuiltinTools({ editing: { stateFolder: state } });
  const gate = await createGate({
    tools: builtin.tools,
    enable: { enabledCategories: ["shell", "editing"] },
    approver: "desk",
    roots: [folder],
    policies,
  });
  const told: string[] = [];
  const runner = createAcpRunner({
    name: "scripted",
    command: [process.execPath, script, ...flags],
    env: { SEEN: seenFile },
    startTimeoutMs: 5_000,
    ...options,
  });
  const sessions = await createSessions(gate, {
    runners: [runner],
    roots: [folder],
    tell: (message) => void told.push(message),
    ...more,
  });
  onTestFinished(async () => {
    await sessions.close();
    await gate.close();
    await builtin.close();
    rmSync(state, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    ...{ folder, gate, sessions, runner, told },
    path: (name: string) => join(folder, name),
    seen: () => readFileSync(seenFile, "utf8").split("\n").filter(Boolean),
    async start(steps: readonly Step[] | string, request: object = {}) {
      const prompt = typeof steps === "string" ? steps : JSON.stringify(steps);
      const asked = { prompt, runner: "scripted", tools: "agent" as const, ...request };
      const result = await sessions.start(asked, ann);
      if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
      return result.session.id;
    },
    async send(id: string, steps: readonly Step[] | string, request: object = {}) {
      const text = typeof steps === "string" ? steps : JSON.stringify(steps);
      const result = await sessions.send(id, { text, ...request }, ann);
      if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
    },
    /** Everything that a reader gets until a state, of this turn on. */
    async until(id: string, state: string, turn = 1) {
      const leaving = new AbortController();
      const events: SessionEvent[] = [];
      for await (const event of sessions.events(id, { signal: leaving.signal })) {
        events.push(event);
        const { data } = event;
        if (event.event === "session" && data.state === state && Number(data.turn) >= turn) leaving.abort();
      }
      return events;
    },
    /** The whole log: kind, and what it says in a few words. */
    async log(id: string) {
      const items = await sessions.items(id);
      return items.map(({ kind, body }) => {
        const { text, tool, ok, code, state, stopReason, input, content } = body;
        const words: Readonly<Record<string, unknown>> = {
          message: text,
          tool_use: `${tool} ${JSON.stringify(input)}`,
          tool_result: `${tool} ${ok} ${code ?? ""} ${JSON.stringify(content)}`,
          approval: `${state} ${tool}`,
          error: `${code}: ${body.message}`,
          completed: stopReason,
        };
        return `${kind} ${words[kind] ?? JSON.stringify(body)}`;
      });
    },
  };
}

export const bash = (id: string, command: string) => ({
  toolCallId: id,
  title: command,
  kind: "execute",
  rawInput: { command },
});

export const done = (id: string, text = "it ran", more: object = {}): Step => [
  "update",
  {
    sessionUpdate: "tool_call_update",
    toolCallId: id,
    status: "completed",
    content: [{ type: "content", content: { type: "text", text } }],
    ...more,
  },
];
