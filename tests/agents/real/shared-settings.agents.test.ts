/** Settings that several programs read: each call is asked about once, whoever starts the entry, and answered in the caller's own form. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProcess } from "../run-process.ts";
import { createWorkbench, type Workbench } from "../workbench.ts";
import { createAgentBench, shared, toolgate } from "./agent-bench.ts";
import { runAgent, type Step } from "./agent-session.ts";
import { copilot } from "./copilot.ts";
import { grok } from "./grok.ts";
import type { RealAgent } from "./real-agent.ts";

const rules = `
routes:
  no-shell: { tool: Bash, pattern: "forbidden-shell", message: "GATE-SHELL: take another command." }
policies:
  no-drop: { tools: mcp__store__drop, action: deny, reason: "GATE-MCP: nothing is dropped." }
`;

/** The same agent, with these installations of toolgate instead of its own. */
function installedBy(agent: RealAgent, ...commands: readonly (readonly string[])[]): RealAgent {
  const install = async (bench: Workbench) => {
    for (const command of commands) await toolgate(bench, ["install", ...command]);
  };
  return { ...agent, hook: { install } };
}

function sessionOf(agent: RealAgent, arrange: (bench: Workbench) => void = () => {}) {
  return shared(async (onEnd) => {
    const bench = createAgentBench(agent, onEnd);
    bench.writeRules(rules);
    const { calls } = agent;
    const server = {
      command: process.execPath,
      args: [join(import.meta.dirname, "../mcp-server.mjs"), bench.path("project/log.txt")],
    };
    const steps: Step[] = [
      { name: "free", call: calls.shell("touch free.txt") },
      { name: "forbidden", call: calls.shell("touch ran.txt forbidden-shell") },
      ...(calls.mcp === undefined ? [] : [{ name: "mcp", call: calls.mcp("store", "drop") }]),
      ...(calls.write === undefined
        ? []
        : [{ name: "long", call: calls.write(join(bench.project, "long.txt"), "a".repeat(200_000)) }]),
    ];
    const ran = await runAgent(agent, bench, {
      steps,
      mcpServers: { store: server },
      installed: () => arrange(bench),
    });
    return { ...ran, has: (file: string) => bench.has(`project/${file}`), checks: () => checksIn(bench) };
  });
}

interface Check {
  readonly event: string;
  readonly agent: string;
  readonly askedFor: string;
  readonly input?: string;
}

/** The calls that a hook process decided about. */
function checksIn(bench: Workbench): Check[] {
  const spool = bench.path(".local/state/toolgate/spool");
  const files = existsSync(spool) ? readdirSync(spool, { recursive: true, withFileTypes: true }) : [];
  return files
    .filter((file) => file.isFile())
    .flatMap((file) => readFileSync(join(file.parentPath, file.name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as Check)
    .filter(({ event }) => event === "check");
}

describe.skipIf(grok.find() === undefined)(
  "Grok, which also starts what stands in Claude Code's settings,",
  () => {
    describe.for([
      ["its own entry and Claude Code's", installedBy(grok, ["grok"], ["claude-code"]), () => {}],
      ["Claude Code's entry alone", installedBy(grok, ["claude-code"]), () => {}],
      [
        "its own entry switched off, and Claude Code's",
        installedBy(grok, ["grok"], ["claude-code"]),
        (bench: Workbench) =>
          void bench.write(".grok/disabled-hooks", "global/toolgate:pre_tool_use[0].hooks[0]\n"),
      ],
    ] as const)("with %s", ([, agent, arrange]) => {
      const session = sessionOf(agent, arrange);

      it("is stopped, and the model reads why", async () => {
        const { told, has } = await session();
        expect([has("free.txt"), has("ran.txt"), has("log.txt")]).toEqual([true, false, false]);
        expect(told("forbidden")).toContain("GATE-SHELL");
        expect(told("mcp")).toContain("GATE-MCP");
      });

      it("does not run a call of which it shows only the beginning", async () => {
        const { has, told } = await session();
        expect(has("long.txt")).toBe(false);
        expect(told("long")).toContain("Hook denied");
      });

      it("has each call asked about once, in its own name", async () => {
        const { checks } = await session();
        const free = (await checks()).filter(({ askedFor }) => askedFor === "run_terminal_command");
        expect(free.map(({ agent }) => agent)).toEqual(["grok", "grok"]);
      });
    });
  },
);

describe.skipIf(copilot.find() === undefined)("Copilot CLI with a project's hooks", () => {
  const inProject = installedBy(copilot, ["copilot", "--scope", "project"]);
  const trusting = (agent: RealAgent): RealAgent => ({
    ...agent,
    command(prompt, world) {
      const command = agent.command(prompt, world);
      return { ...command, args: [...command.args, "--trust-folder"] };
    },
  });
  const untrusted = sessionOf(inProject);
  const trusted = sessionOf(trusting(inProject));
  const ofClaude = sessionOf(trusting(installedBy(copilot, ["claude-code", "--scope", "project"])));

  it("does not load them in a folder that it does not trust, as its holes say", async () => {
    const { has, checks } = await untrusted();
    expect(has("ran.txt")).toBe(true);
    expect(checks()).toEqual([]);
  });

  it("is stopped in a folder that it trusts", async () => {
    const { has, told } = await trusted();
    expect([has("free.txt"), has("ran.txt"), has("log.txt")]).toEqual([true, false, false]);
    expect(told("forbidden")).toContain("GATE-SHELL");
  });

  it("is stopped by Claude Code's entry there, too, which it asks in its second form", async () => {
    const { has, told, checks } = await ofClaude();
    expect([has("free.txt"), has("ran.txt"), has("log.txt")]).toEqual([true, false, false]);
    expect(told("forbidden")).toContain("GATE-SHELL");
    expect(told("mcp")).toContain("GATE-MCP");
    expect(new Set(checks().map(({ agent }) => agent))).toEqual(new Set(["copilot"]));
  });
});

describe("the entry that Copilot CLI and VS Code share", () => {
  const common = { cwd: "/", sessionId: "s-1" };
  const input = { command: "touch forbidden-shell" };
  const ofCopilot = { ...common, timestamp: 1, toolName: "bash", toolArgs: input };
  const ofVscode = {
    ...common,
    timestamp: "2026-02-09T10:30:00.000Z",
    hookEventName: "PreToolUse",
    transcript_path: "/tmp/transcript.json",
    tool_name: "run_in_terminal",
    tool_input: input,
    tool_use_id: "tool-123",
  };

  it.for(["copilot", "vscode"])("answers each in its own form, installed for %s", async (name) => {
    const bench = createWorkbench();
    bench.writeRules(rules);
    await toolgate(bench, ["install", name]);
    const { hooks } = JSON.parse(bench.read(".copilot/hooks/toolgate.json")) as {
      hooks: { preToolUse: [{ bash: string }] };
    };
    const ask = async (call: object) => {
      const { code, stdout } = await runProcess("/bin/sh", ["-c", hooks.preToolUse[0].bash], {
        cwd: bench.project,
        env: bench.env,
        input: JSON.stringify(call),
      });
      return { code, ...(JSON.parse(stdout) as object) };
    };
    const reason = expect.stringContaining("GATE-SHELL") as string;
    expect(await ask(ofCopilot)).toEqual({
      code: 2,
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    });
    expect(await ask(ofVscode)).toEqual({
      code: 2,
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: reason,
      },
    });
    expect(checksIn(bench).map(({ agent }) => agent)).toEqual(["copilot", "vscode"]);
  });
});
