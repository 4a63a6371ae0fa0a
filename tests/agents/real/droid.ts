/** Factory's droid: its wrapper package lacks the program, which has one for each system. */
import { npmProgram } from "../npm-package.ts";
import type { Workbench } from "../workbench.ts";
import type { RealAgent } from "./real-agent.ts";

const droidPackage = { name: "@factory/cli-linux-x64", version: "0.225.2" };
const program = npmProgram({
  agent: "droid",
  package: droidPackage,
  file: "@factory/cli-linux-x64/bin/droid",
});
const settings = ".factory/settings.json";

export const droid: RealAgent = {
  name: "droid",
  ...program,
  variables: () => ({
    FACTORY_API_KEY: "fk-x",
    // Nobody listens there.
    FACTORY_API_BASE_URL: "http://127.0.0.1:9",
    FACTORY_TELEMETRY_INGEST_BASE_URL: "http://127.0.0.1:9",
    FACTORY_DROID_AUTO_UPDATE_ENABLED: "false",
    FACTORY_DISABLE_KEYRING: "1",
  }),
  configure(bench, { modelUrl, mcpServers }) {
    const fake = {
      model: "fake-model",
      displayName: "fake",
      baseUrl: `${modelUrl}/v1`,
      apiKey: "x",
      provider: "generic-chat-completion-api",
      maxOutputTokens: 4_096,
    };
    bench.write(settings, { customModels: [fake] });
    const typed = Object.entries(mcpServers).map(([name, server]) => [name, { type: "stdio", ...server }]);
    bench.write(".factory/mcp.json", { mcpServers: Object.fromEntries(typed) });
  },
  hook: { shortenWaits },
  command: (prompt) => ({
    program: program.find() ?? "droid",
    args: ["exec", "-m", "custom:fake-0", "--skip-permissions-unsafe", prompt],
  }),
  calls: {
    shell: (command) => ({ tool: "Execute", input: { summary: "Try it", command } }),
    write: (file_path, content) => ({ tool: "Create", input: { file_path, content } }),
    read: (file_path) => ({ tool: "Read", input: { file_path } }),
    fetch: (url) => ({ tool: "FetchUrl", input: { url } }),
    mcp: (server, tool) => ({ tool: `${server}___${tool}`, input: {} }),
  },
};

function shortenWaits(bench: Workbench): void {
  const shorter = JSON.parse(bench.read(settings), (key, value) => (key === "timeout" ? 2 : value));
  bench.write(settings, shorter);
}
