/** A real gate with the task tools, and what a test wants of a call. */
import { onTestFinished } from "vitest";
import { createGate, type Gate, type GateOptions } from "../../../../../src/index.ts";
import { portsOfGate } from "../../../../../src/sources/builtin/gate-ports.ts";
import type { TaskPorts } from "../../../../../src/sources/builtin/task/ports.ts";
import { createSessionState } from "../../../../../src/sources/builtin/task/session-state.ts";
import { createTaskTools } from "../../../../../src/sources/builtin/task/task-tools.ts";
import { callsOf } from "../calls.ts";

export async function taskGate(ports: Partial<TaskPorts> = {}, options: GateOptions = {}) {
  const state = createSessionState();
  const holder: { gate?: Gate } = {};
  const { modes } = portsOfGate(() => holder.gate as Gate);
  const gate = await createGate({ tools: createTaskTools({ state, modes, ...ports }), ...options });
  holder.gate = gate;
  onTestFinished(() => gate.close());
  return { gate, state, ...callsOf(gate, { sessionId: "s1" }) };
}
