import { describe, expect, it } from "vitest";
import type { AgentDecision, HookEvent } from "../../../../src/agents/agent-hook.ts";
import { gemini } from "../../../../src/agents/gemini/agent.ts";
import { writeAnswer } from "../../../../src/agents/gemini/write-answer.ts";

const nothing = { contexts: [], warnings: [] };
type Said = Partial<AgentDecision> & Pick<AgentDecision, "verdict">;
const answer = (decision: Said, asked = {}) => writeAnswer("PreToolUse", { ...nothing, ...decision }, asked);
const silence = { stdout: "", stderr: "", exitCode: 0 };

describe("the answer to Gemini CLI before a call", () => {
  it("is silence unless something is wrong: its own policies decide", () => {
    expect(answer({ verdict: "abstain" })).toEqual(silence);
    expect(answer({ verdict: "allow", reason: "policy tests" })).toEqual(silence);
    // It would reach nobody.
    expect(answer({ verdict: "abstain", contexts: ["One."] })).toEqual(silence);
  });

  it("denies by its own words and by the exit code", () => {
    expect(answer({ verdict: "deny", reason: "Use `gh pr view`." })).toEqual({
      stdout: '{"decision":"deny","reason":"Use `gh pr view`."}\n',
      stderr: "Use `gh pr view`.\n",
      exitCode: 2,
    });
  });

  it("denies with a reason even if none was given: without a text its exit code lets the call run", () => {
    for (const reason of [undefined, "", " \n"])
      expect(answer({ verdict: "deny", ...(reason !== undefined && { reason }) })).toEqual({
        stdout: '{"decision":"deny","reason":"Blocked by toolgate."}\n',
        stderr: "Blocked by toolgate.\n",
        exitCode: 2,
      });
  });

  it("never asks: it would wait for ever where nobody sits there", () => {
    for (const verdict of ["ask", "perhaps"] as const) {
      const said = answer({ verdict: verdict as "ask", reason: "Ann decides." });
      expect(said).toMatchObject({ stdout: '{"decision":"deny","reason":"Ann decides."}\n', exitCode: 2 });
    }
  });

  it("says with a denial what a hook had to say", () => {
    expect(answer({ verdict: "deny", reason: "No.", contexts: ["One.", " ", "Two."] }).stdout).toBe(
      '{"decision":"deny","reason":"No.\\n\\nOne.\\n\\nTwo."}\n',
    );
  });

  it("hands over a changed input, which must arrive", () => {
    const asked = { command: "git log", description: "history" };
    const input = { command: "git --no-pager log", description: "history" };
    for (const verdict of ["abstain", "allow"] as const)
      expect(answer({ verdict, input }, asked)).toEqual({
        stdout:
          '{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"git --no-pager log","description":"history"}}}\n',
        stderr: "",
        exitCode: 0,
        mustArrive: true,
      });
  });

  it("denies what would take a field away, with what to run instead", () => {
    const asked = { command: "rm -r x", dir_path: "/" };
    const { stdout, exitCode } = answer({ verdict: "allow", input: { command: "rm -r x" } }, asked);
    expect(JSON.parse(stdout)).toEqual({
      decision: "deny",
      reason: 'A rule changes this call; run this instead: {"command":"rm -r x"}',
    });
    expect(exitCode).toBe(2);
  });

  it("denies a changed text that it fetches from: no rule has seen the new addresses", () => {
    const asked = { prompt: "Read http://a.example/", urls: ["http://a.example/"] };
    const input = { prompt: "Read https://b.example/", urls: ["http://a.example/"] };
    expect(JSON.parse(answer({ verdict: "abstain", input }, asked).stdout)).toEqual({
      decision: "deny",
      reason: "A rule changes this call; run this instead: Read https://b.example/",
    });
  });

  it("shows warnings to the person only", () => {
    expect(answer({ verdict: "abstain", warnings: ["The rules are old.", "Run doctor."] })).toEqual({
      ...silence,
      stdout: '{"systemMessage":"The rules are old.\\n\\nRun doctor."}\n',
    });
    expect(answer({ verdict: "deny", reason: "No.", warnings: ["Old."] })).toMatchObject({
      stdout: '{"decision":"deny","reason":"No.","systemMessage":"Old."}\n',
      stderr: "No.\n",
    });
  });

  it("stays one line of JSON whatever the texts hold", () => {
    const reason = 'a "quoted"\nline\u2028\ud800 and {"decision":"allow"}';
    const { stdout } = answer({ verdict: "deny", reason });
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(stdout).reason).toBe(reason);
  });

  it("is a denial when everything is broken", () => {
    expect(gemini.lastWords("It broke.")).toBe('{"decision":"deny","reason":"It broke."}\n');
  });
});

describe("the answer to Gemini CLI after a call", () => {
  const afterCall = (event: HookEvent, decision: Partial<AgentDecision>) => {
    const { stdout, ...rest } = writeAnswer(event, { verdict: "abstain", ...nothing, ...decision }, {});
    // With an exit code its text would be all that the model hears of the call.
    expect(rest).toEqual({ stderr: "", exitCode: 0 });
    return stdout === "" ? undefined : JSON.parse(stdout);
  };

  it.for(["PostToolUse", "PostToolUseFailure"] as const)("is what hooks said about it: %s", (event) => {
    expect(afterCall(event, {})).toBeUndefined();
    expect(afterCall(event, { contexts: ["One.", " ", "Two."] })).toEqual({
      hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: "One.\n\nTwo." },
    });
    expect(afterCall(event, { reason: "A hook failed.", warnings: ["Old rules."] })).toEqual({
      decision: "deny",
      reason: "A hook failed.",
      systemMessage: "Old rules.",
    });
  });

  it("ends the turn where a hook ended the task", () => {
    expect(afterCall("PostToolUse", { contexts: ["Enough."], taskEnd: "Enough." })).toEqual({
      continue: false,
      stopReason: "Enough.",
      hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: "Enough." },
    });
  });

  it("never speaks of permissions, and never takes a person's words away", () => {
    for (const verdict of ["allow", "deny", "ask"] as const)
      expect(afterCall("PostToolUse", { verdict, input: { a: 1 } })).toBeUndefined();
    expect(afterCall("UserPromptSubmit", { verdict: "deny", reason: "No.", warnings: ["Old."] })).toEqual({
      systemMessage: "Old.",
    });
  });
});
