import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { AgentAbilities } from "../../../src/agents/agent-setup.ts";
import { describeAbilities } from "../../../src/agents/describe-abilities.ts";

const repository = resolve(import.meta.dirname, "../../..");

const everything: AgentAbilities = {
  ...{ deny: "told", ask: "own prompt", subAgents: "hooked", onHookFailure: "denies" },
  ...{ contextBefore: true, contextAfter: true, rewrite: true, callId: true, holes: [] },
};

const nothing: AgentAbilities = {
  ...{ deny: "ends the run", ask: "queue", subAgents: "not tried", onHookFailure: "runs the call" },
  ...{ contextBefore: false, contextAfter: false, rewrite: false, callId: false, holes: [] },
};

describe("abilities in words", () => {
  it("say of each ability that it is there or that it is not", () => {
    const [all, none] = [describeAbilities(everything), describeAbilities(nothing)];
    expect(all.cannot).toEqual([]);
    expect(none.can).toEqual(["ask through toolgate's queue"]);
    expect(all.can.length).toBe(none.cannot.length + 1);
    expect(none.cannot).toContain("see the calls of sub-agents (not tried)");
  });

  it("leave out sub-agents where there are none", () => {
    const { can, cannot } = describeAbilities({ ...everything, subAgents: "none" });
    expect([...can, ...cannot].join()).not.toContain("sub-agent");
  });
});

describe("docs/agents.md", () => {
  it("says what the adapters say", async () => {
    const args = ["--no-warnings", join(repository, "scripts/write-agents-doc.mjs"), "--check"];
    await expect(promisify(execFile)(process.execPath, args)).resolves.toBeDefined();
  });
});
