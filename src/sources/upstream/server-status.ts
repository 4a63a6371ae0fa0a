/** How an upstream server stands, in one shape for the command line, REST and clients. */
import type { JsonObject } from "../../core/input/json.ts";
import type { Seen } from "../../core/ports/pins.ts";
import type { UpstreamState, UpstreamStatus } from "../../core/ports/upstream.ts";
import type { UpstreamHealth } from "./talk/connection.ts";
import type { UpstreamSpec } from "./upstream-spec.ts";

export interface StatusParts
  extends Pick<UpstreamStatus, "tools" | "pending" | "refused" | "misnamed" | "calls"> {
  readonly spec: UpstreamSpec;
  readonly health: UpstreamHealth | undefined;
  readonly problem: string | undefined;
  readonly instructions: string | undefined;
  /** What an earlier look found, where this process has not connected yet. */
  readonly seen: Seen | undefined;
}

export function statusOf(parts: StatusParts): UpstreamStatus {
  const { spec, health, problem: own, instructions, seen, ...counted } = parts;
  // What once went wrong with one that works now is no problem any more.
  const problem = own ?? (health?.state === "ready" ? undefined : health?.lastError);
  const info = infoOf(health?.serverInfo ?? seen?.serverInfo);
  const capabilities = health?.capabilities ?? seen?.capabilities;
  const protocolVersion = health?.protocolVersion ?? seen?.protocolVersion;
  return {
    server: spec.name,
    transport: spec.transport,
    state: stateOf(spec, health, own),
    ...(spec.permission !== undefined && { permission: spec.permission }),
    ...(problem !== undefined && { problem }),
    ...(health?.retryInMs !== undefined && { retryAt: Date.now() + health.retryInMs }),
    ...(health?.pid !== undefined && { pid: health.pid }),
    ...(info && { serverInfo: info }),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(capabilities && { capabilities }),
    ...(instructions !== undefined && { instructions }),
    ...counted,
    running: health?.inFlight ?? 0,
  };
}

function stateOf(
  { enabled }: UpstreamSpec,
  health: UpstreamHealth | undefined,
  problem: string | undefined,
): UpstreamState {
  if (!enabled) return "disabled";
  if (health === undefined) return "failed";
  if (health.state === "open-circuit") return "broken";
  if (health.state === "failing") return "failed";
  if (health.state === "stopped") return problem === undefined ? "idle" : "failed";
  return health.state;
}

function infoOf(info: JsonObject | undefined): UpstreamStatus["serverInfo"] {
  if (typeof info?.name !== "string") return undefined;
  const { name, version, title } = info;
  return {
    name,
    version: typeof version === "string" ? version : "",
    ...(typeof title === "string" && { title }),
  };
}
