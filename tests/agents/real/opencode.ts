/** OpenCode, and what Kilo shares with it. */
import { npmProgram } from "../npm-package.ts";
import type { Workbench } from "../workbench.ts";
import type { AgentCalls, AgentWorld, RealAgent } from "./real-agent.ts";
import { breakResident } from "./resident-faults.ts";

/** npm unpacks the build for this system only; its own launcher would need an install script. */
const installed = npmProgram({
  agent: "opencode",
  package: { name: "opencode-ai", version: "1.18.33" },
  file: "opencode-linux-x64/bin/opencode",
});

export const opencode: RealAgent = {
  name: "opencode",
  ...installed,
  variables: () => quietOpencode,
  configure: (bench, world) => writeOpencodeConfig(bench, "opencode.json", world),
  hook: { breakHook: breakResident },
  command: (prompt) => ({ program: installed.find() ?? "opencode", args: ["run", prompt] }),
  calls: opencodeCalls(),
};

export const quietOpencode = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
};

export function writeOpencodeConfig(
  bench: Workbench,
  file: string,
  { modelUrl, mcpServers }: AgentWorld,
): void {
  const mcp = Object.entries(mcpServers).map(([name, { command, args }]) => [
    name,
    { type: "local", command: [command, ...args], enabled: true },
  ]);
  bench.write(`project/${file}`, {
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${modelUrl}/v1`, apiKey: "dummy" },
        models: {
          scripted: { name: "scripted", tool_call: true, limit: { context: 200_000, output: 8_000 } },
        },
      },
    },
    model: "scripted/scripted",
    small_model: "scripted/scripted",
    permission: { "*": "allow" },
    autoupdate: false,
    share: "disabled",
    mcp: Object.fromEntries(mcp),
  });
}

export function opencodeCalls(): AgentCalls {
  return {
    shell: (command) => ({ tool: "bash", input: { command, description: "Does it" } }),
    write: (filePath, content) => ({ tool: "write", input: { filePath, content } }),
    read: (filePath) => ({ tool: "read", input: { filePath } }),
    fetch: (url) => ({ tool: "webfetch", input: { url, format: "text" } }),
    mcp: (server, tool) => ({ tool: `${server}_${tool}`, input: {} }),
    subAgent: (prompt) => ({
      tool: "task",
      input: { description: "Look around", prompt, subagent_type: "general" },
    }),
  };
}
