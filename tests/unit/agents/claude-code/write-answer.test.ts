import { describe, expect, it } from "vitest";
import type { AgentDecision } from "../../../../src/agents/agent-hook.ts";
import { hook } from "../../../../src/agents/claude-code/hook.ts";
import { afterCall, beforeCall, denial, denies, rewrites, says, silence, talkingTo } from "../talking.ts";

const { answer } = talkingTo(hook);
const updatedInput = { command: "ls" };
const warnings = ["The rules are old.", "Run doctor."];
const systemMessage = "The rules are old.\nRun doctor.";
const ask = { permissionDecision: "ask", permissionDecisionReason: "Ann decides." };
const allow = { permissionDecision: "allow" };
const no = { verdict: "deny", reason: "No." } as const;

describe("the answer to Claude Code before a call", () => {
  it.for<readonly [string, Partial<AgentDecision>, object]>([
    ["is silence with a reason, too", { reason: "Nothing matched." }, silence],
    ["blocks in three ways at once", no, denies("No.", denial("No."))],
    [
      "asks with the reason, and with the input that a rule made of the call; it must arrive",
      { verdict: "ask", reason: "Ann decides.", input: updatedInput },
      rewrites(beforeCall({ ...ask, updatedInput })),
    ],
    [
      "says why it approves",
      { verdict: "allow", reason: "policy tests" },
      says(beforeCall({ ...allow, permissionDecisionReason: "policy tests" })),
    ],
    [
      "rewrites and approves when a rule approves",
      { verdict: "allow", input: updatedInput },
      rewrites(beforeCall({ ...allow, updatedInput })),
    ],
    [
      "adds contexts for the model",
      { contexts: ["one", " ", "two"] },
      says(beforeCall({ additionalContext: "one\n\ntwo" })),
    ],
    [
      "adds contexts to a block, too",
      { ...no, contexts: ["one"] },
      denies("No.", beforeCall({ ...denial("No.").hookSpecificOutput, additionalContext: "one" })),
    ],
    ["shows warnings to the person only", { warnings }, says({ systemMessage })],
    [
      "shows warnings beside a block",
      { ...no, warnings },
      denies("No.", { ...denial("No."), systemMessage }),
    ],
  ])("%s", ([, decision, said]) => expect(answer(decision)).toEqual(said));
});

/** No exit code could undo what has run. */
describe("the answer to Claude Code after a call", () => {
  it.for(["PostToolUse", "PostToolUseFailure"] as const)("is what hooks said about it: %s", (event) => {
    expect(answer({}, {}, event)).toEqual(silence);
    expect(answer({ contexts: ["One.", " ", "Two."] }, {}, event)).toEqual(
      says(afterCall("One.\n\nTwo.", event)),
    );
    expect(answer({ reason: "A hook failed.", warnings: ["Old rules."] }, {}, event)).toEqual(
      says({ decision: "block", reason: "A hook failed.", systemMessage: "Old rules." }),
    );
  });
});
