/** Answers in the words of Claude Code and Codex hooks. Only what narrows is taken: `allow` is nothing. */
import type { HookAnswer, HookEvent } from "../../core/call/hook.ts";
import { isJsonObject, type JsonObject } from "../../core/input/json.ts";

const topKeys = [
  "continue",
  "stopReason",
  "suppressOutput",
  "systemMessage",
  "decision",
  "reason",
  "hookSpecificOutput",
  // Copilot's hooks say these two here.
  "permissionDecision",
  "permissionDecisionReason",
];
const specificKeys = [
  "hookEventName",
  "permissionDecision",
  "permissionDecisionReason",
  "updatedInput",
  "additionalContext",
];

export function isClaudeAnswer(answer: JsonObject): boolean {
  return topKeys.some((key) => Object.hasOwn(answer, key));
}

export interface ReadClaude {
  readonly answer: HookAnswer;
  /** What cannot be understood; it matters only where nothing was refused. */
  readonly problem: string | undefined;
}

export function readClaudeAnswer(given: JsonObject, event: HookEvent): ReadClaude {
  const specific = given.hookSpecificOutput ?? {};
  if (!isJsonObject(specific)) return { answer: {}, problem: "its hookSpecificOutput is not an object" };
  const problems = [
    ...Object.keys(given)
      .filter((key) => !topKeys.includes(key))
      .map((key) => `it answered with the unknown key "${key}"`),
    ...Object.keys(specific)
      .filter((key) => !specificKeys.includes(key))
      .map((key) => `it answered with hookSpecificOutput.${key}, which has no effect here`),
  ];
  const verdicts = [given.decision, given.permissionDecision, specific.permissionDecision].map(verdictOf);
  if (verdicts.includes("unknown")) problems.push("its decision is none of allow, deny, ask and block");
  if (given.continue !== undefined && typeof given.continue !== "boolean")
    problems.push("its continue is neither true nor false");
  const refuses = verdicts.includes("deny");
  const stops = given.continue === false;
  const before = "preToolUse" in event;
  const why = firstText(
    stops ? given.stopReason : undefined,
    specific.permissionDecisionReason,
    given.permissionDecisionReason,
    given.reason,
    given.stopReason,
  );
  // After the call a refusal is feedback for the model; only `continue: false` ends the task.
  const feedback =
    refuses && !stops && !before ? (why ?? "A hook objects to what this call did.") : undefined;
  const context = [feedback, text(specific.additionalContext), text(given.systemMessage)]
    .filter((one) => one !== undefined)
    .join("\n\n");
  const cancels = stops || (refuses && before);
  const asks = before && !cancels && verdicts.includes("ask");
  return {
    answer: {
      ...(cancels && { cancel: true }),
      ...(asks && { ask: true }),
      ...((cancels || asks) && why !== undefined && { errorMessage: why }),
      ...(context !== "" && { contextModification: context }),
      ...(before && specific.updatedInput !== undefined && { modifiedParams: specific.updatedInput }),
    },
    problem: problems[0],
  };
}

function verdictOf(decision: unknown): "pass" | "ask" | "deny" | "unknown" {
  if (decision === undefined || decision === null || decision === "allow" || decision === "approve")
    return "pass";
  if (decision === "deny" || decision === "block") return "deny";
  return decision === "ask" ? "ask" : "unknown";
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.map(text).find((value) => value !== undefined);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
