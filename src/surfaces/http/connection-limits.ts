/** How many connections the server may keep, by its limits and by the file descriptors of its process. */
import type { Descriptors } from "../../safe/process/descriptors.ts";
import type { ConnectionLimits } from "./connections.ts";
import type { ServerLimits } from "./server-limits.ts";

/** With fewer than these there is no use in serving. */
const least = 16;

export function connectionLimits(
  limits: Pick<ServerLimits, "maxConnections" | "maxIdleStrangers" | "idleStrangerMs">,
  { limit, used }: Descriptors,
): ConnectionLimits {
  const { maxIdleStrangers, idleStrangerMs } = limits;
  const room = limit === undefined ? limits.maxConnections : limit - used - reserveOf(limit);
  const max = Math.max(least, Math.min(limits.maxConnections, room));
  return { max, maxIdleStrangers, idleStrangerMs };
}

/** For files, commands, upstream servers and the checks of calls, which a connection must not take away. */
function reserveOf(limit: number): number {
  return Math.min(512, Math.floor(limit / 4));
}
