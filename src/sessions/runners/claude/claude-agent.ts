/** The agent of one session: turn after turn in one process, begun again where that process has ended. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Agent, RunnerError, type RunnerSession, type Turn, type TurnEnd } from "../../runner.ts";
import type { AgentResult } from "../../session-calls.ts";
import { toTranscript, withTranscript } from "../../transcript.ts";
import { ClaudeProcess } from "./agent-process.ts";
import { Conversation } from "./conversation.ts";
import { OwnCalls } from "./decide-calls.ts";
import { gateServer, type ServedCall } from "./gate-server.ts";
import { MessageIds } from "./message-ids.ts";
import { type QueryParts, queryOptions } from "./query-options.ts";
import type { Sdk, SdkMessage } from "./sdk.ts";
import { TurnStream } from "./turn-stream.ts";

export interface ClaudeAgentParts extends Pick<QueryParts, "model" | "system" | "executable" | "env"> {
  readonly session: RunnerSession;
  readonly sdk: Sdk;
}

/** An agent that has not ended its turn by then is ended itself. */
const interruptMs = 2_500;

export class ClaudeAgent implements Agent {
  readonly #parts: ClaudeAgentParts;
  readonly #messageIds = new MessageIds();
  readonly #own: OwnCalls;
  #conversation: Conversation | undefined;
  /** The one before may still be ending. */
  #last: Conversation | undefined;
  #turn: Turn | undefined;
  #stream: TurnStream | undefined;
  #agentSessionId: string | undefined;
  /** The agent has said that it is there: what fails before, fails to start. */
  #isUp = false;
  #uses = 0;

  constructor(parts: ClaudeAgentParts) {
    this.#parts = parts;
    this.#agentSessionId = parts.session.agentSessionId;
    this.#own = new OwnCalls({
      calls: parts.session.calls,
      messageIds: this.#messageIds,
      turnSignal: () => this.#turn?.signal,
      onStep: () => this.#passOnSteering(),
    });
  }

  async turn(turn: Turn): Promise<TurnEnd> {
    turn.signal.throwIfAborted();
    this.#turn = turn;
    try {
      const wasResumed = this.#conversation === undefined && this.#agentSessionId !== undefined;
      try {
        return await this.#runTurn(turn, await this.#promptOf(turn));
      } catch (error) {
        if (!wasResumed || this.#isUp || turn.signal.aborted || !(error instanceof RunnerError)) throw error;
        return await this.#startAfresh(turn, error);
      }
    } finally {
      this.#turn = undefined;
      this.#stream = undefined;
      this.#own.forget();
    }
  }

  async close(): Promise<void> {
    this.#conversation = undefined;
    await this.#last?.close();
  }

  /** The agent has never taken the prompt, so it is not sent twice. */
  async #startAfresh(turn: Turn, error: RunnerError): Promise<TurnEnd> {
    await this.close();
    this.#agentSessionId = undefined;
    await turn.log.note(
      `agent_session_gone: The agent could not go on with its session (${error.message}). It was started afresh with the transcript of this one.`,
    );
    return this.#runTurn(turn, await this.#promptOf(turn));
  }

  /** An agent that knows nothing of the turns before is told of them. */
  async #promptOf({ prompt }: Turn): Promise<string> {
    if (this.#conversation !== undefined || this.#agentSessionId !== undefined) return prompt;
    return withTranscript(toTranscript(await this.#parts.session.history()), prompt);
  }

  async #runTurn(turn: Turn, prompt: string): Promise<TurnEnd> {
    const stream = new TurnStream(turn, this.#messageIds, () => this.#passOnSteering());
    this.#stream = stream;
    const conversation = this.#conversation ?? (await this.#start());
    const aborted = Promise.withResolvers<never>();
    aborted.promise.catch(() => {});
    const onAbort = () =>
      void this.#stop(conversation, stream).then(() => aborted.reject(turn.signal.reason));
    turn.signal.addEventListener("abort", onAbort, { once: true });
    try {
      stream.sent(conversation.say(prompt));
      if (turn.signal.aborted) onAbort();
      const end = await Promise.race([stream.done, aborted.promise]);
      turn.signal.throwIfAborted();
      return end;
    } catch (error) {
      // It is told to end its turn: before the next one begins, it must have done so.
      if (turn.signal.aborted) await aborted.promise;
      throw error;
    } finally {
      turn.signal.removeEventListener("abort", onAbort);
    }
  }

  async #start(): Promise<Conversation> {
    const { session, sdk } = this.#parts;
    // Two processes must never go on with one session of the agent.
    await this.#last?.close();
    const server =
      session.offer === "gate"
        ? gateServer({ calls: session.calls, run: (call) => this.#run(call) })
        : undefined;
    this.#isUp = false;
    const conversation: Conversation = new Conversation({
      sdk,
      options: (spawn) =>
        queryOptions({ ...this.#parts, server, own: this.#own, spawn, resume: this.#agentSessionId }),
      start: (wanted) =>
        new ClaudeProcess(wanted, {
          cwd: session.cwd,
          keep: (agentProcess) => session.keep({ agentProcess }),
        }),
      onMessage: (message) => this.#take(message, conversation),
      onEnd: (why) => {
        if (this.#conversation !== conversation) return;
        this.#conversation = undefined;
        this.#stream?.fail(why);
      },
      onClose: async () => server?.instance.close(),
    });
    this.#conversation = conversation;
    this.#last = conversation;
    return conversation;
  }

  #take(message: SdkMessage, from: Conversation): void {
    if (this.#conversation !== from) return;
    if (message.type === "system" && message.subtype === "init") this.#isUp = true;
    const { session_id: id } = message;
    if (this.#isUp && typeof id === "string" && id !== this.#agentSessionId) {
      this.#agentSessionId = id;
      // On its first line already: a session that is killed in the middle can be gone on with.
      void this.#parts.session.keep({ agentSessionId: id }).catch(() => {});
    }
    this.#stream?.take(message);
    if (message.type === "user") void this.#passOnSteering();
  }

  async #passOnSteering(): Promise<void> {
    for (;;) {
      const text = await this.#turn?.takeSteering();
      if (text === undefined) return;
      const uuid = this.#conversation?.say(text);
      if (uuid !== undefined) this.#stream?.sent(uuid);
    }
  }

  async #run({ tool, input, toolUseId, signal }: ServedCall): Promise<AgentResult> {
    const { calls } = this.#parts.session;
    const turn = this.#turn;
    const stopped = turn === undefined ? AbortSignal.abort() : turn.signal;
    const result = await calls.run({
      tool,
      input,
      toolUseId: toolUseId ?? `${turn?.number ?? 0}-${++this.#uses}`,
      messageId: toolUseId === undefined ? undefined : await this.#messageIds.of(toolUseId),
      signal: AbortSignal.any([stopped, signal]),
    });
    await this.#passOnSteering();
    return result;
  }

  /** Resolves when nothing of the turn goes on. */
  async #stop(conversation: Conversation, stream: TurnStream): Promise<void> {
    const over = stream.done.then(yes, yes);
    // A prompt that waits would be worked on after all. Shells in the background outlive an interrupt.
    const mayLive = stream.hasBegun && !stream.hasWaitingMessages && this.#parts.session.offer !== "agent";
    if (stream.hasBegun) {
      conversation.interrupt().catch(() => {});
      const isOver = await Promise.race([over, sleep(interruptMs, undefined, { ref: false })]);
      if (isOver === true && mayLive) return;
    }
    if (this.#conversation === conversation) this.#conversation = undefined;
    await conversation.close();
  }
}

const yes = () => true;
