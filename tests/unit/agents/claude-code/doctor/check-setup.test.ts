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

function installed(): World {
  const world = createWorld();
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  const result = installClaudeCode({ ...world.request, scope: "user", bundle, execPath: process.execPath });
  expect(result.ok).toBe(true);
  return world;
}

function changeSettings(world: World, change: (text: string) => string): void {
  world.write(settings, change(readFileSync(world.path(settings), "utf8")));
}

describe("our hook entries", () => {
  it.for([
    ["fails open", /"onFailure": "block"/, '"onFailure": "continue"', "problem", "onFailure"],
    ["does not wait", /"onFailure": "block"/, '"onFailure": "block", "async": true', "problem", "async"],
    ["has no time-out", /"timeout": 30,/, "", "warning", "timeout"],
    ["is for some tools only", /"matcher": "\*"/, '"matcher": "Bash"', "problem", '"Bash"'],
    ["runs once", /"timeout": 30,/, '"timeout": 30, "once": true,', "problem", "once"],
    [
      "is for another shell",
      /"timeout": 30,/,
      '"timeout": 30, "shell": "powershell",',
      "problem",
      "powershell",
    ],
    ["has too little time", /"timeout": 30,/, '"timeout": 5,', "problem", "5 seconds"],
    ["has no time at all", /"timeout": 30,/, '"timeout": 0,', "problem", "0 seconds"],
    [
      "is for some calls only",
      /"timeout": 30,/,
      '"timeout": 30, "if": "Bash(git *)",',
      "problem",
      "Bash(git *)",
    ],
  ] as const)("sees a hook entry that %s", ([, from, to, level, message]) => {
    const world = installed();
    changeSettings(world, (text) => text.replace(from, to));
    expect(examine(world).about("hook-entry")).toEqual([
      expect.objectContaining({ level, message: expect.stringContaining(message) }),
    ]);
  });

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
    expect(examine(world).about("hook-after")).toEqual([
      expect.objectContaining({
        level: "warning",
        message: expect.stringContaining("at PostToolUse, UserPromptSubmit:"),
      }),
    ]);
  });

  it("does not take a line for the time after a call for one that checks", () => {
    const world = createWorld();
    const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
    world.write("toolgate/dist/hook/hook.sh", "");
    installClaudeCode({ ...world.request, scope: "user", bundle, execPath: process.execPath });
    changeSettings(world, (text) => text.replace(" 300 ", " after:300 "));
    expect(examine(world).about("hook-entry")).toEqual([
      expect.objectContaining({ level: "problem", message: expect.stringContaining("is not the one") }),
    ]);
  });

  it("sees that a copy of our plugin was never built", () => {
    const world = createWorld();
    world.addPlugin("toolgate");
    world.write(
      "market/plugins/toolgate/hooks/hooks.json",
      readFileSync("plugins/claude-code/hooks/hooks.json", "utf8"),
    );
    const { about } = examine(world);
    expect(about("hook-file")[0]).toMatchObject({
      level: "problem",
      message: expect.stringContaining("toolgate/hook.sh"),
    });
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
    expect(about("hooks-enabled")).toEqual([
      expect.objectContaining({ level: "problem", message: expect.stringContaining(world.path(place)) }),
    ]);
  });

  it("sees that an administrator allows only their own hooks", () => {
    const world = installed();
    world.write("etc/managed-settings.json", { allowManagedHooksOnly: true });
    expect(examine(world).about("hooks-enabled")).toEqual([
      expect.objectContaining({
        level: "problem",
        message: expect.stringContaining("allowManagedHooksOnly"),
      }),
    ]);
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
      ...[
        "NODE_V8_COVERAGE",
        "PS4",
        "ps4",
        "lang",
        "Path",
        "UV_USE_IO_URING",
        "XDG_DATA_DIRS",
        "SOMETHING_NEW",
      ],
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
    const variables = {
      TOOLGATE_ROUTES: "x",
      NODE_OPTIONS: "--require ./evil.cjs",
      PATH: "./bin",
      LD_PRELOAD: "x",
      EDITOR: "vi",
      LANG: "C.UTF-8",
    };
    world.write("project/.claude/settings.json", { env: variables });
    world.write("project/.claude/settings.local.json", { env: { XDG_CONFIG_HOME: "/x" } });
    world.write("etc/managed-settings.json", { env: { HOME: "/x", PATH: "/x", EDITOR: "vi" } });
    const { ok, about } = examine(world);
    expect(ok).toBe(false);
    expect(
      about("settings-env").map(({ level, message }) => [level, /variable (\w+)/.exec(message)?.[1]]),
    ).toEqual([
      ["problem", "TOOLGATE_ROUTES"],
      ["problem", "NODE_OPTIONS"],
      ["problem", "PATH"],
      ["problem", "LD_PRELOAD"],
      ["problem", "EDITOR"],
      ["problem", "XDG_CONFIG_HOME"],
      ["problem", "HOME"],
      ["warning", "PATH"],
    ]);
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
    const world = installed();
    const before = JSON.parse(readFileSync(world.path(settings), "utf8"));
    world.addPlugin("guard");
    changeSettings(world, (text) => JSON.stringify({ ...before, ...JSON.parse(text) }));
    const file = world.write("market/plugins/guard/hooks/hooks.json", content);
    const { ok, about } = examine(world);
    expect(ok).toBe(false);
    expect(about("plugin-hooks")).toEqual([
      expect.objectContaining({ level: "problem", message: expect.stringContaining(message) }),
    ]);
    expect(about("plugin-hooks")[0]?.message).toContain(file);
  });

  it("takes hooks.json in today's forms", () => {
    const world = installed();
    const before = JSON.parse(readFileSync(world.path(settings), "utf8"));
    world.addPlugin("guard");
    world.addPlugin("modern");
    changeSettings(world, (text) => JSON.stringify({ ...before, ...JSON.parse(text) }));
    world.write("market/plugins/guard/hooks/hooks.json", {
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "http", url: "http://x" }] }] },
    });
    world.write("market/plugins/modern/hooks/hooks.json", { modules: ["./register.ts"] });
    expect(examine(world).ok).toBe(true);
  });
});
