/** Copilot CLI. */
import { npmProgram } from "../npm-package.ts";
import type { Workbench } from "../workbench.ts";
import type { RealAgent } from "./real-agent.ts";

const system = `${process.platform}-${process.arch}`;
const program = npmProgram({
  agent: "copilot",
  package: { name: "@github/copilot", version: "1.0.102" },
  // Its own launcher is a module of Node; the build for this system is a program.
  file: `@github/copilot-${system}/copilot`,
});

export const copilot: RealAgent = {
  name: "copilot",
  ...program,
  variables: () => ({
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_PROVIDER_API_KEY: "dummy",
    COPILOT_MODEL: "scripted",
    // Nobody listens there: only a session is told where the model is.
    COPILOT_PROVIDER_BASE_URL: "http://127.0.0.1:9/v1",
  }),
  configure(bench, { mcpServers }) {
    const servers = Object.entries(mcpServers).map(([name, server]) => [
      name,
      { type: "local", tools: ["*"], ...server },
    ]);
    bench.write(".copilot/mcp-config.json", { mcpServers: Object.fromEntries(servers) });
  },
  hook: { shortenWaits },
  command: (prompt, { modelUrl }) => ({
    program: program.find() ?? "copilot",
    args: ["--allow-all-tools", "--allow-all-paths", "-p", prompt],
    env: { COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1` },
  }),
  calls: {
    shell: (command) => ({
      tool: "bash",
      input: { command, description: "As told", mode: "sync", initial_wait: 10 },
    }),
    write: (path, file_text) => ({ tool: "create", input: { path, file_text } }),
    read: (path) => ({ tool: "view", input: { path } }),
    mcp: (server, tool) => ({ tool: `${server}-${tool}`, input: {} }),
    subAgent: (prompt) => ({
      tool: "task",
      input: {
        description: "Look around",
        prompt,
        agent_type: "general-purpose",
        name: "helper",
        mode: "sync",
      },
    }),
  },
};

/** Copilot waits for six seconds, our script for four. */
function shortenWaits(bench: Workbench): void {
  const file = ".copilot/hooks/toolgate.json";
  bench.write(
    file,
    bench
      .read(file)
      .replaceAll(/"timeoutSec": \d+/g, '"timeoutSec": 6')
      .replaceAll(" 300 ", " 4 "),
  );
}
