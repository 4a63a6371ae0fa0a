import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createGate } from "../../src/index.ts";
import { parseUsage } from "../../src/rules/conditions/usage.ts";
import { fileConditions } from "../../src/suggest/shapes/place-shapes.ts";

const ws = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-usages-")));
mkdirSync(join(ws, "pk"));
mkdirSync(join(ws, "evil"));
symlinkSync(join(ws, "evil"), join(ws, "pk", "link"));

it.each([
  { dangerouslyDisableSandbox: true },
  { sandbox_permissions: "require_escalated" },
  { with_escalated_permissions: true },
  { shell: "./evil.sh" },
  { env: { PATH: "." } },
  { required_permissions: ["all"] },
])("a usage approves nothing beside the command: %j", async (more) => {
  await using gate = await createGate({
    roots: [ws],
    policies: [
      {
        name: "t",
        tools: "Bash",
        action: "approve",
        conditions: [{ type: "command", operator: "usage", value: "npm test" }],
      },
    ],
  });
  const verdict = async (input: object) =>
    (await gate.explain({ tool: "Bash", input: { command: "npm test", ...input }, cwd: ws }, { as: "check" }))
      .verdict;
  expect(await verdict({ description: "x" })).toBe("allow");
  expect(await verdict(more)).not.toBe("allow");
});

it.each(["pk/link", "pk/link/.."])("a folder is where it leads: %s", async (cwd) => {
  await using gate = await createGate({
    roots: [ws],
    policies: [
      {
        name: "t",
        tools: "Bash",
        action: "approve",
        conditions: [
          { type: "command", operator: "usage", value: "npm test" },
          { type: "folder", operator: "inside", value: "pk" },
        ],
      },
    ],
  });
  const at = async (folder: string) =>
    (
      await gate.explain(
        { tool: "Bash", input: { command: "npm test" }, cwd: `${ws}/${folder}` },
        { as: "check" },
      )
    ).verdict;
  expect(await at("pk")).toBe("allow");
  expect(await at(cwd)).not.toBe("allow");
});

it.each(["git push origin +main", "git push origin @x"])("PATH is no %s", (line) => {
  const usage = parseUsage("git push origin PATH");
  expect(typeof usage === "string" || usage.matches(line.split(" "))).toBe(false);
});

it("an option in parentheses must be there", () => {
  const usage = parseUsage("ruff format (--check) [PATH...]");
  const holds = (line: string) => typeof usage !== "string" && usage.matches(line.split(" "));
  expect(holds("ruff format src --check")).toBe(true);
  expect(holds("ruff format src")).toBe(false);
});

it("a rule for files of one folder does not hold for files that tools run by themselves", () => {
  const [condition] = fileConditions(["tests/a.py", "tests/b.py", "tests/deep/c.py"], ".py", true) ?? [];
  const holds = (path: string) => new RegExp(String(condition?.value)).test(path);
  expect(holds("tests/deep/d.py")).toBe(true);
  for (const name of ["conftest.py", "deep/setup.py", "node_modules/x.py", "deep/Sitecustomize.py"])
    expect(holds(`tests/${name}`)).toBe(false);
});
