/** How long a question can still be answered, by the server's clock. */
import type { Approval } from "toolgate/contract";
import { useConsole } from "../api/console-context.tsx";
import { countdown } from "../parts/numbers.ts";
import { useTick } from "../parts/time.tsx";

export function useTimeLeft({ expiresAt }: Approval): number {
  const { connection } = useConsole();
  useTick(1_000);
  return expiresAt - connection.clock.now();
}

export function TimeLeft({ approval }: { readonly approval: Approval }) {
  const left = useTimeLeft(approval);
  if (left <= 0) return <span className="time-left over">no time left</span>;
  return <span className={left < 60_000 ? "time-left soon" : "time-left"}>{countdown(left)} left</span>;
}
