/** What a call of VS Code's agent needs. */
import type { AgentHook } from "../agent-hook.ts";
import { readJsonCall } from "../read-json-call.ts";
import { writeVscode } from "./answer.ts";
import { form, readVscodeCall } from "./read-vscode.ts";

/** No `ownPrompt`: that its own prompt asks after `ask` is documented, and was not seen. */
export const vscodeHook: AgentHook = {
  read(text, place) {
    const parsed = readJsonCall(text, form);
    return parsed.ok ? readVscodeCall(parsed.value, place) : parsed;
  },
  write: writeVscode,
};
