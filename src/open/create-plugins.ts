/** Tools of plugin files in a gate: loaded, loaded again, watched. */
/// <reference lib="esnext.disposable" preserve="true" />
import { resolve } from "node:path";
import { ToolgateError } from "../core/call/errors.ts";
import {
  chooseSandbox,
  explainBadSandbox,
  type SandboxedTool,
  type SandboxRules,
} from "../core/tool/sandbox-rules.ts";
import type { Gate } from "../gate/gate.ts";
import { refuseUnknownKeys } from "../gate/gate-options.ts";
import type { LoadedPluginTool, PluginSurroundings } from "../sources/plugins/load-plugin-file.ts";
import type { PluginFolder } from "../sources/plugins/plugin-folders.ts";
import { type PluginHost, type PluginReport, PluginSet } from "../sources/plugins/plugin-set.ts";
import { type PluginWatch, watchPlugins } from "../sources/plugins/watch-plugins.ts";

export interface Plugins extends AsyncDisposable {
  /** What the last load found. */
  readonly report: PluginReport;
  /** Reads what has changed. Running calls finish with what they have; others see all of it or nothing. */
  reload(): Promise<PluginReport>;
  /** From now on changed files are loaded by themselves, until this or the plugins are closed. */
  watch(listen?: WatchListeners): PluginWatch;
  /** Watches nothing any more. The tools stay in the gate. */
  close(): Promise<void>;
}

export interface WatchListeners {
  readonly onReload?: (report: PluginReport) => void;
  readonly onError?: (message: string) => void;
}

export interface PluginsOptions {
  /**
   * Where the files are. Whoever names a folder here trusts what is in it. Default: where the command looks,
   * with its trust: the user's folder, those of TOOLGATE_TOOLS_DIR, and `.toolgate/tools` of the project.
   */
  readonly folders?: readonly string[];
  /** Where the variables come from that files name in `env`. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Which of their commands run in a sandbox. Default: none. */
  readonly sandbox?: SandboxRules;
}

/** Loads the plugins of these folders into a gate. What is wrong is in `report`, never thrown. */
export async function createPlugins(gate: Gate, options: PluginsOptions = {}): Promise<Plugins> {
  refuseUnknownKeys("createPlugins", options, ["folders", "env", "sandbox"]);
  const { folders, env = process.env, sandbox } = options;
  if (folders !== undefined && !(Array.isArray(folders) && folders.every((one) => typeof one === "string")))
    throw new ToolgateError(
      "createPlugins takes a list of folders: createPlugins(gate, { folders: [...] }).",
    );
  const problem = sandbox === undefined ? undefined : explainBadSandbox(sandbox);
  if (problem !== undefined) throw new ToolgateError(problem);
  const chosen = sandbox && { sandbox: (tool: SandboxedTool) => chooseSandbox([sandbox], tool) };
  const plugins =
    folders === undefined
      ? await openUsualPlugins(gate, env, chosen)
      : livePlugins(gate.tools, { folders: () => folders.map(trustedFolder), env, ...chosen });
  await plugins.reload();
  return plugins;
}

function trustedFolder(folder: string): PluginFolder {
  return { path: resolve(folder), required: true, gradeOf: () => "trusted" };
}

/** Whoever names their folders does not load what finds the usual ones. */
async function openUsualPlugins(
  gate: Gate,
  env: NonNullable<PluginsOptions["env"]>,
  chosen: Pick<PluginSurroundings, "sandbox"> | undefined,
): Promise<LivePlugins> {
  const { openPlugins, usualPluginConfig } = await import("./open-plugins.ts");
  return openPlugins(usualPluginConfig(process.cwd(), env), gate.tools, { ...chosen });
}

export interface LivePlugins extends Plugins {
  readonly tools: readonly LoadedPluginTool[];
}

/** Loads nothing yet. */
export function livePlugins(
  host: PluginHost,
  wiring: PluginSurroundings & {
    readonly folders: () => readonly PluginFolder[];
    /** Whose change matters too. */
    readonly files?: readonly string[];
  },
): LivePlugins {
  const { files = [], ...rest } = wiring;
  const set = new PluginSet({ host, ...rest });
  const watches = new Set<PluginWatch>();
  let since: number | undefined;
  const close = async () => {
    set.close();
    await Promise.all([...watches].map((watch) => watch.close()));
  };
  return {
    get report() {
      return set.report;
    },
    get tools() {
      return set.tools;
    },
    reload: () => {
      since = Date.now();
      return set.reload();
    },
    watch: (listen = {}) => {
      const folders = () => wiring.folders().map(({ path }) => path);
      const watch = watchPlugins({ plugins: set, folders, files, since, ...listen });
      watches.add(watch);
      return watch;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
