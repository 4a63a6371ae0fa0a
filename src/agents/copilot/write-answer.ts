/**
 * What Copilot is answered in its own form: one flat JSON object, or nothing. It reads a denial's reason also
 * where the exit code is 2, which denies even if the JSON is spoiled; of standard error it tells nobody.
 */
import type { JsonObject } from "../../core/input/json.ts";
import { type AgentDecision, blocking, type HookAnswer, type HookEvent, silence } from "../agent-hook.ts";
import { reasonOf } from "../claude-form.ts";
import { joined } from "../json-answer.ts";
import { runInstead } from "../run-instead.ts";

export function writeCopilot(
  event: HookEvent,
  decision: AgentDecision,
  asked: JsonObject,
  { withoutRewrite = false } = {},
): HookAnswer {
  if (event === "UserPromptSubmit") return silence;
  if (event !== "PreToolUse") return writeAfter(decision);
  const { verdict, input, contexts } = decision;
  if (verdict !== "allow" && verdict !== "abstain") return deny(reasonOf(decision), contexts);
  if (input !== undefined && withoutRewrite) return deny(runInstead(asked, input), contexts);
  const answer = print({
    ...(verdict === "allow" && { permissionDecision: "allow" }),
    ...(input !== undefined && { modifiedArgs: input }),
    ...joined("additionalContext", contexts),
  });
  return input === undefined ? answer : { ...answer, mustArrive: true };
}

/** What is said beside a denial becomes part of its reason. */
function deny(why: string, contexts: readonly string[]): HookAnswer {
  const reason = [why, ...contexts].filter((text) => text.trim() !== "").join("\n\n");
  const { stdout } = print({ permissionDecision: "deny", permissionDecisionReason: reason });
  return blocking(`${reason}\n`, stdout);
}

/** `decision: "block"` would hide what the tool answered: it has run, and the model has to know what it did. */
function writeAfter({ contexts, reason = "", taskEnd = "" }: AgentDecision): HookAnswer {
  return print(joined("additionalContext", [...contexts, reason, taskEnd]));
}

function print(output: JsonObject): HookAnswer {
  return Object.keys(output).length === 0 ? silence : { ...silence, stdout: `${JSON.stringify(output)}\n` };
}
