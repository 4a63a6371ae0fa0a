import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/core/input/json.ts";
import { createGate } from "../../src/index.ts";
import { parseFileForm } from "../../src/rules/conditions/file-form.ts";
import { operandTypes, parseUsage } from "../../src/rules/conditions/usage.ts";
import type { Policy } from "../../src/rules/policies.ts";
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
  const [condition] = fileConditions(["tests/a.py", "tests/b.py", "tests/deep/c.py"], true) ?? [];
  expect(condition).toEqual({ type: "path", operator: "files", value: "tests/PATH.py" });
  const form = parseFileForm(String(condition?.value));
  const holds = (path: string) => typeof form !== "string" && form.approves(path);
  expect(holds("tests/deep/d.py")).toBe(true);
  for (const name of ["conftest.py", "deep/setup.py", "node_modules/x.py", "deep/Sitecustomize.py", "x/.py"])
    expect(holds(`tests/${name}`)).toBe(false);
});

interface Judged {
  readonly tool?: string;
  readonly conditions: Policy["conditions"];
  readonly cwd?: string;
}

async function verdicts({ tool = "Bash", conditions, cwd = ws }: Judged, inputs: readonly JsonObject[]) {
  await using gate = await createGate({
    roots: [ws],
    policies: [{ name: "t", tools: tool, action: "approve", ...(conditions && { conditions }) }],
  });
  const found: string[] = [];
  for (const input of inputs) found.push((await gate.explain({ tool, input, cwd }, { as: "check" })).verdict);
  return found;
}

const usage = (value: string) => [{ type: "command", operator: "usage", value } as const];
const lines = (...commands: readonly string[]) => commands.map((command) => ({ command }));

it("a usage does not hold for what is fed into the command", async () => {
  const fed = lines(
    "psql shop <<< '\\! rm -rf x'",
    "psql shop <<'E'\n\\! rm -rf x\nE",
    "psql shop < x.sql",
    "psql shop <&3",
    "psql shop 0>&3",
    "echo '\\! rm -rf x' | psql shop",
    "echo x |& psql shop",
    "echo x | timeout 5 psql shop",
    "echo x | (psql shop)",
    "{ psql shop; } < x.sql",
    "while true; do psql shop; done < x.sql",
    "exec < x.sql; psql shop",
    "command exec < x.sql; psql shop",
    "for x in a b; do psql shop; exec < x.sql; done",
  );
  expect(await verdicts({ conditions: usage("psql NAME") }, lines("psql shop"))).toEqual(["allow"]);
  expect(await verdicts({ conditions: usage("psql NAME") }, fed)).not.toContain("allow");
});

it("a usage holds for a command that prints, that reads nothing, or that may be fed", async () => {
  const plain = lines("psql shop 2>&1", "psql shop < /dev/null", "psql shop && psql other");
  expect(await verdicts({ conditions: usage("psql NAME") }, plain)).toEqual(plain.map(() => "allow"));
  const fed = lines("psql shop <<< 'select 1'", "psql other | psql shop");
  expect(await verdicts({ conditions: usage("psql NAME [<]") }, fed)).toEqual(["allow", "allow"]);
});

it("a usage without a folder holds at the root of the workspace only", async () => {
  const here = lines("npm test");
  const conditions = usage("npm test");
  expect(await verdicts({ conditions }, here)).toEqual(["allow"]);
  expect(await verdicts({ conditions, cwd: join(ws, "evil") }, here)).not.toContain("allow");
  expect(await verdicts({ conditions }, [{ command: "npm test", cwd: "evil" }])).not.toContain("allow");
  const anywhere = [...conditions, { type: "folder", operator: "inside", value: "." } as const];
  expect(await verdicts({ conditions: anywhere, cwd: join(ws, "evil") }, here)).toEqual(["allow"]);
});

it("a folder may be named by a link, and does not lead out of the workspace by one", async () => {
  symlinkSync(join(ws, "pk"), join(ws, "named"));
  symlinkSync(tmpdir(), join(ws, "out"));
  const at = (value: string) => [
    ...usage("npm test"),
    { type: "folder", operator: "equals", value } as const,
  ];
  const here = lines("npm test");
  expect(await verdicts({ conditions: at("named"), cwd: join(ws, "pk") }, here)).toEqual(["allow"]);
  expect(await verdicts({ conditions: at("out"), cwd: realpathSync(tmpdir()) }, here)).not.toContain("allow");
});

it("text for a running terminal is approved by no rule for commands", async () => {
  const conditions = usage("npm test");
  const typed = [{ id: "1", command: "npm test" }];
  await using gate = await createGate({
    roots: [ws],
    policies: [{ name: "t", tools: "Bash", action: "approve", conditions }],
  });
  const { verdict } = await gate.explain(
    { tool: "send_to_terminal", input: typed[0] ?? {}, cwd: ws },
    { as: "check" },
  );
  expect(verdict).not.toBe("allow");
  await using denying = await createGate({
    roots: [ws],
    policies: [{ name: "t", tools: "Bash", action: "deny", conditions }],
  });
  const denied = await denying.explain(
    { tool: "send_to_terminal", input: typed[0] ?? {}, cwd: ws },
    { as: "check" },
  );
  expect(denied.verdict).toBe("deny");
});

it.each(["", "./", ".", "src/x/.ts"])("PATH is not %j", (word) => {
  expect(operandTypes.PATH.test(word)).toBe(false);
  const form = parseUsage("eslint src/PATH.ts");
  expect(typeof form === "string" || form.matches(["eslint", word])).toBe(false);
});
