/** pi. The packages that its versions from 1.0 on are made of are not all published. */
import { npmProgram } from "../npm-package.ts";
import type { RealAgent } from "./real-agent.ts";
import { breakResident } from "./resident-faults.ts";

const installed = npmProgram({
  agent: "pi",
  package: { name: "@earendil-works/pi-coding-agent", version: "0.87.1" },
  file: "@earendil-works/pi-coding-agent/dist/cli.js",
});

export const pi: RealAgent = {
  name: "pi",
  ...installed,
  variables: () => ({ PI_OFFLINE: "1", PI_TELEMETRY: "0" }),
  configure(bench, { modelUrl }) {
    bench.write(".pi/agent/models.json", {
      providers: {
        scripted: {
          baseUrl: `${modelUrl}/v1`,
          api: "openai-completions",
          apiKey: "dummy",
          models: [{ id: "scripted" }],
        },
      },
    });
  },
  hook: { breakHook: breakResident },
  command: (prompt) => ({
    program: process.execPath,
    args: [installed.find() ?? "pi", "--provider", "scripted", "--model", "scripted", "-p", prompt],
  }),
  calls: {
    shell: (command) => ({ tool: "bash", input: { command } }),
    write: (path, content) => ({ tool: "write", input: { path, content } }),
    read: (path) => ({ tool: "read", input: { path } }),
  },
};
