/** A gate with tools for each folder that sessions work in, with the rules and the trust of that folder. */
import { findProject } from "../config/find-project.ts";
import type { Environment } from "../config/folders.ts";
import { createIsolatedReader } from "../config/trust/isolated-strangers.ts";
import { messageOf } from "../core/call/errors.ts";
import type { NewSession } from "../core/ports/sessions.ts";
import type { Gate } from "../gate/gate.ts";
import { createInputWatch } from "../safe/files/watch-inputs.ts";
import type { SessionSpawner } from "../sessions/session-spawner.ts";
import type { GateForFolder } from "../sessions/sessions.ts";
import { explainProblems } from "./explain-problems.ts";
import { type GateRequest, type OpenConfig, openConfig } from "./open-config.ts";
import type { Store } from "./open-store.ts";
import { type OpenTools, openTools } from "./open-tools.ts";

export interface FolderGatesOptions {
  readonly open: OpenTools & { readonly store: Store };
  /** Of the folder that this process runs in, as it is now. */
  readonly own: () => { readonly current: OpenConfig; readonly broken: OpenConfig["problems"] };
  readonly env: Environment;
  readonly tell: (message: string) => void;
  /** Who runs the sub-tasks of agents. */
  readonly spawner?: SessionSpawner | undefined;
  /** Who answers when a rule asks. Default: people, in any process. */
  readonly approver?: GateRequest["approver"] | "nobody";
  /** Which tools are on besides what the configuration says, as the gate of the own folder has it. */
  readonly choose?: ((config: OpenConfig) => Pick<GateRequest, "enable" | "ceilings">) | undefined;
  /** Told of each gate that is opened. Returns how to stop, which is called when it is closed. */
  readonly watch?: ((gate: Gate) => () => void) | undefined;
  /** Of those that nobody uses, so many are kept for a while. */
  readonly maxUnused?: number | undefined;
  readonly unusedMs?: number | undefined;
}

export interface FolderGates {
  gateFor(session: Pick<NewSession, "project" | "cwd" | "worktree">): Promise<GateForFolder>;
  close(): Promise<void>;
}

interface Kept {
  readonly opening: Promise<Opened | string>;
  users: number;
  timer: NodeJS.Timeout | undefined;
}

interface Opened {
  readonly tools: OpenTools;
  /** Why the files as they are now are not used; empty when they are. */
  broken: OpenConfig["problems"];
  readonly stop: () => void;
  readonly unwatch: (() => void) | undefined;
}

export function createFolderGates(options: FolderGatesOptions): FolderGates {
  const { open, own, env, tell, approver = "desk", maxUnused = 8, unusedMs = 60_000 } = options;
  const kept = new Map<string, Kept>();
  const closing = new Set<Promise<void>>();
  let strangers: ReturnType<typeof createIsolatedReader> | undefined;
  let isClosed = false;

  const drop = (key: string) => {
    const one = kept.get(key);
    kept.delete(key);
    clearTimeout(one?.timer);
    if (one === undefined) return;
    const done = one.opening
      .then(async (opened) => {
        if (typeof opened === "string") return;
        opened.stop();
        await opened.tools.close();
        opened.unwatch?.();
      })
      .catch((error: unknown) => tell(messageOf(error)))
      .finally(() => closing.delete(done));
    closing.add(done);
  };

  const release = (key: string, one: Kept) => {
    one.users--;
    if (one.users > 0 || kept.get(key) !== one) return;
    one.timer = setTimeout(() => drop(key), unusedMs).unref();
    const unused = [...kept].filter(([, { users }]) => users === 0);
    if (unused.length > maxUnused) drop(unused[0]?.[0] ?? key);
  };

  async function load(folder: string): Promise<OpenConfig> {
    const { request } = own().current;
    // A rule file that is slow to read must not be everybody's problem.
    strangers ??= createIsolatedReader();
    return openConfig({ ...request, cwd: folder, projectDir: undefined, env, strangers });
  }

  async function openFor(folder: string, worktree: string | undefined): Promise<Opened | string> {
    const config = await load(folder);
    if (config.problems.length > 0) return explainProblems(config.problems);
    const tools = await openTools(config, {
      durable: false,
      approver: approver === "nobody" ? undefined : approver,
      given: { store: open.store, ...(worktree !== undefined && { roots: [worktree] }) },
      env,
      spawner: options.spawner,
      ...options.choose?.(config),
      upstreams: "live",
      note: tell,
    });
    const stopping = new AbortController();
    const unwatch = options.watch?.(tools.gate);
    const opened: Opened = { tools, broken: [], stop: () => stopping.abort(), unwatch };
    await tools.recovered;
    void follow(opened, folder, stopping.signal).catch((error: unknown) => tell(messageOf(error)));
    return opened;
  }

  /** Puts changed rules in force. A broken change leaves the old ones, and lets no session start. */
  async function follow(opened: Opened, folder: string, signal: AbortSignal): Promise<void> {
    const { config } = opened.tools;
    const busyFolders = [config.folders.state, config.projectDir];
    using watch = createInputWatch(config.inputs, tell, { since: config.loadedAt, busyFolders });
    for (;;) {
      await watch.nextChange(signal);
      if (signal.aborted) return;
      const next = await load(folder);
      watch.follow(next.inputs);
      opened.broken = next.problems;
      if (next.problems.length > 0)
        tell(`The rules of ${folder} changed and cannot be used; the last good ones stay in force.`);
      else await opened.tools.setRules(next);
    }
  }

  return {
    async gateFor({ project, cwd, worktree }) {
      if (isClosed) return { ok: false, message: "The server is ending." };
      const { current, broken } = own();
      const found = findProject(project, current.folders.home).folder;
      if (worktree === undefined && found === current.projectDir)
        return broken.length > 0
          ? { ok: false, message: explainProblems(broken) }
          : { ok: true, gate: open.gate, endSession: open.endSession };
      const key = JSON.stringify([found, worktree ?? null, worktree === undefined ? null : cwd]);
      let one = kept.get(key);
      if (one === undefined) {
        one = { opening: openFor(project, worktree), users: 0, timer: undefined };
        kept.set(key, one);
      }
      const { opening } = one;
      const mine = one;
      mine.users++;
      clearTimeout(mine.timer);
      try {
        const opened = await opening;
        const why = typeof opened === "string" ? opened : explainProblems(opened.broken);
        if (why === "" && typeof opened !== "string") {
          let isReleased = false;
          return {
            ok: true,
            gate: opened.tools.gate,
            endSession: opened.tools.endSession,
            release: () => {
              if (!isReleased) release(key, mine);
              isReleased = true;
            },
          };
        }
        mine.users--;
        if (typeof opened === "string") drop(key);
        return { ok: false, message: why };
      } catch (error) {
        mine.users--;
        drop(key);
        throw error;
      }
    },
    async close() {
      isClosed = true;
      for (const key of [...kept.keys()]) drop(key);
      await Promise.all(closing);
      strangers?.close();
    },
  };
}
