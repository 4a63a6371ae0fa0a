/**
 * A decision in the words of Cline's file hooks, which our plugin reads, too. A file hook can only cancel,
 * and that ends the run; the plugin makes of it a call that is skipped, with a reason.
 */
import type { JsonObject } from "../../core/input/json.ts";
import {
  type AgentDecision,
  blocking,
  defaultReason,
  type HookAnswer,
  type HookEvent,
  silence,
} from "../agent-hook.ts";
import { hasText } from "../json-answer.ts";
import { addsFields, runInstead } from "../run-instead.ts";

/** What Cline takes from a hook's standard output. */
export interface ClineAnswer {
  readonly cancel?: true;
  readonly errorMessage?: string;
  readonly contextModification?: string;
  readonly overrideInput?: unknown;
}

export function writeClineAnswer(event: HookEvent, decision: AgentDecision, asked: JsonObject): HookAnswer {
  const { verdict, reason, input, taskEnd, contexts } = decision;
  const isBefore = event === "PreToolUse";
  // `ask` reaches no agent without a prompt of its own.
  if (isBefore && verdict !== "allow" && verdict !== "abstain")
    return deny(hasText(reason) ? reason : defaultReason);
  if (isBefore && input !== undefined && addsFields(asked, input)) return deny(runInstead(asked, input));
  // What the hooks could not do after a call is for the model, too.
  const texts = (isBefore || reason === undefined ? contexts : [reason, ...contexts]).filter(hasText);
  const said: ClineAnswer = {
    ...(!isBefore && hasText(taskEnd) && { cancel: true, errorMessage: taskEnd }),
    ...(texts.length > 0 && { contextModification: texts.join("\n\n") }),
    ...(isBefore && input !== undefined && { overrideInput: input }),
  };
  if (Object.keys(said).length === 0) return silence;
  return { ...silence, stdout: lineOf(said), ...("overrideInput" in said && { mustArrive: true }) };
}

function deny(errorMessage: string): HookAnswer {
  return blocking(`${errorMessage}\n`, lineOf({ cancel: true, errorMessage }));
}

function lineOf(said: ClineAnswer): string {
  return `${JSON.stringify(said)}\n`;
}
