/** The plugin tools of a gate. After each change of the files it adds, replaces and removes tools. */
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../core/call/errors.ts";
import type { RegisteredTool, ToolSource } from "../../core/tool/registry.ts";
import type { AnyTool } from "../../core/tool/tool.ts";
import type { LoadedPluginTool, PluginSurroundings } from "./load-plugin-file.ts";
import { type KnownFiles, loadPlugins, type PluginLoad, takenError } from "./load-plugins.ts";
import type { PluginError, SkippedPlugin } from "./plugin-error.ts";
import type { PluginFolder } from "./plugin-folders.ts";

/** The part of a gate's tools that plugins need. */
export interface PluginHost {
  get(name: string): RegisteredTool | undefined;
  register(tool: AnyTool, source: ToolSource): void;
  replace(tool: AnyTool, source: ToolSource): void;
  unregister(id: string): boolean;
  batch<Result>(change: () => Result): Result;
}

export interface PluginReport {
  /** Nothing is wrong with any file. */
  readonly success: boolean;
  /** Tools of plugins that are loaded now. */
  readonly toolCount: number;
  readonly errors: readonly PluginError[];
  /** What is in a file and is not read; its tools are loaded. */
  readonly warnings: readonly PluginError[];
  /** Files of a project that are not trusted. */
  readonly skipped: readonly SkippedPlugin[];
}

export interface PluginSetOptions extends PluginSurroundings {
  readonly host: PluginHost;
  /** Asked before each load: what is trusted may have changed. */
  readonly folders: () => readonly PluginFolder[];
  /** How long a file must have been left alone before it counts as broken. Default 300. */
  readonly settleMs?: number;
}

/** A file that is written for longer is reported as it is; its next change is another reload. */
const mostLooks = 10;

export class PluginSet {
  readonly #options: PluginSetOptions;
  readonly #settleMs: number;
  readonly #closing = new AbortController();
  #known: KnownFiles = new Map();
  #loaded: ReadonlyMap<string, LoadedPluginTool> = new Map();
  #report: PluginReport = { success: true, toolCount: 0, errors: [], warnings: [], skipped: [] };
  #running: Promise<unknown> = Promise.resolve();
  #waiting: Promise<PluginReport> | undefined;

  constructor(options: PluginSetOptions) {
    this.#options = options;
    this.#settleMs = options.settleMs ?? 300;
  }

  /** What the last load found. */
  get report(): PluginReport {
    return this.#report;
  }

  /** The tools that are in the gate now. */
  get tools(): readonly LoadedPluginTool[] {
    return [...this.#loaded.values()];
  }

  /** Looks at every folder and reads what changed. Who asks while a load waits for its turn shares it. */
  reload(): Promise<PluginReport> {
    if (this.#waiting !== undefined) return this.#waiting;
    const turn = this.#running.then(() => {
      this.#waiting = undefined;
      return this.#load();
    });
    this.#waiting = turn;
    this.#running = turn.catch(() => {});
    return turn;
  }

  /** Ends waiting for files that somebody is writing. The tools stay where they are. */
  close(): void {
    this.#closing.abort();
  }

  async #load(): Promise<PluginReport> {
    const { signal } = this.#closing;
    for (let looks = 1; ; looks++) {
      const isLast = looks >= mostLooks || signal.aborted;
      const load = loadPlugins({
        ...this.#options,
        folders: this.#options.folders(),
        known: this.#known,
        settleMs: isLast ? 0 : this.#settleMs,
      });
      this.#known = load.known;
      this.#report = this.#apply(load);
      if (load.unfinished.length === 0) return this.#report;
      await sleep(this.#settleMs, undefined, { signal }).catch(() => {});
    }
  }

  /** In one step, without waiting: no call sees half of it. A running call keeps the tool it has. */
  #apply({ tools, errors, warnings, skipped }: PluginLoad): PluginReport {
    const { host } = this.#options;
    const found = [...errors];
    const next = new Map<string, LoadedPluginTool>();
    host.batch(() => {
      const wanted = new Set(tools.map(({ tool }) => tool.id));
      for (const id of this.#loaded.keys()) if (!wanted.has(id) && this.#holds(id)) host.unregister(id);
      for (const loaded of tools) {
        const put = this.#put(loaded);
        if ("message" in put) found.push(put);
        else next.set(loaded.tool.id, put);
      }
    });
    this.#loaded = next;
    return { success: found.length === 0, toolCount: next.size, errors: found, warnings, skipped };
  }

  /** What is in the gate now, or why nothing is. */
  #put(loaded: LoadedPluginTool): LoadedPluginTool | PluginError {
    const { host } = this.#options;
    const { tool, source, file } = loaded;
    const holder = host.get(tool.id);
    const ours = this.#holds(tool.id) ? this.#loaded.get(tool.id) : undefined;
    if (holder !== undefined && ours === undefined) return takenError(loaded, describeHolder(holder));
    // The same words at another line: approvals and running processes need not notice.
    if (ours !== undefined && ours.digest === loaded.digest && ours.source.name === source.name)
      return { ...loaded, tool: ours.tool };
    try {
      if (holder === undefined) host.register(tool, source);
      else host.replace(tool, source);
      return loaded;
    } catch (error) {
      // What the gate refuses now must not go on as it was before.
      if (holder !== undefined) host.unregister(tool.id);
      // All else was checked when the tool was made.
      return {
        source: file,
        toolName: tool.id,
        field: "category",
        ...loaded.categoryPlace,
        message: messageOf(error),
      };
    }
  }

  /** Whether the tool of this name is the one put there: a program may have replaced it. */
  #holds(id: string): boolean {
    const ours = this.#loaded.get(id);
    return ours !== undefined && this.#options.host.get(id)?.given === ours.tool;
  }
}

function describeHolder({ id, source }: RegisteredTool): string {
  const kind = {
    builtin: "the built-in tool",
    plugin: "the plugin tool",
    upstream: "the upstream tool",
    library: "the tool",
  };
  return `${kind[source.kind]} ${id}`;
}
