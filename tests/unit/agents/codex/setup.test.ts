/** Codex is set up in real files; what it trusts is what 0.166.0 itself was seen to write. */
import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { SetupScope } from "../../../../src/agents/agent-setup.ts";
import { findIdentities } from "../../../../src/agents/codex/set-up/hook-trust.ts";
import { codexSetup } from "../../../../src/agents/codex/setup.ts";
import { installing } from "../installing.ts";

const hooksFile = "home/.codex/hooks.json";
const configFile = "home/.codex/config.toml";

function setUp(env?: Parameters<typeof installing>[1]) {
  const { world, request, install, uninstall, findings } = installing(codexSetup, env);
  const step = (scope: SetupScope = "user") => codexSetup.trust?.({ ...request, scope });
  return {
    world,
    install: (scope: SetupScope = "user") => expect(install({ scope })).toMatchObject({ ok: true }),
    uninstall: (scope: SetupScope = "user") => expect(uninstall({ scope })).toMatchObject({ ok: true }),
    step,
    async trust(scope: SetupScope = "user") {
      const tools = { client: undefined, signal: new AbortController().signal };
      expect(await step(scope)?.run(tools)).toMatchObject({ ok: true });
    },
    identities: () => findIdentities(request),
    problems: () =>
      findings()
        .filter(({ level }) => level === "problem")
        .map(({ check, message }) => `${check}: ${message}`),
  };
}

/** With hooks that Codex trusts. */
async function trusting(config?: string, hooks?: string) {
  const agent = setUp();
  if (config !== undefined) agent.world.write(configFile, config);
  if (hooks !== undefined) agent.world.write(hooksFile, hooks);
  agent.install();
  await agent.trust();
  return agent;
}

describe("Codex's set-up", () => {
  it("writes a hook before calls, after them and for a new task", () => {
    const { world, install } = setUp();
    install();
    const ours = (command: unknown, timeout: number) => ({
      hooks: [{ type: "command", command, timeout, statusMessage: "toolgate" }],
    });
    const aloud = /^HOOK codex NODE 300 KEY \|\| \{ test \$\? = 2 \|\| echo .* >&2; exit 2; \}$/;
    expect(JSON.parse(world.read(hooksFile)).hooks).toEqual({
      PreToolUse: [{ matcher: "*", ...ours(expect.stringMatching(aloud), 300) }],
      PostToolUse: [{ matcher: "*", ...ours("HOOK codex NODE after:30 KEY", 30) }],
      UserPromptSubmit: [ours("HOOK codex NODE task:30 KEY", 30)],
    });
  });

  it("knows a hook by the hash that Codex has for it", () => {
    const { world, identities } = setUp();
    const hook = (command: string) => ({ type: "command", command, timeout: 30, statusMessage: "toolgate" });
    const file = world.write(hooksFile, {
      hooks: {
        PreToolUse: [
          { hooks: [hook("other.sh")] },
          { matcher: "*", hooks: [hook("other.sh"), hook("/opt/hook.sh codex")] },
        ],
        UserPromptSubmit: [{ matcher: "ignored", hooks: [hook("/opt/hook.sh codex task")] }],
      },
    });
    // What `hooks/list` of codex app-server 0.166.0 says of these.
    expect(identities()).toEqual([
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
    const { world, install, problems, trust, step, identities } = setUp();
    install();
    expect(world.has(configFile)).toBe(false);
    expect(problems()).toEqual([
      expect.stringMatching(/^hook-trust: Codex skips toolgate's hooks without a word: .* is not trusted/),
    ]);
    await trust();
    expect(problems()).toEqual([]);
    expect(step()).toBeUndefined();
    const text = world.read(configFile);
    for (const { key, hash } of identities())
      expect(text).toContain(`[hooks.state."${key}"]\ntrusted_hash = "${hash}"\n`);
    install();
    expect(world.read(configFile)).toBe(text);
  });

  it.for<readonly [string, string | RegExp, string, string]>([
    ["was changed since", /sha256:\w/, "sha256:x", "was changed since it was trusted"],
    ["was switched off", "trusted_hash", "enabled = false\ntrusted_hash", "is switched off there"],
  ])("sees a hook that %s, and trusts it again when it is told to", async ([, from, to, told]) => {
    const { world, problems, step, trust } = await trusting();
    world.edit(configFile, (text) => text.replace(from, to));
    expect(problems()[0]).toContain(told);
    expect(step()).toBeDefined();
    await trust();
    expect(problems()).toEqual([]);
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
    const { world, install, uninstall, problems } = await trusting(config, hooks);
    install();
    expect(problems()).toEqual([]);
    uninstall();
    const now = (file: string) => (world.has(file) ? world.read(file) : undefined);
    expect([now(configFile), now(hooksFile)]).toEqual([config, hooks]);
    expect(world.has("home/.codex")).toBe(config !== undefined);
  });

  it("takes out only its own when Codex has written into its settings since", async () => {
    const { world, uninstall } = await trusting('model = "x"\n');
    const more = '\n[projects."/work"]\ntrust_level = "trusted"\n';
    world.edit(configFile, (text) => text + more);
    uninstall();
    expect(world.read(configFile).replace(/\n{3,}/g, "\n\n")).toBe(`model = "x"\n${more}`);
  });

  it("finds Codex's folder where the variable says, behind links", async () => {
    const { world, install, trust, identities, problems, uninstall } = setUp(({ path }) => {
      mkdirSync(path("real"));
      symlinkSync("real", path("linked"));
      return { CODEX_HOME: path("linked") };
    });
    install();
    await trust();
    expect(identities()[0]?.key).toBe(`${world.path("real/hooks.json")}:pre_tool_use:0:0`);
    expect(problems()).toEqual([]);
    uninstall();
    expect(world.has("real/config.toml")).toBe(false);
  });

  it("needs trust in the project too where the hooks are the project's", async () => {
    const { world, install, uninstall, trust, problems } = setUp();
    install("project");
    await trust("project");
    expect(problems()).toEqual([expect.stringMatching(/^project-trust: .* does not say so of /)]);
    const trusted = `[projects."${world.project}"]\ntrust_level = "trusted"`;
    world.edit(configFile, (text) => `${text}\n${trusted}\n`);
    expect(problems()).toEqual([]);
    uninstall("project");
    expect(world.read(configFile).trim()).toBe(trusted);
    expect(world.has("project/.codex")).toBe(false);
  });

  it.for([
    [
      "project/.codex/config.toml",
      "[features]\nhooks = false\n",
      /^hooks-off: .*project\/\.codex\/config\.toml/,
    ],
    [
      "etc/requirements.toml",
      "allow_managed_hooks_only = true\n",
      /^hooks-off: .*only the hooks of an admin/,
    ],
  ] as const)("sees what switches the hooks off in %s", async ([file, text, told]) => {
    const { world, problems } = await trusting();
    world.write(file, text);
    expect(problems()).toEqual([expect.stringMatching(told)]);
  });
});
