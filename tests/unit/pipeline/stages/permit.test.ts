import { describe, expect, it } from "vitest";
import { codeOf, endOf, messageOf, paperGate, shell, tool } from "../../paper-gate.ts";

const approve = [{ name: "yes", tools: "*", action: "approve" as const }];

describe("capabilities", () => {
  const needs = tool({ capabilities: ["fs:read", "net:fetch"] });

  it.each([
    [["fs:read", "net:fetch"], "ran"],
    [["*"], "ran"],
    [["fs:*", "net:*"], "ran"],
    [["fs:read"], "missing_capability"],
    [["fs:reader", "net:fetch"], "missing_capability"],
    [["fs", "net"], "missing_capability"],
    [["fs:write", "net:fetch"], "missing_capability"],
    [[], "missing_capability"],
  ])("a caller with %j: %s", async (capabilities, expected) => {
    expect(await endOf({ tools: [needs], policies: approve }, { caller: { id: "a", capabilities } })).toBe(
      expected,
    );
  });

  it("are named when one is missing", async () => {
    const { gate } = await paperGate({ tools: [needs] });
    expect(
      messageOf(await gate.dispatch({ tool: "x.run", caller: { id: "a", capabilities: [] } })),
    ).toContain('"fs:read"');
  });

  it("are those of the gate's default caller for a call that names none", async () => {
    expect(await endOf({ tools: [needs], defaultCaller: { id: "weak", capabilities: [] } })).toBe(
      "missing_capability",
    );
  });

  it("come before policies: an approval by rule gives none", async () => {
    expect(
      await endOf(
        {
          tools: [needs],
          policies: [{ name: "yes", tools: "*", action: "approve", tier: "admin", priority: 100 }],
        },
        { caller: { id: "a", capabilities: [] } },
      ),
    ).toBe("missing_capability");
  });
});

it("a tool that is switched off says how to enable it, by option, configuration and library", async () => {
  const { gate } = await paperGate({ tools: [tool({ category: "editing" })] });
  const outcome = await gate.dispatch({ tool: "x.run" });
  expect(!outcome.ok && outcome.error.hint).toBe(
    "Enable it with --enable-tool-categories editing, or tools: { enabled_categories: [editing] } in the configuration (enabledCategories in the library).",
  );
});

describe("plan mode", () => {
  const tools = [
    tool(),
    tool({ id: "w.run", permission: "write" }),
    tool({ id: "e.run", permission: "execute" }),
    shell,
  ];

  it.each([
    ["x.run", {}, "ran"],
    ["w.run", {}, "plan_mode"],
    ["e.run", {}, "plan_mode"],
    ["shell.exec", { command: "ls" }, "ran"],
    ["shell.exec", { command: "ls && rm a" }, "plan_mode"],
    ["shell.exec", { command: "ls > a" }, "plan_mode"],
    ["shell.exec", { command: "eval ls" }, "plan_mode"],
  ])("%s with %j: %s, whatever the policies say", async (id, input, expected) => {
    const conditions = [{ type: "risk", operator: "greaterThan", value: "read" } as const];
    const policies = approve.map((yes) => ({ ...yes, tier: "admin" as const, priority: 9, conditions }));
    expect(await endOf({ tools, policies }, { tool: id, input, mode: "plan" })).toBe(expected);
  });

  it("of a session holds for its calls, which cannot talk themselves out of it", async () => {
    const { gate } = await paperGate({ tools, policies: approve });
    gate.setMode("s", "plan");
    expect(codeOf(await gate.dispatch({ tool: "w.run", sessionId: "s" }))).toBe("plan_mode");
    expect(codeOf(await gate.dispatch({ tool: "w.run", sessionId: "s", mode: "act" }))).toBe("plan_mode");
    expect(codeOf(await gate.dispatch({ tool: "w.run", sessionId: "t" }))).toBe("ran");
    gate.setMode("s", "act");
    expect(codeOf(await gate.dispatch({ tool: "w.run", sessionId: "s" }))).toBe("ran");
  });

  describe("set for a session", () => {
    const asked = (id?: string) => ({
      tool: "w.run",
      sessionId: "s",
      ...(id !== undefined && { caller: { id, capabilities: ["*"] } }),
    });
    const open = async () => {
      const { gate } = await paperGate({ tools, policies: approve });
      const end = async (id?: string) => codeOf(await gate.dispatch(asked(id)));
      return { gate, ends: (...ids: (string | undefined)[]) => Promise.all(ids.map(end)) };
    };

    it("of one caller holds for nobody else who names the session", async () => {
      const { gate, ends } = await open();
      gate.setMode("s", "plan", "bob");
      expect(await ends("bob", "eve", undefined)).toEqual(["plan_mode", "ran", "ran"]);
      gate.setMode("s", "act", "eve");
      expect(await ends("bob")).toEqual(["plan_mode"]);
      gate.setMode("s", "act", "bob");
      expect(await ends("bob")).toEqual(["ran"]);
    });

    it("without a caller holds for all who name the session, until one of them may act", async () => {
      const { gate, ends } = await open();
      gate.setMode("s", "plan");
      expect(await ends("bob", "eve", undefined)).toEqual(["plan_mode", "plan_mode", "plan_mode"]);
      gate.setMode("s", "act", "bob");
      expect(await ends("bob", "eve", undefined)).toEqual(["ran", "plan_mode", "plan_mode"]);
      gate.setMode("s", "plan");
      expect(await ends("bob")).toEqual(["plan_mode"]);
    });

    it("without a caller ends what callers chose themselves", async () => {
      const { gate, ends } = await open();
      gate.setMode("s", "plan", "bob");
      gate.setMode("s", "act");
      expect(await ends("bob")).toEqual(["ran"]);
    });

    it("of the gate's own caller holds for calls that name none", async () => {
      const { gate, ends } = await open();
      gate.setMode("s", "plan", "local");
      expect(await ends(undefined, "local", "bob")).toEqual(["plan_mode", "plan_mode", "ran"]);
    });

    it("of one caller holds for its checks and explanations, too", async () => {
      const { gate } = await open();
      gate.setMode("s", "plan", "bob");
      for (const look of [gate.check.bind(gate), gate.explain.bind(gate)]) {
        expect((await look(asked("bob"))).verdict).toBe("deny");
        expect((await look(asked("eve"))).verdict).toBe("allow");
      }
    });

    it("of something that is no id throws", async () => {
      const { gate } = await open();
      const caller = { id: "bob", capabilities: [] };
      expect(() => gate.setMode("s", "plan", caller as never)).toThrow("by its id");
    });
  });

  it.each(["constructor", "__proto__", "toString", ""])(
    "of a session named %j is that session's only",
    async (sessionId) => {
      const { gate } = await paperGate({ tools, policies: approve });
      expect(codeOf(await gate.dispatch({ tool: "w.run", sessionId }))).toBe("ran");
      gate.setMode(sessionId, "plan");
      expect(codeOf(await gate.dispatch({ tool: "w.run", sessionId }))).toBe("plan_mode");
      expect(codeOf(await gate.dispatch({ tool: "w.run", sessionId: "s" }))).toBe("ran");
    },
  );
});

describe("a decision that does not depend on the input", () => {
  it("is made anew when the rules or the mode change", async () => {
    const { gate } = await paperGate({ tools: [tool({ permission: "write" })], policies: approve });
    const end = async (more: object = {}) => codeOf(await gate.dispatch({ tool: "x.run", ...more }));
    const codes = [await end(), await end(), await end({ mode: "plan" })];
    await gate.setRules({ policies: [{ name: "no", tools: "*", action: "deny" }] });
    codes.push(await end(), await end());
    expect(codes).toEqual(["ran", "ran", "plan_mode", "policy_denied", "policy_denied"]);
  });
});

describe("a refusal", () => {
  it("stays short for a long command", async () => {
    const { gate } = await paperGate({
      tools: [shell],
      policies: [{ name: "no", tools: "*", action: "deny" }],
    });
    const command = `node ${"x".repeat(5_000)}`;
    const refused = await gate.dispatch({ tool: "shell.exec", input: { command } });
    expect(messageOf(refused).length).toBeLessThan(400);
  });
});
