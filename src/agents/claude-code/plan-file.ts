/** The one file that Claude Code itself lets a session write in plan mode: the plan. Without it plan mode could not end. */
import { join, resolve, sep } from "node:path";
import type { HookInput } from "./read-hook-input.ts";

const writers = ["Write", "Edit", "MultiEdit"];

/** Only in the client's own folder for plans; another one that a repository's settings name stays read-only. */
export function writesPlanFile({ tool, input, cwd }: HookInput, claudeFolder: string): boolean {
  const { file_path: file } = input;
  if (!writers.includes(tool) || typeof file !== "string" || !file.endsWith(".md")) return false;
  // Resolved first: `plans/../settings.md` is not a plan.
  return resolve(cwd ?? "/", file).startsWith(join(claudeFolder, "plans") + sep);
}
