/** One live agent behind the protocol: prompt after prompt, with everything that it asks for in between. */
import type { Json, JsonObject } from "../../../core/input/json.ts";
import type { IncomingRequest } from "../../../mcp/incoming-request.ts";
import { RpcError, rpcCodes } from "../../../mcp/messages.ts";
import { PeerClosed } from "../../../mcp/outgoing-requests.ts";
import type { PeerPorts } from "../../../mcp/peer.ts";
import { type Agent, RunnerError, type RunnerSession, type Turn, type TurnEnd } from "../../runner.ts";
import { AgentTools, type ToolRules } from "./agent-tools.ts";
import type { AgentWire } from "./agent-wire.ts";
import type { ClientTools } from "./client-tools.ts";
import type { GateServer } from "./gate-server.ts";
import type { AgentSession } from "./handshake.ts";
import { cancelled } from "./permission-answer.ts";
import { listIn, objectIn, tellError, textIn } from "./protocol.ts";
import { AgentSpeech, usageIn } from "./turn-log.ts";

export interface AcpAgentParts {
  readonly session: RunnerSession;
  readonly rules: ToolRules;
  /** Undefined: the agent works with its own. */
  readonly clientTools: ClientTools | undefined;
}

interface RunningTurn {
  readonly signal: AbortSignal;
  readonly speech: AgentSpeech;
  readonly tools: AgentTools;
  /** Of version 2: the agent has nothing more to do. */
  idle: PromiseWithResolvers<string>;
}

export class AcpAgent implements Agent {
  readonly #parts: AcpAgentParts;
  #wire: AgentWire | undefined;
  #opened: AgentSession | undefined;
  #server: GateServer | undefined;
  #turn: RunningTurn | undefined;
  /** Requests of the agent that it may take back. */
  readonly #asked = new Map<Json, AbortController>();
  #closing: Promise<void> | undefined;
  /** Nothing was said in its session yet: what the person wants of it in general comes first. */
  #isNew: boolean;

  constructor(parts: AcpAgentParts) {
    this.#parts = parts;
    this.#isNew = parts.session.agentSessionId === undefined;
  }

  get turnSignal(): AbortSignal | undefined {
    return this.#turn?.signal;
  }

  /** For the connection, which is there before the session of the agent is. */
  readonly handlers: Pick<PeerPorts, "onRequest" | "onNotification"> = {
    onRequest: (request) => this.#answer(request),
    onNotification: (method, params) => this.#hear(method, params),
  };

  started(wire: AgentWire, server: GateServer | undefined): void {
    this.#wire = wire;
    this.#server = server;
  }

  opened(session: AgentSession): void {
    this.#opened = session;
  }

  async turn(turn: Turn): Promise<TurnEnd> {
    const { prompt, signal, log } = turn;
    const [wire, opened] = [this.#wire, this.#opened];
    if (wire === undefined || opened === undefined || this.#closing !== undefined)
      throw new RunnerError("agent_died", "The agent was closed.", { retryable: true });
    const failed = Promise.withResolvers<never>();
    failed.promise.catch(() => {});
    const { session, rules } = this.#parts;
    const speech = new AgentSpeech(log, failed.reject);
    const tools = new AgentTools({
      ...{ session, rules, speech, signal, turn: turn.number },
      agent: opened.agent,
      server: this.#server,
      fail: failed.reject,
    });
    const running: RunningTurn = { signal, speech, tools, idle: Promise.withResolvers() };
    this.#turn = running;
    const onAbort = () => wire.peer.notify("session/cancel", { sessionId: opened.sessionId });
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      for (let text: string | undefined = prompt; ; ) {
        const ended = this.#prompt(wire, opened, text, running);
        ended.catch(() => {});
        const stopReason = await Promise.race([ended, failed.promise, wire.gone]);
        speech.endMessage();
        await speech.written();
        signal.throwIfAborted();
        // What came meanwhile to go into this turn: the protocol takes it when the agent is done.
        text = await Promise.race([failed.promise, turn.takeSteering()]);
        if (text === undefined) return { stopReason };
        running.idle = Promise.withResolvers();
      }
    } catch (error) {
      // The connection is closed when the agent is gone, and that is the better thing to say.
      if (error instanceof PeerClosed) await wire.gone;
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
      speech.endMessage();
      await speech.written();
      tools.close();
      this.#turn = undefined;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    for (const controller of this.#asked.values()) controller.abort();
    this.#parts.clientTools?.close();
    await this.#wire?.close();
    await this.#server?.close();
  }

  async #prompt(wire: AgentWire, opened: AgentSession, text: string, turn: RunningTurn): Promise<string> {
    const { sessionId, version } = opened;
    const { system } = this.#parts.session;
    const first = this.#isNew && system !== undefined ? [{ type: "text", text: system }] : [];
    const prompt = [...first, { type: "text", text }];
    this.#isNew = false;
    let answer: JsonObject;
    try {
      answer = await wire.peer.request("session/prompt", { sessionId, prompt });
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw new RunnerError("model_failed", `${opened.agent.name} could not answer: ${tellError(error)}`);
    }
    const used = usageIn(answer);
    if (used !== undefined) turn.speech.usage(used);
    return version === 1 ? (textIn(answer.stopReason) ?? "end_turn") : turn.idle.promise;
  }

  #hear(method: string, params: JsonObject): void {
    if (method === "$/cancel_request") this.#asked.get(params.requestId ?? null)?.abort();
    const turn = this.#turn;
    // What is replayed when a session is loaded was in the log before, and is not written again.
    if (method !== "session/update" || turn === undefined || turn.signal.aborted) return;
    const update = objectIn(params.update);
    const isOurs = params.sessionId === this.#opened?.sessionId;
    takeUpdate(update, turn, isOurs);
  }

  async #answer(request: IncomingRequest): Promise<JsonObject> {
    const { method, params, id } = request;
    const turn = this.#turn;
    const isPermission = method === "session/request_permission";
    const { clientTools } = this.#parts;
    if (!isPermission && clientTools === undefined)
      throw new RpcError(rpcCodes.methodNotFound, `This client has no method ${method}.`);
    if (turn === undefined || turn.signal.aborted) {
      if (isPermission) return cancelled;
      throw new RpcError(rpcCodes.invalidRequest, "No turn of the session runs.");
    }
    const controller = new AbortController();
    this.#asked.set(id, controller);
    const signal = AbortSignal.any([controller.signal, turn.signal, request.signal]);
    try {
      if (isPermission) return await untilAborted(turn.tools.permission(params, signal), signal);
      const answer = clientTools?.answer(method, params, turn.signal);
      if (answer === undefined)
        throw new RpcError(rpcCodes.methodNotFound, `This client has no method ${method}.`);
      return await answer;
    } finally {
      this.#asked.delete(id);
    }
  }
}

function takeUpdate(update: JsonObject, turn: RunningTurn, isOurs: boolean): void {
  const { speech, tools, idle } = turn;
  const { sessionUpdate: kind, content } = update;
  if (kind === "tool_call" || kind === "tool_call_update") tools.update(update);
  // A sub-agent's words are not the agent's.
  else if (!isOurs) return;
  else if (kind === "agent_message_chunk") speech.chunk(content, textIn(update.messageId));
  else if (kind === "agent_message") speech.whole(content, textIn(update.messageId));
  else if (kind === "plan") speech.plan(listIn(update.entries));
  else if (kind === "plan_update") speech.plan(listIn(objectIn(update.plan).entries));
  else if (kind === "notice") speech.note(`The agent says: ${textIn(update.title) ?? ""}`);
  else if (kind === "state_update" && update.state === "idle") {
    const { stopReason, error } = update;
    if (stopReason === "error")
      idle.reject(new RunnerError("model_failed", textIn(objectIn(error).message) ?? "The agent failed."));
    else idle.resolve(textIn(stopReason) ?? "end_turn");
  }
}

/** The question is open no more: the agent is told so at once, and the gate takes it back meanwhile. */
function untilAborted(answer: Promise<JsonObject>, signal: AbortSignal): Promise<JsonObject> {
  answer.catch(() => {});
  const aborted = Promise.withResolvers<JsonObject>();
  const stop = () => aborted.resolve(cancelled);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return Promise.race([answer, aborted.promise]).finally(() => signal.removeEventListener("abort", stop));
}
