/**
 * A decision in the words of droid: Claude Code's form, of which it leaves out `decision` and contexts before a
 * call. Of several hooks the first decision counts, but exit code 2 counts in any case: a denial says both.
 */
import type { JsonObject } from "../../core/input/json.ts";
import type { AgentHook } from "../agent-hook.ts";
import { type TakenFields, writeClaudeForm } from "../claude-form.ts";

const taken: TakenFields = { allow: true, contextAfter: true, endsTurn: true };
const writeWhole = writeClaudeForm({ ...taken, rewrite: true });
const writeUnchanged = writeClaudeForm(taken);

export const writeDroidAnswer: AgentHook["write"] = (event, decision, asked) => {
  const write = takesAway(decision.input, asked) ? writeUnchanged : writeWhole;
  return write(event, decision, asked);
};

/** A new input is laid over the old one: what a rule took out of it would stay. */
function takesAway(input: JsonObject | undefined, asked: JsonObject): boolean {
  return input !== undefined && Object.keys(asked).some((name) => !Object.hasOwn(input, name));
}
