/** Changes that clients are told of: of lists, and of single resources. Many at once are told as one. */
import type { Clock } from "../../core/ports/ports.ts";
import type { Upstreams } from "../../core/ports/upstream.ts";
import type { Gate } from "../../gate/gate.ts";
import { rulesUri, toolsUri } from "./handlers/own-resources.ts";

export type Change =
  | { readonly what: "tools" | "resources" | "prompts" }
  /** `server`: who says so; none for the gate's own. */
  | { readonly what: "resource-updated"; readonly uri: string; readonly server?: string };

export type Changes = ReturnType<typeof createChanges>;

/** Long enough that a reload of forty tools is one change, short enough that nobody notices. */
const settleMs = 50;

export function createChanges({
  gate,
  upstreams,
  clock,
}: {
  readonly gate: Gate;
  readonly upstreams: Upstreams | undefined;
  readonly clock: Clock;
}) {
  const listeners = new Set<(change: Change) => void>();
  const waiting = new Map<string, Change>();
  let cancel: (() => void) | undefined;

  const tell = () => {
    cancel = undefined;
    const changes = [...waiting.values()];
    waiting.clear();
    for (const change of changes) for (const listener of [...listeners]) listener(change);
  };
  const add = (...changes: Change[]) => {
    if (listeners.size === 0) return;
    // A resource may be called `tools`, too.
    for (const change of changes)
      waiting.set(
        change.what === "resource-updated" ? `${change.server} ${change.uri}` : change.what,
        change,
      );
    cancel ??= clock.after(settleMs, tell);
  };

  const stops = [
    gate.events.on("tools-change", () => add({ what: "tools" }, { what: "resource-updated", uri: toolsUri })),
    // A rule may show or hide tools.
    gate.events.on("rules-change", () =>
      add(
        { what: "tools" },
        { what: "resource-updated", uri: toolsUri },
        { what: "resource-updated", uri: rulesUri },
      ),
    ),
    upstreams?.onChange((change) =>
      add(
        change.what === "resource-updated"
          ? { what: change.what, uri: change.uri, server: change.server }
          : { what: change.what },
      ),
    ),
  ];

  return {
    /** Answers how to stop listening. */
    on(listener: (change: Change) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close(): void {
      cancel?.();
      listeners.clear();
      for (const stop of stops) stop?.();
    },
  };
}

export function notificationOf(change: Change): string {
  return change.what === "resource-updated"
    ? "notifications/resources/updated"
    : `notifications/${change.what}/list_changed`;
}
