/** What a session waits for, as its events tell it. */
import type { SessionStreamEvent } from "../../rest/contract.ts";
import type { CliIo } from "./io.ts";
import { asTyped } from "./own-command.ts";

export interface Awaited {
  /** In words, behind "waiting for". Undefined: nothing, or somebody is asked on this screen. */
  after(event: SessionStreamEvent): string | undefined;
}

/** `asksHere`: the person at this terminal is asked. */
export function createAwaited(asksHere: boolean, io: CliIo): Awaited {
  const running = new Map<string, string>();
  let agent = "the agent";
  let isAsking = false;

  const now = () => {
    if (isAsking) return asksHere ? undefined : asTyped("a person's answer (toolgate approvals)", io);
    return running.size === 0 ? agent : [...new Set(running.values())].join(", ");
  };
  return {
    after(event) {
      switch (event.kind) {
        case "session": {
          const { state, runner } = event.data;
          agent = `the agent ${runner}`;
          isAsking = state === "waiting";
          if (state === "queued") return "other sessions, which run first";
          if (state === "starting") return `${agent} to start`;
          return state === "idle" || state === "ended" ? undefined : now();
        }
        case "tool_use":
          running.set(event.data.toolUseId, event.data.tool);
          return now();
        case "tool_result":
          running.delete(event.data.toolUseId);
          return now();
        case "error":
        case "cancelled":
        case "completed":
          running.clear();
          return undefined;
        default:
          return now();
      }
    },
  };
}
