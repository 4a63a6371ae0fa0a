/** How V8 treats the memory of a process that serves for hours, often with long pauses between calls. */
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

const mega = 1024 * 1024;

/** `youngMb`: how much there is for what lives short, both halves together. */
export function prepareHeapForServing(youngMb: number): void {
  keepCodeOverPauses();
  keepYoungSpaceSmall(youngMb * mega);
}

/**
 * After some seconds without calls V8 collects garbage. By default it then forgets the shapes of objects of which none is left, which are those
 * of every call, and throws away the machine code that was compiled for them: the first hundreds of calls after each pause would be slow
 * again. It still collects, but keeps them for a while.
 */
function keepCodeOverPauses(): void {
  setFlagsFromString("--no-memory-reducer-favors-memory");
}

/**
 * Left alone, V8 takes 64 MB for what lives short, and keeps them. After each collection it may double the space; it is asked not to where
 * there is enough: for one client 4 MB, for many 8. Half of it costs processor time, twice as much only memory.
 */
function keepYoungSpaceSmall(enoughBytes: number): void {
  let mayGrow = true;
  new PerformanceObserver(() => {
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
    const isEnough = space !== undefined && space.space_size >= enoughBytes;
    if (isEnough !== mayGrow) return;
    mayGrow = !isEnough;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  }).observe({ entryTypes: ["gc"] });
}
