/** Copilot CLI and VS Code read one file; Grok has its own. */
import { describe, expect, it } from "vitest";
import type { SetupResult } from "../../../../src/agents/agent-setup.ts";
import { copilotSetup } from "../../../../src/agents/copilot/setup.ts";
import { grokSetup } from "../../../../src/agents/grok/setup.ts";
import { vscodeSetup } from "../../../../src/agents/vscode/setup.ts";
import { type Installing, installing } from "../installing.ts";

const shared = "home/.copilot/hooks/toolgate.json";
const changes = (result: SetupResult) =>
  result.ok ? result.files.map(({ change }) => change) : result.message;
const notes = (result: SetupResult) => (result.ok ? result.notes.join(" ") : "");
const problems = ({ findings }: Installing) => findings().filter(({ level }) => level !== "ok");

describe("the file that Copilot CLI and VS Code share", () => {
  it("has the entries of Copilot, in a line that denies when it cannot be started", () => {
    const { world, install } = installing(copilotSetup);
    expect(changes(install())).toEqual(["made"]);
    const entry = (end: string, timeoutSec: number) => [
      { type: "command", bash: `HOOK copilot NODE ${end}`, timeoutSec },
    ];
    expect(JSON.parse(world.read(shared))).toEqual({
      version: 1,
      hooks: {
        preToolUse: entry("300 KEY || exit 2", 300),
        postToolUse: entry("after:30 KEY", 30),
        postToolUseFailure: entry("after:30 KEY", 30),
        userPromptSubmitted: entry("task:30 KEY", 30),
      },
    });
  });

  it.for([
    ["Copilot CLI", copilotSetup, vscodeSetup],
    ["VS Code", vscodeSetup, copilotSetup],
  ] as const)("is made once, whoever comes first: %s", ([, one, other]) => {
    const first = installing(one);
    const second = installing(other, undefined, first);
    first.install();
    const once = first.world.read(shared);
    expect(changes(second.install())).toEqual(["none"]);
    expect(changes(first.install())).toEqual(["none"]);
    expect(first.world.read(shared)).toBe(once);
    expect([problems(first), problems(second)]).toEqual([[], []]);
  });

  it("says at install and uninstall that the other reads it, too", () => {
    const copilot = installing(copilotSetup);
    const vscode = installing(vscodeSetup, undefined, copilot);
    expect(notes(copilot.install())).toContain("VS Code reads the same file");
    expect(notes(vscode.install())).toContain("Copilot CLI reads the same file");
    expect(notes(copilot.uninstall())).toContain("VS Code");
    copilot.install();
    expect(notes(vscode.uninstall())).toContain("Copilot CLI");
    expect(copilot.world.has("home/.copilot")).toBe(false);
  });

  it("is the project's in .github/hooks, and install says when Copilot loads that", () => {
    const { world, install, uninstall } = installing(copilotSetup);
    expect(notes(install({ scope: "project" }))).toContain("--trust-folder");
    expect(world.read("project/.github/hooks/toolgate.json")).toContain("copilot");
    uninstall({ scope: "project" });
    expect(world.has("project/.github")).toBe(false);
  });

  it("is left alone if somebody else made it", () => {
    const { world, install } = installing(copilotSetup);
    world.write(shared, { version: 1, hooks: {} });
    expect(install()).toMatchObject({ ok: false });
    expect(JSON.parse(world.read(shared))).toEqual({ version: 1, hooks: {} });
  });

  it("lies where COPILOT_HOME says", () => {
    const { world, request } = installing(copilotSetup, ({ path }) => ({ COPILOT_HOME: path("moved") }));
    expect(copilotSetup.signs.folders(request)).toEqual([world.path("moved")]);
  });
});

describe("what switches hooks off", () => {
  it.for([
    "project/.github/copilot/settings.json",
    "project/.github/copilot/settings.local.json",
    "project/.claude/settings.json",
    "project/.claude/settings.local.json",
  ])("is seen for Copilot CLI in %s", (file) => {
    const copilot = installing(copilotSetup);
    copilot.install();
    copilot.world.write(file, { disableAllHooks: true });
    expect(problems(copilot)).toMatchObject([{ check: "hooks-off", level: "problem" }]);
  });

  it("is seen for VS Code in settings with comments", () => {
    const vscode = installing(vscodeSetup);
    vscode.install();
    vscode.world.write(
      "project/.vscode/settings.json",
      '{\n  // not here\n  "chat.hookFilesLocations": { "~/.copilot/hooks": false, ".github/hooks": true },\n}\n',
    );
    vscode.world.write("home/.config/Code/User/settings.json", '{ "chat.useHooks": false }');
    expect(problems(vscode).map(({ message }) => message)).toEqual([
      expect.stringContaining("chat.useHooks"),
      expect.stringContaining("~/.copilot/hooks"),
    ]);
  });

  it("is seen for Grok in its list", () => {
    const grok = installing(grokSetup);
    grok.install();
    expect(problems(grok)).toEqual([]);
    grok.world.write("home/.grok/disabled-hooks", "global/toolgate:pre_tool_use[0].hooks[0]\n");
    expect(problems(grok)).toMatchObject([{ check: "hooks-off", level: "problem" }]);
  });
});

describe("Grok's file", () => {
  it("has groups without a matcher, and goes again", () => {
    const { world, install, uninstall } = installing(grokSetup);
    expect(changes(install())).toEqual(["made"]);
    expect(changes(install())).toEqual(["none"]);
    const { hooks } = JSON.parse(world.read("home/.grok/hooks/toolgate.json"));
    const events = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit"];
    expect(Object.keys(hooks)).toEqual(events);
    const ours = { type: "command", command: "HOOK grok NODE 300 KEY || exit 2", timeout: 300 };
    expect(hooks.PreToolUse).toEqual([{ hooks: [ours] }]);
    uninstall();
    expect(world.has("home/.grok")).toBe(false);
  });
});
