/** A rule of Gemini CLI, whether its settings or a policy file say it. */
import type { CommandText } from "./command-text.ts";
import type { Permit } from "./own-rule.ts";

/** A rule as Gemini CLI sees it. */
export interface GeminiRule {
  readonly permit: Permit;
  readonly priority: number;
  readonly tool: string;
  /** Undefined: the tool with any input. */
  readonly command?: CommandText;
  /** All commands but these. */
  readonly only?: readonly CommandText[];
  /** It holds only in a part of the calls that it names. */
  readonly partly?: string;
  readonly written: string;
  readonly file: string;
  readonly reason?: string;
}

/** Tools that Gemini CLI brings along, besides its shell. */
export const geminiTools = [
  "list_directory",
  "read_file",
  "read_many_files",
  "write_file",
  "replace",
  "glob",
  "search_file_content",
  "grep_search",
  "web_fetch",
  "google_web_search",
  "save_memory",
  "write_todos",
  "activate_skill",
  "ask_user",
];
