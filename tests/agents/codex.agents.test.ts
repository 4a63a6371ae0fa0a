/** What only Codex has: scripts that call tools, patches in shells, hooks that nobody trusts, input that no hook is shown. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { ScriptedCall } from "../../src/testing/index.ts";
import { findCodex } from "./codex.ts";
import { createAgentBench, withProgram } from "./real/agent-bench.ts";
import { type AgentSession, runAgent, type Step } from "./real/agent-session.ts";
import { addFile, codex } from "./real/codex.ts";
import type { RealAgent } from "./real/real-agent.ts";

const rules = `
routes:
  no-shell: { tool: Bash, pattern: "forbidden-shell", message: "GATE-SHELL: take another command." }
policies:
  no-secret: { tools: [Write, Edit], action: deny, reason: "GATE-FILE: not that file.", conditions: [{ type: path, operator: equals, value: secret.txt }] }
  no-deep-secret: { tools: [Write, Edit], action: deny, reason: "GATE-FILE: not that file.", conditions: [{ type: path, operator: equals, value: sub/secret.txt }] }
  no-drop: { tools: mcp__store__drop, action: deny, reason: "GATE-MCP: nothing is dropped." }
`;

function createBench(agent: RealAgent = codex) {
  const bench = createAgentBench(agent, onTestFinished);
  bench.writeRules(rules);
  return { ...bench, there: (...files: string[]) => files.filter((file) => bench.has(`project/${file}`)) };
}

const shell = (command: string, more: object = {}): ScriptedCall => ({
  tool: "exec_command",
  input: { cmd: command, ...more },
});
const patch = (path: string) => addFile(path, "text\n");
const inShell = (path: string) => `apply_patch <<'EOF'\n${patch(path)}EOF`;

/** Each call by the name under which its result is found. */
const steps = (calls: Readonly<Record<string, Step["call"]>>): Step[] =>
  Object.entries(calls).map(([name, call]) => ({ name, call }));

describe.skipIf(findCodex() === undefined)("Codex", () => {
  it("asks about every tool that a script of the model calls", async () => {
    const newer = { ...codex, configure: withModel("gpt-6.1-sol") };
    const bench = createBench(newer);
    const script = `
      const tried = async (name, call) => {
        try { text(name + ": " + JSON.stringify(await call())); } catch (error) { text(name + ": " + error); }
      };
      await tried("one", () => tools.exec_command({ cmd: "touch ran.txt forbidden-shell" }));
      await tried("two", () => tools.exec_command({ cmd: "touch free.txt" }));
      await tried("three", () => tools.apply_patch(${JSON.stringify(patch("secret.txt"))}));
      await tried("four", () => tools.apply_patch(${JSON.stringify(patch("open.txt"))}));
    `;
    const { told } = await runAgent(newer, bench, {
      steps: steps({ script: { tool: "exec", input: script } }),
    });
    expect(told("script")).toMatch(/one: .*GATE-SHELL[\s\S]*two: [\s\S]*three: .*GATE-FILE[\s\S]*four: /);
    expect(bench.there("ran.txt", "free.txt", "secret.txt", "open.txt")).toEqual(["free.txt", "open.txt"]);
  });

  it("is held to the files of a patch, also of one that is typed into a shell", async () => {
    const bench = createBench();
    const { told } = await runAgent(codex, bench, {
      steps: steps({
        tool: { tool: "apply_patch", input: patch("secret.txt") },
        open: shell(inShell("open.txt")),
        shell: shell(inShell("secret.txt")),
        more: shell("mkdir sub"),
        folder: shell(`cd sub && ${inShell("secret.txt")}`),
        last: shell(`cd sub && ${inShell("open.txt")}`),
      }),
    });
    for (const name of ["tool", "shell", "folder"])
      expect(told(name), name).toContain("GATE-FILE: not that file.");
    expect(bench.there("secret.txt", "open.txt", "sub/secret.txt", "sub/open.txt")).toEqual([
      "open.txt",
      "sub/open.txt",
    ]);
  });

  it("meets the project's rules wherever the model lets a command run", async () => {
    const bench = createBench();
    bench.write(
      "project/toolgate.yaml",
      'routes: { no-pwd: { tool: Bash, pattern: "^pwd", message: "GATE-PWD: no." } }',
    );
    const { told } = await runAgent(codex, bench, {
      steps: steps({
        here: shell("pwd"),
        free: shell("echo free"),
        there: shell("pwd", { workdir: "/" }),
      }),
    });
    expect([told("here"), told("there")]).toEqual([
      expect.stringContaining("GATE-PWD"),
      expect.stringContaining("GATE-PWD"),
    ]);
  });

  it("is not let to open a shell, into which it could type what no hook is shown", async () => {
    const bench = createBench();
    const typing = (session: AgentSession["told"] | string): ScriptedCall => ({
      tool: "write_stdin",
      input: {
        session_id: Number(/session ID (\d+)/.exec(String(session))?.[1] ?? 0),
        chars: "touch typed.txt forbidden-shell\n",
        yield_time_ms: 500,
      },
    });
    const { told } = await runAgent(codex, bench, {
      steps: steps({
        bare: shell("bash --norc", { tty: true, yield_time_ms: 300 }),
        free: shell("echo free"),
        // A command that reads what to run is not refused: this is the hole that the adapter tells of.
        reading: shell(`bash -c 'read -r line; eval "$line"'`, { tty: true, yield_time_ms: 300 }),
        typing,
      }),
    });
    expect(told("bare")).toContain("An open bash would run whatever is typed into it later");
    expect(told("typing")).not.toContain("GATE-SHELL");
    expect(bench.there("typed.txt")).toEqual(["typed.txt"]);
  });

  it("has no such hole where terminals are switched off", async () => {
    const off: RealAgent = {
      ...codex,
      configure: async (bench, world) => {
        await codex.configure(bench, world);
        bench.write(
          ".codex/config.toml",
          `${bench.read(".codex/config.toml")}\n[features]\nunified_exec_tty = false\n`,
        );
      },
    };
    const bench = createBench(off);
    const { told } = await runAgent(off, bench, {
      steps: steps({ reading: shell("bash -c 'read -r line; eval \"$line\"'", { tty: true }) }),
    });
    expect(told("reading")).toContain("TTY execution is disabled");
  });

  it("skips hooks that nobody has trusted without a word, and doctor says so", async () => {
    const untrusting: RealAgent = {
      ...codex,
      // It says that they are not in force yet.
      hook: { install: async (bench) => expect((await bench.toolgate(["install", "codex"])).code).toBe(1) },
    };
    const bench = createBench(untrusting);
    const { told, stderr } = await runAgent(untrusting, bench, {
      steps: steps({ ungated: shell("touch ran.txt forbidden-shell") }),
    });
    expect(told("ungated")).not.toContain("GATE-SHELL");
    expect(bench.there("ran.txt")).toEqual(["ran.txt"]);
    expect(stderr).not.toMatch(/hook|trust/i);
    const env = await withProgram(codex, bench);
    const { stdout } = await bench.toolgate(["doctor", "codex", "--json"], { env });
    const { ok, proven, findings } = JSON.parse(stdout);
    expect({ ok, proven }).toEqual({ ok: false, proven: false });
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ check: "hook-trust", level: "problem" }),
        expect.objectContaining({ check: "client-canary", level: "problem" }),
      ]),
    );
  });
});

function withModel(model: string): RealAgent["configure"] {
  return async (bench, world) => {
    await codex.configure(bench, world);
    const config = bench.read(".codex/config.toml");
    bench.write(".codex/config.toml", config.replace('model = "gpt-5.5"', `model = "${model}"`));
  };
}
