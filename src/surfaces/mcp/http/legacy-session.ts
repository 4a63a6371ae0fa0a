/** A session of an older client: its requests, each with its own way back, and the stream for the rest. */
import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../core/input/json.ts";
import { errorJson, type RequestId, rpcCodes } from "../../../mcp/messages.ts";
import { OpenRequests } from "../../../mcp/open-requests.ts";
import type { TokenHolder } from "../../http/rights.ts";
import type { McpConnection, McpServer } from "../server-parts.ts";
import { MessageStream, type StreamBounds } from "./message-stream.ts";
import type { PostedRequest } from "./posted-request.ts";
import type { Put } from "./replay-budget.ts";
import { refused } from "./rpc-answers.ts";
import { recordedAs } from "./session-ids.ts";
import type { HeldSession } from "./sessions.ts";

export interface LegacySessionOptions {
  readonly server: McpServer;
  readonly holder: TokenHolder;
  readonly bounds: StreamBounds;
  /** For what its client may come back for. */
  readonly put: Put;
}

export interface Place {
  readonly messages: MessageStream;
  readonly after: number;
  /** The stream for what belongs to no request. */
  readonly isGeneral: boolean;
}

export class LegacySession implements HeldSession {
  readonly id: string;
  /** In records. */
  readonly name: string;
  readonly callerId: string;
  readonly connection: McpConnection;
  readonly #held: TokenHolder;
  readonly #bounds: StreamBounds;
  readonly #put: Put;
  /** Streams of the same session before a restart were others. */
  readonly #mark = randomBytes(4).toString("hex");
  readonly #posted = new OpenRequests<PostedRequest>();
  /** Of requests, by their keys: those that were not read to their end. */
  readonly #streams = new Map<string, MessageStream>();
  /** What belongs to no request. */
  readonly #general: MessageStream;
  #lastKey = 0;

  constructor(id: string, { server, holder, bounds, put }: LegacySessionOptions) {
    this.id = id;
    this.name = recordedAs(id);
    this.callerId = holder.caller.id;
    this.#held = holder;
    this.#bounds = bounds;
    this.#put = put;
    this.#general = new MessageStream(`${this.#mark}g`, bounds, { put });
    // Most clients never read it.
    this.#general.leave();
    this.connection = server.connect({
      era: "legacy",
      caller: holder.caller,
      mayRead: holder.rights.has("read"),
      mayApprove: holder.rights.has("approve"),
      // Whoever waits for nothing any more has no call.
      mayStillCall: (request) => this.#posted.get(request)?.mayStillCall() ?? false,
      sessionId: this.name,
      send: (json, about, isAnswer) => this.#send(json, about, isAnswer),
    });
  }

  get isBusy(): boolean {
    if (this.#posted.size > 0 || this.#general.isRead) return true;
    for (const messages of this.#streams.values()) if (messages.isRead) return true;
    return false;
  }

  /** Whether this token may do what the session began with: a name may have another token since. */
  fits(holder: TokenHolder): boolean {
    const held = this.#held;
    if (holder === held) return true;
    const { capabilities } = holder.caller;
    return (
      holder.rights.has("read") === held.rights.has("read") &&
      holder.rights.has("approve") === held.rights.has("approve") &&
      capabilities.length === held.caller.capabilities.length &&
      capabilities.every((one, index) => one === held.caller.capabilities[index])
    );
  }

  /** What the client missed cannot be told: it is to ask again for everything. */
  revive(params: JsonObject): void {
    this.connection.take({ jsonrpc: "2.0", id: 0, method: "initialize", params });
    this.connection.take({ jsonrpc: "2.0", method: "notifications/initialized" });
    for (const list of ["tools", "resources", "prompts"])
      this.#general.push(JSON.stringify({ jsonrpc: "2.0", method: `notifications/${list}/list_changed` }));
  }

  /** False: a request with this id is being answered. */
  post(posted: PostedRequest): boolean {
    if (this.#posted.get(posted.id) !== undefined) return false;
    this.#posted.add(posted);
    return true;
  }

  /** The client waits no more. Older protocol versions have no answer for that. */
  cancel(id: RequestId, reason: string): void {
    if (this.#posted.get(id) === undefined) return;
    this.connection.take({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id, reason },
    });
    this.forget(id);
  }

  /** After a request was cancelled there is nothing to wait for. */
  forget(id: RequestId): void {
    const posted = this.#posted.remove(id);
    posted?.drop(refused(200, id, { code: cancelledCode, message: "The request was cancelled." }));
  }

  /** For the messages of one request. */
  makeStream(id: RequestId): MessageStream {
    const key = `${this.#mark}${++this.#lastKey}`;
    const lostAnswer = () => errorJson(id, tooLarge);
    const messages = new MessageStream(key, this.#bounds, { put: this.#put, lostAnswer });
    this.#streams.set(key, messages);
    for (const [old, unread] of this.#streams) {
      if (this.#streams.size <= maxStreams) break;
      if (!unread.isEnded || unread.isRead) continue;
      this.#streams.delete(old);
      unread.forget();
    }
    return messages;
  }

  /** The client took all of it: nobody will come back for it. */
  wasRead(messages: MessageStream): void {
    if (messages.key === undefined || messages === this.#general) return;
    this.#streams.delete(messages.key);
    messages.forget();
  }

  /** Where a client goes on that has seen all up to this id, or begins. Undefined: that is gone. */
  place(lastEventId: string | undefined): Place | undefined {
    const general = this.#general;
    if (lastEventId === undefined) return { messages: general, after: general.lastSeen, isGeneral: true };
    const [, key = "", seq] = /^([a-z0-9]{1,24})-(\d{1,15})$/.exec(lastEventId) ?? [];
    if (key === general.key) return { messages: general, after: Number(seq), isGeneral: true };
    // Of before a restart: nothing of it is left, and nothing of the new one was seen.
    if (key.endsWith("g")) return { messages: general, after: 0, isGeneral: true };
    const messages = this.#streams.get(key);
    return messages && { messages, after: Number(seq), isGeneral: false };
  }

  close(): void {
    this.connection.close();
    for (const { id } of this.#posted.all()) this.forget(id);
    for (const messages of [...this.#streams.values(), this.#general]) {
      messages.end();
      messages.forget();
    }
    this.#streams.clear();
  }

  #send(json: string, about: RequestId | undefined, isAnswer: boolean): void {
    const posted = about === undefined ? undefined : this.#posted.get(about);
    if (posted === undefined) {
      if (!isAnswer) this.#general.push(json);
      return;
    }
    if (isAnswer && about !== undefined) this.#posted.remove(about);
    // A client that takes no stream for its request may have opened the general one.
    if (!posted.take(json, isAnswer) && !isAnswer) this.#general.push(json);
  }
}

/** Kept for clients that come back. */
const maxStreams = 32;
const cancelledCode = -32_800;
const tooLarge = {
  code: rpcCodes.internalError,
  message: "The answer is lost: it was too large to be kept for a client that was gone.",
};
