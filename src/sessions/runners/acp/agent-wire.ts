/** The process of an agent, and the JSON-RPC connection over its pipes. */

import type { AgentProcess } from "../../../core/ports/sessions.ts";
import { BatchedWriter } from "../../../core/run/batched-writer.ts";
import { Peer, type PeerPorts } from "../../../mcp/peer.ts";
import { readLines } from "../../../mcp/read-lines.ts";
import { lastWords } from "../../../safe/process/last-words.ts";
import { type PipeEnd, startPipeProcess } from "../../../safe/process/pipe-process.ts";
import { RunnerError } from "../../runner.ts";

export interface AgentStart {
  /** As the agent is called in messages. */
  readonly name: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly envPass: readonly string[];
  readonly maxMessageBytes: number;
  readonly tell: (message: string) => void;
}

export interface AgentWire {
  readonly peer: Peer;
  readonly process: AgentProcess;
  /** Rejects when the agent is gone, with what it did and said last. Never resolves. */
  readonly gone: Promise<never>;
  /** Ends all of it. */
  close(): Promise<void>;
}

/** Of what the agent has not read. */
const maxUnreadBytes = 64 * 1024 * 1024;
/** To end by itself after its input has ended. */
const farewellMs = 300;
const killGraceMs = 1_500;

export async function startAgent(
  start: AgentStart,
  handlers: Pick<PeerPorts, "onRequest" | "onNotification">,
): Promise<AgentWire> {
  const { name, command, cwd, env, envPass, maxMessageBytes, tell } = start;
  const [program = "", ...args] = command;
  const words = lastWords();
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => {});
  let end = (_why: string): void => {};
  const take = readLines({
    maxMessageBytes,
    message: (message) => peer.receive(message),
    stray: (line) => tell(`${name} prints to stdout what is no message: ${line.slice(0, 200)}`),
    end: (why) => end(why),
  });
  const started = await startPipeProcess({
    command: program,
    args,
    cwd,
    env,
    allowEnv: envPass,
    killGraceMs,
    onStdout: (chunk) => take(chunk),
    onStderr: (chunk) => words.hear(chunk),
    onDeaf: () => {},
  });
  if (!started.started) throw new RunnerError("runner_missing", `${name}: ${started.message}`);
  const writer = new BatchedWriter(
    (text) => {
      if (!started.write(text)) return;
      if (started.unreadBytes() > maxUnreadBytes) end("reads nothing any more and was ended");
    },
    { isAwaited: true },
  );
  const peer = new Peer({
    ...handlers,
    send: (json) => void writer.add(json),
    onProblem: (message) => tell(`${name}: ${message}`),
  });
  end = (why) => {
    const last = words.last();
    const said = last === "" ? "" : ` Its last words: ${last}`;
    gone.reject(new RunnerError("agent_died", `The agent ${name} ${why}.${said}`, { retryable: true }));
    peer.close();
    void started.kill();
  };
  void started.exited.then((exit) => end(howItEnded(exit)));
  const { pid, startTicks = null, mark } = started.identity;
  return {
    peer,
    process: { pid, startTicks, mark },
    gone: gone.promise,
    async close() {
      peer.close();
      started.endInput();
      await Promise.race([started.exited, after(farewellMs)]);
      await started.kill();
    },
  };
}

function howItEnded({ exitCode, signal }: PipeEnd): string {
  return exitCode === null ? `was ended by ${signal}` : `exited with code ${exitCode}`;
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
