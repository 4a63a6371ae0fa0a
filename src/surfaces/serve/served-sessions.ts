/** Sessions of agents, for a server: nothing of them is loaded before somebody asks, or one was left behind. */
import { messageOf } from "../../core/call/errors.ts";
import type { OpenSessionsRequest } from "../../open/open-sessions.ts";
import type { Sessions } from "../../sessions/create-sessions.ts";
import type { ServedConfig, ServedSessions } from "../rest/rest-route.ts";

export interface LazySessions extends ServedSessions {
  /** Opens them if an agent has outlived its process: it has to end. */
  endLeft(): Promise<void>;
  /** Cancels the turns that run and ends the agents. */
  close(): Promise<void>;
}

export type ServedSessionsRequest = Omit<OpenSessionsRequest, "own"> & { readonly config: ServedConfig };

export function createServedSessions({ config, ...request }: ServedSessionsRequest): LazySessions {
  let opened: Promise<Sessions> | undefined;
  let closed: Promise<void> | undefined;
  const load = async () => {
    const { openSessions } = await import("../../open/open-sessions.ts");
    return openSessions({ ...request, own: () => config });
  };
  const open = () => {
    opened ??= load().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    open,
    async endLeft() {
      if ((await request.open.store.sessions.leftAgents()).length > 0) await open();
    },
    close() {
      closed ??= (async () => {
        try {
          await (await opened)?.close();
        } catch (error) {
          request.tell(messageOf(error));
        }
      })();
      return closed;
    },
  };
}
