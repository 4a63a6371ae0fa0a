import { describe, expect, it } from "vitest";
import { createGate, type GateOptions, ToolgateError } from "../../src/index.ts";
import { createTestGate } from "../../src/testing/index.ts";
import { read } from "../tools.ts";

const no = { name: "no", tools: "*", action: "deny" } as const;

describe("a rule that could never hold is refused when it is loaded", () => {
  type Operator = "inside" | "equals" | "startsWith";
  const deny = (type: "path" | "url", operator: Operator, value: string): GateOptions => ({
    policies: [{ ...no, conditions: [{ type, operator, value }] }],
  });
  it.each<GateOptions>([
    deny("path", "inside", "src/**"),
    deny("path", "equals", "src/*.ts"),
    deny("path", "startsWith", "src/*"),
    deny("url", "inside", "*.example.com"),
    deny("url", "inside", ".example.com"),
    { routes: [{ name: "r", tool: "*", pattern: "x", message: "m", rewrite: { a: "b" } }] },
    { routes: [{ name: "r", tool: "*", pattern: "x", action: "rewrite", rewrite: { a: 5 } } as never] },
  ])("%j", async (options) => {
    await expect(createGate(options)).rejects.toThrow(ToolgateError);
  });

  it("but a path may begin with ./", async () => {
    const { gate } = await createTestGate({ tools: [read], ...deny("path", "startsWith", "./src/") });
    expect((await gate.explain({ tool: "notes.read", input: { path: "src/a" } })).verdict).toBe("deny");
  });
});

describe("a misspelt setting never opens the gate", () => {
  it.each([
    { checkDefault: "Deny" },
    { enable: { disabled: ["custom"] } },
    { approvals: { timeoutMS: 50 } },
    { approvals: { timeoutMs: "soon" } },
    { defaultTimeoutMs: "5s" },
    { roots: "ws" },
    { tools: {} },
    { policies: {} },
    { policies: [{ ...no, conditions: {} }] },
    { policies: [{ ...no, conditions: [null] }] },
    { policies: [{ ...no, modes: "plan" }] },
    { ledger: {} },
    { defaultCaller: "me" },
    null,
  ])("%j is refused", async (options) => {
    await expect(createGate(options as never)).rejects.toThrow(ToolgateError);
  });

  it("in setRules leaves the old rules in force", async () => {
    const { gate } = await createTestGate({ tools: [read], policies: [no] });
    for (const rules of [{ polices: [] }, [], null, undefined, "none"])
      await expect(gate.setRules(rules as never)).rejects.toThrow(ToolgateError);
    expect((await gate.explain({ tool: "notes.read", input: { path: "a" } })).verdict).toBe("deny");
  });

  it("in a tool's definition throws, because it would take a protection away", async () => {
    const { gate } = await createTestGate();
    for (const wrong of [
      { roles: { paths: ["file"] } },
      { roles: { path: "file" } },
      { timeoutMS: 5 },
      { lock: "exclusive" },
      { capabilities: "fs:read" },
    ])
      expect(() => gate.tools.register({ ...read, id: "x.y", ...wrong } as never)).toThrow(ToolgateError);
  });

  it("in a hook's answer counts as a failed hook", async () => {
    const { gate } = await createTestGate({
      tools: [read],
      hooks: [{ name: "h", type: "PreToolUse", run: () => ({ cancle: true }) as never }],
    });
    const outcome = await gate.dispatch({ tool: "notes.read", input: { path: "a" } });
    expect(outcome.ok ? "ran" : outcome.error.code).toBe("hook_failed");
    expect(outcome.ok || outcome.error.message).toContain(
      'the unknown key "cancle" (did you mean "cancel"?). It fails',
    );
  });

  it("in setMode throws", async () => {
    const { gate } = await createTestGate();
    expect(() => gate.setMode("s", "planning" as never)).toThrow(ToolgateError);
  });
});
