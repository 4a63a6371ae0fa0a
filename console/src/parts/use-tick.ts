/** Draws again every so often, for what shows the time. */
import { useEffect, useState } from "react";

export function useTick(everyMs: number): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((before) => before + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
