/** From standard input to the exit code: the life of the hook process. */
import type { HookAgent } from "./answer.ts";
import { keepCode } from "./keep-code.ts";
import { leave } from "./leave.ts";
import type { Parts } from "./load-parts.ts";
import { readStdin } from "./read-stdin.ts";
import { runHook } from "./run-hook.ts";

const maxBytes = 4 * 1024 * 1024;
/** Below the patience that agents are told to have with us. */
const deadlineMs = 10_000;

/** A rejection reaches the entry, which denies. */
export async function start(parts: Parts, agent: HookAgent | undefined): Promise<void> {
  supportOlderNode();
  // One read at a time needs one thread, not four.
  process.env.UV_THREADPOOL_SIZE ??= "1";
  const read = await readStdin(0, { maxBytes, deadlineMs });
  const answer = await runHook({
    ...(agent !== undefined && { agent }),
    stdin: read.ok ? read.text : { problem: read.problem },
    env: process.env,
    cwd: process.cwd(),
    shippedFile: `${parts.folder}/shipped.yaml`,
  });
  const way = `${answer.exitCode}${answer.stdout === "" ? "" : "+"}`;
  leave(answer, { isStuck: !read.ok && read.stuck, before: () => keepNew(parts, way) });
}

/** What runs for the first time on a way is compiled for it; the next process need not do that again. */
function keepNew(parts: Parts, way: string): void {
  // These switch flags of V8, and what was compiled under other flags is refused.
  if (parts.loaded.has("patterns") || parts.loaded.has("slow")) return;
  for (const { kept } of parts.loaded.values()) {
    if (kept?.ways.includes(way)) continue;
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
