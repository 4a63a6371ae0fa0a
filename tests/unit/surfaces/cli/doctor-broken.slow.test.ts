/** Set-ups in which a call would not be checked, each broken in one way, as they are met on real machines. Doctor must find every one. */
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { World } from "../../agents/claude-code/world.ts";
import { changeNode, changeSettings, examine, installed, installedFile, settings } from "./doctor-world.ts";

const projectSettings = "project/.claude/settings.json";
const read = (world: World) => JSON.parse(readFileSync(world.path(settings), "utf8"));

/** Changes our entry before a call. */
function changeEntry(world: World, change: object): void {
  const all = read(world);
  const [group] = all.hooks.PreToolUse;
  group.hooks[0] = { ...group.hooks[0], ...change };
  world.write(settings, all);
}

const add = (world: World, more: object) => void world.write(settings, { ...read(world), ...more });

function addHook(world: World, event: string, group: object): void {
  const { hooks, ...rest } = read(world);
  world.write(settings, { ...rest, hooks: { ...hooks, [event]: [...(hooks[event] ?? []), group] } });
}

function changeGroup(world: World, change: object): void {
  const all = read(world);
  all.hooks.PreToolUse[0] = { ...all.hooks.PreToolUse[0], ...change };
  world.write(settings, all);
}

const brokenSetups: readonly (readonly [string, (world: World) => void, check: string, message: string])[] = [
  [
    "nothing is installed",
    (world) => void world.write(settings, {}),
    "hooks-installed",
    "no hook is installed",
  ],
  [
    "only the hooks after a call are left",
    (world) => {
      const { hooks } = read(world);
      world.write(settings, { hooks: { PostToolUse: hooks.PostToolUse } });
    },
    "hooks-installed",
    "no hook is installed",
  ],
  [
    "the entry has the old, dangerous form",
    (world) => {
      const script = installedFile(world, "hook.sh");
      changeEntry(world, {
        command: "/bin/bash",
        args: ["-p", script, "claude-code", process.execPath, "300"],
      });
    },
    "hook-entry",
    "dangerous",
  ],
  ["the script is gone", (world) => rmSync(installedFile(world, "hook.sh")), "hook-file", "not there"],
  [
    "the folder was renamed",
    (world) => renameSync(world.path("home/.local"), world.path("home/elsewhere")),
    "hook-file",
    "not there",
  ],
  [
    "the entry names another script",
    (world) => changeSettings(world, (text) => text.replaceAll("hook.sh", "gate.sh")),
    "hook-file",
    "gate.sh",
  ],
  [
    "the script may not be executed",
    (world) => chmodSync(installedFile(world, "hook.sh"), 0o644),
    "hook-file",
    "not executable",
  ],
  [
    "the hook beside the script is gone",
    (world) => rmSync(installedFile(world, "hook.cjs")),
    "hook-file",
    "hook.cjs",
  ],
  ["the node is gone", (world) => changeNode(world, "/gone/node"), "canary", "/gone/node"],
  [
    "the hook lets everything pass",
    (world) => writeFileSync(installedFile(world, "hook.cjs"), ""),
    "canary",
    "was not blocked",
  ],
  [
    "the matcher is narrowed",
    (world) => changeGroup(world, { matcher: "Bash|Write" }),
    "hook-entry",
    "Bash|Write",
  ],
  [
    "the matcher leaves MCP tools out",
    (world) => changeGroup(world, { matcher: "^(?!mcp__)" }),
    "hook-entry",
    "only tools that match",
  ],
  ["a condition is set", (world) => changeEntry(world, { if: "Bash(git *)" }), "hook-entry", "only calls"],
  ["the time-out is too short", (world) => changeEntry(world, { timeout: 3 }), "hook-entry", "3 seconds"],
  ["the time-out is nothing", (world) => changeEntry(world, { timeout: 0 }), "hook-entry", "0 seconds"],
  [
    "the time-out is shorter than a person may take",
    (world) => changeEntry(world, { timeout: 60 }),
    "hook-entry",
    "needs 300",
  ],
  [
    "the hook fails open",
    (world) => changeEntry(world, { onFailure: "continue" }),
    "hook-entry",
    "onFailure",
  ],
  ["the answer is not waited for", (world) => changeEntry(world, { async: true }), "hook-entry", "async"],
  ["the hook runs once", (world) => changeEntry(world, { once: true }), "hook-entry", "once"],
  [
    "the hook is for another shell",
    (world) => changeEntry(world, { shell: "powershell" }),
    "hook-entry",
    "shell",
  ],
  ...(
    [
      ["ends with 0 whatever it says", (line: string) => `${line}; exit 0`],
      ["is forgiven", (line: string) => `${line} || true`],
      ["is forgiven in place of denied", (line: string) => line.replace("|| exit 2", "|| true")],
      ["does not deny when the hook is gone", (line: string) => line.replace(" || exit 2", "")],
      ["goes on in the background", (line: string) => `${line} &`],
      ["has its output thrown away", (line: string) => line.replace(" || ", " >/dev/null || ")],
      ["is only said", (line: string) => `echo ${line}`],
      ["is a comment", (line: string) => `: # ${line}`],
      ["follows an assignment", (line: string) => `BASH_ENV=/x ${line}`],
      ["has a second line", (line: string) => `${line}\nexit 0`],
      ["has a blank at its end", (line: string) => `${line} `],
    ] as const
  ).map(
    ([how, change]) =>
      [
        `the line of the hook ${how}`,
        (world: World) =>
          changeEntry(world, { command: change(read(world).hooks.PreToolUse[0].hooks[0].command) }),
        "hook-entry",
        "is not the one that toolgate writes",
      ] as const,
  ),
  ...["prompt", "agent", "http", "mcp_tool"].map(
    (type) =>
      [
        `the hook is of the type ${type}`,
        (world: World) => changeEntry(world, { type, prompt: "Is this fine?", url: "http://127.0.0.1:9" }),
        "hook-entry",
        `of the type "${type}"`,
      ] as const,
  ),
  [
    "the hook has a field that nobody wrote",
    (world) => changeEntry(world, { skip: true }),
    "hook-entry",
    '"skip"',
  ],
  ...[
    ...["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "TOOLGATE_ROUTES", "LD_PRELOAD", "LD_AUDIT", "BASH_ENV"],
    ...["SHELLOPTS", "ZDOTDIR", "SHELL", "CLAUDE_CODE_SHELL_PREFIX", "BASH_FUNC_x%%"],
  ].map(
    (name) =>
      [
        `the person's own settings set ${name}`,
        (world: World) => add(world, { env: { [name]: "/elsewhere" } }),
        "settings-env",
        name,
      ] as const,
  ),
  [
    "the settings are no JSON",
    (world) => changeSettings(world, (text) => `${text.slice(0, -3)},}`),
    "settings-readable",
    "ignores the whole file",
  ],
  [
    "permissions are text instead of a list",
    (world) => add(world, { permissions: { allow: "Bash" } }),
    "settings-valid",
    "permissions.allow",
  ],
  ["the model is a number", (world) => add(world, { model: 4 }), "settings-valid", '"model"'],
  [
    "the mode is unknown",
    (world) => add(world, { permissions: { defaultMode: "yolo" } }),
    "settings-valid",
    "defaultMode",
  ],
  [
    "a switch is text",
    (world) => add(world, { includeCoAuthoredBy: "no" }),
    "settings-valid",
    "includeCoAuthoredBy",
  ],
  [
    "a foreign hook has a time-out of text",
    (world) => addHook(world, "PreToolUse", { hooks: [{ type: "command", command: "true", timeout: "5" }] }),
    "settings-valid",
    "time-out",
  ],
  [
    "a foreign hook has an unknown type",
    (world) => addHook(world, "PreToolUse", { hooks: [{ type: "script", command: "true" }] }),
    "settings-valid",
    "unknown type",
  ],
  [
    "a foreign matcher is an object",
    (world) => addHook(world, "PreToolUse", { matcher: { tool: "Bash" }, hooks: [] }),
    "settings-valid",
    "matcher",
  ],
  [
    "a project switches all hooks off",
    (world) => void world.write(projectSettings, { disableAllHooks: true }),
    "hooks-enabled",
    "disableAllHooks",
  ],
  [
    "an administrator allows only their own hooks",
    (world) => void world.write("etc/managed-settings.json", { allowManagedHooksOnly: true }),
    "hooks-enabled",
    "allowManagedHooksOnly",
  ],
  [
    "a variable makes the client leave hooks out",
    (world) => add(world, { env: { CLAUDE_CODE_SIMPLE: "1" } }),
    "hooks-enabled",
    "CLAUDE_CODE_SIMPLE",
  ],
  [
    "a project shadows the hook with one that nobody waits for",
    (world) => {
      const [entry] = read(world).hooks.PreToolUse[0].hooks;
      const shadow = { matcher: "*", hooks: [{ ...entry, async: true }] };
      world.write(projectSettings, { hooks: { PreToolUse: [shadow] } });
    },
    "hook-shadowed",
    "runs only one of them",
  ],
  [
    "a project shadows the hook with one that has another name",
    (world) => {
      const [{ statusMessage: _, ...entry }] = read(world).hooks.PreToolUse[0].hooks;
      const shadow = { hooks: [{ ...entry, timeout: 1, onFailure: "continue" }] };
      world.write("project/.claude/settings.local.json", { hooks: { PreToolUse: [shadow] } });
    },
    "hook-shadowed",
    "settings.local.json",
  ],
  ...["BASH_ENV", "ENV", "CLAUDE_CODE_SHELL_PREFIX", "NODE_OPTIONS", "LD_PRELOAD"].map(
    (name) =>
      [
        `a project sets ${name} for the hook`,
        (world: World) => void world.write(projectSettings, { env: { [name]: "./evil" } }),
        "settings-env",
        name,
      ] as const,
  ),
  [
    "a plugin of guards is refused for its hooks",
    (world) => {
      const before = read(world);
      world.addPlugin("guard");
      add(world, before);
      world.write("market/plugins/guard/hooks/hooks.json", {
        hooks: { PreToolUse: [{ hooks: [{ type: "x" }] }] },
      });
    },
    "plugin-hooks",
    "refuses the plugin",
  ],
];

describe("toolgate doctor", () => {
  it("finds nothing wrong before anything is broken", async () => {
    const { ok, findings } = await examine(await installed());
    expect(findings.filter(({ level }) => level === "problem" || level === "warning")).toEqual([]);
    expect(ok).toBe(true);
  });

  it("knows at least twenty broken set-ups", () => {
    expect(new Set(brokenSetups.map(([name]) => name)).size).toBe(brokenSetups.length);
    expect(brokenSetups.length).toBeGreaterThanOrEqual(20);
  });

  it.for(brokenSetups)("sees it when %s", async ([, breakIt, check, message]) => {
    const world = await installed();
    breakIt(world);
    const { ok, about } = await examine(world);
    expect(ok).toBe(false);
    expect(about(check)).toContainEqual(
      expect.objectContaining({ level: "problem", message: expect.stringContaining(message) }),
    );
  });

  it.for([
    ["a plain PATH", { env: { PATH: "/usr/bin:/bin" } }, "settings-env", "PATH"],
    ["a variable that is no text", { env: { A: {} } }, "settings-doubtful", '"A" in "env"'],
    ["an unknown event", { more: { Whenever: [] } }, "settings-doubtful", '"Whenever"'],
    ["a wrong entry of Stop", { more: { Stop: [{ hooks: "x" }] } }, "settings-doubtful", '"Stop"'],
  ] as const)("warns of %s in the person's own settings", async ([, change, check, message]) => {
    const world = await installed();
    const { hooks } = read(world);
    const { more, ...rest } = change as { more?: object };
    add(world, { ...rest, hooks: { ...hooks, ...more } });
    const { ok, about } = await examine(world);
    expect(about(check)).toEqual([
      expect.objectContaining({ level: "warning", message: expect.stringContaining(message) }),
    ]);
    expect(ok).toBe(true);
  });

  it("says nothing of a HOME in the settings that is the person's own", async () => {
    const world = await installed();
    add(world, { env: { HOME: world.home } });
    expect((await examine(world)).about("settings-env")).toEqual([]);
  });

  it.for(["CLAUDE_CODE_SHELL_PREFIX", "CLAUDE_CODE_SIMPLE", "BASH_ENV"])(
    "warns when %s is set where doctor runs",
    async (name) => {
      const { about } = await examine(await installed(), { [name]: "/bin/true" });
      expect(about("environment")).toEqual([
        expect.objectContaining({ level: "warning", message: expect.stringContaining(name) }),
      ]);
    },
  );
});
