import { describe, expect, it } from "vitest";
import { paperGate, throws, tool } from "../paper-gate.ts";

describe("half-streamed input", () => {
  it("reaches a tool that can use it, block by block, and never runs the tool", async () => {
    const seen: unknown[] = [];
    const preview = tool({
      input: { type: "object", required: ["path", "content"] },
      run: () => void seen.push("ran"),
      onPartial: (block: unknown, context: unknown) => void seen.push([block, context]),
    });
    const { gate, ledger } = await paperGate({ tools: [preview] });
    const caller = { id: "agent", capabilities: ["*"] };
    for (const part of [
      { tool: "x_run", input: { path: "a" }, sessionId: "s", caller },
      { tool: "x.run", input: { path: "a", content: "b" }, complete: true },
    ])
      expect(await gate.partial({ toolUseId: "u", ...part })).toEqual({ ok: true, handled: true });
    expect(seen).toMatchObject([
      [
        { toolUseId: "u", input: { path: "a" }, complete: false },
        { sessionId: "s", caller },
      ],
      [{ toolUseId: "u", input: { path: "a", content: "b" }, complete: true }, { sessionId: undefined }],
    ]);
    expect(ledger.records()).toEqual([]);
  });

  it("is ignored by a tool that cannot use it", async () => {
    const { gate } = await paperGate({ tools: [tool({ run: throws(new Error("ran")) })] });
    expect(await gate.partial({ tool: "x.run", toolUseId: "u", input: {} })).toEqual({
      ok: true,
      handled: false,
    });
  });

  it("of an unknown tool or with an input that is no data is refused", async () => {
    const { gate } = await paperGate({ tools: [tool({ onPartial: () => {} })] });
    for (const [tool, input, code] of [
      ["no.such", {}, "unknown_tool"],
      ["x.run", { f: () => 1 }, "bad_call"],
    ] as const)
      expect(await gate.partial({ tool, toolUseId: "u", input })).toMatchObject({
        ok: false,
        error: { code },
      });
  });

  it("that the tool cannot take is an error, not an exception", async () => {
    for (const onPartial of [throws(new Error("boom")), () => Promise.reject(new Error("boom"))]) {
      const { gate } = await paperGate({ tools: [tool({ onPartial })] });
      expect(await gate.partial({ tool: "x.run", toolUseId: "u", input: {} })).toMatchObject({
        ok: false,
        error: { code: "tool_failed", message: expect.stringContaining("boom") },
      });
    }
  });
});
