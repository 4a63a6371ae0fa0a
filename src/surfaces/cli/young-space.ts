/** Keeps the memory of a process that serves for hours small: left alone, V8 takes 64 MB for what lives short, and keeps them. */
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

const mega = 1024 * 1024;

/**
 * After each collection V8 may double the space; it is asked not to where there is enough, both halves together: for one client 4 MB, for many
 * 8. Half of it costs processor time, twice as much only memory.
 */
export function keepYoungSpaceSmall(enoughMb: number): void {
  const enoughBytes = enoughMb * mega;
  let mayGrow = true;
  new PerformanceObserver(() => {
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
    const isEnough = space !== undefined && space.space_size >= enoughBytes;
    if (isEnough !== mayGrow) return;
    mayGrow = !isEnough;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  }).observe({ entryTypes: ["gc"] });
}
