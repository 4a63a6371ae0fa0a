/** Messages over the pipes of one child process: a line of JSON each way, bounded in every direction. */
import { BatchedWriter } from "../../../core/run/batched-writer.ts";
import { readLines } from "../../../mcp/read-lines.ts";
import { lastWords } from "../../../safe/process/last-words.ts";
import { type PipeEnd, type PipeProcess, startPipeProcess } from "../../../safe/process/pipe-process.ts";
import { tellPlanted } from "../../../safe/sandbox/planted.ts";
import { planSandbox, type SandboxPlan } from "../../../safe/sandbox/sandbox-process.ts";
import { type StdioSettings, UpstreamError } from "../talk/connection.ts";
import { explainInsideUpstream } from "./inside-upstream.ts";
import type { Wire, WireListener, WirePlace } from "./wire.ts";

/** Of requests that the server has not read. */
const maxUnreadBytes = 64 * 1024 * 1024;
/** To end by itself after its input has ended. */
const farewellMs = 500;
/** Between SIGTERM and SIGKILL. */
const killGraceMs = 1_500;
/** For the last answers of a process that has ended. */
const lastWordsMs = 150;

export async function openStdioWire(
  settings: StdioSettings,
  place: WirePlace,
  listener: WireListener,
): Promise<Wire> {
  refuseInsideUpstream(place);
  const sandbox = await sandboxOf(settings, place);
  const words = lastWords(place.redact);
  let process: PipeProcess | undefined;
  let isOver = false;

  const end = (why: string): void => {
    if (isOver) return;
    isOver = true;
    void process?.kill();
    const last = words.last();
    listener.ended(
      `The upstream server "${place.name}" ${why}.${last === "" ? "" : ` Its last words: ${last}`}`,
    );
  };
  const lines = readLines({
    maxMessageBytes: place.maxMessageBytes,
    message: (message) => listener.message(message, undefined),
    stray: (line) =>
      place.note(
        `${place.name}: it prints to stdout what is no message: ${place.redact(line.slice(0, 2_000)).slice(0, 200)}`,
      ),
    end,
  });
  const started = await startPipeProcess({
    command: settings.command,
    args: settings.args,
    cwd: settings.cwd,
    isUpstream: true,
    ...(settings.env !== undefined && { env: settings.env }),
    ...(settings.envPass !== undefined && { allowEnv: settings.envPass }),
    ...(sandbox !== undefined && { sandbox }),
    killGraceMs,
    onStdout: (chunk) => {
      if (!isOver) lines(chunk);
    },
    onStderr: (chunk) => words.hear(chunk),
    onDeaf: () => {
      if (process !== undefined && !isOver) void goneOrDeaf(process).then(end);
    },
  });
  if (!started.started)
    throw new UpstreamError(
      "unavailable",
      `The upstream server "${place.name}" cannot be started: ${started.message}`,
    );
  process = started;
  void started.exited.then(async (exit) => {
    await within(started.ended, lastWordsMs);
    end(howItEnded(exit));
  });
  void started.ended.then(({ planted = [] }) => {
    for (const line of tellPlanted(planted, settings.cwd)) place.note(`${place.name}: ${line}`);
  });
  const writer = new BatchedWriter(
    (text) => {
      if (!started.write(text)) void goneOrDeaf(started).then(end);
      else if (started.unreadBytes() > maxUnreadBytes)
        end(`has left more than ${maxUnreadBytes} bytes of requests unread and was ended`);
    },
    { isAwaited: true },
  );
  return {
    pid: started.pid,
    request: (json) => writer.add(json),
    tell: (json) => writer.add(json),
    abandon: () => {},
    settle: () => {},
    async close() {
      isOver = true;
      started.endInput();
      await within(started.exited, farewellMs);
      await started.kill();
    },
  };
}

/** Whichever command of ours it is: each would start the next. */
function refuseInsideUpstream({ name }: WirePlace): void {
  const why = explainInsideUpstream(process.env);
  if (why !== undefined)
    throw new UpstreamError("unavailable", `The upstream server "${name}" is not started: ${why}`);
}

async function sandboxOf(settings: StdioSettings, place: WirePlace): Promise<SandboxPlan | undefined> {
  const mode = settings.sandbox ?? "off";
  if (mode === "off") return undefined;
  const plan = await planSandbox({
    mode,
    writableRoots: [settings.cwd],
    protectedPaths: { hidden: place.hiddenPaths },
    network: true,
    stays: true,
  });
  if (!plan.ok)
    throw new UpstreamError(
      "unavailable",
      `The upstream server "${place.name}" cannot be started: ${plan.message}`,
    );
  if (plan.note !== undefined) place.note(`${place.name}: ${plan.note}`);
  return plan;
}

/** If it has ended, how it ended is the better thing to say. */
async function goneOrDeaf(process: PipeProcess): Promise<string> {
  const exit = await within(process.exited, farewellMs);
  return exit === undefined ? "closed its input and was ended" : howItEnded(exit);
}

function howItEnded({ exitCode, signal }: PipeEnd): string {
  return exitCode === null ? `was ended by ${signal}` : `exited with code ${exitCode}`;
}

async function within<T>(done: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  const first = await Promise.race([done, late]);
  clearTimeout(timer);
  return first;
}
