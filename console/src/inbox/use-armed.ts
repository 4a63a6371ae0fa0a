/**
 * A card can be answered only after a person could see it: whole head in sight and unchanged for 400 ms, and no key pressed in
 * that time. Whoever types while a card appears keeps typing, and answers nothing.
 */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

export const armAfterMs = 400;

export interface Armed {
  readonly isArmed: boolean;
  /**
   * Whether a key that was pressed then counts. One that came too early starts the time over, also if a busy
   * page hears of it only when the time is over.
   */
  readonly counts: (pressedAt: number) => boolean;
}

/** `what`: names exactly what is shown; another text starts over. */
export function useArmed(place: RefObject<HTMLElement | null>, what: string): Armed {
  const [armed, setArmed] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isInSight = useRef(false);
  const armedAt = useRef(Number.POSITIVE_INFINITY);
  const start = useCallback(() => {
    clearTimeout(timer.current);
    if (isInSight.current && document.visibilityState === "visible")
      timer.current = setTimeout(() => {
        armedAt.current = performance.now();
        setArmed(what);
      }, armAfterMs);
  }, [what]);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const sight = new IntersectionObserver(
      ([entry]) => {
        isInSight.current = (entry?.intersectionRatio ?? 0) > 0.98;
        start();
      },
      { threshold: [0, 0.5, 0.99, 1] },
    );
    sight.observe(element);
    document.addEventListener("visibilitychange", start);
    return () => {
      clearTimeout(timer.current);
      isInSight.current = false;
      sight.disconnect();
      document.removeEventListener("visibilitychange", start);
      setArmed(undefined);
    };
  }, [place, start]);
  const isArmed = armed === what;
  const counts = useCallback(
    (pressedAt: number) => {
      if (isArmed && pressedAt >= armedAt.current) return true;
      setArmed(undefined);
      start();
      return false;
    },
    [isArmed, start],
  );
  return { isArmed, counts };
}
