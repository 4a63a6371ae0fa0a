/** For `explain`: rules that approve by a command, and concern a tool that does not say that it runs one. */
import { roleOfField } from "../../core/input/input-roles.ts";
import { isRecord } from "../../core/input/json.ts";
import type { PlannedTool } from "../compile-plan.ts";
import type { CompiledPolicy } from "../policies.ts";

export interface BlindCall {
  readonly tool: PlannedTool;
  readonly args: unknown;
  /** Whose code the tool is: only that of a program says its roles itself. */
  readonly source: string;
}

/** One finding for all such rules; undefined: there are none. */
export function explainBlindApprovals(
  policies: readonly CompiledPolicy[],
  { tool, args, source }: BlindCall,
): string | undefined {
  if (tool.isShell || tool.derive !== undefined) return undefined;
  const names = policies
    .filter(
      ({ action, policy }) =>
        action === "approve" && policy.conditions?.some(({ type }) => type === "command"),
    )
    .map(({ policy }) => `"${policy.name}"`);
  if (names.length === 0) return undefined;
  const who = `${names.length === 1 ? "policy" : "policies"} ${names.join(", ")}`;
  return `${who} can never approve ${tool.id} by its command, because ${tool.id} does not state that a command is all it runs. ${adviceFor(source, args)}`;
}

function adviceFor(source: string, args: unknown): string {
  if (source !== "library") return "Approve it by its name, or by a condition of the type argument.";
  const fields = Object.keys(isRecord(args) ? args : {}).filter((key) => roleOfField(key) === "command");
  const [field] = fields;
  if (field !== undefined)
    return `If it is, add to the tool: roles: { command: [${JSON.stringify(field)}] }.`;
  return 'If it runs one, add to the tool: roles: { command: ["FIELD"] }, or derive: (args) => ({ command: "..." }).';
}
