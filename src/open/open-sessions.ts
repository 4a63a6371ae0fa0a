/** Sessions of agents as the configuration sets them up: which runners there are, where they may work. */
import type { Environment } from "../config/folders.ts";
import { createSessions, type Sessions } from "../sessions/create-sessions.ts";
import type { OpenConfig } from "./open-config.ts";
import { createRunners } from "./open-runners.ts";
import type { Store } from "./open-store.ts";
import type { OpenTools } from "./open-tools.ts";

export interface OpenSessionsRequest {
  readonly open: OpenTools & { readonly store: Store };
  /** As it is now; what is said about sessions counts from when they are opened. */
  readonly config: OpenConfig;
  readonly env: Environment;
  /** For the log. */
  readonly tell: (message: string) => void;
}

/** Close them before the tools and the store. */
export async function openSessions({ open, config, env, tell }: OpenSessionsRequest): Promise<Sessions> {
  const { store, gate } = open;
  const {
    roots = [config.projectDir],
    maxRunning,
    maxPerOwner,
    idle,
    defaultRunner,
  } = config.settings.sessions ?? {};
  return createSessions(gate, {
    runners: createRunners(config.settings.sessions?.runners ?? {}, env),
    defaultRunner,
    store: store.sessions,
    process: store.processes.id,
    roots,
    maxRunning,
    maxPerOwner,
    idleMs: idle,
    tell,
  });
}
