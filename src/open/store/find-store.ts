/** Where records are kept: what the files of the user and the administrator say, then TOOLGATE_STORE. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeConfigProblem } from "../../config/config-problem.ts";
import { type Environment, findFolders } from "../../config/folders.ts";
import { adminSources, loadConfig, type WantedSource } from "../../config/load-config.ts";
import type { LoadedConfig } from "../../config/loaded-config.ts";
import { ToolgateError } from "../../core/call/errors.ts";
import type { StoreOptions } from "../../core/ports/store.ts";

export type StorePlace = Pick<StoreOptions, "stateFolder" | "postgres">;

/** A variable counts only where no file says it: a project's settings can set variables. */
export function storeOf(
  { settings }: Pick<LoadedConfig, "settings">,
  { stateFolder, env }: { readonly stateFolder: string; readonly env: Environment },
): StorePlace {
  const url = env.TOOLGATE_STORE;
  const postgres = settings.store ?? (url === undefined || url === "" ? undefined : { url });
  return { stateFolder, ...(postgres && { postgres }) };
}

/** For commands that need no rules. */
export async function findStore(env: Environment): Promise<StorePlace> {
  const folders = findFolders(env);
  const sources: WantedSource[] = [
    ...adminSources(folders.admin),
    { file: join(folders.config, "config.yaml"), origin: "user", tier: "user", kind: "config" },
  ];
  const loaded = await loadConfig(sources, folders);
  const [problem] = loaded.problems;
  // A broken file may name a store; with another one, records would go where nobody looks.
  if (problem !== undefined && sources.some(({ file }) => mayNameStore(file)))
    throw new ToolgateError(
      `It is not clear where records are kept: ${describeConfigProblem(problem).replace(/\.$/, "")}. Repair the file first.`,
    );
  return storeOf(loaded, { stateFolder: folders.state, env });
}

function mayNameStore(file: string): boolean {
  try {
    return /(?:^|[\n{,])\s*["']?store["']?\s*:/.test(readFileSync(file, "utf8"));
  } catch {
    return false;
  }
}
