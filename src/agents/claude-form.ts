/** Answers in the form of Claude Code, for agents that took it over in part: each gets the fields that it takes. */
import type { JsonObject } from "../core/input/json.ts";
import {
  type AgentDecision,
  type AgentHook,
  blocking,
  defaultReason,
  type HookAnswer,
  type HookEvent,
  silence,
} from "./agent-hook.ts";
import { hasText, joined, sayJson } from "./json-answer.ts";
import { runInstead } from "./run-instead.ts";

/** A denial is taken by all of them. */
export interface TakenFields {
  /** `permissionDecision: "allow"` means something. */
  readonly allow?: true;
  /** `updatedInput`. Absent: the call is denied, with what to run instead. */
  readonly rewrite?: true;
  /** `additionalContext`. What is said beside a denial becomes part of its reason: not all show both. */
  readonly contextBefore?: true;
  readonly contextAfter?: true;
  /** `continue: false` after a call ends the turn. Absent: the model only reads that the task is over. */
  readonly endsTurn?: true;
  /** `systemMessage`: for the person. */
  readonly warnings?: true;
}

export function writeClaudeForm(takes: TakenFields): AgentHook["write"] {
  return (event, decision, asked) => {
    if (event === "UserPromptSubmit") return silence;
    return event === "PreToolUse" ? before(takes, decision, asked) : after(takes, event, decision);
  };
}

function before(takes: TakenFields, decision: AgentDecision, asked: JsonObject): HookAnswer {
  const { verdict, input, contexts, warnings } = decision;
  const isChanged = input !== undefined;
  if (verdict !== "allow" && verdict !== "abstain") return deny(takes, reasonOf(decision), decision);
  if (isChanged && takes.rewrite !== true) return deny(takes, runInstead(asked, input), decision);
  const said: JsonObject = {
    ...(verdict === "allow" && takes.allow && { permissionDecision: "allow" }),
    ...(isChanged && { updatedInput: input }),
    ...(takes.contextBefore && joined("additionalContext", contexts)),
  };
  // Nothing to say must stay nothing: some take any decision for a reason to skip their own prompts.
  const answer = print("PreToolUse", said, takes.warnings ? joined("systemMessage", warnings) : {});
  return isChanged ? { ...answer, mustArrive: true } : answer;
}

/** The JSON gives the model a clean reason. If anything spoils it, the exit code still blocks, with stderr. */
function deny(takes: TakenFields, why: string, { contexts, warnings }: AgentDecision): HookAnswer {
  const reason = [why, ...contexts.filter(hasText)].join("\n\n");
  const said = { permissionDecision: "deny", permissionDecisionReason: reason };
  const { stdout } = print("PreToolUse", said, takes.warnings ? joined("systemMessage", warnings) : {});
  return blocking(`${reason}\n`, stdout);
}

/** The tool has run, and nothing could undo that: no exit code, which would only show an error. */
function after(takes: TakenFields, event: HookEvent, decision: AgentDecision): HookAnswer {
  const { contexts, warnings, reason = "", taskEnd } = decision;
  const ends = taskEnd !== undefined && takes.endsTurn === true;
  const told = [...contexts, reason, ...(taskEnd === undefined || ends ? [] : [taskEnd])];
  return print(event, takes.contextAfter ? joined("additionalContext", told) : {}, {
    ...(ends && { continue: false, stopReason: taskEnd }),
    ...(takes.warnings && joined("systemMessage", warnings)),
  });
}

function print(event: HookEvent, said: JsonObject, beside: JsonObject): HookAnswer {
  const output: JsonObject = {
    ...(Object.keys(said).length > 0 && { hookSpecificOutput: { hookEventName: event, ...said } }),
    ...beside,
  };
  return sayJson(output);
}

export function reasonOf({ reason = "" }: AgentDecision): string {
  return hasText(reason) ? reason : defaultReason;
}
