/** A real gate with the task tools, and what a test wants of a call. */
import { onTestFinished } from "vitest";
import { textOf } from "../../../../../src/core/call/content.ts";
import { createGate, type Gate, type GateOptions } from "../../../../../src/index.ts";
import { portsOfGate } from "../../../../../src/sources/builtin/gate-ports.ts";
import type { TaskPorts } from "../../../../../src/sources/builtin/task/ports.ts";
import {
  createSessionState,
  type SessionState,
} from "../../../../../src/sources/builtin/task/session-state.ts";
import { createTaskTools } from "../../../../../src/sources/builtin/task/task-tools.ts";

export interface TaskGate {
  readonly gate: Gate;
  readonly state: SessionState;
  /** `code text` of a failure, or the text of a success. */
  say(tool: string, input?: unknown, context?: object): Promise<string>;
  data(tool: string, input?: unknown, context?: object): Promise<unknown>;
}

export async function taskGate(ports: Partial<TaskPorts> = {}, options: GateOptions = {}): Promise<TaskGate> {
  const state = createSessionState();
  const holder: { gate?: Gate } = {};
  const { modes } = portsOfGate(() => holder.gate as Gate);
  const gate = await createGate({ tools: createTaskTools({ state, modes, ...ports }), ...options });
  holder.gate = gate;
  onTestFinished(() => gate.close());
  const call = (tool: string, input: unknown, context: object) =>
    gate.dispatch({ tool, input, sessionId: "s1", ...context });
  return {
    gate,
    state,
    say: async (tool, input = {}, context = {}) => {
      const outcome = await call(tool, input, context);
      if (outcome.ok) return textOf(outcome.result);
      const { code = outcome.error.code } = (outcome.result.structured ?? {}) as { code?: string };
      return `${code} ${outcome.error.message}`;
    },
    data: async (tool, input = {}, context = {}) => {
      const outcome = await call(tool, input, context);
      if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
      return outcome.value;
    },
  };
}
