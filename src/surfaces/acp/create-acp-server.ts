/** The agent that an editor talks to over the Agent Client Protocol: sessions of the gate, driven from there. */
import { randomBytes } from "node:crypto";
import { isAbsolute } from "node:path";
import { isMode, modes } from "../../core/call/call.ts";
import { messageOf } from "../../core/call/errors.ts";
import type { JsonObject } from "../../core/input/json.ts";
import type { IncomingRequest } from "../../mcp/incoming-request.ts";
import { RpcError, rpcCodes } from "../../mcp/messages.ts";
import { Peer } from "../../mcp/peer.ts";
import type { LineTaker } from "../../mcp/serve-lines.ts";
import type { AcpServerOptions, AcpWorld } from "./acp-options.ts";
import { EditorSession } from "./editor-session.ts";
import { promptText } from "./prompt-text.ts";

export interface AcpConnection extends LineTaker {
  /** The sessions are left as they are. */
  close(): void;
}

/** Of the protocol: what was named is not there. */
const notFound = -32_002;
const shownModes = { act: "Act: tools run as the rules allow", plan: "Plan: read only" } as const;

export function connectEditor(options: AcpServerOptions, send: (json: string) => void): AcpConnection {
  const sessions = new Map<string, EditorSession>();
  const peer = new Peer({
    send,
    onRequest: (request) => answer(request),
    onNotification: (method, params) => {
      if (method !== "session/cancel") return;
      const cancelling = sessions.get(String(params.sessionId))?.cancel();
      cancelling?.catch((error: unknown) => options.tell(messageOf(error)));
    },
    onProblem: options.tell,
  });

  function answer({ method, params }: IncomingRequest): JsonObject | Promise<JsonObject> {
    if (method === "initialize") return introduction(options.version);
    if (method === "authenticate") return {};
    if (method === "session/new") return begin(params);
    if (method === "session/load") return load(params);
    if (method === "session/list") return list(params);
    if (method === "session/prompt") return find(params).prompt(promptText(params.prompt));
    if (method === "session/set_mode") return setMode(params);
    throw new RpcError(rpcCodes.methodNotFound, `There is no method ${method}.`);
  }

  function find({ sessionId }: JsonObject): EditorSession {
    const found = sessions.get(String(sessionId));
    if (found === undefined)
      throw new RpcError(notFound, `There is no session ${JSON.stringify(sessionId ?? null)}.`);
    return found;
  }

  async function begin(params: JsonObject): Promise<JsonObject> {
    const { cwd, world } = await openFolder(params);
    const id = `s-${randomBytes(9).toString("base64url")}`;
    const session = new EditorSession({ id, cwd, world, peer, options });
    sessions.set(id, session);
    return { sessionId: id, modes: modesOf(session) };
  }

  async function load(params: JsonObject): Promise<JsonObject> {
    const { cwd, world } = await openFolder(params);
    const id = String(params.sessionId);
    const record = await world.sessions.get(id);
    if (record === undefined || record.owner !== options.person.id)
      throw new RpcError(
        notFound,
        `There is no session ${JSON.stringify(id.slice(0, 80))} of ${options.person.id}.`,
      );
    sessions.get(id)?.leave();
    const session = new EditorSession({ id, cwd, world, peer, options });
    sessions.set(id, session);
    await session.load();
    return { modes: modesOf(session) };
  }

  async function list(params: JsonObject): Promise<JsonObject> {
    const { world } = await openFolder({ cwd: process.cwd(), ...params });
    const after = typeof params.cursor === "string" ? params.cursor : undefined;
    const page = await world.sessions.list({ owner: options.person.id, after });
    const shown = page.sessions.map(({ id, cwd, title, updatedAt }) => ({
      ...{ sessionId: id, cwd, title },
      updatedAt: new Date(updatedAt).toISOString(),
    }));
    return { sessions: shown, ...(page.next !== undefined && { nextCursor: page.next }) };
  }

  async function setMode(params: JsonObject): Promise<JsonObject> {
    const { modeId } = params;
    if (!isMode(modeId))
      throw new RpcError(
        rpcCodes.invalidParams,
        `A mode is ${modes.join(" or ")}, not ${JSON.stringify(modeId ?? null)}.`,
      );
    await find(params).setMode(modeId);
    return {};
  }

  async function openFolder({ cwd, mcpServers }: JsonObject): Promise<{ cwd: string; world: AcpWorld }> {
    if (typeof cwd !== "string" || !isAbsolute(cwd))
      throw new RpcError(
        rpcCodes.invalidParams,
        `cwd must be an absolute path, not ${JSON.stringify(cwd ?? null)}.`,
      );
    if (Array.isArray(mcpServers) && mcpServers.length > 0)
      options.tell(
        "The editor's own MCP servers are not used: their calls would pass no gate. Put them under upstreams in the configuration.",
      );
    try {
      return { cwd, world: await options.open(cwd) };
    } catch (error) {
      throw new RpcError(rpcCodes.invalidParams, messageOf(error));
    }
  }

  return {
    receiveText: (text) => peer.receiveText(text),
    refuse: (message) => peer.refuse(message),
    close() {
      for (const session of sessions.values()) session.leave();
      peer.close();
    },
  };
}

/** Version 1, whatever was asked for: the editor goes on with it or leaves. */
function introduction(version: string): JsonObject {
  return {
    protocolVersion: 1,
    agentInfo: { name: "toolgate", title: "toolgate", version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: false, audio: false, embeddedContext: true },
      sessionCapabilities: { list: {} },
    },
    authMethods: [],
  };
}

function modesOf({ mode }: EditorSession): JsonObject {
  const availableModes = modes.map((id) => {
    const [name = id, description = ""] = shownModes[id].split(": ");
    return { id, name, description };
  });
  return { currentModeId: mode, availableModes };
}
