import { describe, expect, it } from "vitest";
import { explainBadToolId } from "../../src/core/tool/tool-name.ts";
import { codeOf, messageOf, paperGate, tool } from "../unit/paper-gate.ts";

const cafe = "caf\u00e9";
const lookalikes: readonly (readonly [string, string])[] = [
  ["case", "X.RUN"],
  ["a space behind", "x.run "],
  ["a space before", " x.run"],
  ["a line break", "x.run\n"],
  ["a NUL", "x.run\u0000"],
  ["a zero-width space", "x.\u200brun"],
  ["a zero-width joiner", "x.r\u200dun"],
  ["a byte-order mark", "\ufeffx.run"],
  ["a right-to-left override", "\u202ex.run"],
  ["a soft hyphen", "x.r\u00adun"],
  ["a Cyrillic letter", "\u0445.run"],
  ["full-width letters", "\uff58.run"],
  ["a full-width dot", "x\uff0erun"],
  ["a lone surrogate", "x.run\ud800"],
  ["tag characters", "x.run\u{e0041}"],
  ["the composed form", `${cafe}.run`],
  ["the decomposed form", `${cafe.normalize("NFD")}.run`],
  ["two dots", "x..run"],
  ["a path", "../x.run"],
];
const ofObjects = [
  ...["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty", "prototype", "then", "toJSON"],
];
const long = ["x".repeat(10_000), "\u202e".repeat(10_000)];
const odd = ["", ...long, "*", "x.*", "null", "undefined", "[object Object]"];
const names = [...lookalikes.map(([, name]) => name), ...ofObjects, ...odd];

describe("a name that only looks like a tool's", () => {
  it.each(lookalikes)("by %s is an unknown tool", async (_, name) => {
    const { gate } = await paperGate({ tools: [tool()] });
    expect(codeOf(await gate.dispatch({ tool: name }))).toBe("unknown_tool");
  });
});

describe("a name that every object has", () => {
  it.each(ofObjects)("%s is an unknown tool", async (name) => {
    const { gate } = await paperGate({ tools: [tool()] });
    const error = { code: "unknown_tool", stage: "resolve" };
    expect(await gate.dispatch({ tool: name })).toMatchObject({ ok: false, error });
    const { tools } = gate;
    expect([tools.has(name), tools.get(name), tools.unregister(name)]).toEqual([false, undefined, false]);
  });
});

describe("any name from outside", () => {
  it("is answered in few words with nothing hidden in them", async () => {
    const { gate } = await paperGate({ tools: [tool()] });
    for (const name of names) {
      const outcome = await gate.dispatch({ tool: name });
      expect(codeOf(outcome)).toBe("unknown_tool");
      expect(messageOf(outcome).length).toBeLessThan(1_000);
      expect(messageOf(outcome)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      expect(outcome.ok ? "" : outcome.error.hint).toMatch(/^(Did you mean "x\.run"\?|List the tools .*)$/);
    }
  });

  it("meets the same answer in explain, partial and as the target of another tool", async () => {
    const delegate = (input: unknown) => input as { tool: string; input: never };
    const { gate } = await paperGate({ tools: [tool(), tool({ id: "tools.call", delegate })] });
    for (const name of names) {
      expect((await gate.explain({ tool: name })).code).toBe("unknown_tool");
      const told = await gate.partial({ tool: name, toolUseId: "u", input: {} });
      expect(told).toMatchObject({ ok: false, error: { code: "unknown_tool" } });
      expect(["unknown_tool", "bad_call"]).toContain(
        codeOf(await gate.dispatch({ tool: "tools.call", input: { tool: name, input: {} } })),
      );
    }
  });

  it("is never taken for a known tool by a check, so that no rule for that tool is met by accident or dodged by looks", async () => {
    const { gate } = await paperGate({
      tools: [tool()],
      policies: [{ name: "yes", tools: ["x.run", "Bash", "Read"], action: "approve" }],
    });
    for (const name of names) expect((await gate.check({ tool: name })).verdict).not.toBe("allow");
    for (const name of ["BASH", "Bash\u200b", "Ba\u0455h", "read\u0000"])
      expect((await gate.check({ tool: name })).verdict).toBe("abstain");
    const error = { code: "unknown_tool" };
    expect(await gate.check({ tool: "" })).toMatchObject({ verdict: "deny", error });
  });

  it("is met by a rule for all tools", async () => {
    const { gate } = await paperGate({ policies: [{ name: "no", tools: "*", action: "deny" }] });
    for (const name of names) expect((await gate.check({ tool: name })).verdict).toBe("deny");
  });

  it("cannot be taken as id or alias unless it is plain", async () => {
    const { gate } = await paperGate({ tools: [tool()] });
    const plain = new Set(names.filter((name) => explainBadToolId(name) === undefined));
    const expected = ofObjects.filter((name) => name !== "__proto__");
    expect(plain).toEqual(new Set(["X.RUN", ...expected, "null", "undefined"]));
    for (const name of names) {
      if (plain.has(name)) continue;
      expect(() => gate.tools.alias(name, "x.run")).toThrow();
      expect(() => gate.tools.register({ ...tool(), id: name })).toThrow();
      expect(() => gate.tools.alias("fine", name)).toThrow();
    }
    expect(gate.tools.list().map(({ names: own }) => own)).toEqual([["x.run", "x_run"]]);
  });

  it("is just a name when a tool really has it", async () => {
    const { gate } = await paperGate({
      tools: [tool({ id: "constructor" }), tool({ aliases: ["toString"] })],
      policies: [{ name: "no", tools: "toString", action: "deny" }],
    });
    expect(codeOf(await gate.dispatch({ tool: "constructor" }))).toBe("ran");
    expect(codeOf(await gate.dispatch({ tool: "toString" }))).toBe("policy_denied");
  });

  it("as session or caller keeps limits and grants apart", async () => {
    const { gate } = await paperGate({
      tools: [tool({ permission: "write" })],
      answers: [{ decision: "approve", scope: "session" }, "deny"],
      approvals: { rejectOthers: false },
      limits: [{ name: "l", max: 2, windowMs: 1_000, per: "session" }],
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run", sessionId: "s" }))).toBe("ran");
    for (const sessionId of names)
      expect(codeOf(await gate.dispatch({ tool: "x.run", sessionId }))).toBe("approval_denied");
    expect(codeOf(await gate.dispatch({ tool: "x.run", sessionId: "s" }))).toBe("ran");
    expect(codeOf(await gate.dispatch({ tool: "x.run", sessionId: "s" }))).toBe("rate_limited");
  });

  it("as a key of the input reaches no prototype", async () => {
    const seen: unknown[] = [];
    const { gate } = await paperGate({
      tools: [tool({ run: (args: unknown) => void seen.push(args) })],
      routes: [{ name: "r", tool: "*", field: "polluted", pattern: ".", message: "No." }],
    });
    const polluted = '{"polluted": "yes"}';
    const input = JSON.parse(`{"__proto__": ${polluted}, "constructor": {"prototype": ${polluted}}}`);
    expect(codeOf(await gate.dispatch({ tool: "x.run", input }))).toMatch(/ran|bad_call/);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
    for (const args of seen) expect((args as { polluted?: string }).polluted).toBeUndefined();
  });
});
