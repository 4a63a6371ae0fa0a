import { describe, expect, it } from "vitest";
import { parseUsage } from "../../../../src/rules/conditions/usage.ts";
import { paperGate, shell } from "../../paper-gate.ts";

function holds(usage: string, line: string): boolean {
  const parsed = parseUsage(usage);
  if (typeof parsed === "string") throw new Error(parsed);
  return parsed.matches(line.split(" "));
}

describe("a usage", () => {
  it.each([
    ["npm test", "npm test", true],
    ["npm test", "npm test --prefix", false],
    ["npm test", "npm test x", false],
    ["npm test", "npm", false],
    ["git log [--oneline] [--stat]", "git log --stat --oneline", true],
    ["git log [--oneline] [--stat]", "git log -p", false],
    ["git log [-n NUMBER] [PATH...]", "git log -n 5 src tests/a.ts", true],
    ["git log [-n NUMBER] [PATH...]", "git log src -n 5", true],
    ["git log [-n NUMBER] [PATH...]", "git log -n src", false],
    ["git log [-n NUMBER] [PATH...]", "git log -n", false],
    ["git log [PATH...]", "git log ../other", false],
    ["git log [PATH...]", "git log src/../../x", false],
    ["git log [PATH...]", "git log /etc", false],
    ["git log [PATH...]", "git log ~/x", false],
    ["git log [PATH...]", "git log .env", false],
    ["git log [PATH...]", "git log -- src", false],
    ["git log [--] [PATH...]", "git log -- src", true],
    ["git checkout -b PATH", "git checkout -b feature/a", true],
    ["git checkout -b PATH", "git checkout feature/a", false],
    ["head [-NUMBER] PATH", "head -20 a.txt", true],
    ["head [-NUMBER] PATH", "head -20", false],
    ["npx vitest run tests/PATH.test.ts", "npx vitest run tests/unit/a.test.ts", true],
    ["npx vitest run tests/PATH.test.ts", "npx vitest run src/unit/a.test.ts", false],
    ["npx vitest run tests/PATH.test.ts", "npx vitest run tests/../a.test.ts", false],
    ["npm run lint|test|build", "npm run build", true],
    ["npm run lint|test|build", "npm run deploy", false],
    ["make NAME", "make a/b", false],
    ["make [--jobs=NUMBER] NAME", "make --jobs=4 all", true],
    ["make [--jobs=NUMBER] NAME", "make --jobs=x all", false],
    ["pytest [PATH...]", `pytest${" a".repeat(40)}`, true],
    ["tool NAME [NAME] [NAME...] PATH", "tool a b c d/e", true],
  ])("%j against %j is %s", (usage, line, expected) => {
    expect(holds(usage, line)).toBe(expected);
  });

  it("compares words, not their text side by side", () => {
    const usage = parseUsage("git commit [-m TEXT]");
    expect(typeof usage !== "string" && usage.matches(["git", "commit", "-m", "fix --amend"])).toBe(true);
    expect(typeof usage !== "string" && usage.matches(["git", "commit", "-m", "fix", "--amend"])).toBe(false);
    expect(typeof usage !== "string" && usage.matches(["git commit"])).toBe(false);
  });

  it.each([
    ["", "must begin with the name of a program"],
    ["[--all]", "must begin with the name of a program"],
    ["git log [-p] --all", "in brackets: [--all]"],
    ["--all git", "in brackets: [--all]"],
    ["git log [--all", "a bracket without the other"],
    ["git log [-n NUMBER x]", "one option with its value"],
    ["git log [a b]", "each word in brackets of its own"],
  ])("refuses %j", (usage, problem) => {
    expect(parseUsage(usage)).toContain(problem);
  });
});

describe("policies by usage and workspace", () => {
  const npmTest = { type: "command", operator: "usage", value: "npm test [--silent]" } as const;

  it("approve only what the usage describes, in the workspace that they name", async () => {
    const here = { type: "workspace", operator: "equals", value: "/workspace" } as const;
    const { gate } = await paperGate({
      tools: [shell],
      policies: [{ name: "p", tools: "*", action: "approve", conditions: [npmTest, here] }],
    });
    const verdict = async (command: string, roots?: readonly string[]) =>
      (await gate.explain({ tool: shell.id, input: { command }, ...(roots && { roots }) })).verdict;
    expect(await verdict("npm test --silent")).toBe("allow");
    for (const line of [
      "npm test --prefix x",
      "npm test; rm -rf x",
      "npm test > x",
      "sudo npm test",
      "npm test $x",
    ])
      expect([line, await verdict(line)]).toEqual([line, "ask"]);
    expect(await verdict("npm test", ["/workspace/sub"])).toBe("ask");
  });

  it("approve only in the folder that they name, wherever the call gets it from", async () => {
    const here = { type: "folder", operator: "equals", value: "." } as const;
    const below = { type: "folder", operator: "inside", value: "packages" } as const;
    const { gate } = await paperGate({
      tools: [shell],
      policies: [
        { name: "root", tools: "*", action: "approve", conditions: [npmTest, here] },
        {
          name: "packages",
          tools: "*",
          action: "approve",
          conditions: [{ ...npmTest, value: "npm run lint" }, below],
        },
      ],
    });
    const verdict = async (command: string, cwd: string, more: object = {}) =>
      (await gate.explain({ tool: shell.id, input: { command, ...more }, cwd })).verdict;
    expect(await verdict("npm test", "/workspace")).toBe("allow");
    expect(await verdict("npm test", "/workspace/vendor/x")).toBe("ask");
    expect(await verdict("npm run lint", "/workspace/packages/a")).toBe("allow");
    expect(await verdict("npm run lint", "/workspace")).toBe("ask");
  });

  it("deny every command that begins with the plain words", async () => {
    const { gate } = await paperGate({
      tools: [shell],
      policies: [{ name: "p", tools: "*", action: "deny", conditions: [npmTest] }],
    });
    expect((await gate.explain({ tool: shell.id, input: { command: "npm test --prefix x" } })).verdict).toBe(
      "deny",
    );
  });

  it("are refused where a workspace is not absolute, or an argument is compared by usage", async () => {
    const policies = (condition: object) =>
      paperGate({ policies: [{ name: "p", tools: "*", action: "deny", conditions: [condition as never] }] });
    await expect(policies({ type: "workspace", operator: "inside", value: "src" })).rejects.toThrow(
      "absolute",
    );
    await expect(policies({ type: "argument", field: "a", operator: "usage", value: "npm" })).rejects.toThrow(
      'not "usage"',
    );
  });
});
