/** Qwen Code. */
import { npmProgram } from "../npm-package.ts";
import type { Workbench } from "../workbench.ts";
import type { RealAgent } from "./real-agent.ts";

const program = npmProgram({
  agent: "qwen",
  package: { name: "@qwen-code/qwen-code", version: "0.24.4" },
  file: "@qwen-code/qwen-code/cli-entry.js",
});

export const qwen: RealAgent = {
  name: "qwen",
  ...program,
  variables: () => ({
    OPENAI_API_KEY: "dummy",
    // Nobody listens there.
    OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
    OPENAI_MODEL: "fake-model",
    QWEN_CODE_NO_RELAUNCH: "true",
    QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
  }),
  configure(bench, { mcpServers }) {
    if (bench.has(".qwen/settings.json")) return;
    bench.write(".qwen/settings.json", {
      $version: 3,
      security: { auth: { selectedType: "openai" } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      mcpServers,
    });
  },
  hook: { shortenWaits },
  command: (prompt, { modelUrl }) => ({
    program: process.execPath,
    args: [program.find() ?? "cli-entry.js", ...["--approval-mode", "yolo", "-p", prompt]],
    env: { OPENAI_BASE_URL: `${modelUrl}/v1` },
  }),
  calls: {
    shell: (command) => ({ tool: "run_shell_command", input: { command, is_background: false } }),
    write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
    read: (file_path) => ({ tool: "read_file", input: { file_path } }),
    fetch: (url) => ({ tool: "web_fetch", input: { url, prompt: "What is it about?" } }),
    mcp: (server, tool) => ({ tool: `mcp__${server}__${tool}`, input: {} }),
    subAgent: (prompt) => ({
      tool: "agent",
      input: {
        description: "Look around",
        prompt,
        subagent_type: "general-purpose",
        run_in_background: false,
      },
    }),
  },
};

/** The script gives its process up two seconds before the agent would; the agent itself waits for minutes. */
function shortenWaits(bench: Workbench): void {
  bench.write(".qwen/settings.json", bench.read(".qwen/settings.json").replace(" 300 ", " 4 "));
}
