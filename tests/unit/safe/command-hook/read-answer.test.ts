import { describe, expect, it } from "vitest";
import type { HookEvent } from "../../../../src/core/call/hook.ts";
import { readPrinted } from "../../../../src/safe/command-hook/read-answer.ts";

const facts = { callId: "c", calledAs: "x", toolUseId: undefined, sessionId: undefined, cwd: "/" };
const before: HookEvent = { ...facts, preToolUse: { toolName: "x", parameters: {} } };
const after: HookEvent = {
  ...facts,
  postToolUse: { toolName: "x", parameters: {}, result: null, success: true, executionTimeMs: 1 },
};
const read = (printed: unknown, event: HookEvent = before) =>
  readPrinted(typeof printed === "string" ? printed : JSON.stringify(printed), event);
const specific = (more: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...more } });

describe("what a hook printed", () => {
  it("is nothing, text, or an object", () => {
    expect(read("")).toBeUndefined();
    expect(read(" \n\n")).toBeUndefined();
    expect(read("Mind the gap.\n")).toBe("Mind the gap.");
    expect(read("two\nlines")).toBe("two\nlines");
    expect(read("42")).toBe("42");
    expect(read({ contextModification: "x" })).toEqual({ contextModification: "x" });
    expect(read('\ufeff{\n  "cancel": true\n}\n')).toEqual({ cancel: true });
  });

  it("may have other lines around the object", () => {
    expect(read('loading…\n{"cancel":true,"errorMessage":"no"}')).toEqual({
      cancel: true,
      errorMessage: "no",
    });
    expect(read('{"cancel":true}\ndone')).toEqual({ cancel: true });
    expect(read('stray\n{\n"cancel": true,\n"errorMessage":\n"no"\n}\nbye')).toEqual({
      cancel: true,
      errorMessage: "no",
    });
    expect(read('stray\n{\n  "modifiedParams":\n    {}\n}')).toEqual({ modifiedParams: {} });
    expect(read('warning: old\n{\n  "modifiedParams": {"a": 1}\n}\n')).toEqual({ modifiedParams: { a: 1 } });
  });

  it.each([
    '{"cancel": true',
    "{cancel: true}",
    'stray\n{"cancel": tru}',
    "{'cancel': True}",
    'Answer: {"cancel": false}',
    '"permissionDecision": "deny"',
    'stray\n{"cancel": true,\n"x":\n{}\n',
    '{"cancel": true\n{}',
    '{}\n"decision": "block"',
  ])("is a failure when it looks like an answer and is none: %s", (printed) => {
    expect(() => read(printed)).toThrow("not valid JSON");
  });

  it.each([
    'Answer: {"cancel": true}',
    '{"cancel":true}{"cancel":true}',
    'Answer: {"cancel": true}\n{}',
    '{"cancel":true}\n{"contextModification":"all is well"}',
    '{"contextModification":"all is well"}\n{\n  "cancel": true\n}',
    '{"cancel":false} {"decision":"block"} {"cancel":false}',
    '[{"cancel":true}, {"cancel":false}]',
    'log {x}\n{"hookSpecificOutput":{"permissionDecision":"deny"}}\n{"cancel":false}',
  ])("is a refusal if anything in it refuses: %s", (printed) => {
    expect(read(printed)).toMatchObject({ cancel: true });
  });

  it.each([
    '{"cancel":false}\n{"contextModification":"b"}\n',
    '{"contextModification":"a"}{"contextModification":"b"}',
    '{}\n{"modifiedParams":{"a":1}}',
  ])("is a failure if it is several answers of which none refuses: %s", (printed) => {
    expect(() => read(printed)).toThrow("2 answers");
  });

  it("is not read for ever", () => {
    // The processor's time: a busy machine gives a test less of it, not more to do.
    const before = process.cpuUsage();
    expect(() => read('{"a":'.repeat(100_000))).toThrow();
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000);
  });

  it("is cut when it would fill the conversation", () => {
    expect(String(read("x".repeat(50_000))).length).toBeLessThan(20_010);
    expect(read({ contextModification: "x".repeat(50_000) })).toEqual({
      contextModification: `${"x".repeat(20_000)}…`,
    });
  });

  it("is a failure when it is a list", () => {
    expect(() => read("[1]")).toThrow("a list");
  });

  it("keeps a refusal even beside keys that nobody knows", () => {
    expect(read({ cancel: true, colour: "red" })).toEqual({ cancel: true });
    expect(read({ wasCancelled: true, errorMessage: 5 })).toEqual({ cancel: true });
    expect(read({ decision: "block", reason: "no", colour: "red" })).toEqual({
      cancel: true,
      errorMessage: "no",
    });
  });
});

describe("an answer in the words of Claude Code", () => {
  it("refuses by deny, block and continue: false", () => {
    const no = { cancel: true, errorMessage: "no" };
    expect(read(specific({ permissionDecision: "deny", permissionDecisionReason: "no" }))).toEqual(no);
    expect(read({ decision: "block", reason: "no" })).toEqual(no);
    expect(read({ permissionDecision: "deny", permissionDecisionReason: "no" })).toEqual(no);
    expect(read({ continue: false, stopReason: "no" })).toEqual(no);
    expect(read({ continue: false, stopReason: "no", reason: "other" })).toEqual(no);
  });

  it("asks by ask", () => {
    const asked = specific({ permissionDecision: "ask", permissionDecisionReason: "look" });
    expect(read(asked)).toEqual({ ask: true, errorMessage: "look" });
    expect(read({ ...asked, decision: "block" })).toEqual({ cancel: true, errorMessage: "look" });
  });

  it("approves nothing by allow or approve", () => {
    expect(read(specific({ permissionDecision: "allow", permissionDecisionReason: "fine" }))).toEqual({});
    expect(read({ decision: "approve", reason: "fine" })).toEqual({});
    expect(read({ continue: true, suppressOutput: true })).toEqual({});
  });

  it("changes the input and adds context", () => {
    expect(read(specific({ permissionDecision: "allow", updatedInput: { a: 1 } }))).toEqual({
      modifiedParams: { a: 1 },
    });
    expect(read({ ...specific({ additionalContext: "one" }), systemMessage: "two" })).toEqual({
      contextModification: "one\n\ntwo",
    });
  });

  it("after the call: a refusal is a remark, and only continue: false ends the task", () => {
    expect(read({ decision: "block", reason: "tests fail" }, after)).toEqual({
      contextModification: "tests fail",
    });
    expect(read({ continue: false, stopReason: "enough" }, after)).toEqual({
      cancel: true,
      errorMessage: "enough",
    });
    expect(read(specific({ updatedInput: { a: 1 } }), after)).toEqual({});
  });

  it("counts the refusal when both vocabularies are mixed", () => {
    expect(read({ cancel: true, decision: "approve" })).toEqual({ cancel: true });
    expect(read({ cancel: false, decision: "block", reason: "no" })).toEqual({
      cancel: true,
      errorMessage: "no",
    });
  });

  it.each([
    { decision: "perhaps" },
    specific({ permissionDecision: "maybe" }),
    specific({ permisionDecision: "deny" }),
    specific({ updatedToolOutput: "x" }),
    { hookSpecificOutput: "deny" },
    { continue: "no" },
    { decision: "approve", colour: "red" },
  ])("is a failure when it says what cannot be understood: %j", (answer) => {
    expect(() => read(answer)).toThrow();
  });
});
