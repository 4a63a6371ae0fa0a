/** Puts changed configuration in force while a command serves. A broken change leaves the old rules. */
import { dirname } from "node:path";
import { createIsolatedReader } from "../../../../config/trust/isolated-strangers.ts";
import { messageOf } from "../../../../core/call/errors.ts";
import { type OpenConfig, openConfig } from "../../../../open/open-config.ts";
import type { OpenTools } from "../../../../open/open-tools.ts";
import { createInputWatch } from "../../../../safe/files/watch-inputs.ts";
import { describeProblems } from "../../open/effective-config.ts";
import type { CliIo } from "../../terminal/io.ts";

export interface FollowOptions {
  readonly open: OpenTools;
  /** Replaces discovery: this file alone. */
  readonly configFile: string | undefined;
  readonly tell: (message: string) => void;
  readonly signal: AbortSignal;
  /** The files as they are now, whether they can be used or not. */
  readonly onLoad?: (config: OpenConfig) => void;
  readonly onForce?: (config: OpenConfig) => void;
}

/** A log file in one of these folders would keep the process busy. */
function withParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

/** Resolves when the signal aborts. */
export async function followConfiguration(options: FollowOptions, io: CliIo): Promise<void> {
  const { open, configFile, tell, signal, onLoad, onForce } = options;
  using watch = createInputWatch(open.config.inputs, tell, {
    since: open.config.loadedAt,
    busyFolders: [open.config.folders.state, ...withParents(io.cwd)],
  });
  // While others are served: a file that is slow to read must not be in their way.
  const strangers = createIsolatedReader();
  signal.addEventListener("abort", () => strangers.close(), { once: true });
  for (;;) {
    await watch.nextChange(signal);
    if (signal.aborted) return;
    const next = await openConfig({ cwd: io.cwd, env: io.env, configFile, strangers });
    watch.follow(next.inputs);
    onLoad?.(next);
    if (next.problems.length > 0) {
      tell("The configuration changed and cannot be used; the last good rules stay in force:");
      io.err(describeProblems(next.problems, io.cwd));
      continue;
    }
    try {
      await open.setRules(next);
      onForce?.(next);
    } catch (error) {
      tell(`The configuration changed and cannot be used: ${messageOf(error)}`);
    }
  }
}

type Settings = Pick<OpenConfig, "settings">;

/** What of a change counts only from the next start on, for the log. Undefined: nothing. */
export function explainRestart(started: Settings, next: Settings): string | undefined {
  const prompts = ({ settings }: Settings) => settings.mcp?.permissionPrompt ?? false;
  const changed = [
    ...(prompts(next) === prompts(started) ? [] : ["mcp.permission_prompt"]),
    ...(toolsOf(next) === toolsOf(started) ? [] : ["what it says about tools and categories"]),
  ];
  return changed.length === 0 ? undefined : `${changed.join(" and ")} counts from the next start on.`;
}

function toolsOf({ settings }: Settings): string {
  const { enableAll, enabledCategories, disabledCategories, hidden, ceilings, categories } = settings;
  return JSON.stringify([enableAll, enabledCategories, disabledCategories, hidden, ceilings, categories]);
}
