import { expect, it } from "vitest";
import type { Policy } from "../../src/index.ts";
import { createTestGate } from "../../src/testing/index.ts";

const operators = ["equals", "startsWith", "contains", "matches"] as const;

function approving(operator: (typeof operators)[number], ...commands: readonly string[]): Policy[] {
  const value = commands.map((text) => (operator === "matches" ? `^${text}$` : text));
  const conditions = [{ type: "command" as const, operator, value }];
  return [{ name: "yes", tools: "Bash", action: "approve", conditions }];
}

async function verdict(policies: Policy[], command: string): Promise<string> {
  const { gate } = await createTestGate({ policies });
  return (await gate.explain({ tool: "Bash", input: { command } }, { as: "check" })).verdict;
}

it.each([
  "psql shop <<< 'drop table orders'",
  "psql shop <<'E'\n\\! rm -rf x\nE",
  "psql shop < x.sql",
  "psql shop <&3",
  "echo 'drop table orders' | psql shop",
  "head x | timeout 5 psql shop",
  "head x | (psql shop)",
  "{ psql shop; } < x.sql",
  "while true; do psql shop; done < x.sql",
  "exec < x.sql; psql shop",
  "git status | psql shop",
])("a rule that approves a program by its text does not approve what it is fed: %s", async (command) => {
  for (const operator of operators) {
    const policies = approving(operator, "psql shop", "head x", "git status", "echo drop table orders");
    expect(await verdict(policies, "psql shop")).toBe("allow");
    expect([operator, await verdict(policies, command)]).not.toEqual([operator, "allow"]);
  }
});

it.each([
  "npm test | head -5",
  "npm test 2>&1 | grep fail | head -5",
  "npm test < /dev/null",
  "npm test && npm test",
  "echo x | tee notes.md",
  "head x | sort | uniq -c",
])("it approves what feeds others, and programs to which their input is data: %s", async (command) => {
  const policies = approving("startsWith", "npm test", "tee", "head", "sort", "uniq", "echo", "grep");
  expect(await verdict(policies, command)).toBe("allow");
});

it("a usage says that a command may be fed", async () => {
  const conditions = [{ type: "command" as const, operator: "usage" as const, value: "psql NAME [<]" }];
  const policies: Policy[] = [
    ...approving("startsWith", "psql"),
    { name: "fed", tools: "Bash", action: "approve", conditions },
  ];
  expect(await verdict(policies, "psql shop <<< 'select 1'")).toBe("allow");
});
