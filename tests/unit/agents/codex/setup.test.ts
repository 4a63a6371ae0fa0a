/** Codex is set up in real files; what it trusts is what 0.166.0 itself was seen to write. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { SettingsChange, SetupMemory, SetupScope } from "../../../../src/agents/agent-setup.ts";
import { findIdentities } from "../../../../src/agents/codex/set-up/hook-trust.ts";
import { codexSetup } from "../../../../src/agents/codex/setup.ts";
import { createWorld, type World } from "../claude-code/world.ts";

function remembering(): SetupMemory {
  const known = new Map<string, SettingsChange>();
  return {
    recall: (file) => known.get(file),
    remember(file, change) {
      if (change === undefined) known.delete(file);
      else known.set(file, change);
    },
  };
}

function setUp(world: World, env: Readonly<Record<string, string>> = {}) {
  world.write("toolgate/dist/hook/hook.sh", "#!/bin/bash\n");
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  const memory = remembering();
  const request = (scope: SetupScope) => ({ ...world.request, env, memory, scope }) as const;
  return {
    install: (scope: SetupScope = "user") => {
      const done = codexSetup.install({ ...request(scope), bundle, execPath: process.execPath });
      expect(done).toMatchObject({ ok: true });
      return done;
    },
    uninstall: (scope: SetupScope = "user") =>
      expect(codexSetup.uninstall(request(scope))).toMatchObject({ ok: true }),
    step: (scope: SetupScope = "user") => codexSetup.trust?.(request(scope)),
    async trust(scope: SetupScope = "user") {
      const step = codexSetup.trust?.(request(scope));
      expect(await step?.run({ client: undefined, signal: new AbortController().signal })).toMatchObject({
        ok: true,
      });
    },
    identities: (scope: SetupScope = "user") => findIdentities({ ...request(scope) }),
    problems: () =>
      codexSetup
        .examine(request("user"))
        .findings.filter(({ level }) => level === "problem")
        .map(({ check, message }) => `${check}: ${message}`),
  };
}

const read = (world: World, path: string) => readFileSync(world.path(path), "utf8");

describe("Codex's set-up", () => {
  it("writes a hook before calls, after them and for a new task", () => {
    const world = createWorld();
    setUp(world).install();
    const { hooks } = JSON.parse(read(world, "home/.codex/hooks.json"));
    expect(Object.keys(hooks)).toEqual(["PreToolUse", "PostToolUse", "UserPromptSubmit"]);
    const [before] = hooks.PreToolUse;
    expect(before).toEqual({
      matcher: "*",
      hooks: [{ type: "command", command: expect.any(String), timeout: 300, statusMessage: "toolgate" }],
    });
    expect(before.hooks[0].command).toMatch(
      /^\S+\/hook\.sh codex \S+ 300 \w{16} \|\| \{ test \$\? = 2 \|\| echo .* >&2; exit 2; \}$/,
    );
    expect(hooks.PostToolUse[0].hooks[0].command).toMatch(/\/hook\.sh codex \S+ after:30 \w{16}$/);
    expect(hooks.UserPromptSubmit[0].hooks[0].command).toMatch(/\/hook\.sh codex \S+ task:30 \w{16}$/);
  });

  it("knows a hook by the hash that Codex has for it", () => {
    const world = createWorld();
    const hook = (command: string) => ({ type: "command", command, timeout: 30, statusMessage: "toolgate" });
    world.write("home/.codex/hooks.json", {
      hooks: {
        PreToolUse: [
          { hooks: [hook("other.sh")] },
          { matcher: "*", hooks: [hook("other.sh"), hook("/opt/hook.sh codex")] },
        ],
        UserPromptSubmit: [{ matcher: "ignored", hooks: [hook("/opt/hook.sh codex task")] }],
      },
    });
    const file = world.path("home/.codex/hooks.json");
    // What `hooks/list` of codex app-server 0.166.0 says of these.
    expect(setUp(world).identities()).toEqual([
      {
        key: `${file}:pre_tool_use:1:1`,
        event: "PreToolUse",
        hash: "sha256:1f1e0f552aea8cf4256dfff50d193e1169a548c5657cae9751d4c282f219f24f",
      },
      {
        key: `${file}:user_prompt_submit:0:0`,
        event: "UserPromptSubmit",
        hash: "sha256:41837984514a31a7fdd98dd4fbfc363484671567a81a2da5a963738e11a10bd2",
      },
    ]);
  });

  it("asks before it tells Codex to trust the hooks, once", async () => {
    const world = createWorld();
    const agent = setUp(world);
    agent.install();
    expect(existsSync(world.path("home/.codex/config.toml"))).toBe(false);
    expect(agent.problems()).toEqual([
      expect.stringMatching(/^hook-trust: Codex skips toolgate's hooks without a word: .* is not trusted/),
    ]);
    await agent.trust();
    expect(agent.problems()).toEqual([]);
    expect(agent.step()).toBeUndefined();
    const text = read(world, "home/.codex/config.toml");
    for (const { key, hash } of agent.identities())
      expect(text).toContain(`[hooks.state."${key}"]\ntrusted_hash = "${hash}"\n`);
    agent.install();
    expect(read(world, "home/.codex/config.toml")).toBe(text);
  });

  it("sees a hook that was changed since, and one that was switched off", async () => {
    const world = createWorld();
    const agent = setUp(world);
    agent.install();
    await agent.trust();
    const config = read(world, "home/.codex/config.toml");
    world.write("home/.codex/config.toml", config.replace(/sha256:\w/, "sha256:x"));
    expect(agent.problems()[0]).toContain("was changed since it was trusted");
    world.write("home/.codex/config.toml", config.replace("trusted_hash", "enabled = false\ntrusted_hash"));
    expect(agent.problems()[0]).toContain("is switched off there");
    expect(agent.step()).toBeDefined();
    await agent.trust();
    expect(agent.problems()).toEqual([]);
  });

  it.for([
    ["nothing", undefined, undefined],
    ["settings", 'model = "x" # mine\n\n[features]\nhooks = true\n', '{\n  "hooks": {}\n}\n'],
    [
      "hooks of somebody else",
      '[hooks.state."/x/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"\n',
      '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"./mine.sh"}]}]}}',
    ],
  ] as const)("brings back every byte of %s", async ([, config, hooks]) => {
    const world = createWorld();
    const agent = setUp(world);
    if (config !== undefined) world.write("home/.codex/config.toml", config);
    if (hooks !== undefined) world.write("home/.codex/hooks.json", hooks);
    agent.install();
    await agent.trust();
    agent.install();
    expect(agent.problems()).toEqual([]);
    agent.uninstall();
    const now = (file: string) => (existsSync(world.path(file)) ? read(world, file) : undefined);
    expect([now("home/.codex/config.toml"), now("home/.codex/hooks.json")]).toEqual([config, hooks]);
    expect(existsSync(world.path("home/.codex"))).toBe(config !== undefined);
  });

  it("takes out only its own when Codex has written into its settings since", async () => {
    const world = createWorld();
    const agent = setUp(world);
    world.write("home/.codex/config.toml", 'model = "x"\n');
    agent.install();
    await agent.trust();
    const more = '\n[projects."/work"]\ntrust_level = "trusted"\n';
    world.write("home/.codex/config.toml", read(world, "home/.codex/config.toml") + more);
    agent.uninstall();
    expect(read(world, "home/.codex/config.toml").replace(/\n{3,}/g, "\n\n")).toBe(`model = "x"\n${more}`);
  });

  it("finds Codex's folder where the variable says, behind links", async () => {
    const world = createWorld();
    mkdirSync(world.path("real"));
    symlinkSync("real", world.path("linked"));
    const agent = setUp(world, { CODEX_HOME: world.path("linked") });
    agent.install();
    await agent.trust();
    expect(agent.identities()[0]?.key).toBe(`${world.path("real/hooks.json")}:pre_tool_use:0:0`);
    expect(agent.problems()).toEqual([]);
    agent.uninstall();
    expect(existsSync(world.path("real/config.toml"))).toBe(false);
  });

  it("needs trust in the project too where the hooks are the project's", async () => {
    const world = createWorld();
    const agent = setUp(world);
    agent.install("project");
    await agent.trust("project");
    expect(agent.problems()).toEqual([expect.stringMatching(/^project-trust: .* does not say so of /)]);
    const config = read(world, "home/.codex/config.toml");
    world.write(
      "home/.codex/config.toml",
      `${config}\n[projects."${world.project}"]\ntrust_level = "trusted"\n`,
    );
    expect(agent.problems()).toEqual([]);
    agent.uninstall("project");
    expect(read(world, "home/.codex/config.toml").trim()).toBe(
      `[projects."${world.project}"]\ntrust_level = "trusted"`,
    );
    expect(existsSync(world.path("project/.codex"))).toBe(false);
  });

  it("sees what switches the hooks off", async () => {
    const world = createWorld();
    const agent = setUp(world);
    agent.install();
    await agent.trust();
    world.write("project/.codex/config.toml", "[features]\nhooks = false\n");
    expect(agent.problems()).toEqual([expect.stringMatching(/^hooks-off: .*project\/\.codex\/config\.toml/)]);
    world.write("project/.codex/config.toml", "");
    world.write("etc/requirements.toml", "allow_managed_hooks_only = true\n");
    expect(agent.problems()).toEqual([
      expect.stringMatching(/^hooks-off: .*only the hooks of an administrator/),
    ]);
  });
});

describe("Codex's own trial of a hook", () => {
  it("finds a denial in what the hook prints", () => {
    const { call, refusalIn } = codexSetup.hookTrial;
    expect(JSON.parse(call("Bash", { command: "ls" }, "/work"))).toMatchObject({
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls" },
      cwd: "/work",
    });
    const said = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "No." };
    expect(refusalIn(JSON.stringify({ hookSpecificOutput: said }))).toBe("No.");
    for (const text of ["", "{}", '{"hookSpecificOutput":{"permissionDecision":"allow"}}'])
      expect(refusalIn(text)).toBeUndefined();
  });
});
