/** Makes hooks of programs: starts them, holds back too many, keeps those that stay, ends them all. */
import { type CommandHook, type Hook, type HookEvent, type HookReply, toHook } from "../../core/call/hook.ts";
import { askProcess } from "./ask-process.ts";
import { Daemon } from "./daemon.ts";
import { Turns } from "./turns.ts";

export interface CommandHooksOptions {
  /** Where hooks run that no file declares; scripts for Claude Code get it as CLAUDE_PROJECT_DIR. */
  readonly projectDir: string;
  /** Processes at the same time, over all calls. Daemons are not counted: they are there anyway. */
  readonly maxConcurrent?: number | undefined;
}

export interface CommandHooks {
  bind(hook: CommandHook): Hook;
  /** One hook, one call. Rejects when the hook has failed; the signal ends it. */
  ask(hook: CommandHook, event: HookEvent, signal: AbortSignal): Promise<HookReply>;
  /** Daemons of other hooks end when their last call is answered. */
  keepOnly(hooks: readonly CommandHook[]): void;
  /** Ends everything that still runs, and returns when nothing is left of it. */
  close(): Promise<void>;
}

export const defaultMaxConcurrent = 8;
const defaultTimeoutMs = 10_000;

export function createCommandHooks(options: CommandHooksOptions): CommandHooks {
  const { projectDir, maxConcurrent = defaultMaxConcurrent } = options;
  const turns = new Turns(maxConcurrent);
  const daemons = new Map<string, Daemon>();
  const retired = new Set<Daemon>();
  const running = new Map<Promise<unknown>, AbortController>();
  let closed = false;

  return { bind, ask, keepOnly, close };

  function bind(hook: CommandHook): Hook {
    return toHook(hook, (event, { signal }) => ask(hook, event, signal));
  }

  function ask(hook: CommandHook, event: HookEvent, signal: AbortSignal): Promise<HookReply> {
    return hook.mode === "daemon"
      ? daemonOf(hook).ask(event, placeOf(hook, signal))
      : inTurn(hook, event, signal);
  }

  function placeOf({ timeoutMs = defaultTimeoutMs }: CommandHook, signal: AbortSignal) {
    return { projectDir, timeoutMs, signal };
  }

  async function inTurn(hook: CommandHook, event: HookEvent, given: AbortSignal): Promise<HookReply> {
    if (closed) throw new Error("the gate was closed");
    const ending = new AbortController();
    const abort = (): void => ending.abort();
    if (given.aborted) abort();
    given.addEventListener("abort", abort, { once: true });
    const work = waitAndAsk(hook, event, ending.signal);
    running.set(work, ending);
    try {
      return await work;
    } finally {
      running.delete(work);
      given.removeEventListener("abort", abort);
    }
  }

  /** Waiting counts toward the time-out, which bounds how long a hook may hold up a call. */
  async function waitAndAsk(hook: CommandHook, event: HookEvent, signal: AbortSignal): Promise<HookReply> {
    const giveBack = await turns.take(event.sessionId ?? "", signal);
    if (giveBack === undefined) throw new Error(`it was not started: ${maxConcurrent} hooks run already`);
    try {
      return await askProcess(hook, event, placeOf(hook, signal));
    } finally {
      giveBack();
    }
  }

  function daemonOf(hook: CommandHook): Daemon {
    const key = keyOf(hook);
    const known = daemons.get(key);
    if (known !== undefined) return known;
    const made = new Daemon(hook, projectDir);
    if (closed) void made.close();
    daemons.set(key, made);
    return made;
  }

  function keepOnly(hooks: readonly CommandHook[]): void {
    const kept = new Set(hooks.map(keyOf));
    for (const [key, daemon] of daemons) {
      if (kept.has(key)) continue;
      daemons.delete(key);
      retired.add(daemon);
      void daemon.retire().then(() => retired.delete(daemon));
    }
  }

  async function close(): Promise<void> {
    closed = true;
    for (const ending of running.values()) ending.abort();
    await Promise.all([...daemons.values(), ...retired].map((daemon) => daemon.close()));
    await Promise.allSettled(running.keys());
  }
}

/** What makes two hooks one program. */
function keyOf({ name, type, command, wire, env, cwd, source }: CommandHook): string {
  return JSON.stringify([name, type, command, wire, env, cwd, source?.file]);
}
