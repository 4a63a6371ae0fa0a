/** One client on one connection: the era of each message, what the client said, what it is told. */
import { isJsonObject, type JsonObject } from "../../core/input/json.ts";
import { shownName } from "../../core/text/visible.ts";
import { type ClientFacts, claimsModern, readEnvelope } from "../../mcp/eras.ts";
import type { IncomingRequest } from "../../mcp/incoming-request.ts";
import { RpcError, type RpcMessage, rpcCodes } from "../../mcp/messages.ts";
import { type Answer, Peer } from "../../mcp/peer.ts";
import { type Change, notificationOf } from "./changes.ts";
import { textParam, wrongParams } from "./exchange.ts";
import { ResourceWatch } from "./handlers/resource-watch.ts";
import { methodOf } from "./methods.ts";
import type { ServerContext } from "./server-context.ts";
import type { McpConnection, McpTransport } from "./server-parts.ts";
import { trimClientInfo } from "./trim-client-info.ts";

export class Connection implements McpConnection {
  /** Among all connections. */
  position = -1;
  readonly peer: Peer;
  readonly #server: ServerContext;
  readonly #transport: McpTransport;
  readonly #onClosed: (connection: Connection) => void;
  /** Set by `initialize`. */
  #client: ClientFacts | undefined;
  #watch: ResourceWatch | undefined;
  #stopChanges: (() => void) | undefined;
  #isClosed = false;

  constructor(transport: McpTransport, server: ServerContext, onClosed: (connection: Connection) => void) {
    this.#server = server;
    this.#transport = transport;
    this.#onClosed = onClosed;
    this.peer = new Peer({
      send: transport.send,
      onRequest: (request) => this.#answer(request),
      onNotification: (method) => this.#take(method),
      version: () => this.#client?.protocolVersion,
      ...(server.onProblem && { onProblem: server.onProblem }),
    });
  }

  get protocolVersion(): string | undefined {
    return this.#client?.protocolVersion;
  }

  /** The resources that an older client wants to hear about. */
  get watch(): ResourceWatch {
    this.#watch ??= new ResourceWatch(this.#server.reach, this.#transport);
    return this.#watch;
  }

  receive(message: unknown): void {
    this.peer.receive(message);
  }

  take(message: RpcMessage): void {
    this.peer.take(message);
  }

  receiveText(text: string): void {
    this.peer.receiveText(text);
  }

  refuse(message: string): void {
    this.peer.refuse(message);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopChanges?.();
    this.#watch?.close();
    this.peer.close();
    this.#onClosed(this);
  }

  /** Answers the version that both sides speak from now on. */
  initialize(params: JsonObject): string {
    if (this.#client !== undefined)
      throw new RpcError(rpcCodes.invalidRequest, "initialize was answered already.");
    textParam(params, "protocolVersion");
    if (!isJsonObject(params.capabilities)) throw wrongParams('"capabilities" must be an object.');
    if (!isJsonObject(params.clientInfo)) throw wrongParams('"clientInfo" must be an object.');
    const { protocolVersion, capabilities, clientInfo } = trimClientInfo(params);
    this.#client = { protocolVersion, clientInfo, clientCapabilities: capabilities };
    return protocolVersion;
  }

  #answer(request: IncomingRequest): Answer | Promise<Answer> {
    const transport = this.#transport;
    const { era = claimsModern(request.params) ? "modern" : "legacy" } = transport;
    const client = era === "legacy" ? this.#client : (transport.client ?? readEnvelope(request.params));
    const { method: name } = request;
    const found = methodOf(name);
    const method = (found?.era ?? era) === era ? found : undefined;
    if (client === undefined && method?.comesFirst !== true)
      throw new RpcError(
        rpcCodes.invalidRequest,
        `${name} came before initialize. Begin with initialize, or say with every request which version it speaks (_meta).`,
      );
    if (method === undefined)
      throw new RpcError(rpcCodes.methodNotFound, `There is no method ${shownName(name)}.`);
    return method.handle(
      { era, request, client: client ?? nobodyYet, connection: this, transport },
      this.#server,
    );
  }

  #take(method: string): void {
    if (method !== "notifications/initialized" || this.#client === undefined) return;
    this.#stopChanges ??= this.#server.changes.on((change) => this.#tell(change));
  }

  #tell(change: Change): void {
    if (change.what !== "resource-updated") this.peer.notify(notificationOf(change));
    else if (this.#watch?.isAbout(change) === true)
      this.peer.notify(notificationOf(change), { uri: change.uri });
  }
}

/** Before `initialize` a client has said nothing about itself. */
const nobodyYet: ClientFacts = { protocolVersion: "", clientInfo: undefined, clientCapabilities: {} };
