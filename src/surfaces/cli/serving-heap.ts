/** How V8 treats the memory of a process that serves for hours, often with long pauses between calls. */
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

const mega = 1024 * 1024;

/**
 * `youngMb`: how much there is for what lives short, both halves together. Left alone, V8 takes 64 MB for it, and keeps them. For one client
 * 4 MB are enough, for many 8: half of it costs processor time, twice as much only memory.
 */
export function prepareHeapForServing(youngMb: number): void {
  const enough = youngMb * mega;
  const growth = createSwitch("--semi-space-growth-factor=2", "--semi-space-growth-factor=1");
  /**
   * After some seconds without calls V8 collects garbage. By default it then gives back what it can, and also forgets the shapes of objects of
   * which none is left, which are those of every call, with the machine code that was compiled for them: the first hundreds of calls after each
   * pause are slow again. That is worth it once, after a start has taken too much; later it only collects.
   */
  const givingBack = createSwitch("--memory-reducer-favors-memory", "--no-memory-reducer-favors-memory");
  new PerformanceObserver(() => {
    const bytes = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size;
    if (bytes === undefined) return;
    growth(bytes < enough);
    givingBack(bytes > 2 * enough);
  }).observe({ entryTypes: ["gc"] });
}

/** V8 reads these flags when it collects; as it starts, both are on. */
function createSwitch(on: string, off: string): (wanted: boolean) => void {
  let isOn = true;
  return (wanted) => {
    if (wanted === isOn) return;
    isOn = wanted;
    setFlagsFromString(wanted ? on : off);
  };
}
