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
