/** Real agents as runners over the Agent Client Protocol: started so that they ask about every tool. */
import type { AcpRunnerOptions } from "../../../src/index.ts";
import type { Workbench } from "../workbench.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import type { RealAgent } from "./real-agent.ts";

export interface AcpAgentCase {
  readonly agent: RealAgent;
  /** What docs/acp.md tells people to configure. */
  options(bench: Workbench, modelUrl: string): Pick<AcpRunnerOptions, "command"> & Partial<AcpRunnerOptions>;
  /** What the model hears of a call that was refused. */
  readonly refusal: string | undefined;
  /** False: it does not find its own sessions again, and says so. */
  readonly resumes: boolean;
  /** How the agent's model calls a tool of the gate. */
  ofGate(tool: string): string;
}

/** The first with a pattern: without one, commands that the agent takes for harmless run unasked. */
const askAll = `[[rule]]
toolName = "run_shell_command"
argsPattern = "."
decision = "ask_user"
priority = 999

[[rule]]
toolName = "*"
decision = "ask_user"
priority = 998
`;

export const acpAgents: readonly AcpAgentCase[] = [
  {
    agent: opencode,
    options: (bench) => ({
      command: [opencode.find() ?? "opencode", "acp"],
      env: { ...bench.env, OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: { "*": "ask" } }) },
      // What it runs for a tool that the model made up: it only says so.
      unasked: ["invalid"],
    }),
    // It ends the turn instead.
    refusal: undefined,
    resumes: true,
    ofGate: (tool) => `toolgate_${tool}`,
  },
  {
    agent: gemini,
    options: (bench, modelUrl) => {
      const policy = bench.write("ask-all.toml", askAll);
      const args = [
        "--acp",
        "--approval-mode",
        "default",
        "--admin-policy",
        policy,
        "-m",
        "gemini-2.5-flash",
      ];
      return {
        command: [process.execPath, gemini.find() ?? "gemini.js", ...args],
        env: { ...bench.env, GOOGLE_GEMINI_BASE_URL: modelUrl },
        titleIsCommand: true,
        judgeByKind: ["search"],
        idNamesTool: true,
      };
    },
    refusal: "was canceled by the user",
    // "No previous sessions found for this project", though its files are there.
    resumes: false,
    ofGate: (tool) => `mcp_toolgate_${tool}`,
  },
];
