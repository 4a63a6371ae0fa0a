/** What doctor lays down for a trial of Codex: the person's hooks and switches, and nothing that could reach anybody. */
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { codexClient } from "../../../../src/agents/codex/client.ts";
import { createWorld, type World } from "../claude-code/world.ts";

function trial(world: World) {
  const env = { XDG_STATE_HOME: "/trial/state" };
  const wanted = { prompt: "Try it.", modelUrl: "http://127.0.0.1:1", env, folder: "/trial" };
  const { files = [], ...rest } = codexClient.session({ ...wanted, place: world.request });
  const text = (path: string) => files.find((file) => file.path === path)?.text;
  return { ...rest, hooks: text("codex/hooks.json"), config: parse(text("codex/config.toml") ?? "") };
}

describe("a trial of Codex", () => {
  it("has the person's hooks, their trust and the switches", () => {
    const world = createWorld();
    const hooks = world.write("home/.codex/hooks.json", '{ "hooks": {} }');
    world.write(
      "home/.codex/config.toml",
      `[features]\nhooks = false\n[hooks.state."${hooks}:pre_tool_use:0:0"]\ntrusted_hash = "a"\n[hooks.state."/other:stop:0:0"]\nenabled = false\n`,
    );
    const { hooks: copied, config, env } = trial(world);
    expect(copied).toBe('{ "hooks": {} }');
    const state = {
      "/trial/codex/hooks.json:pre_tool_use:0:0": { trusted_hash: "a" },
      "/other:stop:0:0": { enabled: false },
    };
    expect(config).toMatchObject({ features: { hooks: false }, hooks: { state } });
    expect(env).toMatchObject({ CODEX_HOME: "/trial/codex", XDG_STATE_HOME: "/trial/state" });
  });

  it("has no servers, no other model, no notifier and no trusted project", () => {
    const world = createWorld();
    world.write(
      "home/.codex/config.toml",
      `model = "dear"\nnotify = ["x"]\n[mcp_servers.a]\ncommand = "x"\n[model_providers.b]\nbase_url = "https://x"\n[otel]\nexporter = "x"\n[projects."${world.project}"]\ntrust_level = "trusted"\n`,
    );
    const { config } = trial(world);
    expect(Object.keys(config).sort()).toEqual([
      ...["analytics", "approval_policy", "check_for_update_on_startup"],
      ...["model", "model_provider", "model_providers", "sandbox_mode"],
    ]);
    const toolgate = expect.objectContaining({ base_url: "http://127.0.0.1:1/v1" });
    expect(config.model_providers).toEqual({ toolgate });
  });

  it("trusts the project where toolgate's hooks are the project's", () => {
    const world = createWorld();
    world.write("home/.codex/config.toml", `[projects."${world.project}"]\ntrust_level = "trusted"\n`);
    const hook = { type: "command", command: "/opt/hook.cjs codex" };
    world.write("project/.codex/hooks.json", { hooks: { PreToolUse: [{ hooks: [hook] }] } });
    expect(trial(world).config.projects).toEqual({ [world.project]: { trust_level: "trusted" } });
  });

  it("starts also where nothing of Codex is there, or cannot be read", () => {
    const world = createWorld();
    expect(trial(world)).toMatchObject({ hooks: undefined, config: { model_provider: "toolgate" } });
    world.write("home/.codex/config.toml", "broken = ");
    expect(trial(world).config).toMatchObject({ model_provider: "toolgate" });
  });
});
