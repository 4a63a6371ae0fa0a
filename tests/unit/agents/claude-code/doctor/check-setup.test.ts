import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkSetup } from "../../../../../src/agents/claude-code/doctor/check-setup.ts";
import { installClaudeCode } from "../../../../../src/agents/claude-code/set-up/install.ts";
import { hasInvisible, visible } from "../../../../../src/core/text/visible.ts";
import { createWorld, type World } from "../world.ts";

const settings = "home/.claude/settings.json";

function examine(world: World) {
  const { findings } = checkSetup(world.request);
  const about = (check: string) => findings.filter((finding) => finding.check === check);
  return { ok: !findings.some(({ level }) => level === "problem"), findings, about };
}

/** `withScript`: the line starts the script, not the process. */
function installed({ withScript = false } = {}): World {
  const world = createWorld();
  if (withScript) world.write("toolgate/dist/hook/hook.sh", "");
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  const result = installClaudeCode({ ...world.request, scope: "user", bundle, execPath: process.execPath });
  expect(result.ok).toBe(true);
  return world;
}

/** Beside plugins, which the client writes into the same settings. */
function installedWith(...plugins: string[]): World {
  const world = installed();
  const before = JSON.parse(readFileSync(world.path(settings), "utf8"));
  for (const name of plugins) world.addPlugin(name);
  changeSettings(world, (text) => JSON.stringify({ ...before, ...JSON.parse(text) }));
  return world;
}

function changeSettings(world: World, change: (text: string) => string): void {
  world.write(settings, change(readFileSync(world.path(settings), "utf8")));
}

const problem = (message: string, level = "problem") => [
  expect.objectContaining({ level, message: expect.stringContaining(message) }),
];

describe("our hook entries", () => {
  it("sees entries of an older toolgate, to which nobody listens after a call", () => {
    const world = installed();
    expect(examine(world).about("hook-after")).toEqual([]);
    changeSettings(world, (text) => {
      const { hooks } = JSON.parse(text) as { hooks: Record<string, [{ hooks: [{ async?: boolean }] }]> };
      const { PostToolUse, UserPromptSubmit: _, ...rest } = hooks;
      for (const {
        hooks: [entry],
      } of PostToolUse ?? [])
        entry.async = true;
      return JSON.stringify({ hooks: { ...rest, PostToolUse } });
    });
    const missing = "at PostToolUse, UserPromptSubmit:";
    expect(examine(world).about("hook-after")).toEqual(problem(missing, "warning"));
  });

  it("does not take a line for the time after a call for one that checks", () => {
    const world = installed({ withScript: true });
    changeSettings(world, (text) => text.replace(" 300 ", " after:300 "));
    expect(examine(world).about("hook-entry")).toEqual(problem("is not the one"));
  });

  it("sees that a copy of our plugin was never built", () => {
    const world = createWorld();
    world.addPlugin("toolgate");
    const hooks = readFileSync("plugins/claude-code/hooks/hooks.json", "utf8");
    world.write("market/plugins/toolgate/hooks/hooks.json", hooks);
    expect(examine(world).about("hook-file").slice(0, 1)).toEqual(problem("toolgate/hook.sh"));
  });
});

describe("the settings of Claude Code", () => {
  it.for([
    "home/.claude/settings.json",
    "project/.claude/settings.json",
    "project/.claude/settings.local.json",
    "etc/managed-settings.json",
    "etc/managed-settings.d/50-team.json",
  ])("sees disableAllHooks in %s", (place) => {
    const world = installed();
    const before = place === settings ? JSON.parse(readFileSync(world.path(settings), "utf8")) : {};
    world.write(place, { ...before, disableAllHooks: true });
    const { ok, about } = examine(world);
    expect(ok).toBe(false);
    expect(about("hooks-enabled")).toEqual(problem(world.path(place)));
  });

  it("sees a settings file that the client drops as a whole, and says it once", () => {
    const world = installed();
    const file = world.write("project/.claude/settings.json", "{ // no comments in JSON\n}");
    const { ok, findings } = examine(world);
    expect(ok).toBe(false);
    expect(findings.filter(({ message }) => message.includes(file))).toEqual([
      expect.objectContaining({ check: "settings-readable", level: "problem" }),
    ]);
  });

  it("sees every variable of a project that is not known to be harmless, whatever its name", () => {
    const world = installed();
    const odd = [
      ...["GCONV_PATH", "LOCPATH", "MALLOC_CHECK_", "GLIBC_TUNABLES", "OPENSSL_CONF", "NODE_EXTRA_CA_CERTS"],
      ...["NODE_V8_COVERAGE", "PS4", "ps4", "lang", "Path", "UV_USE_IO_URING", "XDG_DATA_DIRS"],
      ...["SOMETHING_NEW"],
      ...["BASH_FUNC_read%%", "a\u202eb", "__proto__x", "constructor", "LC_ALL\n", ""],
    ];
    const listed = ["LANG", "TZ", "NO_COLOR", "ANTHROPIC_MODEL", "MCP_TIMEOUT", "NODE_ENV"];
    world.write("project/.claude/settings.json", {
      env: Object.fromEntries([...odd, ...listed].map((name) => [name, "x"])),
    });
    const { ok, about } = examine(world);
    expect(ok).toBe(false);
    const found = about("settings-env");
    expect(found.map(({ level }) => level)).toEqual(odd.map(() => "problem"));
    const told = found.map(({ message }) => message).join("\n");
    for (const name of odd) expect(told).toContain(`sets the variable ${visible(name)},`);
    expect(hasInvisible(told, { keepNewlines: true })).toBe(false);
  });

  it("sees variables that could lead the hook astray: all of them from a repository, some from oneself", () => {
    const world = installed();
    const leading = {
      TOOLGATE_ROUTES: "x",
      NODE_OPTIONS: "--require ./evil.cjs",
      PATH: "./bin",
      LD_PRELOAD: "x",
    };
    world.write("project/.claude/settings.json", { env: { ...leading, EDITOR: "vi", LANG: "C.UTF-8" } });
    world.write("project/.claude/settings.local.json", { env: { XDG_CONFIG_HOME: "/x" } });
    world.write("etc/managed-settings.json", { env: { HOME: "/x", PATH: "/x", EDITOR: "vi" } });
    const { ok, about } = examine(world);
    expect(ok).toBe(false);
    const found = about("settings-env").map(
      ({ level, message }) => `${level} ${/variable (\w+)/.exec(message)?.[1]}`,
    );
    const problems = [...Object.keys(leading), "EDITOR", "XDG_CONFIG_HOME", "HOME"];
    expect(found).toEqual([...problems.map((name) => `problem ${name}`), "warning PATH"]);
  });

  it.for([
    [
      "the old list form",
      { hooks: [{ type: "preToolUse", matcher: { tool_name: "Bash" } }] },
      "is a list (an old form)",
    ],
    ["no wrapper", { PreToolUse: [] }, 'no "hooks" object'],
    ["an object as matcher", { hooks: { PreToolUse: [{ matcher: {}, hooks: [] }] } }, "matcher"],
    ["an unknown type", { hooks: { PreToolUse: [{ hooks: [{ type: "preToolUse" }] }] } }, "unknown type"],
    ["no JSON", "{", "not valid JSON"],
  ] as const)("sees a plugin that the client refuses for its hooks.json: %s", ([, content, message]) => {
    const world = installedWith("guard");
    const file = world.write("market/plugins/guard/hooks/hooks.json", content);
    const { ok, about } = examine(world);
    expect(ok).toBe(false);
    expect(about("plugin-hooks")).toEqual(problem(message));
    expect(about("plugin-hooks")[0]?.message).toContain(file);
  });

  it("takes hooks.json in today's forms", () => {
    const world = installedWith("guard", "modern");
    world.write("market/plugins/guard/hooks/hooks.json", {
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "http", url: "http://x" }] }] },
    });
    world.write("market/plugins/modern/hooks/hooks.json", { modules: ["./register.ts"] });
    expect(examine(world).ok).toBe(true);
  });
});
