/** A gate with sessions of the scripted agent, in a folder of its own. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Policy } from "../../../../../src/index.ts";
import type { SessionsOptions } from "../../../../../src/sessions/create-sessions.ts";
import {
  type AcpRunnerOptions,
  createAcpRunner,
} from "../../../../../src/sessions/runners/acp/create-acp-runner.ts";
import { createBuiltinTools } from "../../../../../src/sources/builtin/builtin-tools.ts";
import { ann, isIdleAfter, isState, sessionsWorld } from "../../sessions-world.ts";

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
  onTestFinished(async () => {
    await builtin.close();
    rmSync(state, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });
  const told: string[] = [];
  const runner = createAcpRunner({
    name: "scripted",
    command: [process.execPath, script, ...flags],
    env: { SEEN: seenFile },
    startTimeoutMs: 60_000,
    ...options,
  });
  const { gate, sessions, start, read } = await sessionsWorld(runner, {
    gate: {
      tools: builtin.tools,
      enable: { enabledCategories: ["shell", "editing"] },
      approver: "desk",
      roots: [folder],
      policies,
    },
    roots: [folder],
    tell: (message) => void told.push(message),
    ...more,
  });
  const textOf = (steps: readonly Step[] | string) =>
    typeof steps === "string" ? steps : JSON.stringify(steps);
  const world = {
    ...{ folder, gate, sessions, runner, told },
    path: (name: string) => join(folder, name),
    seen: () => readFileSync(seenFile, "utf8").split("\n").filter(Boolean),
    start: (steps: readonly Step[] | string, request: object = {}) =>
      start({ prompt: textOf(steps), tools: "agent", ...request }),
    async send(id: string, steps: readonly Step[] | string, request: object = {}) {
      const result = await sessions.send(id, { text: textOf(steps), ...request }, ann);
      if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
    },
    /** Everything that a reader gets until a state, of this turn on. */
    until: (id: string, wanted: string, turn = 1) =>
      read(id, (event) => isState(wanted)(event) && Number(event.data.turn) >= turn),
    /** One turn to its end: what the log says then. */
    async ran(steps: readonly Step[] | string, request: object = {}) {
      const id = await world.start(steps, request);
      await read(id, isIdleAfter(1));
      return world.logged(id);
    },
    /** The next turn of a session. */
    async ranNext(id: string, steps: readonly Step[] | string) {
      await world.send(id, steps);
      await read(id, isIdleAfter(2));
      return world.logged(id);
    },
    async logged(id: string) {
      const log = await world.log(id);
      return { id, log, text: log.join("\n"), last: log.at(-1) };
    },
    /** The question that the session waits for. */
    async question(id: string) {
      await expect.poll(async () => (await sessions.get(id))?.state).toBe("waiting");
      const [question] = await gate.approvals.pending();
      const answer = (decision: "approve" | "deny") =>
        gate.approvals.answer(question?.id ?? "", { decision, by: "ann" });
      return { question, answer };
    },
    /** The whole log: kind, and what it says in a few words. */
    async log(id: string): Promise<string[]> {
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
  return world;
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
