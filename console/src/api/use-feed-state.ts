/** Whether this page hears what happens. */
import { useSyncExternalStore } from "react";
import { useConsole } from "./console-context.tsx";
import type { FeedState } from "./feed.ts";

export function useFeedState(): FeedState {
  const { feed } = useConsole();
  return useSyncExternalStore(feed.onState, () => feed.state);
}
