/** Which field of a tool's input a person means by the one text that they type behind its name. */
import { findAgentsTool, type KnownTool } from "../core/tool/known-tools.ts";
import { mainFields } from "./claude-code/main-fields.ts";

export interface MainField {
  readonly name: string;
  /** The text is a command line. */
  readonly isCommand: boolean;
}

/** The agent's own name for it, else by what the tool's fields mean. Undefined: it is not known. */
export function findMainField(tool: string): MainField | undefined {
  const known = findAgentsTool(tool);
  const name = Object.hasOwn(mainFields, tool) ? mainFields[tool] : known && firstField(known);
  if (name === undefined) return undefined;
  return { name, isCommand: known?.roles.command?.includes(name) === true };
}

/** What a call runs says more about it than where it happens. */
function firstField({ roles }: KnownTool): string | undefined {
  const fields = (["command", "stdin", "path", "url"] as const).flatMap((role) => roles[role] ?? []);
  return fields.find((field) => /^\w+$/.test(field));
}

/** The tools of agents for which one text is enough. */
export const agentToolNames: readonly string[] = Object.keys(mainFields);
