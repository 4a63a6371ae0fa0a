/** How far the approval of a command reaches: not to what it is fed, not to other folders, not to what stands beside it. */
import { realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/core/input/json.ts";
import { createGate, type Policy } from "../../src/index.ts";
import { parseFileForm } from "../../src/rules/conditions/file-form.ts";
import { operandTypes, parseUsage } from "../../src/rules/conditions/usage.ts";
import { fileConditions } from "../../src/suggest/shapes/place-shapes.ts";
import { approve, deny, folderWith, command as says, verdict } from "./command-policies.ts";

const ws = folderWith("pk/", "evil/");
symlinkSync(join(ws, "evil"), join(ws, "pk", "link"));

const usage = (value: string) => says(value, "usage");
const lines = (...commands: readonly string[]) => commands.map((command) => ({ command }));

/** What a policy says of these inputs. */
async function verdicts(policy: Policy, inputs: readonly JsonObject[], cwd = ws, tool = "Bash") {
  await using gate = await createGate({ roots: [ws], policies: [policy] });
  const found: string[] = [];
  for (const input of inputs) found.push((await gate.explain({ tool, input, cwd }, { as: "check" })).verdict);
  return found;
}

const operators = ["equals", "startsWith", "contains", "matches", "usage"] as const;

function approving(operator: (typeof operators)[number], ...commands: readonly string[]): Policy[] {
  const value = commands.map((text) => (operator === "matches" ? `^${text}$` : text));
  return [approve(says(value, operator))];
}

it.each([
  "psql shop <<< 'drop table orders'",
  "psql shop <<'E'\n\\! rm -rf x\nE",
  "psql shop < x.sql",
  "psql shop <&3",
  "psql shop 0>&3",
  "echo 'drop table orders' | psql shop",
  "echo x |& psql shop",
  "head x | timeout 5 psql shop",
  "head x | (psql shop)",
  "{ psql shop; } < x.sql",
  "while true; do psql shop; done < x.sql",
  "exec < x.sql; psql shop",
  "command exec < x.sql; psql shop",
  "for x in a b; do psql shop; exec < x.sql; done",
  "git status | psql shop",
])(
  "a rule that approves a program by its text or usage does not approve what it is fed: %s",
  async (command) => {
    for (const operator of operators) {
      const policies = approving(operator, "psql shop", "head x", "git status", "echo drop table orders");
      expect(await verdict(policies, "psql shop")).toBe("allow");
      expect([operator, await verdict(policies, command)]).not.toEqual([operator, "allow"]);
    }
  },
);

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

it.each([
  { dangerouslyDisableSandbox: true },
  { sandbox_permissions: "require_escalated" },
  { with_escalated_permissions: true },
  { shell: "./evil.sh" },
  { env: { PATH: "." } },
  { required_permissions: ["all"] },
])("a usage approves nothing beside the command: %j", async (more) => {
  const policy = approve(usage("npm test"));
  expect(await verdicts(policy, [{ command: "npm test", description: "x" }])).toEqual(["allow"]);
  expect(await verdicts(policy, [{ command: "npm test", ...more }])).not.toContain("allow");
});

it.each(["pk/link", "pk/link/.."])("a folder is where it leads: %s", async (cwd) => {
  const policy = approve([usage("npm test"), { type: "folder", operator: "inside", value: "pk" }]);
  expect(await verdicts(policy, lines("npm test"), `${ws}/pk`)).toEqual(["allow"]);
  expect(await verdicts(policy, lines("npm test"), `${ws}/${cwd}`)).not.toContain("allow");
});

it.each(["git push origin +main", "git push origin @x"])("PATH is no %s", (line) => {
  const form = parseUsage("git push origin PATH");
  expect(typeof form === "string" || form.matches(line.split(" "))).toBe(false);
});

it("an option in parentheses must be there", () => {
  const form = parseUsage("ruff format (--check) [PATH...]");
  const holds = (line: string) => typeof form !== "string" && form.matches(line.split(" "));
  expect(holds("ruff format src --check")).toBe(true);
  expect(holds("ruff format src")).toBe(false);
});

it("a rule for files of one folder does not hold for files that tools run by themselves", () => {
  const [condition] = fileConditions(["tests/a.py", "tests/b.py", "tests/deep/c.py"], true) ?? [];
  expect(condition).toEqual({ type: "path", operator: "files", value: "tests/PATH.py" });
  const form = parseFileForm(String(condition?.value));
  const holds = (path: string) => typeof form !== "string" && form.approves(path);
  expect(holds("tests/deep/d.py")).toBe(true);
  for (const name of ["conftest.py", "deep/setup.py", "node_modules/x.py", "deep/Sitecustomize.py", "x/.py"])
    expect(holds(`tests/${name}`)).toBe(false);
});

it("a usage holds for a command that prints, that reads nothing, or that may be fed", async () => {
  const plain = lines("psql shop 2>&1", "psql shop < /dev/null", "psql shop && psql other");
  expect(await verdicts(approve(usage("psql NAME")), plain)).toEqual(plain.map(() => "allow"));
  const fed = lines("psql shop <<< 'select 1'", "psql other | psql shop");
  expect(await verdicts(approve(usage("psql NAME [<]")), fed)).toEqual(["allow", "allow"]);
});

it("a usage without a folder holds at the root of the workspace only", async () => {
  const here = lines("npm test");
  const policy = approve(usage("npm test"));
  expect(await verdicts(policy, here)).toEqual(["allow"]);
  expect(await verdicts(policy, here, join(ws, "evil"))).not.toContain("allow");
  expect(await verdicts(policy, [{ command: "npm test", cwd: "evil" }])).not.toContain("allow");
  const anywhere = approve([usage("npm test"), { type: "folder", operator: "inside", value: "." }]);
  expect(await verdicts(anywhere, here, join(ws, "evil"))).toEqual(["allow"]);
});

it("a folder may be named by a link, and does not lead out of the workspace by one", async () => {
  symlinkSync(join(ws, "pk"), join(ws, "named"));
  symlinkSync(tmpdir(), join(ws, "out"));
  const at = (value: string) => approve([usage("npm test"), { type: "folder", operator: "equals", value }]);
  const here = lines("npm test");
  expect(await verdicts(at("named"), here, join(ws, "pk"))).toEqual(["allow"]);
  expect(await verdicts(at("out"), here, realpathSync(tmpdir()))).not.toContain("allow");
});

it("text for a running terminal is approved by no rule for commands", async () => {
  const typed = [{ id: "1", command: "npm test" }];
  expect(await verdicts(approve(usage("npm test")), typed, ws, "send_to_terminal")).not.toContain("allow");
  expect(await verdicts(deny(usage("npm test")), typed, ws, "send_to_terminal")).toEqual(["deny"]);
});

it.each(["", "./", ".", "src/x/.ts"])("PATH is not %j", (word) => {
  expect(operandTypes.PATH.test(word)).toBe(false);
  const form = parseUsage("eslint src/PATH.ts");
  expect(typeof form === "string" || form.matches(["eslint", word])).toBe(false);
});
