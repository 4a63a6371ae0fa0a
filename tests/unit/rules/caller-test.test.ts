import { describe, expect, it } from "vitest";
import { parseConfigFile } from "../../../src/config/file/parse-file.ts";
import type { Caller } from "../../../src/core/call/call.ts";
import { compileCaller, explainBadCaller } from "../../../src/rules/caller-test.ts";
import type { Rules } from "../../../src/rules/rule-set.ts";
import type { WrittenCaller } from "../../../src/rules/shapes/caller-shape.ts";
import { createTestGate } from "../../../src/testing/test-gate.ts";
import { read, write } from "../../tools.ts";

const by = (id: string, rights?: Caller["rights"]): Caller => ({ id, capabilities: ["*"], rights });
const ci = by("ci-7", ["call"]);
const ann = by("ann", ["call", "approve"]);
const unknown = by("somebody");

describe("for whom a rule holds", () => {
  it.each<[WrittenCaller, (boolean | undefined)[]]>([
    ["ann", [false, true, false]],
    ["an", [false, false, false]],
    ["ci-*", [true, false, false]],
    ["*", [true, true, true]],
    [
      ["ci-*", "ann"],
      [true, true, false],
    ],
    [{ not: "ci-*" }, [false, true, true]],
    [{ name: "*", not: ["ann", "ci-7"] }, [false, false, true]],
    [{ right: "approve" }, [false, true, undefined]],
    [{ right: ["admin", "call"] }, [true, true, undefined]],
    [{ name: "ci-*", right: "approve" }, [false, false, false]],
    [{ not: "somebody", right: "call" }, [true, true, false]],
  ])("%j", (written, expected) => {
    const test = compileCaller(written);
    expect([ci, ann, unknown].map((caller) => test?.(caller))).toEqual(expected);
  });

  it.each([
    ["", "a name, a list of names, or an object"],
    [[], "a name, a list of names, or an object"],
    [7, "a name, a list of names, or an object"],
    [{}, "caller is empty"],
    [{ names: "ci" }, 'unknown key "names"; did you mean "name"'],
    [{ name: [""] }, "a name or a list of names"],
    [{ right: "root" }, "one or several of call, read, approve, admin"],
    [{ right: [] }, "one or several of call, read, approve, admin"],
  ])("refuses %j made in code", (written, message) => {
    expect(explainBadCaller(written)).toContain(message);
  });

  it.each([
    [
      "policies: { p: { tools: '*', action: deny, caller: 7 } }",
      "policies.p.caller: expected text, a list or a mapping",
    ],
    ["policies: { p: { tools: '*', action: deny, caller: {} } }", "policies.p.caller: is empty"],
    ["policies: { p: { tools: '*', action: deny, caller: { nam: ci } } }", 'did you mean "name"'],
    [
      "limits: { l: { concurrent: 1, caller: { right: root } } }",
      "expected one of call, read, approve, admin",
    ],
    ["routes: { r: { tool: Bash, pattern: x, message: m, caller: [] } }", "empty list"],
    ['routes: { r: { tool: Bash, pattern: x, message: m, caller: "ci\\u200b" } }', "nobody can see"],
  ])("refuses %s in a file", (text, message) => {
    const parsed = parseConfigFile(text, "toolgate.yaml", "config");
    expect(parsed.ok ? [] : parsed.problems.map((one) => one.message)).toEqual([
      expect.stringContaining(message),
    ]);
  });
});

const gateWith = async (rules: Rules) => (await createTestGate({ tools: [read, write], ...rules })).gate;
const reading = { tool: "notes.read", input: { path: "a.md" } };
const writing = { tool: "notes.write", input: { path: "a.md", text: "hi" } };

describe("a policy for some callers", () => {
  it("lets CI read and the release team write", async () => {
    const gate = await gateWith({
      policies: [
        {
          name: "ci-reads",
          tools: "*",
          action: "deny",
          caller: "ci-*",
          conditions: [{ type: "risk", operator: "greaterThan", value: "read" }],
        },
        { name: "release-writes", tools: "notes.*", action: "approve", caller: ["ann", "release-*"] },
      ],
    });
    const verdict = async (caller: Caller) =>
      (await Promise.all([reading, writing].map((call) => gate.explain({ ...call, caller })))).map(
        (one) => one.verdict,
      );
    expect(await verdict(ci)).toEqual(["allow", "deny"]);
    expect(await verdict(ann)).toEqual(["allow", "allow"]);
    expect(await verdict(by("release-2"))).toEqual(["allow", "allow"]);
    expect(await verdict(unknown)).toEqual(["allow", "ask"]);
  });

  it("is no decision that the next caller inherits, although no condition looks at the input", async () => {
    const gate = await gateWith({
      policies: [{ name: "not-ci", tools: "*", action: "deny", caller: "ci-*" }],
    });
    const codes = [];
    for (const caller of [unknown, ci, unknown]) {
      const outcome = await gate.dispatch({ ...reading, caller });
      codes.push(outcome.ok ? "ran" : outcome.error.code);
    }
    expect(codes).toEqual(["ran", "policy_denied", "ran"]);
  });

  it("denies and asks where the rights of the caller are unknown, and approves nothing there", async () => {
    const denies = await gateWith({
      policies: [{ name: "d", tools: "*", action: "deny", caller: { right: "admin" } }],
    });
    expect((await denies.explain({ ...reading, caller: unknown })).verdict).toBe("deny");
    expect((await denies.explain({ ...reading, caller: ann })).verdict).toBe("allow");
    const approves = await gateWith({
      policies: [{ name: "a", tools: "*", action: "approve", caller: { right: "approve" } }],
    });
    expect((await approves.explain({ ...writing, caller: unknown })).verdict).toBe("ask");
    expect((await approves.explain({ ...writing, caller: ann })).verdict).toBe("allow");
  });

  it("hides a tool only from those to whom it is always denied", async () => {
    const gate = await gateWith({
      policies: [
        { name: "d", tools: "notes.read", action: "deny", caller: { not: "ann" } },
        { name: "w", tools: "notes.write", action: "deny" },
        { name: "w-ci", tools: "notes.write", action: "ask", priority: 1, caller: "ci-*" },
      ],
    });
    const seen = (caller: Caller) => gate.tools.definitions({ caller }).map(({ name }) => name);
    expect([seen(ann), seen(ci), seen(unknown)]).toEqual([["notes_read"], ["notes_write"], []]);
    expect(gate.tools.viewKey(ann)).not.toBe(gate.tools.viewKey(by("ben", ann.rights)));
  });
});

describe("a route for some callers", () => {
  const route = { tool: "notes.*", pattern: "secret", message: "Not for you." } as const;
  const secret = { tool: "notes.read", input: { path: "secret.md" } };

  it("blocks them alone", async () => {
    const gate = await gateWith({ routes: [{ ...route, name: "r", caller: "ci-*" }] });
    expect((await gate.explain({ ...secret, caller: ci })).message).toBe("Not for you.");
    expect((await gate.explain({ ...secret, caller: ann })).verdict).toBe("allow");
  });

  it("lets them alone pass, and may share its pattern with a route for others", async () => {
    const gate = await gateWith({
      routes: [
        { name: "ann-may", tool: "notes.*", pattern: "secret", action: "allow", caller: "ann" },
        { ...route, name: "nobody-else" },
      ],
    });
    expect((await gate.explain({ ...secret, caller: ann })).verdict).toBe("allow");
    expect((await gate.explain({ ...secret, caller: ci })).verdict).toBe("deny");
  });

  it("blocks whose rights are unknown, and lets nobody pass whose rights are", async () => {
    const blocks = await gateWith({ routes: [{ ...route, name: "r", caller: { right: "call" } }] });
    expect((await blocks.explain({ ...secret, caller: unknown })).verdict).toBe("deny");
    const passes = await gateWith({
      routes: [
        { name: "a", tool: "notes.*", pattern: "secret", action: "allow", caller: { right: "call" } },
        { ...route, name: "b" },
      ],
    });
    expect((await passes.explain({ ...secret, caller: unknown })).verdict).toBe("deny");
    expect((await passes.explain({ ...secret, caller: ann })).verdict).toBe("allow");
  });
});

it("a limit for some callers counts their calls alone, and names itself when another limit does not concern the caller", async () => {
  const gate = await gateWith({
    limits: [
      { name: "for-ann", max: 0, windowMs: 1_000, caller: "ann" },
      { name: "for-ci", max: 1, windowMs: 1_000, per: "caller", caller: "ci-*" },
      { name: "unsure", max: 0, windowMs: 1_000, caller: { name: "somebody", right: "admin" } },
    ],
  });
  const told = async (caller: Caller) => {
    const outcome = await gate.dispatch({ ...reading, caller });
    return outcome.ok ? "ran" : outcome.error.rule?.name;
  };
  expect(await told(ann)).toBe("for-ann");
  expect([await told(ci), await told(ci), await told(by("ci-8"))]).toEqual(["ran", "for-ci", "ran"]);
  expect([await told(unknown), await told(by("ben"))]).toEqual(["unsure", "ran"]);
});
