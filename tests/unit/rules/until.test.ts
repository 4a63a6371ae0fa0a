import { expect, it } from "vitest";
import type { Clock } from "../../../src/core/ports/ports.ts";
import { createSystemClock } from "../../../src/gate/system.ts";
import { createGate } from "../../../src/index.ts";
import { runRuleTests } from "../../../src/replay/run-rule-tests.ts";
import { hasExpired, type Policy } from "../../../src/rules/policies.ts";

const day = (text: string) => Date.parse(text);

function clockAt(now: () => number): Clock {
  const system = createSystemClock();
  return {
    now,
    monotonic: () => system.monotonic(),
    dateOf: (at) => system.dateOf(at),
    after: (ms, run) => system.after(ms, run),
  };
}

const approve: Policy = { name: "npm-test", tools: "Bash", action: "approve", until: "2027-02-15" };

it.each([
  ["with conditions", { conditions: [{ type: "command", operator: "equals", value: "npm test" }] } as const],
  ["without conditions", {}],
])("a policy %s approves through its last day, and then asks again", async (_, more) => {
  let now = day("2027-02-15T23:59:59Z");
  await using gate = await createGate({
    clock: clockAt(() => now),
    policies: [
      { ...approve, ...more, priority: 1 },
      { name: "ask", tools: "Bash", action: "ask" },
    ],
  });
  const verdict = async () =>
    (await gate.explain({ tool: "Bash", input: { command: "npm test" } }, { as: "check" })).verdict;
  expect(await verdict()).toBe("allow");
  now = day("2027-02-16T00:00:00Z");
  expect(await verdict()).toBe("ask");
});

it("a day is one of the calendar, and only approvals end", async () => {
  const problemOf = (policy: Partial<Policy>) =>
    createGate({ policies: [{ ...approve, ...policy }] }).then(
      () => "none",
      (error: Error) => error.message,
    );
  expect(await problemOf({ until: "2027-02-30" })).toContain("until must be a day such as 2027-02-15");
  expect(await problemOf({ action: "deny" })).toContain("until is for policies that approve");
  expect(await problemOf({ until: "2028-02-29" })).toBe("none");
});

it("knows whether the last day is over", () => {
  expect(hasExpired(approve, day("2027-02-15T12:00:00Z"))).toBe(false);
  expect(hasExpired(approve, day("2027-02-16T00:00:00Z"))).toBe(true);
  expect(hasExpired({}, Number.MAX_SAFE_INTEGER)).toBe(false);
});

it("tests of a policy say what it did before its last day", async () => {
  const policy: Policy = {
    ...approve,
    until: "2020-01-01",
    tests: [{ input: { tool_name: "Bash", tool_input: { command: "npm test" } }, expect: "approved" }],
  };
  const { passed, failed } = await runRuleTests([{ file: "a.yaml", rules: { policies: [policy] } }]);
  expect([passed, failed]).toEqual([1, 0]);
});

it("a test that something is not approved holds, whichever file sees to it", async () => {
  const input = { tool_name: "Bash", tool_input: { command: "curl x" } };
  const deny = (name: string, tests: Policy["tests"] = []): Policy => ({
    name,
    tools: "Bash",
    action: "deny",
    conditions: [{ type: "command", operator: "startsWith", value: "curl" }],
    tests,
  });
  const first = { file: "a.yaml", rules: { policies: [{ ...deny("a"), priority: 5 }] } };
  const second = { file: "b.yaml", rules: { policies: [deny("b", [{ input, expect: "not-approved" }])] } };
  expect(await runRuleTests([first, second])).toMatchObject({ passed: 1, failed: 0 });
});
