/** What two generous people would let through: one approves git by its name, the other whatever only reads. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { onTestFinished } from "vitest";
import { createGate, defineTool, type Policy } from "../../src/index.ts";
import type { World } from "./git-traps.ts";

const shell = defineTool({
  id: "shell.exec",
  description: "Runs a command line.",
  permission: "execute",
  capabilities: ["shell:run"],
  input: { type: "object" },
  run: () => "ran",
});

const byName: Policy = {
  name: "by-name",
  tools: "Bash",
  action: "approve",
  conditions: [
    {
      type: "command",
      operator: "startsWith",
      value: "git cd cat ls touch grep head cp mv mkdir".split(" "),
    },
  ],
};

const byRisk: Policy = {
  name: "by-risk",
  tools: "Bash",
  action: "approve",
  conditions: [{ type: "risk", operator: "equals", value: "read" }],
};

/** For each line: the verdict by name, the verdict by risk, the line. */
export function verdictsIn(root: string, lines: readonly string[], cwd = root): Promise<string[]> {
  return verdictsOf([byName, byRisk], root, lines, cwd);
}

/** One verdict for each policy, each in a gate of its own. */
export async function verdictsOf(
  policies: readonly Policy[],
  root: string,
  lines: readonly string[],
  cwd = root,
): Promise<string[]> {
  const gates = await Promise.all(
    policies.map((policy) =>
      createGate({
        tools: [shell],
        roots: [root],
        enable: { enabledCategories: ["shell"] },
        policies: [policy],
      }),
    ),
  );
  onTestFinished(async () => {
    for (const gate of gates) await gate.close();
  });
  const found: string[] = [];
  for (const command of lines) {
    const verdicts: string[] = [];
    for (const gate of gates) {
      const { verdict } = await gate.explain({ tool: "shell.exec", input: { command }, cwd });
      verdicts.push(verdict);
    }
    found.push([...verdicts, command].join(" "));
  }
  return found;
}

/** Runs the line as an agent's shell would, and tells whether the file appeared that must not. */
export function springs(world: World, line: string): boolean {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: ":",
  };
  spawnSync("bash", ["-c", line], { cwd: world.root, env, timeout: 10_000 });
  return existsSync(world.pwned);
}
