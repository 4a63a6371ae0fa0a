/** Whatever happens to the hook, nothing runs ungated; where an agent runs the call all the same, that is one of its holes. */
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Workbench } from "../workbench.ts";
import { createAgentBench, shared } from "./agent-bench.ts";
import { runAgent, type Step } from "./agent-session.ts";
import { type HookFault, hookFaults } from "./real-agent.ts";
import type { Checked } from "./shared-checks.ts";

const rules = `
routes:
  no-shell: { tool: Bash, pattern: "forbidden-shell", message: "GATE-SHELL: take another command." }
`;

/** How a hole that people read about speaks of it. */
const words: Readonly<Record<HookFault, RegExp>> = {
  crashes: /crash/i,
  "is killed": /killed|crash/i,
  hangs: /hang|time-out|too long/i,
  "prints nonsense": /nonsense|noise|garbage/i,
  "is gone": /gone|missing|deleted|removed|cannot (?:be )?start/i,
};

export function checkFailures({ agent, abilities }: Checked): void {
  const { calls, hook } = agent;
  const breakHook = hook?.breakHook ?? breakProcess;
  const session = shared(async (onEnd) => {
    const bench = createAgentBench(agent, onEnd);
    bench.writeRules(rules);
    // Between two faults everything is whole again: an agent may end a run in which everything fails.
    const steps = hookFaults.flatMap((fault): Step[] => [
      {
        name: fault,
        call: calls.shell(`touch ${fileOf(fault)} forbidden-shell`),
        before: () => breakHook(bench, fault),
      },
      ...(fault === "is gone"
        ? []
        : [
            {
              name: `${fault}, then is whole`,
              call: calls.shell(`touch whole-${fileOf(fault)}`),
              before: () => breakHook(bench, undefined),
            },
          ]),
    ]);
    const ran = await runAgent(agent, bench, { steps, installed: () => hook?.shortenWaits?.(bench) });
    return { ...ran, has: (file: string) => bench.has(`project/${file}`) };
  });

  describe("a hook that", () => {
    it.for(hookFaults)("%s stops the call, or the agent's holes say that it does not", async (fault) => {
      const { told, has } = await session();
      // That the model heard of it shows that the call was made at all.
      expect(told(fault)).toBeDefined();
      const isHole = abilities.holes.some((hole) => words[fault].test(hole));
      if (has(fileOf(fault)))
        expect({ onHookFailure: abilities.onHookFailure, isHole }).toEqual({
          onHookFailure: "runs the call",
          isHole: true,
        });
    });

    it("works again lets calls run", async () => {
      const { has } = await session();
      for (const fault of hookFaults.slice(0, -1)) expect(has(`whole-${fileOf(fault)}`), fault).toBe(true);
    });
  });
}

function fileOf(fault: HookFault): string {
  return `${fault.replaceAll(" ", "-")}.txt`;
}

const faultCode: Readonly<Record<Exclude<HookFault, "is gone">, string>> = {
  crashes: `throw new Error("broken");`,
  "is killed": `process.kill(process.pid, "SIGKILL");`,
  hangs: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);",
  "prints nonsense": `process.stdout.write("some module says hello\\n{");`,
};

/** The process that `toolgate install` lays down: what a broken machine, module or setting would do to it. Undefined: whole. */
export function breakProcess(bench: Workbench, fault: HookFault | undefined): void {
  const data = bench.path(".local/share/toolgate");
  if (fault === "is gone") {
    rmSync(data, { recursive: true });
    return;
  }
  const entries = globSync("hook/*/hook.cjs", { cwd: data });
  expect(entries, `copies of the hook below ${data}`).not.toEqual([]);
  for (const entry of entries) {
    const [shebang = "", ...rest] = readFileSync(join(data, entry), "utf8").split("\n");
    const whole = rest[0]?.startsWith("/* fault */") === true ? rest.slice(1) : rest;
    const code = fault === undefined ? [] : [`/* fault */ { ${faultCode[fault]} }`];
    writeFileSync(join(data, entry), [shebang, ...code, ...whole].join("\n"));
  }
}
