/** Codex. */
import { findIdentities } from "../../../src/agents/codex/set-up/hook-trust.ts";
import { codexPackage, findCodex, installCodex } from "../codex.ts";
import type { Workbench } from "../workbench.ts";
import type { AgentWorld, RealAgent } from "./real-agent.ts";

export const codex: RealAgent = {
  name: "codex",
  package: codexPackage,
  find: findCodex,
  install: installCodex,
  variables: () => ({ TOOLGATE_TEST_KEY: "any" }),
  configure: (bench, world) => void bench.write(".codex/config.toml", configOf(world)),
  hook: { options: ["--trust"], shortenWaits },
  command: (prompt) => ({
    program: findCodex() ?? "codex",
    args: ["exec", "--skip-git-repo-check", prompt],
  }),
  calls: {
    shell: (command) => ({ tool: "exec_command", input: { cmd: command } }),
    write: (path, content) => ({ tool: "apply_patch", input: addFile(path, content) }),
    mcp: (server, tool) => ({ tool, namespace: `mcp__${server}`, input: {} }),
    subAgent: (prompt) => ({ tool: "spawn_agent", namespace: "multi_agent_v1", input: { message: prompt } }),
    waitForSubAgent: (started) => ({
      tool: "wait_agent",
      namespace: "multi_agent_v1",
      input: { targets: [/"agent_id":"([^"]+)"/.exec(started)?.[1]], timeout_ms: 60_000 },
    }),
  },
};

function configOf({ modelUrl, mcpServers }: AgentWorld): string {
  const servers = Object.entries(mcpServers).map(
    ([name, { command, args }]) => `
[mcp_servers.${name}]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
default_tools_approval_mode = "approve"
`,
  );
  // The tools of this model are offered one by one; those of newer ones only to scripts.
  return `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "TOOLGATE_TEST_KEY"
supports_websockets = false
request_max_retries = 0
stream_max_retries = 0
${servers.join("")}`;
}

export function addFile(path: string, content: string): string {
  const lines = content.replace(/\n$/, "").split("\n");
  return `*** Begin Patch\n*** Add File: ${path}\n${lines.map((line) => `+${line}\n`).join("")}*** End Patch\n`;
}

/** A changed hook is another one, and has to be trusted anew. */
function shortenWaits(bench: Workbench): void {
  const place = { home: bench.home, env: {}, projectDir: bench.project, scope: "user" } as const;
  const old = findIdentities(place);
  const hooks = bench.read(".codex/hooks.json");
  bench.write(
    ".codex/hooks.json",
    hooks.replaceAll(/"timeout": \d+/g, '"timeout": 6').replaceAll(" 300 ", " 4 "),
  );
  let config = bench.read(".codex/config.toml");
  for (const [at, { hash }] of findIdentities(place).entries())
    config = config.replace(old[at]?.hash ?? "", hash);
  bench.write(".codex/config.toml", config);
}
