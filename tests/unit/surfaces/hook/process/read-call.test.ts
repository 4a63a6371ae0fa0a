/** Several agents start what stands in the settings of Claude Code. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { silence } from "../../../../../src/agents/agent-hook.ts";
import { findAgent, openAgent } from "../../../../../src/agents/all-agents.ts";
import { readCall } from "../../../../../src/surfaces/hook/process/read-call.ts";
import { runHook } from "../../../../../src/surfaces/hook/process/run-hook.ts";

const home = mkdtempSync(join(tmpdir(), "read-call-"));
const env = { HOME: home };
afterAll(() => rmSync(home, { recursive: true, force: true }));

const claude = await openAgent(findAgent("claude-code"));
const common = {
  session_id: "s-1",
  cwd: home,
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
  tool_use_id: "toolu_1",
};
const ofGrok = {
  ...common,
  hookEventName: "pre_tool_use",
  sessionId: "s-1",
  workspaceRoot: home,
  toolName: "store__drop",
  tool_name: "store__drop",
  toolInput: { tool_name: "store__drop", tool_input: { shelf: 1 } },
  tool_input: { tool_name: "store__drop", tool_input: { shelf: 1 } },
  toolInputTruncated: false,
};
const ofVscode = { ...common, hookEventName: "PreToolUse", timestamp: "2026-02-09T10:30:00.000Z" };
const read = (call: object) => readCall(claude, JSON.stringify(call), env);

const program = join(home, ".local/share/toolgate/hook/0.1.0-abcdef012345/hook.sh");
const line = `${program} grok /usr/bin/node 300 0123456789abcdef || exit 2`;

function write(path: string, content: string | object): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), typeof content === "string" ? content : JSON.stringify(content));
}

function install(command: string, more: object = {}): void {
  write(".local/share/toolgate/hook/0.1.0-abcdef012345/hook.sh", "#!/bin/sh\n");
  chmodSync(program, 0o755);
  const hooks = [{ type: "command", command, timeout: 300, ...more }];
  write(".grok/hooks/toolgate.json", { hooks: { PreToolUse: [{ hooks }] } });
}

beforeEach(() => {
  for (const folder of [".grok", ".local", "elsewhere"])
    rmSync(join(home, folder), { recursive: true, force: true });
});

describe("a call through Claude Code's entry", () => {
  it("is Claude Code's own where it has its form", async () => {
    const { agent, read: input, isAskedElsewhere } = await read(common);
    expect(agent.name).toBe("claude-code");
    expect(input).toMatchObject({ ok: true, input: { tool: "Bash" } });
    expect(isAskedElsewhere).toBe(false);
  });

  it("is read as Grok means it, and answered in Grok's form", async () => {
    const { agent, read: input } = await read(ofGrok);
    expect(agent.name).toBe("grok");
    expect(input).toMatchObject({ ok: true, input: { tool: "mcp__store__drop", input: { shelf: 1 } } });
    const denial = { verdict: "deny", reason: "No.", contexts: [], warnings: [] } as const;
    expect(JSON.parse(agent.write("PreToolUse", denial, {}).stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny" },
    });
  });

  it("is refused where Grok sent only its beginning", async () => {
    for (const tool_input of ['{"a":"aaa', { a: 1 }]) {
      const call = { ...ofGrok, tool_input, toolInput: tool_input, toolInputTruncated: true };
      expect((await read(call)).read.ok).toBe(false);
    }
  });

  it("is VS Code's where it has its form, and always answered: its own files may not be read", async () => {
    install(line);
    const { agent, isAskedElsewhere } = await read(ofVscode);
    expect([agent.name, isAskedElsewhere]).toEqual(["vscode", false]);
  });
});

describe("an entry of ours in Grok's own file", () => {
  it("is the one that speaks", async () => {
    install(line);
    expect((await read(ofGrok)).isAskedElsewhere).toBe(true);
    const stdin = JSON.stringify(ofGrok);
    expect(await runHook({ agent: claude, stdin, env, cwd: home })).toEqual(silence);
  });

  it("silences nothing in the session of another agent", async () => {
    install(line);
    expect((await read(common)).isAskedElsewhere).toBe(false);
  });

  const elsewhere = (command: string) => {
    install(command);
    write("elsewhere/hook.sh", "#!/bin/sh\n");
    chmodSync(join(home, "elsewhere/hook.sh"), 0o755);
  };
  it.each([
    ["is missing", () => {}],
    [
      "is switched off",
      () => {
        install(line);
        write(".grok/disabled-hooks", "global/toolgate:pre_tool_use[0].hooks[0]\n");
      },
    ],
    ["does nothing about a hook that fails", () => install(line.replace(" || exit 2", ""))],
    ["passes whatever the hook says", () => install(`${line}; true`)],
    ["only looks at calls that have run", () => install(line.replace(" 300 ", " after:300 "))],
    ["names another agent", () => install(line.replace(" grok ", " copilot "))],
    ["is of another kind", () => install(line, { type: "http" })],
    ["is no JSON", () => write(".grok/hooks/toolgate.json", `{"hooks": ${line}`)],
    ["starts a program that is gone", () => install(line) ?? rmSync(program)],
    ["starts a program that is not executable", () => install(line) ?? chmodSync(program, 0o644)],
    [
      "starts somebody else's program",
      () => elsewhere(line.replace(program, join(home, "elsewhere/hook.sh"))),
    ],
    [
      "leads out of toolgate's folder",
      () => elsewhere(line.replace("/hook/0.1.0-abcdef012345/", "/hook/../../../../elsewhere/")),
    ],
  ] as const)("silences nothing when it %s", async (_, arrange) => {
    arrange();
    expect((await read(ofGrok)).isAskedElsewhere).toBe(false);
  });
});
