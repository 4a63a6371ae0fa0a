/** Starts an agent for a session and leads it to where prompts can come. */
import { randomBytes } from "node:crypto";
import type { Agent, RunnerSession } from "../../runner.ts";
import { AcpAgent } from "./acp-agent.ts";
import type { ToolRules } from "./agent-tools.ts";
import { startAgent } from "./agent-wire.ts";
import { ClientTools } from "./client-tools.ts";
import type { AcpRunnerOptions } from "./create-acp-runner.ts";
import { startGateServer } from "./gate-server.ts";
import { openSession } from "./handshake.ts";

export async function openAcpAgent(options: AcpRunnerOptions, session: RunnerSession): Promise<Agent> {
  const { name, command, env = {}, envPass = [], authMethod, maxMessageBytes = 32 * 1024 * 1024 } = options;
  const { idNamesTool = false } = options;
  const { cwd, calls, tell, offer, model, agentSessionId } = session;
  const newId = () => randomBytes(9).toString("base64url");
  const rules: ToolRules = {
    ungated: options.ungated ?? "end",
    unasked: options.unasked ?? [],
    titleIsCommand: options.titleIsCommand ?? false,
    judgeByKind: options.judgeByKind ?? [],
  };
  const hasClientTools = options.clientTools === true && offer === "agent";
  const clientTools = hasClientTools ? new ClientTools({ calls, cwd, newId }) : undefined;
  const agent = new AcpAgent({ session, rules, clientTools });
  const wire = await startAgent({ name, command, cwd, env, envPass, maxMessageBytes, tell }, agent.handlers);
  agent.started(wire, undefined);
  try {
    await session.keep({ agentProcess: wire.process });
    const turnSignal = () => agent.turnSignal;
    const server =
      offer === "gate" ? await startGateServer({ calls, turnSignal, newId, tell, idNamesTool }) : undefined;
    agent.started(wire, server);
    const opening = openSession(wire.peer, {
      ...{ name, cwd, authMethod, model, agentSessionId },
      mcpServers: server === undefined ? [] : [server.config],
      clientTools: hasClientTools,
      timeoutMs: options.startTimeoutMs ?? 60_000,
    });
    opening.catch(() => {});
    const ended = endOf(session.signal);
    const opened = await Promise.race([opening, wire.gone, ended.promise]).finally(ended.stop);
    agent.opened(opened);
    await session.keep({ agentSessionId: opened.sessionId });
    return agent;
  } catch (error) {
    await agent.close();
    await session.keep({ agentProcess: undefined });
    throw error instanceof Error && error.name === "PeerClosed" ? await wire.gone : error;
  }
}

/** Rejects when the session ends first. */
function endOf(signal: AbortSignal): { readonly promise: Promise<never>; readonly stop: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  return { promise, stop: () => signal.removeEventListener("abort", onAbort) };
}
