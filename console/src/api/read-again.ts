/** The feed is only a bell: what a view shows is always read from the store, also after anything may have been missed. */
import type { QueryClient } from "@tanstack/react-query";
import type { Feed } from "./feed.ts";

const readsOf: Readonly<Record<string, readonly string[]>> = {
  "approval-request": ["api/approvals"],
  "approval-answer": ["api/approvals", "api/grants"],
  "tools-change": ["api/tools", "api/categories", "api/upstreams"],
  "rules-change": ["api/policies", "api/routes", "api/limits", "api/hooks", "api/status"],
};

export function readAgainOn(feed: Feed, client: QueryClient): () => void {
  const read = async (path: string) => {
    const queryKey = [path];
    // The first read of all is not cut off, and may be older than the bell: it is not enough.
    const isFirst = client
      .getQueryCache()
      .findAll({ queryKey })
      .some(({ state }) => state.data === undefined && state.fetchStatus === "fetching");
    await client.invalidateQueries({ queryKey });
    if (isFirst) await client.invalidateQueries({ queryKey });
  };
  const stopListening = feed.listen((events) => {
    const kinds = new Set(events.map(({ kind }) => kind));
    if (kinds.has("reset")) return void client.invalidateQueries();
    const paths = new Set([...kinds].flatMap((kind) => readsOf[kind] ?? []));
    for (const path of paths) void read(path);
  });
  let wasLost = false;
  const stopStates = feed.onState(() => {
    if (feed.state === "lost") wasLost = true;
    if (feed.state !== "open") return;
    if (wasLost) void client.invalidateQueries();
    // What was asked after the first look, and before the bell could be heard.
    else void read("api/approvals");
    wasLost = false;
  });
  return () => {
    stopListening();
    stopStates();
  };
}
