/** Sub-tasks of an agent as child sessions: with its parent's limits, and never with more rights. */
import type { Caller, Progress } from "../core/call/call.ts";
import type { Sessions } from "./create-sessions.ts";
import { agentName } from "./session-caller.ts";

/** What `task.spawn` hands over. */
export interface ChildTask {
  readonly prompt: string;
  readonly title?: string;
  /** The runner that should do it. Default: the parent's. */
  readonly agent?: string;
  readonly parent: { readonly sessionId: string | undefined; readonly caller: Caller };
}

export interface ChildEnd {
  readonly ok: boolean;
  readonly summary: string;
  readonly sessionId?: string;
}

export interface SessionSpawner {
  agents(): readonly string[];
  run(
    task: ChildTask,
    context: { readonly signal: AbortSignal; readonly progress: (progress: Progress) => void },
  ): Promise<ChildEnd>;
}

/** `sessions`: made after the gate whose tools use this. */
export function createSessionSpawner(sessions: () => Sessions | undefined): SessionSpawner {
  return {
    agents: () => sessions()?.runners.map(({ name }) => name) ?? [],
    async run({ prompt, title, agent, parent }, { signal, progress }) {
      const open = sessions();
      const { sessionId, caller } = parent;
      // Whoever names the session of another must not act in it.
      const isItsAgent = sessionId !== undefined && caller.id === agentName(sessionId);
      const session = isItsAgent ? await open?.get(sessionId) : undefined;
      if (open === undefined || session === undefined)
        return { ok: false, summary: "Only the agent of a session can start sub-tasks." };
      const started = await open.start(
        {
          prompt,
          title,
          runner: agent ?? session.runner,
          model: agent === undefined || agent === session.runner ? session.model : undefined,
          tools: session.tools.offer === "agent" ? "agent" : session.tools.offer === "gate",
          single: true,
          parent: session.id,
        },
        caller,
      );
      if (!started.ok) return { ok: false, summary: started.message };
      const { id } = started.session;
      const cancel = () => void open.cancel(id, caller.id);
      signal.addEventListener("abort", cancel, { once: true });
      if (signal.aborted) cancel();
      try {
        return { ...(await untilEnded(open, id, progress)), sessionId: id };
      } finally {
        signal.removeEventListener("abort", cancel);
      }
    },
  };
}

async function untilEnded(
  sessions: Sessions,
  id: string,
  progress: (progress: Progress) => void,
): Promise<ChildEnd> {
  let said = "";
  let error: string | undefined;
  const reading = new AbortController();
  for await (const { event, data } of sessions.events(id, { deltas: false, signal: reading.signal })) {
    if (event === "message" && data.role === "assistant") said = String(data.text);
    if (event === "error") error = String(data.message);
    if (event === "tool_use") progress({ message: `${id} uses ${data.tool}` });
    if (event !== "session" || data.state !== "ended") continue;
    reading.abort();
    const ok = data.end === "completed";
    return { ok, summary: ok ? said : (error ?? `The sub-task ended: ${data.end}.`) };
  }
  return { ok: false, summary: "The sub-task is gone." };
}
