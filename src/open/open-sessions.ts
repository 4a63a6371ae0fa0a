/** Sessions of agents as the configuration sets them up: which runners there are, where they may work. */
import { createSessions, type Sessions } from "../sessions/create-sessions.ts";
import type { Runner } from "../sessions/runner.ts";
import { createSessionSpawner } from "../sessions/session-spawner.ts";
import { createFolderGates, type FolderGatesOptions } from "./folder-gates.ts";
import { createRunners } from "./open-runners.ts";
import { makeWorktree, removeWorktree } from "./session-worktrees.ts";

/** What is said about sessions counts from when they are opened. */
export interface OpenSessionsRequest extends FolderGatesOptions {
  /** Instead of those of the configuration. */
  readonly roots?: readonly string[] | undefined;
  readonly runners?: readonly Runner[] | undefined;
}

/** Close them before the tools and the store. */
export async function openSessions(request: OpenSessionsRequest): Promise<Sessions> {
  const { open, own, env, tell } = request;
  const { store, gate } = open;
  const { settings, projectDir, folders } = own().current;
  const { roots = [projectDir], maxRunning, maxPerOwner, idle } = settings.sessions ?? {};
  let running: Sessions | undefined;
  const spawner = createSessionSpawner(() => running);
  const gates = createFolderGates({ ...request, spawner });
  const sessions = await createSessions(gate, {
    runners: request.runners ?? createRunners(settings.sessions?.runners ?? {}, env),
    defaultRunner: settings.sessions?.defaultRunner,
    store: store.sessions,
    process: store.processes.id,
    roots: request.roots ?? roots,
    maxRunning,
    maxPerOwner,
    idleMs: idle,
    gateFor: gates.gateFor,
    makeWorktree: (folder, id) => makeWorktree(folder, id, folders),
    removeWorktree: (worktree, { project, id }) => removeWorktree(worktree, project, id),
    tell,
  });
  running = sessions;
  open.runSubTasks(spawner);
  const close = async () => {
    await sessions.close();
    await gates.close();
  };
  return { ...sessions, close, [Symbol.asyncDispose]: close };
}
