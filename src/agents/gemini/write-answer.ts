/**
 * A decision in the words of Gemini CLI. Of what a hook prints, standard output counts, and standard error only
 * where there is none; exit code 2 denies, but not without a text.
 */
import type { JsonObject } from "../../core/input/json.ts";
import {
  type AgentDecision,
  blocking,
  defaultReason,
  type HookAnswer,
  type HookEvent,
} from "../agent-hook.ts";
import { hasText, joined, sayJson } from "../json-answer.ts";
import { runInstead } from "../run-instead.ts";

export function writeAnswer(event: HookEvent, decision: AgentDecision, asked: JsonObject): HookAnswer {
  if (event !== "PreToolUse") return writeAfter(event, decision);
  const { verdict, input } = decision;
  if (verdict !== "allow" && verdict !== "abstain") return deny(decision, decision.reason);
  if (input === undefined) return sayJson(shown(decision));
  if (!canBecome(asked, input)) return deny(decision, adviceFor(asked, input));
  const changed = { hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: input } };
  return { ...sayJson({ ...changed, ...shown(decision) }), mustArrive: true };
}

/** What a hook says before a call reaches nobody, but with a denial. */
function deny(decision: AgentDecision, why: string | undefined): HookAnswer {
  const reason = [why, ...decision.contexts].filter(hasText).join("\n\n") || defaultReason;
  return blocking(`${reason}\n`, `${JSON.stringify({ decision: "deny", reason, ...shown(decision) })}\n`);
}

/**
 * Its documentation says that new fields are put over the old ones, so none can be taken away (0.61.0 takes the
 * new ones alone). The addresses in a text that a rule changed have been seen by no rule.
 */
function canBecome(asked: JsonObject, input: JsonObject): boolean {
  return !holdsFoundUrls(asked) && Object.keys(asked).every((key) => Object.hasOwn(input, key));
}

function adviceFor(asked: JsonObject, input: JsonObject): string {
  if (!holdsFoundUrls(asked)) return runInstead(asked, input);
  const { urls: _, ...rest } = input;
  const { urls: __, ...before } = asked;
  return runInstead(before, rest);
}

/** As `read` adds them to its fetching tool. */
function holdsFoundUrls({ prompt, urls }: JsonObject): boolean {
  return typeof prompt === "string" && Array.isArray(urls);
}

/** The tool has run. A denial here puts its text in the place of what the tool answered. */
function writeAfter(event: HookEvent, decision: AgentDecision): HookAnswer {
  // Here a denial would take a person's words away.
  if (event === "UserPromptSubmit") return sayJson(shown(decision));
  const { contexts, reason, taskEnd } = decision;
  const context = joined("additionalContext", contexts);
  return sayJson({
    ...(taskEnd !== undefined && { continue: false, stopReason: taskEnd }),
    ...(hasText(reason) && { decision: "deny", reason }),
    ...(Object.keys(context).length > 0 && {
      hookSpecificOutput: { hookEventName: "AfterTool", ...context },
    }),
    ...shown(decision),
  });
}

/** For the person. */
function shown({ warnings }: AgentDecision): JsonObject {
  return joined("systemMessage", warnings);
}
