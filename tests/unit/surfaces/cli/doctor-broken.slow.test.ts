/** Set-ups in which a call would not be checked, each broken in one way, as they are met on real machines. Doctor must find every one. */
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { World } from "../../agents/claude-code/world.ts";
import {
  changeNode,
  changeSettings,
  examine,
  finding,
  installed,
  installedFile,
  settings,
} from "./doctor-world.ts";

const projectSettings = "project/.claude/settings.json";
type Settings = ReturnType<typeof JSON.parse>;
type Break = (world: World) => unknown;
const read = (world: World): Settings => JSON.parse(readFileSync(world.path(settings), "utf8"));

/** The person's own settings, changed in one way. */
const own =
  (change: (all: Settings, world: World) => void): Break =>
  (world) => {
    const all = read(world);
    change(all, world);
    world.write(settings, all);
  };
const add = (more: object) => own((all) => Object.assign(all, more));
/** Our group before a call, our entry in it, and the line of that. */
const group = (more: object) => own(({ hooks }) => Object.assign(hooks.PreToolUse[0], more));
const entry = (more: object) => own(({ hooks }) => Object.assign(hooks.PreToolUse[0].hooks[0], more));
const line = (change: (line: string) => string) =>
  own(({ hooks: { PreToolUse } }) => {
    PreToolUse[0].hooks[0].command = change(PreToolUse[0].hooks[0].command);
  });
const foreign = (more: object) => own(({ hooks }) => hooks.PreToolUse.push(more));
const project =
  (content: (entry: Settings) => object, file = projectSettings): Break =>
  (world) =>
    world.write(file, content(read(world).hooks.PreToolUse[0].hooks[0]));
const shadow = (hook: object) => ({ hooks: { PreToolUse: [{ matcher: "*", hooks: [hook] }] } });
const file =
  (name: string, change: (path: string) => void): Break =>
  (world) =>
    change(installedFile(world, name));

const otherLines: readonly (readonly [string, (line: string) => string])[] = [
  ["ends with 0 whatever it says", (line) => `${line}; exit 0`],
  ["is forgiven", (line) => `${line} || true`],
  ["is forgiven in place of denied", (line) => line.replace("|| exit 2", "|| true")],
  ["does not deny when the hook is gone", (line) => line.replace(" || exit 2", "")],
  ["goes on in the background", (line) => `${line} &`],
  ["has its output thrown away", (line) => line.replace(" || ", " >/dev/null || ")],
  ["is only said", (line) => `echo ${line}`],
  ["is a comment", (line) => `: # ${line}`],
  ["follows an assignment", (line) => `BASH_ENV=/x ${line}`],
  ["has a second line", (line) => `${line}\nexit 0`],
  ["has a blank at its end", (line) => `${line} `],
];
const ownVariables = [
  ...["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "TOOLGATE_ROUTES", "LD_PRELOAD", "LD_AUDIT", "BASH_ENV"],
  ...["SHELLOPTS", "ZDOTDIR", "SHELL", "CLAUDE_CODE_SHELL_PREFIX", "BASH_FUNC_x%%"],
];
const projectVariables = ["BASH_ENV", "ENV", "CLAUDE_CODE_SHELL_PREFIX", "NODE_OPTIONS", "LD_PRELOAD"];

/** Each with the problem that doctor has to find, by the check that finds it. */
const brokenSetups: Readonly<Record<string, readonly (readonly [string, Break, message: string])[]>> = {
  "hooks-installed": [
    ["nothing is installed", (world) => world.write(settings, {}), "no hook is installed"],
    [
      "only the hooks after a call are left",
      own(({ hooks }) => void delete hooks.PreToolUse),
      "no hook is installed",
    ],
  ],
  "hook-file": [
    ["the script is gone", file("hook.sh", rmSync), "not there"],
    [
      "the folder was renamed",
      (world) => renameSync(world.path("home/.local"), world.path("home/elsewhere")),
      "not there",
    ],
    ["the entry names another script", line((text) => text.replaceAll("hook.sh", "gate.sh")), "gate.sh"],
    ["the script may not be executed", file("hook.sh", (path) => chmodSync(path, 0o644)), "not executable"],
    ["the hook beside the script is gone", file("hook.cjs", rmSync), "hook.cjs"],
  ],
  canary: [
    ["the node is gone", (world) => changeNode(world, "/gone/node"), "/gone/node"],
    ["the hook lets everything pass", file("hook.cjs", (path) => writeFileSync(path, "")), "was not blocked"],
  ],
  "hook-entry": [
    [
      "the entry has the old, dangerous form",
      (world) => {
        const args = ["-p", installedFile(world, "hook.sh"), "claude-code", process.execPath, "300"];
        return entry({ command: "/bin/bash", args })(world);
      },
      "dangerous",
    ],
    ["the matcher is narrowed", group({ matcher: "Bash|Write" }), "Bash|Write"],
    ["the matcher leaves MCP tools out", group({ matcher: "^(?!mcp__)" }), "only tools that match"],
    ["a condition is set", entry({ if: "Bash(git *)" }), "only calls"],
    ["the time-out is too short", entry({ timeout: 3 }), "3 seconds"],
    ["the time-out is nothing", entry({ timeout: 0 }), "0 seconds"],
    ["the time-out is shorter than a person may take", entry({ timeout: 60 }), "needs 300"],
    ["the hook fails open", entry({ onFailure: "continue" }), "onFailure"],
    ["the answer is not waited for", entry({ async: true }), "async"],
    ["the hook runs once", entry({ once: true }), "once"],
    ["the hook is for another shell", entry({ shell: "powershell" }), "shell"],
    ["the hook has a field that nobody wrote", entry({ skip: true }), '"skip"'],
    ...otherLines.map(
      ([how, change]) =>
        [`the line of the hook ${how}`, line(change), "is not the one that toolgate writes"] as const,
    ),
    ...["prompt", "agent", "http", "mcp_tool"].map((type) => {
      const other = entry({ type, prompt: "Is this fine?", url: "http://127.0.0.1:9" });
      return [`the hook is of the type ${type}`, other, `of the type "${type}"`] as const;
    }),
  ],
  "settings-env": [
    ...ownVariables.map(
      (name) =>
        [`the person's own settings set ${name}`, add({ env: { [name]: "/elsewhere" } }), name] as const,
    ),
    ...projectVariables.map(
      (name) =>
        [
          `a project sets ${name} for the hook`,
          project(() => ({ env: { [name]: "./evil" } })),
          name,
        ] as const,
    ),
  ],
  "settings-readable": [
    [
      "the settings are no JSON",
      (world) => changeSettings(world, (text) => `${text.slice(0, -3)},}`),
      "ignores the whole file",
    ],
  ],
  "settings-valid": [
    ["permissions are text instead of a list", add({ permissions: { allow: "Bash" } }), "permissions.allow"],
    ["the model is a number", add({ model: 4 }), '"model"'],
    ["the mode is unknown", add({ permissions: { defaultMode: "yolo" } }), "defaultMode"],
    ["a switch is text", add({ includeCoAuthoredBy: "no" }), "includeCoAuthoredBy"],
    [
      "a foreign hook has a time-out of text",
      foreign({ hooks: [{ type: "command", command: "true", timeout: "5" }] }),
      "time-out",
    ],
    [
      "a foreign hook has an unknown type",
      foreign({ hooks: [{ type: "script", command: "true" }] }),
      "unknown type",
    ],
    ["a foreign matcher is an object", foreign({ matcher: { tool: "Bash" }, hooks: [] }), "matcher"],
  ],
  "hooks-enabled": [
    ["a project switches all hooks off", project(() => ({ disableAllHooks: true })), "disableAllHooks"],
    [
      "an administrator allows only their own hooks",
      project(() => ({ allowManagedHooksOnly: true }), "etc/managed-settings.json"),
      "allowManagedHooksOnly",
    ],
    [
      "a variable makes the client leave hooks out",
      add({ env: { CLAUDE_CODE_SIMPLE: "1" } }),
      "CLAUDE_CODE_SIMPLE",
    ],
  ],
  "hook-shadowed": [
    [
      "a project shadows the hook with one that nobody waits for",
      project((ours) => shadow({ ...ours, async: true })),
      "runs only one of them",
    ],
    [
      "a project shadows the hook with one that has another name",
      project(
        ({ statusMessage: _, ...ours }) => shadow({ ...ours, timeout: 1, onFailure: "continue" }),
        "project/.claude/settings.local.json",
      ),
      "settings.local.json",
    ],
  ],
  "plugin-hooks": [
    [
      "a plugin of guards is refused for its hooks",
      (world) => {
        const before = read(world);
        world.addPlugin("guard");
        add(before)(world);
        const hooks = { PreToolUse: [{ hooks: [{ type: "x" }] }] };
        world.write("market/plugins/guard/hooks/hooks.json", { hooks });
      },
      "refuses the plugin",
    ],
  ],
};

describe("toolgate doctor", () => {
  describe.for(Object.entries(brokenSetups))("by its check %s", ([check, setups]) => {
    it.for(setups)("sees it when %s", async ([, breakIt, message]) => {
      const world = await installed();
      breakIt(world);
      const { ok, about } = await examine(world);
      expect(ok).toBe(false);
      expect(about(check)).toContainEqual(finding("problem", message));
    });
  });

  it.for([
    ["a plain PATH", { env: { PATH: "/usr/bin:/bin" } }, "settings-env", "PATH"],
    ["a variable that is no text", { env: { A: {} } }, "settings-doubtful", '"A" in "env"'],
    ["an unknown event", { more: { Whenever: [] } }, "settings-doubtful", '"Whenever"'],
    ["a wrong entry of Stop", { more: { Stop: [{ hooks: "x" }] } }, "settings-doubtful", '"Stop"'],
  ] as const)("warns of %s in the person's own settings", async ([, change, check, message]) => {
    const world = await installed();
    own((all) => {
      const { more, ...rest } = change as { more?: object };
      Object.assign(all, rest);
      Object.assign(all.hooks, more);
    })(world);
    const { ok, about } = await examine(world);
    expect(about(check)).toEqual([finding("warning", message)]);
    expect(ok).toBe(true);
  });

  it("warns of an entry without a time-out", async () => {
    const world = await installed();
    entry({ timeout: undefined })(world);
    expect((await examine(world)).about("hook-entry")).toEqual([finding("warning", "timeout")]);
  });

  it("says nothing of a HOME in the settings that is the person's own", async () => {
    const world = await installed();
    add({ env: { HOME: world.home } })(world);
    expect((await examine(world)).about("settings-env")).toEqual([]);
  });

  it.for(["CLAUDE_CODE_SHELL_PREFIX", "CLAUDE_CODE_SIMPLE", "BASH_ENV"])(
    "warns when %s is set where doctor runs",
    async (name) => {
      const { about } = await examine(await installed(), { [name]: "/bin/true" });
      expect(about("environment")).toEqual([finding("warning", name)]);
    },
  );
});
