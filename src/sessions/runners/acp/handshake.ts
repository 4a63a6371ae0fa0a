/** From a started agent to a session of it: version, login, and a new session or the one from before. */
import type { JsonObject } from "../../../core/input/json.ts";
import { RpcError } from "../../../mcp/messages.ts";
import { PeerTimeout } from "../../../mcp/outgoing-requests.ts";
import type { Peer } from "../../../mcp/peer.ts";
import { RunnerError } from "../../runner.ts";
import { type AcpVersion, acpCodes, acpVersions, listIn, objectIn, tellError, textIn } from "./protocol.ts";

export interface HandshakeOptions {
  readonly name: string;
  readonly cwd: string;
  readonly mcpServers: readonly JsonObject[];
  /** Files and terminals of ours. */
  readonly clientTools: boolean;
  /** The way to log in, if the agent asks for one. */
  readonly authMethod: string | undefined;
  readonly model: string | undefined;
  readonly agentSessionId: string | undefined;
  readonly timeoutMs: number;
}

export interface AgentSession {
  readonly version: AcpVersion;
  readonly sessionId: string;
  /** What the agent says of itself. */
  readonly agent: { readonly name: string; readonly version: string | undefined };
}

interface Introduced extends Pick<AgentSession, "version" | "agent"> {
  readonly capabilities: JsonObject;
  readonly authMethods: readonly { readonly id: string; readonly name: string }[];
}

const ourselves = { name: "toolgate", version: "1" };

export async function openSession(peer: Peer, options: HandshakeOptions): Promise<AgentSession> {
  const introduced = await introduce(peer, options);
  if (options.authMethod !== undefined) await logIn(peer, introduced, options);
  const { sessionId, said } = await enter(peer, introduced, options);
  const { name, timeoutMs, model } = options;
  if (model !== undefined)
    await chooseModel(peer, introduced, { name, timeoutMs, sessionId, model, offered: said });
  const { version, agent } = introduced;
  return { version, agent, sessionId };
}

/** Both forms at once: an agent that knows version 1 alone answers so, and reads its own fields. */
async function introduce(peer: Peer, options: HandshakeOptions): Promise<Introduced> {
  const { name, clientTools, timeoutMs } = options;
  const fs = { readTextFile: clientTools, writeTextFile: clientTools };
  const params = {
    protocolVersion: acpVersions.at(-1) ?? 1,
    clientInfo: ourselves,
    clientCapabilities: { fs, terminal: clientTools },
    info: ourselves,
    capabilities: {},
  };
  const answer = await ask(peer, "initialize", params, { name, timeoutMs });
  const version = acpVersions.find((one) => one === answer.protocolVersion);
  if (version === undefined)
    throw new RunnerError(
      "runner_missing",
      `${name} speaks version ${JSON.stringify(answer.protocolVersion ?? null)} of the Agent Client Protocol; toolgate speaks ${acpVersions.join(" and ")}.`,
    );
  const said = objectIn(version === 1 ? answer.agentInfo : answer.info);
  return {
    version,
    agent: { name: textIn(said.name) ?? name, version: textIn(said.version) },
    capabilities: objectIn(version === 1 ? answer.agentCapabilities : answer.capabilities),
    authMethods: listIn(answer.authMethods).flatMap((method) => {
      const id = textIn(version === 1 ? method.id : method.methodId);
      return id === undefined ? [] : [{ id, name: textIn(method.name) ?? id }];
    }),
  };
}

async function logIn(peer: Peer, { version, authMethods }: Introduced, options: HandshakeOptions) {
  const { name, authMethod = "", timeoutMs } = options;
  if (!authMethods.some(({ id }) => id === authMethod))
    throw new RunnerError(
      "runner_missing",
      `${name} has no way to log in called "${authMethod}"; it has: ${waysIn(authMethods)}.`,
    );
  const method = version === 1 ? "authenticate" : "auth/login";
  await ask(peer, method, { methodId: authMethod }, { name, timeoutMs });
}

async function enter(peer: Peer, introduced: Introduced, options: HandshakeOptions) {
  const { cwd, mcpServers, agentSessionId: sessionId, name } = options;
  const { authMethods } = introduced;
  const asked = { ...options, authMethods };
  if (sessionId === undefined) {
    const made = await ask(peer, "session/new", { cwd, mcpServers }, asked);
    const id = textIn(made.sessionId);
    if (id === undefined) throw new RunnerError("runner_failed", `${name} made a session without an id.`);
    return { sessionId: id, said: made };
  }
  const method = howToReturn(introduced);
  if (method === undefined)
    throw new RunnerError("agent_session_gone", `${name} cannot go on with a session from before. ${fresh}`);
  const said = await ask(peer, method, { sessionId, cwd, mcpServers }, { ...asked, isReturn: true });
  return { sessionId, said };
}

/** Without a replay of what was said, where there is a choice. */
function howToReturn({ version, capabilities }: Introduced): string | undefined {
  if (version === 2) return "session/resume";
  const { resume } = objectIn(capabilities.sessionCapabilities);
  if (resume !== undefined && resume !== null) return "session/resume";
  return capabilities.loadSession === true ? "session/load" : undefined;
}

interface ChosenModel extends Pick<HandshakeOptions, "name" | "timeoutMs"> {
  readonly sessionId: string;
  readonly model: string;
  /** What the agent said about its session. */
  readonly offered: JsonObject;
}

/** By the option of the session that is about models, or by the older request for it. */
async function chooseModel(peer: Peer, { version }: Introduced, chosen: ChosenModel): Promise<void> {
  const { name, sessionId, model, timeoutMs } = chosen;
  const option = listIn(chosen.offered.configOptions).find(({ category }) => category === "model");
  const configId = textIn(option?.id) ?? textIn(option?.configId);
  if (configId !== undefined) {
    const value = version === 1 ? { value: model } : { type: "id", value: model };
    await ask(peer, "session/set_config_option", { sessionId, configId, ...value }, { name, timeoutMs });
  } else if (listIn(objectIn(chosen.offered.models).availableModels).length > 0)
    await ask(peer, "session/set_model", { sessionId, modelId: model }, { name, timeoutMs });
  else
    throw new RunnerError(
      "runner_failed",
      `${name} does not let its model be chosen. Start the session without a model, or choose it in the agent's command.`,
    );
}

interface Asking extends Pick<HandshakeOptions, "name" | "timeoutMs"> {
  readonly authMethods?: Introduced["authMethods"];
  readonly isReturn?: boolean;
}

async function ask(peer: Peer, method: string, params: JsonObject, asking: Asking): Promise<JsonObject> {
  const { name, timeoutMs, authMethods = [], isReturn = false } = asking;
  try {
    return await peer.request(method, params, { timeoutMs });
  } catch (error) {
    if (error instanceof PeerTimeout)
      throw new RunnerError(
        "runner_failed",
        `${name} did not answer ${method} within ${timeoutMs} ms. Is it an agent that speaks the Agent Client Protocol on stdio?`,
        { retryable: true },
      );
    if (!(error instanceof RpcError)) throw error;
    if (error.code === acpCodes.authRequired)
      throw new RunnerError(
        "runner_missing",
        `${name} wants a login first (${tellError(error)}). Log in with the agent's own command, or name one of its ways in the runner's authMethod: ${waysIn(authMethods)}.`,
      );
    if (isReturn)
      throw new RunnerError(
        "agent_session_gone",
        `${name} does not know the session from before (${tellError(error)}). ${fresh}`,
      );
    throw new RunnerError("runner_failed", `${name} refused ${method}: ${tellError(error)}`);
  }
}

const fresh = "Start a new session; the log of this one stays.";

function waysIn(methods: Introduced["authMethods"]): string {
  return methods.map(({ id, name }) => `${id} (${name})`).join(", ") || "none";
}
