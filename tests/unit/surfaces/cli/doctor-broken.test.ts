/** Set-ups in which a call would not be checked, each broken in one way, as they are met on real machines. Doctor must find every one. */
import { chmodSync, readFileSync, renameSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { World } from "../../agents/claude-code/world.ts";
import { changeSettings, examine, installed, settings } from "./doctor-world.ts";

const hook = "toolgate/dist/hook";
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
      const script = world.path(hook, "hook.sh");
      changeEntry(world, {
        command: "/bin/bash",
        args: ["-p", script, "claude-code", process.execPath, "300"],
      });
    },
    "hook-entry",
    "dangerous",
  ],
  ["the script is gone", (world) => rmSync(world.path(hook, "hook.sh")), "hook-file", "not there"],
  [
    "the folder was renamed",
    (world) => renameSync(world.path("toolgate"), world.path("toolgate-2")),
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
    (world) => chmodSync(world.path(hook, "hook.sh"), 0o644),
    "hook-file",
    "not executable",
  ],
  [
    "the hook beside the script is gone",
    (world) => rmSync(world.path(hook, "hook.cjs")),
    "hook-file",
    "hook.cjs",
  ],
  [
    "the node is gone",
    (world) => changeSettings(world, (text) => text.replaceAll(process.execPath, "/gone/node")),
    "canary",
    "/gone/node",
  ],
  [
    "the hook lets everything pass",
    (world) => void world.write(`${hook}/hook.cjs`, ""),
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
});
