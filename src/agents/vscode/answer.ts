/**
 * What VS Code is answered, by its documentation. It ignores an `updatedInput` that does not fit its tool and
 * runs the old one, so a call that a rule changes is denied, with what to run instead.
 */
import { writeClaudeForm } from "../claude-form.ts";

export const writeVscode = writeClaudeForm({
  allow: true,
  contextBefore: true,
  contextAfter: true,
  endsTurn: true,
  warnings: true,
});

/** Copilot CLI where it reads settings of Claude Code: it takes a new input, and shows nothing after a call. */
export const writeCopilotsSecondForm = writeClaudeForm({ allow: true, rewrite: true });
