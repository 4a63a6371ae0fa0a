/** Whether the gate takes calls, and whether this page still hears from it. */
import { isForbidden } from "../api/problem.ts";
import { useFeedState } from "../api/use-feed-state.ts";
import { useRead } from "../api/use-read.ts";

interface Readiness {
  readonly status: string;
  readonly anchors?: string;
}

export function Health() {
  const ready = useRead<Readiness>("api/health/ready", { everyMs: 20_000 });
  const feed = useFeedState();
  const [word, tone] = stand(ready.data, ready.error, feed);
  return (
    <p className={`health ${tone}`} role="status">
      <span className="mark" aria-hidden="true" />
      {word}
    </p>
  );
}

function stand(ready: Readiness | undefined, error: unknown, feed: string): readonly [string, string] {
  if (error !== null && error !== undefined && !isForbidden(error)) return ["not reachable", "refused"];
  if (ready !== undefined && ready.status !== "ready") return ["not ready", "refused"];
  if (ready?.anchors === "failing") return ["anchors failing", "asked"];
  if (feed === "lost") return ["reconnecting", "asked"];
  if (ready === undefined) return ["connecting", "unknown"];
  return ["healthy", "fine"];
}
