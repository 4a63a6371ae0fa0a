/** Claude Code. */
import {
  claudeCode as claudePackage,
  findClaudeCode,
  installClaudeCode,
  variablesOfClaude,
} from "../claude-code.ts";
import type { Workbench } from "../workbench.ts";
import type { RealAgent } from "./real-agent.ts";

export const claudeCode: RealAgent = {
  name: "claude-code",
  package: claudePackage,
  find: findClaudeCode,
  install: installClaudeCode,
  variables: variablesOfClaude,
  configure(bench, { mcpServers }) {
    // As root it refuses the mode that allows everything.
    const allow = [
      "Bash",
      "Write",
      "Read",
      "WebFetch",
      "Agent",
      ...Object.keys(mcpServers).map((name) => `mcp__${name}`),
    ];
    bench.write(".claude/settings.json", { permissions: { allow } });
  },
  hook: { shortenWaits },
  command: (prompt, { modelUrl, mcpServers }) => ({
    program: findClaudeCode() ?? "claude",
    args: [
      ...["-p", prompt, "--output-format", "stream-json", "--verbose"],
      ...["--strict-mcp-config", "--mcp-config", JSON.stringify({ mcpServers })],
    ],
    env: { ANTHROPIC_BASE_URL: modelUrl },
  }),
  calls: {
    shell: (command) => ({ tool: "Bash", input: { command } }),
    write: (file_path, content) => ({ tool: "Write", input: { file_path, content } }),
    read: (file_path) => ({ tool: "Read", input: { file_path } }),
    fetch: (url) => ({ tool: "WebFetch", input: { url, prompt: "What is it about?" } }),
    mcp: (server, tool) => ({ tool: `mcp__${server}__${tool}`, input: {} }),
    subAgent: (prompt) => ({
      tool: "Agent",
      input: {
        description: "Look around",
        prompt,
        subagent_type: "general-purpose",
        run_in_background: false,
      },
    }),
  },
};

function shortenWaits(bench: Workbench): void {
  const settings = JSON.parse(bench.read(".claude/settings.json"), (key, value) =>
    key === "timeout" ? 2 : value,
  );
  bench.write(".claude/settings.json", settings);
}
