/** The answers of all agents that ran, side by side. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { matrixCases, nameOfCase } from "./matrix-cases.ts";

const folder = resolve(import.meta.dirname, "../../../.cache/agent-matrix");

/** Before a run: columns of an earlier one are not this one's. */
export function forgetMatrix(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** What one agent answered, for the table. */
export function keepAnswers(agent: string, answers: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${agent}.json`), JSON.stringify(answers));
}

/** `.`: as `toolgate check` says. `-`: the agent has no such tool, or none that runs offline. Empty: nobody ran. */
export function describeMatrix(agents: readonly string[]): string {
  const columns = agents.flatMap((name) => {
    const file = join(folder, `${name}.json`);
    if (!existsSync(file)) return [];
    return [{ name, answers: JSON.parse(readFileSync(file, "utf8")) as Record<string, string> }];
  });
  if (columns.length === 0) return "";
  const names = matrixCases.map(nameOfCase);
  const widest = Math.max(...names.map((name) => name.length));
  const head = `${"".padEnd(widest)}  ${"check".padEnd(10)}${columns.map(({ name }) => name).join(" ")}`;
  const rows = matrixCases.map((one) => {
    const expected = one.stopped ?? "passes";
    const cells = columns.map(({ name, answers }) => {
      const answer = answers[nameOfCase(one)];
      const shown = answer === undefined ? "-" : answer === expected ? "." : answer;
      return shown.padEnd(name.length);
    });
    return `${nameOfCase(one).padEnd(widest)}  ${expected.padEnd(10)}${cells.join(" ")}`;
  });
  return `${[head, ...rows].join("\n")}\n`;
}
