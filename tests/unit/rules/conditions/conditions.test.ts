import { describe, expect, it } from "vitest";
import type { Condition } from "../../../../src/index.ts";
import { paperGate, shell, tool } from "../../paper-gate.ts";

const any = tool({ id: "any.read" });

/** Does a deny under this condition hold? */
async function holds(condition: Condition, input: unknown, id = "any.read"): Promise<boolean> {
  const { gate } = await paperGate({
    tools: [any, shell, tool({ id: "any.write", permission: "write" })],
    policies: [{ name: "p", tools: "*", action: "deny", conditions: [condition] }],
  });
  const { rule, verdict } = await gate.explain({ tool: id, input });
  return verdict === "deny" && rule?.name === "p";
}

describe("a condition on a path", () => {
  it.each([
    ["equals", "src/a.ts", "src/a.ts", true],
    ["equals", "/workspace/src/a.ts", "src/../src/a.ts", true],
    ["equals", "src/a.ts", "src/a.tsx", false],
    ["contains", "secret", "top/secret/x", true],
    ["contains", "workspace", "top/x", false],
    ["startsWith", "src/", "src/a.ts", true],
    ["startsWith", "src/", "lib/src/a.ts", false],
    ["startsWith", "/workspace/src", "src/a.ts", true],
    ["matches", "\\.lock$", "package.lock", true],
    ["matches", "^src/", "/workspace/src/a", true],
    ["inside", "src", "src/deep/a", true],
    ["inside", "src", "src", true],
    ["inside", "src", "src-evil/a", false],
    ["inside", "/", "/etc/hosts", true],
    ["inside", "src", "src/../../etc/hosts", false],
  ] as const)("%s %j against %j is %s", async (operator, value, path, expected) => {
    expect(await holds({ type: "path", operator, value }, { path })).toBe(expected);
  });

  it("does not hold where there is no path", async () => {
    expect(await holds({ type: "path", operator: "inside", value: "/" }, { q: "x" })).toBe(false);
  });
});

describe("a condition on a URL", () => {
  it.each([
    ["equals", "https://a.example/x", "https://a.example/x", true],
    ["contains", "/pull/", "https://a.example/pull/1", true],
    ["startsWith", "https://a.example/", "https://a.example.evil/", false],
    ["startsWith", "https://a.example/", "HTTPS://A.EXAMPLE/x", true],
    ["matches", "^https://[^/]*\\.example/", "https://b.example/", true],
    ["inside", "a.example", "https://a.example:8443/x", true],
    ["inside", "a.example", "https://sub.a.example/", true],
    ["inside", "A.Example", "https://a.example/", true],
    ["inside", "a.example", "https://nota.example/", false],
    ["inside", "a.example", "https://a.example.evil/", false],
    ["inside", "a.example", "https://a.example@evil.example/", false],
    ["inside", "evil.example", "https://a.example@evil.example/", true],
  ] as const)("%s %j against %j is %s", async (operator, value, url, expected) => {
    expect(await holds({ type: "url", operator, value }, { url })).toBe(expected);
  });

  it("of what is no URL is not decided, so nothing passes", async () => {
    const { gate } = await paperGate({
      tools: [any],
      policies: [
        {
          name: "p",
          tools: "*",
          action: "deny",
          conditions: [{ type: "url", operator: "inside", value: "a.example" }],
        },
      ],
    });
    expect((await gate.explain({ tool: "any.read", input: { url: "a.example/x" } })).verdict).not.toBe(
      "allow",
    );
  });
});

it.each([
  ["startsWith", "git push", "git push origin", true],
  ["startsWith", "git push", "git pushx", false],
  ["startsWith", "git push", "/usr/bin/git push", true],
  ["startsWith", "git  push", "git push", true],
  ["startsWith", "push", "git push", false],
  ["equals", "git push", "git push", true],
  ["equals", "git push", "git push -f", false],
  ["contains", "push -f", "git push -f origin", true],
  ["contains", "push -f", "git push -ff", true],
  ["matches", "push.*--force", "git push x --force", true],
  ["startsWith", "git push", "ls && git push", true],
  ["startsWith", "git push", "sudo git push", true],
] as const)("a condition on a command %s %j against %j is %s", async (operator, value, command, expected) => {
  expect(await holds({ type: "command", operator, value }, { command }, "shell.exec")).toBe(expected);
});

it.each([
  ["equals", "read", "any.read", {}, true],
  ["equals", "write", "any.write", {}, true],
  ["greaterThan", "read", "any.write", {}, true],
  ["greaterThan", "write", "any.write", {}, false],
  ["lessThan", "execute", "any.write", {}, true],
  ["greaterThan", "execute", "shell.exec", { command: "eval x" }, true],
  ["greaterThan", "read", "shell.exec", { command: "ls" }, false],
] as const)(
  "a condition on risk %s %j for %s with %j is %s",
  async (operator, value, id, input, expected) => {
    expect(await holds({ type: "risk", operator, value }, input, id)).toBe(expected);
  },
);

it.each([
  ["content", "contains", "BEGIN KEY", { content: "-- BEGIN KEY" }, true],
  ["content", "equals", "", { content: "" }, true],
  ["content", "startsWith", "#!", { text: "#!/bin/sh" }, true],
  ["content", "matches", "^a.c$", { new_string: "abc" }, true],
  ["content", "contains", "x", { q: "x" }, false],
  ["size", "greaterThan", 3, { content: "äöü" }, true],
  ["size", "equals", 6, { content: "äöü" }, true],
  ["size", "lessThan", 3, { content: "ab" }, true],
  ["size", "greaterThan", 8, { q: "12345678" }, true],
  ["size", "lessThan", 3, { content: "abc" }, false],
] as const)(
  "a condition on content and size %s %s %j against %j is %s",
  async (type, operator, value, input, expected) => {
    expect(await holds({ type, operator, value }, input)).toBe(expected);
  },
);

describe("a condition on an argument", () => {
  it.each([
    ["equals", "prod", { env: "prod" }, true],
    ["equals", 3, { env: 3 }, true],
    ["equals", 3, { env: "3" }, false],
    ["equals", true, { env: true }, true],
    ["contains", "ro", { env: "prod" }, true],
    ["contains", "3", { env: 1234 }, true],
    ["startsWith", "pr", { env: "prod" }, true],
    ["matches", "^prod-\\d+$", { env: "prod-7" }, true],
    ["lessThan", 10, { env: 9 }, true],
    ["greaterThan", 10, { env: 10 }, false],
    ["inside", "src", { env: "src/a" }, true],
    ["inside", "src", { env: "src/../x" }, false],
    ["equals", "prod", {}, false],
    ["equals", "prod", { env: null }, false],
  ] as const)("%s %j against %j is %s", async (operator, value, input, expected) => {
    expect(await holds({ type: "argument", field: "env", operator, value }, input)).toBe(expected);
  });

  it("reads deep fields, own ones only", async () => {
    expect(
      await holds({ type: "argument", field: "a.b", operator: "equals", value: 1 }, { a: { b: 1 } }),
    ).toBe(true);
    expect(
      await holds({ type: "argument", field: "constructor.name", operator: "equals", value: "Object" }, {}),
    ).toBe(false);
  });

  it("holds with a list when any of its values does", async () => {
    const list: Condition = { type: "argument", field: "env", operator: "equals", value: ["prod", "stage"] };
    expect(await holds(list, { env: "stage" })).toBe(true);
    expect(await holds(list, { env: "test" })).toBe(false);
  });
});

it("several conditions must all hold", async () => {
  const conditions: Condition[] = [
    { type: "path", operator: "inside", value: "src" },
    { type: "content", operator: "contains", value: "x" },
  ];
  const { gate } = await paperGate({
    tools: [any],
    policies: [{ name: "p", tools: "*", action: "deny", conditions }],
  });
  const verdicts = [];
  for (const input of [
    { path: "src/a", content: "x" },
    { path: "src/a", content: "y" },
    { path: "a", content: "x" },
  ])
    verdicts.push((await gate.explain({ tool: "any.read", input })).verdict);
  expect(verdicts).toEqual(["deny", "allow", "allow"]);
});

it.each([
  [{ type: "paths", operator: "equals", value: "x" }, /condition type must be one of path, .*not "paths"/],
  [{ type: "path", operator: "lessThan", value: 1 }, /a path condition takes equals, .*not "lessThan"/],
  [{ type: "risk", operator: "contains", value: "read" }, /a risk condition takes/],
  [
    { type: "risk", operator: "equals", value: "high" },
    /risk is one of read, write, execute, opaque, not "high"/,
  ],
  [{ type: "risk", operator: "lessThan", value: 2 }, /risk is one of/],
  [{ type: "size", operator: "lessThan", value: "10" }, /lessThan needs a number of bytes, not "10"/],
  [{ type: "argument", field: "n", operator: "greaterThan", value: "x" }, /greaterThan needs a number/],
  [{ type: "argument", operator: "equals", value: 1 }, /needs field/],
  [{ type: "path", operator: "equals", value: 7 }, /equals on path needs text, not 7/],
  [{ type: "content", operator: "contains", value: true }, /needs text, not true/],
  [{ type: "path", operator: "contains", value: "" }, /empty text would hold for everything/],
  [{ type: "url", operator: "inside", value: [] }, /empty list of values, so it could never hold/],
  [{ type: "path", operator: "matches", value: "(" }, /cannot be used/],
  [{ type: "path", operator: "matches", value: ["ok", "("] }, /cannot be used/],
])("a condition that cannot be used %j says why", async (condition, message) => {
  await expect(
    paperGate({
      policies: [{ name: "p", tools: "*", action: "deny", conditions: [condition as Condition] }],
    }),
  ).rejects.toThrow(message);
});

describe("a condition on the keys of an input", () => {
  const keys = (value: string, field = ".") =>
    ({ type: "argument", field, operator: "keys", value }) as const;

  it("denies a call that has one of them", async () => {
    expect(await holds(keys("force"), { id: 1, force: true })).toBe(true);
    expect(await holds(keys("force"), { id: 1 })).toBe(false);
    expect(await holds(keys("force", "options"), { options: { force: 1 } })).toBe(true);
    expect(await holds(keys("force", "options"), { options: "force" })).toBe(false);
  });

  it("approves a call that has no others", async () => {
    const { gate } = await paperGate({
      tools: [tool({ id: "any.write", permission: "write" })],
      policies: [{ name: "p", tools: "*", action: "approve", conditions: [keys("id  text")] }],
    });
    const verdict = async (input: object) => (await gate.explain({ tool: "any.write", input })).verdict;
    expect(await verdict({ id: 1 })).toBe("allow");
    expect(await verdict({ id: 1, text: "x" })).toBe("allow");
    expect(await verdict({ id: 1, more: "x" })).toBe("ask");
  });

  it("needs names", async () => {
    await expect(holds(keys(" "), {})).rejects.toThrow("keys needs names");
  });
});
