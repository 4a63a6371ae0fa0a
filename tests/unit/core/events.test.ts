import { describe, expect, it } from "vitest";
import { Events } from "../../../src/core/call/event.ts";
import { paperGate, tool } from "../paper-gate.ts";

const boom = () => {
  throw new Error("boom");
};

describe("events", () => {
  it("tell start and end of a call, also of a refused one", async () => {
    const policies = [{ name: "no", tools: "*", action: "deny" as const }];
    const { gate } = await paperGate({ tools: [tool()], policies });
    const seen: unknown[] = [];
    gate.events.on("call-start", ({ tool: id, sessionId }) => seen.push(["start", id, sessionId]));
    gate.events.on("call-end", ({ outcome }) => seen.push(["end", outcome.tool, outcome.ok]));
    await gate.dispatch({ tool: "x.run", sessionId: "s" });
    expect(seen).toEqual([
      ["start", "x.run", "s"],
      ["end", "x.run", false],
    ]);
  });

  it("tell start and end of a call of an unknown tool too, so that they come in pairs", async () => {
    const { gate } = await paperGate();
    const seen: string[] = [];
    gate.events.on("call-start", () => seen.push("start"));
    gate.events.on("call-end", ({ outcome }) => seen.push(outcome.ok ? "ok" : outcome.error.code));
    await gate.dispatch({ tool: "no.such" });
    expect(seen).toEqual(["start", "unknown_tool"]);
  });

  it("stop when the listener leaves", () => {
    const events = new Events();
    const seen: number[] = [];
    const off = events.on("rules-change", ({ version }) => seen.push(version));
    events.emit("rules-change", { version: 1 });
    off();
    off();
    events.emit("rules-change", { version: 2 });
    expect(seen).toEqual([1]);
    expect(events.has("rules-change")).toBe(false);
  });

  it("reach the other listeners, and the call its end, when one throws", async () => {
    const { gate } = await paperGate({ tools: [tool()] });
    const seen: unknown[] = [];
    gate.events.on("call-end", boom);
    gate.events.on("call-end", () => seen.push("second"));
    gate.events.on("listener-error", ({ event }) => seen.push(event));
    expect((await gate.dispatch({ tool: "x.run" })).ok).toBe(true);
    expect(seen).toEqual(["call-end", "second"]);
  });

  it("do not go round in circles when the listener for errors throws", () => {
    const events = new Events();
    events.on("rules-change", boom);
    events.on("listener-error", boom);
    expect(() => events.emit("rules-change", { version: 1 })).not.toThrow();
  });

  it("let a listener leave while it is being told", () => {
    const events = new Events();
    const seen: string[] = [];
    const off = events.on("rules-change", () => {
      seen.push("once");
      off();
    });
    events.on("rules-change", () => seen.push("always"));
    events.emit("rules-change", { version: 1 });
    events.emit("rules-change", { version: 2 });
    expect(seen).toEqual(["once", "always", "always"]);
  });
});
