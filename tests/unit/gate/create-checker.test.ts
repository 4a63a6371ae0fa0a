import { describe, expect, it, onTestFinished } from "vitest";
import type { CommandHook } from "../../../src/core/call/hook.ts";
import { createChecker } from "../../../src/gate/create-checker.ts";
import { createMemoryLedger } from "../../../src/stores/memory/memory-ledger.ts";
import { createMemoryTasks } from "../../../src/stores/memory/memory-tasks.ts";

const noRules = { version: 1, limits: [], hooks: [], routesFor: () => [], policiesFor: () => [] };

function checkerOf(hooks: readonly Partial<CommandHook>[], hooksMs?: number) {
  const checker = createChecker({
    rules: noRules,
    checkDefault: "abstain",
    root: "/",
    ledger: createMemoryLedger(),
    tasks: createMemoryTasks(),
    hooks: hooks.map((hook, at) => ({ name: `hook-${at}`, type: "PreToolUse", command: "true", ...hook })),
    ...(hooksMs !== undefined && { hooksMs }),
  });
  onTestFinished(() => checker.close());
  return checker;
}

const call = { tool: "Bash", input: { command: "ls" } };

describe("a checker with programs as hooks", () => {
  it("gives all of them together the time that the agent has, however long each may take", async () => {
    const slow = { command: "sleep 60", failMode: "open" as const };
    const checker = checkerOf([slow, slow, {}], 300);
    const { verdict, message } = await checker.check(call);
    expect(verdict).toBe("deny");
    expect(message).toMatch(/^Hook "hook-2" failed: no time is left for it/);
  });

  it("asks only those that concern the tool", async () => {
    const checker = checkerOf([
      { command: "exit 2", toolPatterns: "WebFetch" },
      { toolPatterns: ["Read", "Bash"], command: "echo seen" },
    ]);
    expect(await checker.check(call)).toMatchObject({ verdict: "abstain", contexts: ["seen"] });
  });
});

describe("a request that a checker cannot read", () => {
  it("counts as a call that names no tool, as at a gate", async () => {
    const checker = checkerOf([]);
    const unreadable = {
      get tool(): string {
        throw new Error("not now");
      },
    };
    const strange = { ...call, caller: null as never, sessionId: 5 as never };
    for (const request of [unreadable, strange])
      expect(await checker.check(request)).toMatchObject({ verdict: "deny", error: { code: "bad_call" } });
  });
});
