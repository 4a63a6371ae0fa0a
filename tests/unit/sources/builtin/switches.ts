/** What every tool obeys that touches no path: its category, the ceiling, plan mode, capabilities, its schema, under each of its names. */
import { describe, expect, it, onTestFinished } from "vitest";
import { type AnyTool, createGate, type GateOptions } from "../../../../src/index.ts";

/** A test that makes no sense for a tool is not a skipped one. */
const itIf = (holds: boolean) => (holds ? it : () => {});

const approveAll = [{ name: "yes to all", tools: "*", action: "approve" as const }];

export interface SwitchOptions {
  /** Input that must succeed. */
  readonly good: object;
  /** Input that its schema must refuse. */
  readonly bad: readonly unknown[];
}

export function describeSwitches(id: string, createTool: () => AnyTool, { good, bad }: SwitchOptions): void {
  const { category = "", permission, capabilities = [], aliases = [] } = createTool();
  const open = async (options: GateOptions = {}) => {
    const gate = await createGate({
      tools: [createTool()],
      policies: approveAll,
      enable: { enableAll: true },
      ...options,
    });
    onTestFinished(() => gate.close());
    return gate;
  };
  const codeOf = async (gate: Awaited<ReturnType<typeof open>>, context: object = {}, tool = id) => {
    const outcome = await gate.dispatch({ tool, input: good, sessionId: "s", ...context });
    return outcome.ok ? "ok" : outcome.error.code;
  };
  const names = [id, id.replaceAll(".", "_"), ...aliases];

  describe(`${id} obeys the gate`, () => {
    it("works where all is open", async () => {
      expect(await codeOf(await open())).toBe("ok");
    });

    it.each(names)("is refused while its category is off, called %s", async (name) => {
      const gate = await open({ enable: { enableAll: true, disabledCategories: [category] } });
      expect(await codeOf(gate, {}, name)).toBe("category_disabled");
    });

    it("is refused in plan mode unless it only reads", async () => {
      const gate = await open();
      const expected = permission === "read" ? "ok" : "plan_mode";
      for (const name of names) expect(await codeOf(gate, { mode: "plan" }, name)).toBe(expected);
      gate.setMode("s", "plan");
      expect(await codeOf(gate)).toBe(expected);
    });

    itIf(permission !== "read")("is refused above the ceiling of its category", async () => {
      const gate = await open();
      gate.categories.setCeiling(category, "read");
      expect(await codeOf(gate)).toBe("above_ceiling");
    });

    itIf(permission !== "read")("asks when no policy speaks, and nobody there means no", async () => {
      expect(await codeOf(await open({ policies: [] }))).toBe("no_approver");
    });

    itIf(capabilities.length > 0)("is refused to a caller without its capability", async () => {
      const gate = await open();
      const caller = { id: "weak", capabilities: ["fs:read", "support:other"] };
      expect(await codeOf(gate, { caller })).toBe("missing_capability");
      expect(await codeOf(gate, { caller: { id: "strong", capabilities } })).toBe("ok");
    });

    it("refuses input that does not fit", async () => {
      const gate = await open();
      for (const input of [...bad, { ...good, surprise: 1 }, [], "x"]) {
        const outcome = await gate.dispatch({ tool: id, input, sessionId: "s" });
        const code = outcome.ok ? "ok" : outcome.error.code;
        expect(["invalid_input", "bad_call"], JSON.stringify(input)).toContain(code);
      }
    });
  });
}
