/** From standard input to the exit code: the life of the hook process. */
import type { HookAgent, HookAnswer } from "../../../agents/agent-hook.ts";
import { findAgent, openAgent } from "../../../agents/all-agents.ts";
import { answerDenied } from "./answer.ts";
import { keepCode } from "./keep-code.ts";
import { leave } from "./leave.ts";
import type { Parts } from "./load-parts.ts";
import { readStdin } from "./read-stdin.ts";
import { runHook } from "./run-hook.ts";

/** More than a call may have: what a tool answered comes this way, too, and then nothing must be said. */
const maxBytes = 64 * 1024 * 1024;
/** Below the patience that agents are told to have with us. */
const deadlineMs = 10_000;

/** A rejection reaches the entry, which denies. */
export async function start(parts: Parts, name: string | undefined): Promise<void> {
  const opening = openAgent(findAgent(name));
  const shippedFile = `${parts.folder}/shipped.yaml`;
  const before = (way: string) => keepNew(parts, way);
  if (process.argv[3] !== "--stay") return answerStdin(opening, { shippedFile, before });
  const { stay } = await import("./resident/stay.ts");
  supportOlderNode();
  const agent = await opening;
  const { env } = process;
  stay({
    agent: agent.name,
    seconds: Number(process.argv[4]),
    env,
    cwd: ownFolder,
    check: (stdin) => runHook({ agent, stdin, env, cwd: ownFolder(), shippedFile }),
    before: () => before("stay"),
  });
}

export interface HookProcess {
  readonly shippedFile: string;
  /** The last thing, when everything is said. `way`: which way through the code the answer took. */
  readonly before: (way: string) => void;
}

export async function answerStdin(
  opening: Promise<HookAgent>,
  { shippedFile, before }: HookProcess,
): Promise<never> {
  supportOlderNode();
  // One read at a time needs one thread, not four.
  process.env.UV_THREADPOOL_SIZE ??= "1";
  const agent = await opening;
  const read = await readStdin(0, { maxBytes, deadlineMs });
  const made = await runHook({
    agent,
    stdin: read.ok ? read.text : { problem: read.problem },
    env: process.env,
    cwd: ownFolder(),
    shippedFile,
  });
  const answer = isSpoiled(made) ? answerDenied(agent, spoiled) : made;
  const way = `${answer.exitCode}${answer.stdout === "" ? "" : "+"}`;
  return leave(answer, { isStuck: !read.ok && read.stuck, before: () => before(way) });
}

/** An agent may stand in a folder that it has deleted. */
function ownFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

const spoiled =
  "A rule changes this call, but something else has printed to the hook's standard output, so the change would be lost. The call is denied. Look at NODE_OPTIONS.";

/** When a preloaded module prints, the agent takes our answer for plain text and runs the call unchanged. */
function isSpoiled({ mustArrive }: HookAnswer): boolean {
  return mustArrive === true && process.stdout.bytesWritten > 0;
}

/** What runs for the first time on a way is compiled for it; the next process need not do that again. */
function keepNew(parts: Parts, way: string): void {
  if (parts.codeStart === "") return;
  // These switch flags of V8, and what was compiled under other flags is refused.
  if (parts.loaded.has("patterns") || parts.loaded.has("slow")) return;
  for (const { kept } of parts.loaded.values()) {
    if (kept?.ways.split(" ").includes(way)) continue;
    keepCode(parts, way);
    return;
  }
}

/** Rules about URLs use it; Node has it since 22.1. */
function supportOlderNode(): void {
  (URL as { parse?: unknown }).parse ??= (url: string): URL | null => {
    try {
      return new URL(url);
    } catch {
      return null;
    }
  };
}
