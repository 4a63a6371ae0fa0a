/** Kimi Code. */
import { npmProgram } from "../npm-package.ts";
import type { Workbench } from "../workbench.ts";
import type { RealAgent } from "./real-agent.ts";

const kimiPackage = { name: "@moonshot-ai/kimi-code", version: "2.1.0" };
const program = npmProgram({
  agent: "kimi",
  package: kimiPackage,
  file: "@moonshot-ai/kimi-code/dist/main.mjs",
});
const settings = ".kimi-code/config.toml";

export const kimi: RealAgent = {
  name: "kimi",
  ...program,
  variables: () => ({ KIMI_DISABLE_TELEMETRY: "1", KIMI_CODE_NO_AUTO_UPDATE: "1" }),
  configure(bench, { modelUrl, mcpServers }) {
    bench.write(
      settings,
      `# Ann's own settings.
default_model = "fake"

[providers.fake]
type = "openai"
base_url = "${modelUrl}/v1"
api_key = "x"

[models.fake]
provider = "fake"
model = "fake-model"
max_context_size = 100000
`,
    );
    bench.write(".kimi-code/mcp.json", { mcpServers });
  },
  hook: { shortenWaits },
  command: (prompt) => ({
    program: process.execPath,
    args: [program.find() ?? "", "-p", prompt],
  }),
  refusesItself: {
    "write .env": "matches a sensitive-file pattern",
    "read .env": "matches a sensitive-file pattern",
  },
  calls: {
    shell: (command) => ({ tool: "Bash", input: { command } }),
    write: (path, content) => ({ tool: "Write", input: { path, content } }),
    read: (path) => ({ tool: "Read", input: { path } }),
    fetch: (url) => ({ tool: "FetchURL", input: { url } }),
    mcp: (server, tool) => ({ tool: `mcp__${server}__${tool}`, input: {} }),
    subAgent: (prompt) => ({ tool: "Agent", input: { description: "Look around", prompt } }),
  },
};

function shortenWaits(bench: Workbench): void {
  bench.write(settings, bench.read(settings).replaceAll(/^timeout = \d+$/gm, "timeout = 2"));
}
