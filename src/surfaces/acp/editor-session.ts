/** One session that an editor drives: its prompts, what it shows, and the questions to its person. */
import type { Mode } from "../../core/call/call.ts";
import { messageOf } from "../../core/call/errors.ts";
import type { JsonObject } from "../../core/input/json.ts";
import { RpcError, rpcCodes } from "../../mcp/messages.ts";
import type { Peer } from "../../mcp/peer.ts";
import { agentName } from "../../sessions/session-caller.ts";
import type { SessionEvent } from "../../sessions/session-event.ts";
import type { SessionProblem } from "../../sessions/session-problem.ts";
import type { AcpServerOptions, AcpWorld } from "./acp-options.ts";
import { askEditor } from "./ask-editor.ts";
import { Updates } from "./to-updates.ts";

export interface EditorSessionParts {
  readonly id: string;
  readonly cwd: string;
  readonly world: AcpWorld;
  readonly peer: Peer;
  readonly options: AcpServerOptions;
}

interface OpenPrompt {
  readonly answer: PromiseWithResolvers<JsonObject>;
  /** Undefined until somebody has taken it. */
  turn: number | undefined;
}

/** The words of the protocol for why a turn ended. */
const stopReasons = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"];

export class EditorSession {
  readonly #parts: EditorSessionParts;
  readonly #leaving = new AbortController();
  readonly #updates = new Updates();
  #prompt: OpenPrompt | undefined;
  #mode: Mode = "act";
  #isStarted = false;
  /** Of the turn that runs or ran last. */
  #turn = 0;

  constructor(parts: EditorSessionParts) {
    this.#parts = parts;
  }

  get mode(): Mode {
    return this.#mode;
  }

  /** Shows everything that has happened, and goes on from there. */
  async load(): Promise<void> {
    const { id, world } = this.#parts;
    const session = await world.sessions.get(id);
    this.#mode = session?.mode ?? "act";
    this.#isStarted = true;
    let after = 0;
    for (;;) {
      const items = await world.sessions.items(id, { after, limit: 500 });
      for (const { kind, turn, itemId, body, seq } of items) {
        this.#show({ id: undefined, event: kind, data: { turn, itemId, ...body } }, true);
        [after, this.#turn] = [seq, turn];
      }
      if (items.length < 500) break;
    }
    void this.#follow(session === undefined ? undefined : `${session.epoch}-${after}`);
  }

  /** Resolves with why the turn ended. */
  async prompt(text: string): Promise<JsonObject> {
    const { id, cwd, world, options } = this.#parts;
    const { person, runner, tools, model } = options;
    if (this.#prompt !== undefined)
      throw new RpcError(
        rpcCodes.invalidRequest,
        "A prompt of this session is being worked on. Wait for its end, or cancel it.",
      );
    const answer = Promise.withResolvers<JsonObject>();
    answer.promise.catch(() => {});
    this.#prompt = { answer, turn: undefined };
    const result = this.#isStarted
      ? await world.sessions.send(id, { text, resume: true }, person)
      : await world.sessions.start({ id, prompt: text, cwd, mode: this.#mode, runner, tools, model }, person);
    if (!result.ok) {
      this.#prompt = undefined;
      throw problem(result);
    }
    if (!this.#isStarted) void this.#follow(undefined);
    this.#isStarted = true;
    return answer.promise;
  }

  async cancel(): Promise<void> {
    const { id, world, options } = this.#parts;
    if (this.#isStarted) await world.sessions.cancel(id, options.person.id, { turn: this.#turn });
  }

  async setMode(mode: Mode): Promise<void> {
    const { id, world } = this.#parts;
    const session = this.#isStarted ? await world.sessions.get(id) : undefined;
    if (session?.mode === "plan" && mode === "act")
      throw new RpcError(
        rpcCodes.invalidRequest,
        "This session was started in plan mode and stays in it. Start a new one to act.",
      );
    if (this.#isStarted) await world.gate.setMode(id, mode, agentName(id));
    this.#mode = mode;
  }

  /** The session itself goes on, or waits. */
  leave(): void {
    this.#leaving.abort();
    this.#prompt?.answer.reject(new RpcError(rpcCodes.internalError, "The connection ends."));
  }

  async #follow(after: string | undefined): Promise<void> {
    const { id, world, options } = this.#parts;
    const { signal } = this.#leaving;
    try {
      for await (const event of world.sessions.events(id, { after, signal })) this.#take(event);
    } catch (error) {
      options.tell(`Session ${id} cannot be followed: ${messageOf(error)}`);
    }
  }

  #take(event: SessionEvent): void {
    const { data } = event;
    const open = this.#prompt;
    const turn = typeof data.turn === "number" ? data.turn : undefined;
    if (event.event === "message" && data.role === "user") {
      this.#turn = turn ?? this.#turn;
      if (open !== undefined) open.turn ??= turn;
    }
    this.#show(event, false);
    if (event.event === "approval" && data.state === "asked") void this.#ask(String(data.id));
    if (open === undefined || (open.turn !== undefined && open.turn !== turn)) return;
    if (event.event === "completed") this.#end({ stopReason: stopReasonOf(String(data.stopReason)) });
    else if (event.event === "cancelled") this.#end({ stopReason: "cancelled" });
    else if (event.event === "error") this.#fail(data);
  }

  #show(event: SessionEvent, isReplay: boolean): void {
    const { id: sessionId, peer } = this.#parts;
    for (const update of this.#updates.of(event, isReplay))
      peer.notify("session/update", { sessionId, update });
  }

  async #ask(approvalId: string): Promise<void> {
    const { id: sessionId, world, peer, options } = this.#parts;
    const { signal } = this.#leaving;
    try {
      await askEditor({ approvalId, sessionId, world, peer, signal }, options);
    } catch (error) {
      options.tell(messageOf(error));
    }
  }

  #end(answer: JsonObject): void {
    this.#prompt?.answer.resolve(answer);
    this.#prompt = undefined;
  }

  #fail({ code, message }: JsonObject): void {
    const answer = this.#prompt?.answer;
    this.#prompt = undefined;
    // A budget is no failure: the editor knows a word for it.
    if (code === "budget_spent") answer?.resolve({ stopReason: "max_turn_requests" });
    else
      answer?.reject(
        new RpcError(rpcCodes.internalError, String(message), { code: code ?? "runner_failed" }),
      );
  }
}

function stopReasonOf(reason: string): string {
  return stopReasons.includes(reason) ? reason : "end_turn";
}

function problem({ code, message, hint }: SessionProblem): RpcError {
  const text = hint === undefined ? message : `${message} ${hint}`;
  const isWrongUse = code === "bad_request" || code === "folder_outside" || code === "unknown_runner";
  return new RpcError(isWrongUse ? rpcCodes.invalidParams : rpcCodes.internalError, text, { code });
}
