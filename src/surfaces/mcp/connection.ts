/** One client on one connection: which era each of its messages is of, what it said about itself, and what it is told. */
import { isJsonObject, type JsonObject } from "../../core/input/json.ts";
import { shownName } from "../../core/text/visible.ts";
import { claimsModern, readEnvelope } from "../../mcp/eras.ts";
import type { IncomingRequest } from "../../mcp/incoming-request.ts";
import { RpcError, rpcCodes } from "../../mcp/messages.ts";
import { type Answer, Peer } from "../../mcp/peer.ts";
import { type Change, notificationOf } from "./changes.ts";
import { type ClientFacts, type Handler, textParam, wrongParams } from "./exchange.ts";
import type { ResourceWatch } from "./handlers/resource-watch.ts";
import type { McpConnection, McpTransport } from "./server-parts.ts";
import { trimClientInfo } from "./trim-client-info.ts";

export interface ConnectionHost {
  readonly legacy: ReadonlyMap<string, Handler>;
  readonly modern: ReadonlyMap<string, Handler>;
  /** What `initialize` answers besides the version. */
  readonly greeting: JsonObject;
  readonly onProblem: ((message: string) => void) | undefined;
  /** From now on the connection is told of changes. */
  watchChanges(listener: (change: Change) => void): () => void;
  createWatch(transport: McpTransport): ResourceWatch;
  onClosed(connection: Connection): void;
}

export class Connection implements McpConnection {
  /** Among all connections. */
  position = -1;
  readonly #host: ConnectionHost;
  readonly #transport: McpTransport;
  readonly #peer: Peer;
  /** Set by `initialize`. */
  #client: ClientFacts | undefined;
  #watch: ResourceWatch | undefined;
  #stopChanges: (() => void) | undefined;
  #isClosed = false;

  constructor(transport: McpTransport, host: ConnectionHost) {
    this.#host = host;
    this.#transport = transport;
    this.#peer = new Peer({
      send: transport.send,
      onRequest: (request) => this.#answer(request),
      onNotification: (method) => this.#take(method),
      version: () => this.#client?.protocolVersion,
      ...(host.onProblem && { onProblem: host.onProblem }),
    });
  }

  get protocolVersion(): string | undefined {
    return this.#client?.protocolVersion;
  }

  get answering(): number {
    return this.#peer.answering;
  }

  /** Every request has been answered. */
  idle(): Promise<void> {
    return this.#peer.idle();
  }

  receive(message: unknown): void {
    this.#peer.receive(message);
  }

  receiveText(text: string): void {
    this.#peer.receiveText(text);
  }

  refuse(message: string): void {
    this.#peer.refuse(message);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopChanges?.();
    this.#watch?.close();
    this.#peer.close();
    this.#host.onClosed(this);
  }

  #answer(request: IncomingRequest): Answer | Promise<Answer> {
    if (claimsModern(request.params)) return this.#answerModern(request);
    const { method } = request;
    if (method === "initialize") return this.#initialize(request);
    if (method === "ping") return {};
    const client = this.#client;
    if (client === undefined) {
      throw new RpcError(
        rpcCodes.invalidRequest,
        `${method} came before initialize. Begin with initialize, or say with every request which version it speaks (_meta).`,
      );
    }
    if (method === "resources/subscribe") return this.#subscribe(request);
    if (method === "resources/unsubscribe") return this.#unsubscribe(request);
    const handler = this.#host.legacy.get(method);
    if (handler === undefined) throw unknownMethod(method);
    return handler({ era: "legacy", request, client, peer: this.#peer, transport: this.#transport });
  }

  #answerModern(request: IncomingRequest): Answer | Promise<Answer> {
    const { protocolVersion, clientInfo, clientCapabilities } = readEnvelope(request.params);
    const handler = this.#host.modern.get(request.method);
    if (handler === undefined) throw unknownMethod(request.method);
    return handler({
      era: "modern",
      request,
      client: { info: clientInfo, capabilities: clientCapabilities, protocolVersion },
      peer: this.#peer,
      transport: this.#transport,
    });
  }

  #initialize({ params }: IncomingRequest): JsonObject {
    if (this.#client !== undefined)
      throw new RpcError(rpcCodes.invalidRequest, "initialize was answered already.");
    textParam(params, "protocolVersion");
    if (!isJsonObject(params.capabilities)) throw wrongParams('"capabilities" must be an object.');
    if (!isJsonObject(params.clientInfo)) throw wrongParams('"clientInfo" must be an object.');
    const { protocolVersion, capabilities, clientInfo } = trimClientInfo(params);
    this.#client = { info: clientInfo, capabilities, protocolVersion };
    return { protocolVersion, ...this.#host.greeting };
  }

  #take(method: string): void {
    if (method !== "notifications/initialized" || this.#client === undefined) return;
    this.#stopChanges ??= this.#host.watchChanges((change) => this.#tell(change));
  }

  #tell(change: Change): void {
    if (change.what !== "resource-updated") this.#peer.notify(notificationOf(change));
    else if (this.#watch?.isAbout(change) === true)
      this.#peer.notify(notificationOf(change), { uri: change.uri });
  }

  async #subscribe({ params, signal }: IncomingRequest): Promise<JsonObject> {
    this.#watch ??= this.#host.createWatch(this.#transport);
    await this.#watch.add(textParam(params, "uri"), signal);
    return {};
  }

  async #unsubscribe({ params, signal }: IncomingRequest): Promise<JsonObject> {
    await this.#watch?.remove(textParam(params, "uri"), signal);
    return {};
  }
}

function unknownMethod(method: string): RpcError {
  return new RpcError(rpcCodes.methodNotFound, `There is no method ${shownName(method)}.`);
}
