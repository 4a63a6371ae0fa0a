/** Which rows of one height are in sight. Asks nothing of the rows themselves, so that a long list costs no more than a short one. */
import { type RefObject, useLayoutEffect, useState } from "react";

export interface Window {
  readonly first: number;
  /** -1: there are none. */
  readonly last: number;
  readonly onScroll: (top: number) => void;
}

/** Drawn above and below, so that a quick scroll meets rows. */
const beyond = 8;

export function useWindow(place: RefObject<HTMLElement | null>, count: number, height: number): Window {
  const [above, setAbove] = useState(0);
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const list = place.current;
    if (list === null) return;
    const measure = () => setRoom(Math.ceil(list.clientHeight / height));
    measure();
    const watching = new ResizeObserver(measure);
    watching.observe(list);
    return () => watching.disconnect();
  }, [place, height]);
  const last = Math.min(count - 1, above + room + beyond);
  return {
    first: Math.max(0, Math.min(above - beyond, last - room)),
    last,
    onScroll: (top) => setAbove(Math.max(0, Math.floor(top / height))),
  };
}
