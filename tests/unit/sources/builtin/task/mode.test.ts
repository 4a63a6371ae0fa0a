import { describe, expect, it } from "vitest";
import { createMode, leavingPlanModeAsks } from "../../../../../src/sources/builtin/task/mode.ts";
import { describeInput } from "../describe-input.ts";
import { taskGate } from "./task-gate.ts";

describeInput("task.mode", () => createMode({}), {
  good: {},
  bad: [{ mode: "yolo" }, { mode: 1 }, { plan: 7, mode: "act" }],
});

const policies = [leavingPlanModeAsks];

function approver(decision: "approve" | "deny") {
  const asked: unknown[] = [];
  const ask = (request: { readonly input: unknown }) => {
    asked.push(request.input);
    return { decision };
  };
  return { asked, approver: { name: "person", ask } };
}

describe("task.mode", () => {
  it("says which mode it is", async () => {
    const { say, gate } = await taskGate();
    expect(await say("task.mode")).toContain("The mode is act.");
    gate.setMode("s1", "plan");
    expect(await say("task.mode")).toContain("The mode is plan.");
  });

  it("enters plan mode freely, and from then on the gate lets nothing be changed", async () => {
    const { say } = await taskGate(
      {},
      { policies: [{ name: "all", tools: "*", action: "approve" }], enable: { enableAll: true } },
    );
    expect(await say("task.mode", { mode: "plan" })).toContain("only reading is possible");
    expect(await say("task.spawn", { tasks: [{ prompt: "x" }] })).toMatch(/^plan_mode /);
    expect(await say("task.spawn", { tasks: [{ prompt: "x" }] }, { sessionId: "other" })).toMatch(
      /^no_spawner /,
    );
  });

  it("does not leave plan mode when nobody decided about it: silence of the rules is no yes", async () => {
    const { say, gate } = await taskGate();
    gate.setMode("s1", "plan");
    const said = await say("task.mode", { mode: "act", plan: "Trust me." });
    expect(said).toMatch(/^plan_mode .*only by a person/);
    expect(await say("task.mode")).toContain("The mode is plan.");
  });

  it("asks the person under the shipped policy, with the plan, and obeys", async () => {
    const yes = approver("approve");
    const { say, gate } = await taskGate({}, { policies, approver: yes.approver });
    gate.setMode("s1", "plan");
    expect(await say("task.mode", { mode: "act", plan: "1. Do it." })).toContain("Act mode");
    expect(yes.asked).toEqual([{ mode: "act", plan: "1. Do it." }]);
    expect(await say("task.mode")).toContain("The mode is act.");
  });

  it("stays in plan mode when the person says no, or is not there", async () => {
    const no = approver("deny");
    const denied = await taskGate({}, { policies, approver: no.approver });
    denied.gate.setMode("s1", "plan");
    expect(await denied.say("task.mode", { mode: "act" })).toMatch(/^approval_denied /);
    expect(await denied.say("task.mode")).toContain("The mode is plan.");
    const alone = await taskGate({}, { policies });
    alone.gate.setMode("s1", "plan");
    expect(await alone.say("task.mode", { mode: "act" })).toMatch(/^no_approver /);
  });

  it("still asks when another policy approves everything", async () => {
    const all = { name: "all", tools: "*", action: "approve" as const, priority: 100 };
    const { say, gate } = await taskGate({}, { policies: [...policies, all] });
    gate.setMode("s1", "plan");
    expect(await say("task.mode", { mode: "act" })).toMatch(/^no_approver /);
  });

  it("leaves plan mode by itself where a policy of the operator says so", async () => {
    const free = { name: "free", tools: "task.mode", action: "approve" as const, priority: 2_000 };
    const { say, gate } = await taskGate({}, { policies: [...policies, free] });
    gate.setMode("s1", "plan");
    expect(await say("task.mode", { mode: "act" })).toContain("Act mode");
  });

  it("asks nobody in act mode", async () => {
    const { say } = await taskGate({}, { policies });
    expect(await say("task.mode", { mode: "act" })).toContain("The mode is act.");
    expect(await say("task.mode", { mode: "plan" })).toContain("Plan mode");
  });

  it("changes the mode of its caller's session, not of another's with the same name", async () => {
    const yes = approver("approve");
    const { say, gate } = await taskGate({}, { policies, approver: yes.approver });
    const [bob, eve] = ["bob", "eve"].map((id) => ({ caller: { id, capabilities: [] } }));
    await say("task.mode", { mode: "plan" }, eve);
    expect(await say("task.mode", {}, bob)).toContain("The mode is act.");
    gate.setMode("s1", "plan");
    expect(await say("task.mode", { mode: "act" }, eve)).toContain("Act mode");
    expect(await say("task.mode", {}, eve)).toContain("The mode is act.");
    expect(await say("task.mode", {}, bob)).toContain("The mode is plan.");
  });

  it("refuses where there is no session whose mode could change", async () => {
    const { say } = await taskGate();
    expect(await say("task.mode", { mode: "plan" }, { sessionId: undefined })).toMatch(/^no_session /);
  });

  it.each([
    ["ExitPlanMode", { plan: "1. Do it." }],
    ["exit_plan_mode", { plan_path: "plans/one.md" }],
    ["switch_mode", { mode_slug: "code", reason: "ready" }],
    ["task_mode", { mode: "act" }],
  ])("asks before leaving also when called %s", async (name, input) => {
    const yes = approver("approve");
    const { say, gate } = await taskGate({}, { policies, approver: yes.approver });
    gate.setMode("s1", "plan");
    expect(await say(name, input)).toContain("Act mode");
    expect(yes.asked).toHaveLength(1);
  });

  it.each([
    ["enter_plan_mode", { reason: "a large change" }],
    ["switch_mode", { mode_slug: "architect", reason: "think" }],
  ])("enters plan mode when called %s", async (name, input) => {
    const { say } = await taskGate();
    expect(await say(name, input)).toContain("Plan mode");
    expect(await say("task.mode")).toContain("The mode is plan.");
  });

  it.each([
    ["plan_mode_respond", { response: "Here is the plan.", needs_more_exploration: false }],
    ["act_mode_respond", { response: "Working on it.", task_progress: "- [ ] a" }],
    ["EnterPlanMode", {}],
    ["plan_exit", {}],
  ])("changes nothing when %s does not say what to change to", async (name, input) => {
    const { say } = await taskGate();
    expect(await say(name, input)).toContain("The mode is act. Call with mode");
  });
});
