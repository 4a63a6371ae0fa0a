import { describe, expect, it } from "vitest";
import type { ToolContext } from "../../../src/index.ts";
import { createMemoryLedger } from "../../../src/stores/memory/redacted-ledger.ts";
import { paperGate, tool } from "../paper-gate.ts";

async function notesOf(run: (args: unknown, context: ToolContext) => unknown) {
  const { gate, ledger } = await paperGate({ tools: [tool({ run })] });
  const outcome = await gate.dispatch({ tool: "x.run", input: {} });
  return { outcome, notes: ledger.records()[0]?.notes };
}

describe("a note of a tool", () => {
  it("is in the record of the call and nowhere else", async () => {
    const { outcome, notes } = await notesOf((_, { note }) => {
      note("first");
      note("second");
      return "done";
    });
    expect(notes).toEqual(["first", "second"]);
    expect(JSON.stringify(outcome)).not.toMatch(/first|second/);
  });

  it("is kept when the tool fails", async () => {
    const { notes } = await notesOf((_, { note }) => {
      note("before");
      throw new Error("no");
    });
    expect(notes).toEqual(["before"]);
  });

  it("is cut, and there are at most twenty", async () => {
    const { notes } = await notesOf((_, { note }) => {
      for (let at = 0; at < 100; at++) note("x".repeat(10_000));
    });
    expect(notes?.length).toBe(20);
    expect(notes?.every((one) => one.length === 500)).toBe(true);
  });

  it("after the end is too late", async () => {
    let late: (() => void) | undefined;
    const { notes } = await notesOf((_, context) => {
      late = () => context.note("late");
    });
    late?.();
    expect(notes).toBeUndefined();
  });

  it("is shown without its secrets", async () => {
    const ledger = createMemoryLedger();
    await ledger.close({ notes: ["token ghp_abcdefghijklmnopqrstuvwxyz0123456789"], input: {} } as never);
    expect(ledger.records()[0]?.notes?.join()).toMatch(/redacted/);
  });
});
