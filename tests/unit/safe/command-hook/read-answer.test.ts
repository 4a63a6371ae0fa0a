/** What becomes of what a hook printed; tests/attack/hook-answers.test.ts has what only looks like an answer. */
import { describe, expect, it } from "vitest";
import type { HookEvent, HookReply } from "../../../../src/core/call/hook.ts";
import { readPrinted } from "../../../../src/safe/command-hook/read-answer.ts";
import { processorMs } from "../../../processor-time.ts";

const facts = { callId: "c", calledAs: "x", toolUseId: undefined, sessionId: undefined, cwd: "/" };
const before: HookEvent = { ...facts, preToolUse: { toolName: "x", parameters: {} } };
const after: HookEvent = {
  ...facts,
  postToolUse: { toolName: "x", parameters: {}, result: null, success: true, executionTimeMs: 1 },
};
const read = (printed: unknown, event: HookEvent = before) =>
  readPrinted(typeof printed === "string" ? printed : JSON.stringify(printed), event);
const specific = (more: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...more } });
const no = { cancel: true, errorMessage: "no" };

describe("what a hook printed", () => {
  it.for<readonly [string, HookReply]>([
    ["", undefined],
    [" \n\n", undefined],
    ["Mind the gap.\n", "Mind the gap."],
    ["two\nlines", "two\nlines"],
    ["42", "42"],
    ['{"contextModification":"x"}', { contextModification: "x" }],
    ['\ufeff{\n  "cancel": true\n}\n', { cancel: true }],
    // Other lines around the object.
    ['loading…\n{"cancel":true,"errorMessage":"no"}', no],
    ['{"cancel":true}\ndone', { cancel: true }],
    ['stray\n{\n"cancel": true,\n"errorMessage":\n"no"\n}\nbye', no],
    ['stray\n{\n  "modifiedParams":\n    {}\n}', { modifiedParams: {} }],
    ['warning: old\n{\n  "modifiedParams": {"a": 1}\n}\n', { modifiedParams: { a: 1 } }],
    // A refusal beside keys that nobody knows.
    ['{"cancel":true,"colour":"red"}', { cancel: true }],
    ['{"wasCancelled":true,"errorMessage":5}', { cancel: true }],
    ['{"decision":"block","reason":"no","colour":"red"}', no],
  ])("is nothing, text, or an object: %j", ([printed, reply]) => {
    expect(read(printed)).toEqual(reply);
  });

  it("is not read for ever", () => {
    const start = processorMs();
    expect(() => read('{"a":'.repeat(100_000))).toThrow();
    expect(processorMs() - start).toBeLessThan(3_000);
  });

  it("is cut when it would fill the conversation", () => {
    expect(String(read("x".repeat(50_000))).length).toBeLessThan(20_010);
    const cut = { contextModification: `${"x".repeat(20_000)}…` };
    expect(read({ contextModification: "x".repeat(50_000) })).toEqual(cut);
  });
});

describe("an answer in the words of Claude Code", () => {
  const ask = specific({ permissionDecision: "ask", permissionDecisionReason: "look" });
  it.for<readonly [string, object, HookReply]>([
    ["refuses by deny", specific({ permissionDecision: "deny", permissionDecisionReason: "no" }), no],
    ["refuses by block", { decision: "block", reason: "no" }, no],
    ["refuses by deny outside", { permissionDecision: "deny", permissionDecisionReason: "no" }, no],
    ["refuses by continue: false", { continue: false, stopReason: "no" }, no],
    ["refuses with its own reason", { continue: false, stopReason: "no", reason: "other" }, no],
    ["asks by ask", ask, { ask: true, errorMessage: "look" }],
    ["refuses rather than asks", { ...ask, decision: "block" }, { cancel: true, errorMessage: "look" }],
    [
      "approves nothing by allow",
      specific({ permissionDecision: "allow", permissionDecisionReason: "a" }),
      {},
    ],
    ["approves nothing by approve", { decision: "approve", reason: "fine" }, {}],
    ["approves nothing by continue", { continue: true, suppressOutput: true }, {}],
    [
      "changes the input",
      specific({ permissionDecision: "allow", updatedInput: { a: 1 } }),
      { modifiedParams: { a: 1 } },
    ],
    [
      "adds context",
      { ...specific({ additionalContext: "one" }), systemMessage: "two" },
      { contextModification: "one\n\ntwo" },
    ],
    ["refuses in one vocabulary", { cancel: true, decision: "approve" }, { cancel: true }],
    ["refuses in the other vocabulary", { cancel: false, decision: "block", reason: "no" }, no],
  ])("%s: %j", ([, printed, reply]) => {
    expect(read(printed)).toEqual(reply);
  });

  it.for<readonly [object, HookReply]>([
    [{ decision: "block", reason: "tests fail" }, { contextModification: "tests fail" }],
    [
      { continue: false, stopReason: "enough" },
      { cancel: true, errorMessage: "enough" },
    ],
    [specific({ updatedInput: { a: 1 } }), {}],
  ])("after the call is a remark, and only continue: false ends the task: %j", ([printed, reply]) => {
    expect(read(printed, after)).toEqual(reply);
  });
});
