/** Grok. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { npmProgram } from "../npm-package.ts";
import type { Workbench } from "../workbench.ts";
import type { AgentWorld, RealAgent } from "./real-agent.ts";

const wanted = { name: "@xai-official/grok", version: "1.0.41" };
const packed = `${wanted.name}-${process.platform}-${process.arch}/bin/grok`;
/** The package holds its program packed; a script, which nobody runs here, would unpack it into the home. */
const installed = npmProgram({ agent: "grok", package: wanted, file: packed, finish: unpack });

function unpack(folder: string): void {
  const program = join(folder, "node_modules", packed);
  writeFileSync(program, brotliDecompressSync(readFileSync(`${program}.br`)), { mode: 0o755 });
  const said = execFileSync(program, ["--version"], { encoding: "utf8", timeout: 60_000 });
  if (!said.startsWith(`grok ${wanted.version} `)) throw new Error(`It says that it is ${said}`);
}

export const grok: RealAgent = {
  name: "grok",
  ...installed,
  variables: () => ({ XAI_API_KEY: "dummy", GROK_DISABLE_AUTOUPDATER: "1" }),
  configure: (bench, world) => void bench.write(".grok/config.toml", configFor(world)),
  hook: { shortenWaits },
  command: (prompt) => ({
    program: installed.find() ?? "grok",
    args: ["-p", prompt, "-m", "scripted", "--always-approve"],
  }),
  calls: {
    shell: (command) => ({ tool: "run_terminal_command", input: { command, description: "As told" } }),
    write: (file_path, content) => ({ tool: "write", input: { file_path, content } }),
    read: (target_file) => ({ tool: "read_file", input: { target_file } }),
    mcp: (server, tool) => ({
      tool: "use_tool",
      input: { tool_name: `${server}__${tool}`, tool_input: {} },
    }),
    subAgent: (prompt) => ({
      tool: "spawn_subagent",
      input: { description: "Look around", prompt, background: false },
    }),
  },
  timeoutMs: 180_000,
};

function configFor({ modelUrl, mcpServers }: AgentWorld): string {
  const servers = Object.entries(mcpServers).map(
    ([name, { command, args }]) =>
      `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
  );
  return `[cli]
auto_update = false
[features]
telemetry = "off"
[models]
default = "scripted"
[model.scripted]
model = "scripted"
name = "scripted"
base_url = "${modelUrl}/v1"
env_key = "XAI_API_KEY"
api_backend = "chat_completions"
context_window = 100000
${servers.join("")}`;
}

/** Grok waits for six seconds, our script for four. */
function shortenWaits(bench: Workbench): void {
  const file = ".grok/hooks/toolgate.json";
  bench.write(
    file,
    bench
      .read(file)
      .replaceAll(/"timeout": \d+/g, '"timeout": 6')
      .replaceAll(" 300 ", " 4 "),
  );
}
