/** Cline's command line. */
import { npmProgram } from "../npm-package.ts";
import { endProcess, listProcesses, runProcess } from "../run-process.ts";
import type { Workbench } from "../workbench.ts";
import type { RealAgent } from "./real-agent.ts";
import { breakResident } from "./resident-faults.ts";

const installed = npmProgram({
  agent: "cline",
  package: { name: "cline", version: "3.0.65" },
  file: "@cline/cli-linux-x64/bin/cline",
});

const program = () => installed.find() ?? "cline";

export const cline: RealAgent = {
  name: "cline",
  ...installed,
  // A plugin that is not loaded within four seconds is dropped: one of its holes, and not to be tried by accident.
  variables: () => ({ CLINE_TELEMETRY_DISABLED: "1", CLINE_PLUGIN_IMPORT_TIMEOUT_MS: "60000" }),
  async configure(bench, { modelUrl, mcpServers }) {
    const provider = ["-p", "openai-compatible", "-k", "dummy", "-m", "scripted", "-b", `${modelUrl}/v1`];
    const { code, stderr } = await runProcess(program(), ["auth", ...provider], {
      cwd: bench.project,
      env: bench.env,
    });
    if (code !== 0) throw new Error(`cline auth ended with ${code}: ${stderr}`);
    bench.write(".cline/data/settings/cline_mcp_settings.json", { mcpServers });
  },
  hook: { breakHook: breakResident },
  command: (prompt) => ({
    program: program(),
    args: ["--json", "-P", "openai-compatible", "-m", "scripted", prompt],
  }),
  calls: {
    shell: (command) => ({ tool: "run_commands", input: { commands: [command] } }),
    write: (path, content) => ({ tool: "editor", input: { path, new_text: content } }),
    fetch: (url) => ({
      tool: "fetch_web_content",
      input: { requests: [{ url, prompt: "What is it about?" }] },
    }),
    mcp: (server, tool) => ({ tool: `${server}__${tool}`, input: {} }),
    subAgent: (task) => ({ tool: "spawn_agent", input: { systemPrompt: "You look around.", task } }),
  },
  cleanUp: endDaemons,
};

/** It leaves a hub behind, which a later session in the same folder would find. */
function endDaemons({ project }: Workbench): void {
  for (const one of listProcesses())
    if (one.words.includes(project) && one.words.some((word) => word.includes("cline")))
      endProcess(one, "SIGTERM");
}
