/** Policies about the commands of an agent's shell, and what they come to. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { type Condition, createGate, type Gate, type Policy } from "../../src/index.ts";
import { createTestGate } from "../../src/testing/index.ts";

type CommandOperator = "startsWith" | "contains" | "equals" | "matches" | "usage";

export const command = (
  value: string | readonly string[],
  operator: CommandOperator = "startsWith",
): Condition => ({ type: "command", operator, value }) as Condition;
export const reading: Condition = { type: "risk", operator: "equals", value: "read" };

const about =
  (action: Policy["action"]) =>
  (conditions: Condition | readonly Condition[], more: Partial<Policy> = {}): Policy => ({
    name: action,
    tools: "Bash",
    action,
    conditions: [conditions].flat(),
    ...more,
  });
export const approve = about("approve");
export const deny = about("deny");

export const approveAll: Policy = { name: "yes", tools: "*", action: "approve" };
export const noPush = deny(command("git push"), { name: "no-push" });

/** Of a person who approves nearly everything beside it. */
export function denyingOneCommand(value: string, operator: CommandOperator = "startsWith"): Policy[] {
  const understood: Condition = { type: "risk", operator: "lessThan", value: "opaque" };
  return [approve(understood), deny(command(value, operator), { priority: 1 })];
}

/** What a gate says of a line that an agent would run itself. */
export const judgedBy =
  (gate: Gate, cwd?: string) =>
  async (line: string): Promise<string> => {
    const request = { tool: "Bash", input: { command: line }, ...(cwd !== undefined && { cwd }) };
    return (await gate.explain(request, { as: "check" })).verdict;
  };

export async function verdict(policies: readonly Policy[], line: string): Promise<string> {
  return judgedBy((await createTestGate({ policies })).gate)(line);
}

/** The same for many lines in one folder, as `{ line: verdict }`. */
export async function verdicts(root: string, policies: readonly Policy[], lines: readonly string[]) {
  const judged = judgedBy(await createGate({ roots: [root], policies }), root);
  const found: Record<string, string> = {};
  for (const line of lines) found[line] = await judged(line);
  return found;
}

export const all = (lines: readonly string[], verdict: string) =>
  Object.fromEntries(lines.map((line) => [line, verdict]));

/** A folder without links in its path, which goes with the test file. */
export function folderWith(...files: readonly string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-attack-")));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  for (const file of files) put(root, file);
  return root;
}

/** A name that ends with a slash is a folder. */
export function put(root: string, file: string, text = "text"): void {
  mkdirSync(file.endsWith("/") ? join(root, file) : dirname(join(root, file)), { recursive: true });
  if (!file.endsWith("/")) writeFileSync(join(root, file), text);
}
