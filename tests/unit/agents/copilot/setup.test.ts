/** Copilot CLI and VS Code read one file; Grok has its own. */
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type {
  AgentSetup,
  SettingsChange,
  SetupMemory,
  SetupScope,
} from "../../../../src/agents/agent-setup.ts";
import { copilotSetup } from "../../../../src/agents/copilot/setup.ts";
import { grokSetup } from "../../../../src/agents/grok/setup.ts";
import { vscodeSetup } from "../../../../src/agents/vscode/setup.ts";
import { createWorld, type World } from "../claude-code/world.ts";

function createBench() {
  const world = createWorld();
  const bundle = world.write("data/toolgate/hook/1/hook.cjs", "#!/usr/bin/env node\n");
  const script = world.write("data/toolgate/hook/1/hook.sh", "#!/bin/bash\n");
  for (const file of [bundle, script]) chmodSync(file, 0o755);
  const known = new Map<string, SettingsChange>();
  const memory: SetupMemory = {
    recall: (file) => known.get(file),
    remember: (file, change) => void (change === undefined ? known.delete(file) : known.set(file, change)),
  };
  const request = (scope: SetupScope) => ({ ...world.request, scope, memory });
  return {
    ...world,
    script,
    install: (setup: AgentSetup, scope: SetupScope = "user") =>
      setup.install({ ...request(scope), bundle, execPath: "/usr/bin/node" }),
    uninstall: (setup: AgentSetup, scope: SetupScope = "user") => setup.uninstall(request(scope)),
    read: (file: string) =>
      existsSync(world.path(file)) ? readFileSync(world.path(file), "utf8") : undefined,
  };
}

const shared = "home/.copilot/hooks/toolgate.json";
const changes = (result: ReturnType<AgentSetup["install"]>) =>
  result.ok ? result.files.map(({ change }) => change) : result.message;
const problems = (setup: AgentSetup, { request }: World) =>
  setup.examine(request).findings.filter(({ level }) => level !== "ok");

describe("the file that Copilot CLI and VS Code share", () => {
  it("has the entries of Copilot, in a line that denies when it cannot be started", () => {
    const bench = createBench();
    expect(changes(bench.install(copilotSetup))).toEqual(["made"]);
    const { version, hooks } = JSON.parse(bench.read(shared) ?? "");
    expect(version).toBe(1);
    expect(Object.keys(hooks)).toEqual([
      "preToolUse",
      "postToolUse",
      "postToolUseFailure",
      "userPromptSubmitted",
    ]);
    expect(hooks.preToolUse).toEqual([
      {
        type: "command",
        bash: expect.stringMatching(
          /^\/\S+\/hook\.sh copilot \/usr\/bin\/node 300 [0-9a-f]{16} \|\| exit 2$/,
        ),
        timeoutSec: 300,
      },
    ]);
    expect(hooks.postToolUse[0].bash).toMatch(/ after:30 [0-9a-f]{16}$/);
    expect(hooks.userPromptSubmitted[0].bash).toMatch(/ task:30 [0-9a-f]{16}$/);
  });

  it.for([
    ["Copilot CLI", copilotSetup, vscodeSetup],
    ["VS Code", vscodeSetup, copilotSetup],
  ] as const)("is made once, whoever comes first: %s", ([, first, second]) => {
    const bench = createBench();
    bench.install(first);
    const once = bench.read(shared);
    expect(changes(bench.install(second))).toEqual(["none"]);
    expect(changes(bench.install(first))).toEqual(["none"]);
    expect(bench.read(shared)).toBe(once);
    expect([problems(first, bench), problems(second, bench)]).toEqual([[], []]);
  });

  it("says at install and uninstall that the other reads it, too", () => {
    const bench = createBench();
    const notes = (result: ReturnType<AgentSetup["install"]>) => (result.ok ? result.notes.join(" ") : "");
    expect(notes(bench.install(copilotSetup))).toContain("VS Code reads the same file");
    expect(notes(bench.install(vscodeSetup))).toContain("Copilot CLI reads the same file");
    expect(notes(bench.uninstall(copilotSetup))).toContain("VS Code");
    bench.install(copilotSetup);
    expect(notes(bench.uninstall(vscodeSetup))).toContain("Copilot CLI");
    expect(bench.read(shared)).toBeUndefined();
    expect(existsSync(bench.path("home/.copilot"))).toBe(false);
  });

  it("is the project's in .github/hooks, and install says when Copilot loads that", () => {
    const bench = createBench();
    const result = bench.install(copilotSetup, "project");
    expect(result.ok && result.notes.join(" ")).toContain("--trust-folder");
    expect(bench.read("project/.github/hooks/toolgate.json")).toContain("copilot");
    bench.uninstall(copilotSetup, "project");
    expect(existsSync(bench.path("project/.github"))).toBe(false);
  });

  it("is left alone if somebody else made it", () => {
    const bench = createBench();
    bench.write(shared, { version: 1, hooks: {} });
    expect(bench.install(copilotSetup)).toMatchObject({ ok: false });
    expect(JSON.parse(bench.read(shared) ?? "")).toEqual({ version: 1, hooks: {} });
  });

  it("lies where COPILOT_HOME says", () => {
    const bench = createBench();
    const env = { COPILOT_HOME: bench.path("moved") };
    expect(copilotSetup.signs.folders({ ...bench.request, env })).toEqual([bench.path("moved")]);
  });
});

describe("what switches hooks off", () => {
  it.for([
    ["project/.github/copilot/settings.json"],
    ["project/.github/copilot/settings.local.json"],
    ["project/.claude/settings.json"],
    ["project/.claude/settings.local.json"],
  ])("is seen for Copilot CLI in %s", ([file = ""]) => {
    const bench = createBench();
    bench.install(copilotSetup);
    bench.write(file, { disableAllHooks: true });
    expect(problems(copilotSetup, bench)).toMatchObject([{ check: "hooks-off", level: "problem" }]);
  });

  it("is seen for VS Code in settings with comments", () => {
    const bench = createBench();
    bench.install(vscodeSetup);
    bench.write(
      "project/.vscode/settings.json",
      '{\n  // not here\n  "chat.hookFilesLocations": { "~/.copilot/hooks": false, ".github/hooks": true },\n}\n',
    );
    bench.write("home/.config/Code/User/settings.json", '{ "chat.useHooks": false }');
    expect(problems(vscodeSetup, bench).map(({ message }) => message)).toEqual([
      expect.stringContaining("chat.useHooks"),
      expect.stringContaining("~/.copilot/hooks"),
    ]);
  });

  it("is seen for Grok in its list", () => {
    const bench = createBench();
    bench.install(grokSetup);
    expect(problems(grokSetup, bench)).toEqual([]);
    bench.write("home/.grok/disabled-hooks", "global/toolgate:pre_tool_use[0].hooks[0]\n");
    expect(problems(grokSetup, bench)).toMatchObject([{ check: "hooks-off", level: "problem" }]);
  });
});

describe("Grok's file", () => {
  it("has groups without a matcher, and goes again", () => {
    const bench = createBench();
    expect(changes(bench.install(grokSetup))).toEqual(["made"]);
    expect(changes(bench.install(grokSetup))).toEqual(["none"]);
    const { hooks } = JSON.parse(bench.read("home/.grok/hooks/toolgate.json") ?? "");
    expect(Object.keys(hooks)).toEqual([
      "PreToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "UserPromptSubmit",
    ]);
    expect(hooks.PreToolUse).toEqual([
      {
        hooks: [
          {
            type: "command",
            command: expect.stringMatching(/hook\.sh grok \/usr\/bin\/node 300 [0-9a-f]{16} \|\| exit 2$/),
            timeout: 300,
          },
        ],
      },
    ]);
    bench.uninstall(grokSetup);
    expect(existsSync(bench.path("home/.grok"))).toBe(false);
  });
});

describe("a trial", () => {
  it.for([
    ["copilot", copilotSetup, '{"permissionDecision":"deny","permissionDecisionReason":"No."}'],
    [
      "grok",
      grokSetup,
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"No."}}',
    ],
    [
      "vscode",
      vscodeSetup,
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"No."}}',
    ],
  ] as const)("of %s is a call that its hook reads, and knows a denial", async ([name, setup, denial]) => {
    const { findAgent } = await import("../../../../src/agents/all-agents.ts");
    const hook = await findAgent(name)?.loadHook();
    const place = { home: "/nowhere", env: {}, projectDir: undefined };
    const read = hook?.read(setup.hookTrial.call("bash", { command: "ls" }, "/work"), place);
    expect(read).toMatchObject({ ok: true, input: { event: "PreToolUse", cwd: "/work" } });
    expect(setup.hookTrial.refusalIn(denial)).toBe("No.");
    for (const other of ["", "{}", "{", denial.replace('"deny"', '"allow"')])
      expect(setup.hookTrial.refusalIn(other), other).toBeUndefined();
  });
});
