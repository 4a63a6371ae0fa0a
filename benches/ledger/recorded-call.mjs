// A call that is recorded, for all benchmarks of the ledger: its tool, its input, and what it leaves behind.

export const input = {
  path: "src/pipeline/run/execute.ts",
  content: "export function add(one: number, other: number) {\n  return one + other;\n}\n",
};

export function records(callId) {
  const at = Date.now();
  return {
    intent: { callId, at, tool: "bench.write", permission: "write", caller: "local", input },
    completion: {
      callId,
      at,
      durationMs: 0.1,
      surface: "library",
      kind: "call",
      caller: "local",
      cwd: "/work",
      mode: "act",
      askedFor: "bench.write",
      tool: "bench.write",
      input,
      verdict: "allow",
      ok: true,
      result: "done: 3 lines",
    },
  };
}

/** Does nothing, so that its record is what takes time. */
export function recordedTool(defineTool, id, permission) {
  return defineTool({
    id,
    description: "Does nothing, to be recorded.",
    permission,
    input: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" } },
      required: ["path"],
      additionalProperties: false,
    },
    run: () => "done: 3 lines",
  });
}

/** Without a gate. */
export async function recordCall(ledger, callId) {
  const { intent, completion } = records(callId);
  await ledger.open(intent);
  await ledger.close(completion);
}
