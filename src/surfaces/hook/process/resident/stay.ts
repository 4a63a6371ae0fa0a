/**
 * The hook as a process that stays, for agents that load our plugin: one process for all calls of the agent.
 * On each line of standard input comes a call, `{"id": 1, "call": "..."}`, with what a hook process would
 * read; on a line of standard output goes the answer, `{"id": 1, "exitCode": 0, "stdout": "", "stderr": ""}`,
 * in any order. While calls are open, `{}` says that somebody works on them. Whatever breaks ends the process,
 * and who waits for an answer takes that for a denial.
 */
import type { HookAnswer } from "../../../../agents/agent-hook.ts";
import type { Environment } from "../../../../config/folders.ts";
import { isJsonObject, type Json } from "../../../../core/input/json.ts";
import { askServer } from "./ask-server.ts";
import { createLineReader } from "./line-reader.ts";

export interface Staying {
  readonly agent: string;
  /** How long the agent waits for an answer; 0: no server is asked. */
  readonly seconds: number;
  readonly env: Environment;
  cwd(): string | undefined;
  /** The same check as in a process of its own; for when no server runs. */
  check(text: string): Promise<HookAnswer>;
  /** The last thing. */
  before(): void;
}

/** Below the patience of who asks. */
const beatMs = 2_000;
const watchMs = 5_000;
/** What a tool answered comes this way, too. */
const maxLineBytes = 64 * 1024 * 1024;

export function stay({ agent, seconds, env, cwd, check, before }: Staying): void {
  const parent = process.ppid;
  const gone = new AbortController();
  const { signal } = gone;
  let open = 0;
  const leave = (): void => {
    // With our connections, the server takes back what it asks a person.
    gone.abort();
    try {
      before();
    } finally {
      process.exit(0);
    }
  };
  setInterval(() => {
    if (open > 0) say({});
  }, beatMs);
  // An agent that is gone closes our standard input, unless another child of it has inherited the pipe.
  setInterval(() => {
    if (process.ppid !== parent) leave();
  }, watchMs);
  // What somebody types at the agent's terminal is for the agent.
  process.on("SIGINT", () => {});
  const answer = async (line: string): Promise<void> => {
    const { id, call: text } = readRequest(line);
    open += 1;
    const nonce = `${process.pid}.${id}.${process.hrtime.bigint()}`;
    const served =
      seconds > 0 ? await askServer({ agent, text, nonce, cwd: cwd(), env, seconds, signal }) : undefined;
    const { exitCode, stdout, stderr } = served ?? (await check(text));
    open -= 1;
    say({ id, exitCode, stdout, stderr });
  };
  const lines = createLineReader(maxLineBytes, (line) => void answer(line));
  process.stdin.on("data", (chunk: Buffer) => lines.add(chunk));
  process.stdin.on("end", leave);
  process.stdin.on("error", leave);
}

/** Who writes this is our own plugin; anything else ends the process. */
function readRequest(line: string): { readonly id: number; readonly call: string } {
  const value = JSON.parse(line) as Json;
  const { id, call } = isJsonObject(value) ? value : {};
  if (typeof id !== "number" || !Number.isSafeInteger(id) || typeof call !== "string")
    throw new Error('A line must be {"id": 1, "call": "..."}.');
  return { id, call };
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
