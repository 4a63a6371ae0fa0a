/**
 * What Grok is answered. It takes Claude Code's form; a denial counts by its JSON as well as by exit code 2. It
 * leaves out contexts beside a denial, `systemMessage`, and `continue: false` after a call.
 */
import { writeClaudeForm } from "../claude-form.ts";

export const writeGrok = writeClaudeForm({ rewrite: true, contextBefore: true, contextAfter: true });
