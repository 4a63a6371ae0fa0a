/** A server with sessions of a scripted agent, for the tests of the routes about them. */
import {
  createSessions,
  type Sessions,
  type SessionsOptions,
} from "../../../../../src/sessions/create-sessions.ts";
import { allRoutes } from "../../../../../src/surfaces/serve/all-routes.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../../../../http-server.ts";
import { read, write } from "../../../../tools.ts";
import { type Script, type ScriptedRunner, scriptedRunner } from "../../../sessions/scripted-runner.ts";
import { createApi } from "../../http/api.ts";
import { type ReadEvent, readEvents } from "../../http/read-events.ts";

export interface SessionWorld {
  readonly server: TestServer;
  readonly api: ReturnType<typeof createApi>;
  readonly runner: ScriptedRunner;
  start(body?: object, token?: string): Promise<string>;
  /** Reads the stream until an event that is waited for. */
  follow(id: string, until: (event: ReadEvent) => boolean, options?: Following): Promise<ReadEvent[]>;
  until(id: string, state: string): Promise<void>;
  close(): Promise<void>;
}

export interface Following {
  readonly query?: string;
  readonly token?: string;
  readonly lastEventId?: string;
}

export async function sessionWorld(
  script: Script,
  {
    sessions: more = {},
    ...options
  }: Partial<Omit<TestServerOptions, "sessions">> & {
    readonly sessions?: Partial<SessionsOptions>;
  } = {},
): Promise<SessionWorld> {
  const runner = scriptedRunner(script);
  let opened: Promise<Sessions> | undefined;
  const server = await startTestServer({
    routes: allRoutes,
    gate: { tools: [read, write] },
    ...options,
    sessions: (gate, store, folder) => ({
      open: () => {
        opened ??= createSessions(gate, {
          runners: [runner],
          store: store.sessions,
          process: store.processes.id,
          roots: [folder],
          ...more,
        });
        return opened;
      },
    }),
  });
  const api = createApi(server);
  const follow: SessionWorld["follow"] = async (id, until, { query = "", token, lastEventId } = {}) => {
    const leaving = new AbortController();
    const response = await server.ask(`/api/sessions/${id}/events${query}`, {
      signal: leaving.signal,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
      },
    });
    const events: ReadEvent[] = [];
    try {
      for await (const event of readEvents(response)) {
        events.push(event);
        if (until(event)) break;
      }
    } finally {
      leaving.abort();
    }
    return events;
  };
  return {
    server,
    api,
    runner,
    follow,
    async start(body = {}, token = "token-call") {
      const { status, body: session } = await api.post("/api/sessions", { prompt: "go", ...body }, { token });
      if (status !== 201) throw new Error(JSON.stringify(session));
      return session.id;
    },
    until: async (id, state) => void (await follow(id, isState(state))),
    async close() {
      await (await opened)?.close();
      await server.close();
    },
  };
}

export const isState = (state: string) => (event: ReadEvent) =>
  event.kind === "session" && event.data.state === state;
