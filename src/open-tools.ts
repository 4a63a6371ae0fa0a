/** A gate of the configuration that also holds the built-in tools and those of plugins: for surfaces that run tools instead of only judging calls. */
/// <reference lib="esnext.disposable" preserve="true" />
import { join } from "node:path";
import { ToolgateError } from "./core/errors.ts";
import type { LivePlugins } from "./create-plugins.ts";
import type { Gate } from "./gate.ts";
import { type GateRequest, type OpenConfig, openGate } from "./open-config.ts";
import { openPlugins } from "./open-plugins.ts";
import { type BuiltinTools, createBuiltinTools } from "./sources/builtin/builtin-tools.ts";
import { openSqliteSupport } from "./sources/builtin/customer-support/sqlite/sqlite-store.ts";

export interface OpenTools extends AsyncDisposable {
  readonly gate: Gate;
  /** What an earlier process left half done and this start undid. Wait for it before calling tools. */
  readonly recovered: BuiltinTools["recovered"];
  /** Loaded; what is wrong with their files is in `plugins.report`. */
  readonly plugins: LivePlugins;
  /** Ends running calls and background processes, closes databases. */
  close(): Promise<void>;
}

export interface ToolsRequest extends Omit<GateRequest, "policies"> {
  /** Only these plugin files, as if they were the user's, instead of those of the folders. */
  readonly pluginFiles?: readonly string[];
}

export async function openTools(
  config: OpenConfig,
  { pluginFiles, ...request }: ToolsRequest = {},
): Promise<OpenTools> {
  const { state } = config.folders;
  const builtin = createBuiltinTools({
    editing: { stateFolder: state },
    shell: { hidden: [state] },
    support: { open: () => openSqliteSupport(supportFile(state)) },
    gate: gateOfTools,
  });
  let gate: Gate | undefined;
  let plugins: LivePlugins | undefined;
  const close = async () => {
    await plugins?.close();
    await gate?.close();
    await builtin.close();
  };
  try {
    const opened = await openGate(config, { ...request, policies: builtin.policies });
    gate = opened;
    for (const tool of builtin.tools) opened.tools.register(tool, { kind: "builtin" });
    plugins = openPlugins(config, opened.tools, pluginFiles);
    await plugins.reload();
    return { gate: opened, plugins, recovered: builtin.recovered, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }

  /** Tools ask for it when they run, and they run through it. */
  function gateOfTools(): Gate {
    if (gate === undefined) throw new ToolgateError("The gate that holds the tools is not open yet.");
    return gate;
  }
}

/** Where the support tools keep users, tenants and tickets. */
export function supportFile(stateFolder: string): string {
  return join(stateFolder, "support.sqlite");
}
