/** Globs that stand for what may not be touched: they are judged by the names they stand for, not only by the folder they start in. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGate, type Policy } from "../../src/index.ts";
import { expandGlob } from "../../src/safe/files/expand-glob.ts";
import { processorMs } from "../processor-time.ts";
import { shell } from "../unit/paper-gate.ts";
import { approve, deny, folderWith, command as says } from "./command-policies.ts";

const byName = approve(says(["cat", "ls", "head"]));
const root = folderWith("a.ts", "src/b.ts", "src/deep/c.ts", ".env", "secret/plan.txt", "src/id_rsa");
symlinkSync("/etc", join(root, "link"));

async function verdicts(lines: readonly string[], policies: readonly Policy[]): Promise<string[]> {
  const gate = await createGate({
    tools: [shell],
    roots: [root],
    enable: { enabledCategories: ["shell"] },
    policies,
  });
  const found: string[] = [];
  for (const command of lines) {
    const { verdict } = await gate.explain({ tool: "shell.exec", input: { command }, cwd: root });
    found.push(`${verdict} ${command}`);
  }
  return found;
}

const outside = [
  "cat */../../../../../../etc/passwd",
  "cat src*/../../x",
  "cat l*/passwd",
  "cat */passwd",
  "cat lin?/passwd",
  "ls .*",
];
const secrets = ["cat .en*", "cat .e[n]v", "head -1 .e?v", "cat s*/../.env", "cat src/id_*", "cat src/*a"];
const plain = ["cat *.ts", "ls src/*.ts", "cat src/*/*.ts", "cat none*", "head -3 src/d*/c.ts"];

describe.each([
  ["without any policy", []],
  ["under a policy that approves the programs", [byName]],
])("%s", (_title, policies) => {
  it("a glob opens nothing that its names would not", async () => {
    expect(await verdicts(outside.slice(0, -1), policies)).toEqual(
      outside.slice(0, -1).map((line) => `ask ${line}`),
    );
    expect(await verdicts(secrets, policies)).toEqual(secrets.map((line) => `deny ${line}`));
    for (const verdict of await verdicts(outside, policies)) expect(verdict).not.toMatch(/^allow/);
  });

  it("a glob that stays inside is no trouble", async () => {
    expect(await verdicts(plain, policies)).toEqual(plain.map((line) => `allow ${line}`));
  });
});

it("a rule about a path holds for a glob that stands for it", async () => {
  const secret = deny({ type: "path", operator: "inside", value: "secret" }, { tools: "*" });
  const lines = ["cat secret/*", "cat s*/plan.txt", "cat */*.txt", "cat sec?et/plan.txt"];
  expect(await verdicts(lines, [byName, secret])).toEqual(lines.map((line) => `deny ${line}`));
});

it("a pattern with a slash at its end stands for folders and links, not for a key that lies beside them", async () => {
  expect(expandGlob("src/*/", root)).toEqual([join(root, "src/deep")]);
  expect(expandGlob("*/id_rsa", root)).toContain(join(root, "src/id_rsa"));
  expect(expandGlob("*/", root)).toEqual(["link", "secret", "src"].map((name) => join(root, name)));
  expect(await verdicts(["ls -d src/*/"], [byName])).toEqual(["allow ls -d src/*/"]);
  expect(await verdicts(["ls -d src/*"], [byName])).toEqual(["deny ls -d src/*"]);
});

describe("the names a glob stands for", () => {
  it("are not counted without end", () => {
    const folder = join(root, "many");
    mkdirSync(folder);
    for (let index = 0; index < 300; index++) writeFileSync(join(folder, `${"a".repeat(200)}${index}`), "");
    expect(expandGlob("many/*", root)).toBeUndefined();
    const started = processorMs();
    expect(expandGlob(`many/${"*a".repeat(100)}b`, root)).toEqual([]);
    expect(processorMs() - started).toBeLessThan(5_000);
  });

  it("are given up where a backslash is left", () => {
    expect(expandGlob("a\\*", root)).toBeUndefined();
  });
});
