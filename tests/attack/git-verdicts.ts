/** What two generous people would let through: one approves git by its name, the other whatever only reads. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { onTestFinished } from "vitest";
import { createGate, type Policy } from "../../src/index.ts";
import { shell } from "../unit/paper-gate.ts";
import { approve, reading, command as says } from "./command-policies.ts";
import type { World } from "./git-traps.ts";

const byName = approve(says("git cd cat ls touch grep head cp mv mkdir".split(" ")));
const byRisk = approve(reading);

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
  const options = { tools: [shell], roots: [root], enable: { enabledCategories: ["shell"] } };
  const gates = await Promise.all(policies.map((policy) => createGate({ ...options, policies: [policy] })));
  onTestFinished(async () => {
    for (const gate of gates) await gate.close();
  });
  const found: string[] = [];
  for (const command of lines) {
    const request = { tool: "shell.exec", input: { command }, cwd };
    const verdicts = await Promise.all(gates.map(async (gate) => (await gate.explain(request)).verdict));
    found.push([...verdicts, command].join(" "));
  }
  return found;
}

/** Runs the line as an agent's shell would, and tells whether the file appeared that must not. */
export function springs(world: World, line: string): boolean {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: ":" };
  spawnSync("bash", ["-c", line], { cwd: world.root, env, timeout: 10_000 });
  return existsSync(world.pwned);
}
