import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createGate, defineTool, type Gate } from "../../../src/index.ts";

const approve = [{ name: "yes", tools: "*", action: "approve" as const }];

function writer(id: string, run: () => unknown) {
  return defineTool({ id, description: "Writes.", permission: "write", input: z.object({}), run });
}

describe("a tool that calls the gate itself", () => {
  it("shares the lock it holds instead of waiting for itself", async () => {
    const holder: { gate?: Gate } = {};
    const inner = writer("x.inner", () => "inner");
    const outer = writer("x.outer", async () => (await holder.gate?.dispatch({ tool: "x.inner" }))?.ok);
    holder.gate = await createGate({ tools: [inner, outer], policies: approve });
    expect(await holder.gate.dispatch({ tool: "x.outer" })).toMatchObject({ ok: true, value: true });
  });

  it("leaves behind no way past the lock: what it starts and does not await queues like everybody else", async () => {
    const holder: { gate?: Gate } = {};
    let late: Promise<unknown> = Promise.resolve();
    let running = 0;
    let most = 0;
    const slow = writer("x.slow", async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 40));
      running--;
    });
    const starter = writer("x.starter", () => {
      late = new Promise((resolve) => setTimeout(resolve, 15)).then(() =>
        holder.gate?.dispatch({ tool: "x.slow" }),
      );
    });
    holder.gate = await createGate({ tools: [slow, starter], policies: approve });
    await holder.gate.dispatch({ tool: "x.starter" });
    await Promise.all([holder.gate.dispatch({ tool: "x.slow" }), late]);
    expect(most).toBe(1);
  });
});
