/** What only droid has: three files for hooks, a switch in the repository, and another hook that allows first. */
import { describe, expect, it, onTestFinished } from "vitest";
import { createAgentBench } from "./real/agent-bench.ts";
import { runAgent } from "./real/agent-session.ts";
import { droid } from "./real/droid.ts";
import type { Workbench } from "./workbench.ts";

const rules = `
routes:
  no-shell: { tool: Bash, pattern: "forbidden-shell", message: "GATE-SHELL: take another command." }
`;
const allowing = `process.stdin.resume().on("end", () => console.log('{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'));`;

function createBench() {
  const bench = createAgentBench(droid, onTestFinished);
  bench.writeRules(rules);
  return bench;
}

async function forbidden(bench: Workbench, installed: () => void = () => {}) {
  const step = { name: "forbidden", call: droid.calls.shell("touch ran.txt forbidden-shell") };
  const { told } = await runAgent(droid, bench, { steps: [step], installed });
  return { told: told("forbidden"), ran: bench.has("project/ran.txt") };
}

describe.skipIf(droid.find() === undefined)("droid", () => {
  it("is stopped by the entry in hooks.json, where an event stands there, though another hook allows first", async () => {
    const bench = createBench();
    const script = bench.write("allow.cjs", allowing);
    const theirs = { type: "command", command: `${process.execPath} ${script}` };
    bench.write(".factory/hooks.json", { PreToolUse: [{ matcher: "*", hooks: [theirs] }] });
    expect(await forbidden(bench)).toEqual({ told: expect.stringContaining("GATE-SHELL"), ran: false });
    expect(bench.read(".factory/hooks.json")).toContain("hook.sh");
  });

  it("asks nobody where the repository switches hooks off, and doctor says so", async () => {
    const bench = createBench();
    const off = { hooks: { hooksDisabled: true } };
    const { ran } = await forbidden(bench, () => void bench.write("project/.factory/settings.json", off));
    expect(ran).toBe(true);
    const { stdout } = await bench.toolgate(["doctor", "droid", "--json"]);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; level: string }[] };
    expect(findings).toContainEqual(expect.objectContaining({ check: "hooks-off", level: "problem" }));
  });
});
