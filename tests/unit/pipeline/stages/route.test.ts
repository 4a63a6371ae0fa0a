import { describe, expect, it } from "vitest";
import { codeOf, paperGate, tool } from "../../paper-gate.ts";

const blockSecret = {
  name: "no-secret",
  tool: "*",
  field: "q",
  pattern: "secret",
  message: "Ask Ann.",
  source: { file: "routes.yaml", line: 4 },
};

describe("route", () => {
  it("stops the call with its advice, its rule and the place where it is written", async () => {
    const { gate } = await paperGate({ tools: [tool()], routes: [blockSecret] });
    expect(await gate.dispatch({ tool: "x.run", input: { q: "secret" } })).toMatchObject({
      ok: false,
      error: {
        code: "route_blocked",
        stage: "route",
        message: "Ask Ann.",
        rule: { kind: "route", name: "no-secret", tier: "user", source: { file: "routes.yaml", line: 4 } },
      },
    });
  });

  it("comes before validation: advice is given even for an input that does not fit", async () => {
    const { gate } = await paperGate({
      tools: [tool({ input: { type: "object", required: ["n"] } })],
      routes: [blockSecret],
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { q: "secret" } }))).toBe("route_blocked");
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { q: "open" } }))).toBe("invalid_input");
  });

  it("is the input after rewriting that the ledger, the policies and the tool see", async () => {
    const seen: unknown[] = [];
    const { gate, ledger } = await paperGate({
      tools: [tool({ permission: "write", roles: {}, run: (args: unknown) => void seen.push(args) })],
      routes: [
        { name: "r", tool: "*", field: "q", pattern: "^old$", action: "rewrite", rewrite: { q: "new" } },
      ],
      policies: [
        {
          name: "new",
          tools: "*",
          action: "approve",
          conditions: [{ type: "argument", field: "q", operator: "equals", value: "new" }],
        },
      ],
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { q: "old" } }))).toBe("ran");
    expect(seen).toEqual([{ q: "new" }]);
    expect(ledger.records()[0]?.input).toEqual({ q: "new" });
  });

  it("cannot blow an input up beyond the bounds", async () => {
    const { gate } = await paperGate({
      tools: [tool()],
      routes: [
        {
          name: "r",
          tool: "*",
          field: "q",
          pattern: "^(x+)$",
          action: "rewrite",
          rewrite: { q: "$1$1$1$1$1$1$1$1" },
        },
      ],
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { q: "x".repeat(500_000) } }))).toMatch(
      /route_undecided|rewrite_loop/,
    );
  });
});
