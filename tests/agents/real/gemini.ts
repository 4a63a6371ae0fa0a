/** Gemini CLI. */
import { npmProgram } from "../npm-package.ts";
import type { Workbench } from "../workbench.ts";
import type { RealAgent } from "./real-agent.ts";

const program = npmProgram({
  agent: "gemini",
  package: { name: "@google/gemini-cli", version: "0.61.0" },
  file: "@google/gemini-cli/bundle/gemini.js",
});

export const gemini: RealAgent = {
  name: "gemini",
  ...program,
  variables: () => ({
    GEMINI_API_KEY: "dummy",
    // Nobody listens there.
    GOOGLE_GEMINI_BASE_URL: "http://127.0.0.1:9",
    // Without it a folder that nobody trusts is refused.
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    GEMINI_CLI_NO_RELAUNCH: "true",
  }),
  configure(bench, { mcpServers }) {
    if (bench.has(".gemini/settings.json")) return;
    bench.write(".gemini/settings.json", {
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      // After thirty turns it would ask the model whether it turns in circles.
      model: { disableLoopDetection: true },
      mcpServers,
    });
  },
  hook: { shortenWaits },
  command: (prompt, { modelUrl }) => ({
    program: process.execPath,
    args: [
      program.find() ?? "gemini.js",
      ...["-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-p", prompt],
    ],
    env: { GOOGLE_GEMINI_BASE_URL: modelUrl },
  }),
  refusesItself: { "write .env": "Path not in workspace", "read .env": "Path not in workspace" },
  calls: {
    shell: (command) => ({ tool: "run_shell_command", input: { command } }),
    write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
    read: (file_path) => ({ tool: "read_file", input: { file_path } }),
    fetch: (url) => ({ tool: "web_fetch", input: { prompt: `What is ${url} about?` } }),
    mcp: (server, tool) => ({ tool: `mcp_${server}_${tool}`, input: {} }),
    subAgent: (prompt) => ({ tool: "invoke_agent", input: { agent_name: "generalist", prompt } }),
  },
};

/** The script gives its process up two seconds before the agent would; the agent itself waits for minutes. */
function shortenWaits(bench: Workbench): void {
  bench.write(".gemini/settings.json", bench.read(".gemini/settings.json").replace(" 300 ", " 4 "));
}
