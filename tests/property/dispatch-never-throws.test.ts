import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { type CallRequest, defineTool } from "../../src/index.ts";
import { createTestGate } from "../../src/testing/index.ts";
import { add, read, write } from "../tools.ts";
import { words } from "../words.ts";

const wild = defineTool({
  id: "wild.run",
  description: "Returns or throws anything.",
  permission: "read",
  input: z.looseObject({}),
  run: ({ returns, throws }) => {
    if (throws !== undefined) throw throws;
    return returns;
  },
});

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withSparseArray: true,
  withObjectString: true,
});
const name = fc.oneof(
  fc.constantFrom(...words("math.add notes.read notes.write wild.run constructor __proto__ math_add")),
  fc.string({ unit: "binary" }),
  anything,
);
const request = fc.oneof(
  fc.record(
    {
      tool: name,
      input: fc.oneof(anything, fc.record({ returns: anything, throws: anything }, { requiredKeys: [] })),
      sessionId: fc.oneof(fc.string(), fc.constant(undefined)),
      mode: fc.constantFrom("act", "plan", undefined),
    },
    { requiredKeys: [] },
  ),
  anything,
);

it("dispatch ends each of 10,000 generated calls with an outcome and throws none", async () => {
  const { gate, ledger } = await createTestGate({
    tools: [add, read, write, wild],
    routes: [{ name: "r", tool: "*", pattern: "x(?!y)", field: "path", message: "No x." }],
    hooks: [
      {
        name: "h",
        type: "PreToolUse",
        toolPatterns: "notes.*",
        run: ({ preToolUse }) =>
          JSON.stringify(preToolUse.parameters).length > 40 ? { cancel: true } : "short",
      },
    ],
    limits: [{ name: "l", max: 1_000_000, windowMs: 1000 }],
    answers: ["approve", "deny"],
  });
  const codes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(request, async (generated) => {
      const outcome = await gate.dispatch(generated as CallRequest);
      expect(typeof outcome.ok).toBe("boolean");
      expect(outcome.callId).not.toBe("");
      const code = outcome.ok ? "ran" : outcome.error.code;
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }),
    { numRuns: 10_000 },
  );
  expect(ledger.records().length).toBe(10_000);
  // The generator really reaches the ends it is meant to reach.
  expect([...codes.keys()]).toEqual(
    expect.arrayContaining(["ran", "unknown_tool", "bad_call", "invalid_input", "tool_failed"]),
  );
  expect(codes.get("internal_error")).toBeUndefined();
});
