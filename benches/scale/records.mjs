// What a call leaves behind: the same for the ledger and, as text, for bare inserts.

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
