/** An agent that does not exist, added through the port alone: JSON in, JSON out, every exit code but 0 ignored. */
import type { AgentAdapter } from "../../../src/agents/agent.ts";
import type { AgentHook } from "../../../src/agents/agent-hook.ts";
import type { AgentSetup } from "../../../src/agents/agent-setup.ts";
import { ok } from "../../../src/agents/setup-finding.ts";

/** It sends `{"do", "with", "where", "interactive"}` and runs whatever is not answered with `{"no": ...}`. */
const hook: AgentHook = {
  read(text) {
    try {
      const { do: tool, with: input, where: cwd, interactive, event = "PreToolUse" } = JSON.parse(text);
      if (typeof tool !== "string") return { ok: false, message: "The fake agent names no tool." };
      const agentType = interactive === true ? "interactive" : "headless";
      return { ok: true, input: { event, tool, input, mode: "act", cwd, agentType } };
    } catch {
      return { ok: false, message: "The fake agent sent no JSON." };
    }
  },
  write(_event, { verdict, reason, input, contexts }) {
    const say = (said: object) =>
      ({ stdout: JSON.stringify(said), stderr: "", exitCode: 0, mustArrive: true }) as const;
    if (verdict === "allow") return say({ yes: true, ...(input && { with: input }) });
    if (verdict === "ask") return say({ ask: reason });
    if (verdict === "deny") return say({ no: reason });
    return input === undefined && contexts.length === 0
      ? { stdout: "", stderr: "", exitCode: 0 }
      : say({ ...(input && { with: input }), ...(contexts.length > 0 && { note: contexts.join("\n") }) });
  },
  ownPrompt: ({ agentType }) => ({ asks: agentType === "interactive", isOn: agentType === "interactive" }),
};

const setup: AgentSetup = {
  abilities: {
    deny: "told",
    ask: "own prompt",
    contextBefore: true,
    contextAfter: false,
    rewrite: true,
    callId: false,
    subAgents: "none",
    onHookFailure: "runs the call",
    holes: [],
  },
  scopes: ["user"],
  signs: { programs: ["fake-agent"], folders: () => [] },
  install: () => ({ ok: true, files: [], notes: [] }),
  uninstall: () => ({ ok: true, files: [], notes: [] }),
  examine: () => ({ findings: [ok("hooks-installed", "It asks.")], covered: [], installed: [] }),
  findUntrusted: () => [],
  findServers: () => [],
  hookTrial: { call: (tool, input) => JSON.stringify({ do: tool, with: input }), refusalIn: () => undefined },
};

export const fakeAgent: AgentAdapter = {
  name: "fake",
  title: "Fake Agent",
  projectVariable: "FAKE_PROJECT",
  variables: ["FAKE_PROJECT"],
  sessionVariables: ["FAKE_PROJECT"],
  lastWords: (reason) => JSON.stringify({ no: reason }),
  loadHook: async () => hook,
  loadSetup: async () => setup,
};
