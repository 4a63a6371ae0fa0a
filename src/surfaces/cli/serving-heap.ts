/** How V8 treats the memory of a process that serves for hours, often with long pauses between calls. */
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** For what lives short, in bytes; and for a process that is busy for long, which is faster with it. */
const enough = 4 * 1024 * 1024;
const enoughForBusy = 2 * enough;
/** So many collections: ten to thirty thousand calls. */
const busyAfter = 150;

/** What a start takes is taken by then. */
const startMs = 5_000;
/** Being told of every collection costs a busy process a hundredth of its time, so once all is as it should be, we look only from time to time. */
const restMs = 10_000;

/** What every server needs of Node. Once a flag is changed, Node compiles each part anew instead of taking what it brought with it, in twice the time. */
const partsOfNode = [
  "node:crypto",
  "node:child_process",
  "node:vm",
  "node:timers/promises",
  "node:fs/promises",
];

/**
 * Before its threads are started. What lives short gets 4 MB, both halves together, and 8 after many calls. Left alone, V8 takes 16 MB for it while
 * we load our code, up to 64 later, and keeps them.
 */
export function prepareHeapForServing(): void {
  const startedAt = performance.now();
  let mayGrow = false;
  let givesBack = true;
  let collections = 0;
  for (const part of partsOfNode) process.getBuiltinModule(part);
  setGrowth(mayGrow);
  holdCompilersBack();
  // What survives a collection is a MB at most: waking threads to share it costs more than it saves, and each of them keeps memory of its own.
  setFlagsFromString("--no-parallel-scavenge");
  // Until the first full collection V8 would let a thread take 250 MB, and most of it is garbage.
  setFlagsFromString("--initial-old-space-size=10");
  // V8 reads these flags when it collects.
  const observer = new PerformanceObserver((list) => {
    collections += list.getEntries().length;
    const wanted = collections > busyAfter ? enoughForBusy : enough;
    const bytes = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size;
    if (bytes === undefined) return;
    if (bytes < wanted !== mayGrow) {
      mayGrow = !mayGrow;
      setGrowth(mayGrow);
    }
    if (givesBack && bytes <= 2 * wanted && performance.now() - startedAt > startMs) {
      givesBack = false;
      keepCodeOverPauses();
    }
    const isAsItShouldBe = !givesBack && !mayGrow && collections > busyAfter;
    if (!isAsItShouldBe) return;
    observer.disconnect();
    setTimeout(observe, restMs).unref();
  });
  const observe = () => observer.observe({ entryTypes: ["gc"] });
  observe();
}

/** Given on the command line of node, V8 takes no notice of a 1. */
function setGrowth(mayGrow: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
}

/**
 * Until it serves. A start runs most code once; what it runs a thousand times (finding and reading files, taking configuration apart) it never runs
 * again. Compiling that keeps another processor busy and takes memory that the threads of the compiler never give back.
 */
function holdCompilersBack(): void {
  setFlagsFromString("--no-maglev");
  setFlagsFromString("--no-turbofan");
}

/** What follows a start (the first list of tools, what is written down for the next start) is no work that comes again, either. */
const settleMs = 1_000;

/**
 * Once it serves. By default, what is called often is compiled twice by V8, quickly after 400 calls and well after 3,000. The quick compiler
 * takes 10 to 20 MB that are never given back, so it stays off; a process that serves for hours is as fast without, if the other one begins earlier.
 */
export function compileForServing(): void {
  setTimeout(() => {
    setFlagsFromString("--turbofan");
    setFlagsFromString("--invocation-count-for-turbofan=200");
  }, settleMs).unref();
}

/**
 * After some seconds without calls V8 collects garbage. By default it then gives back what it can, and also forgets the shapes of objects of
 * which none is left, which are those of every call, with the machine code that was compiled for them: the first hundreds of calls after each
 * pause are slow again. That is worth it once, for what a start has taken; later it only collects.
 */
function keepCodeOverPauses(): void {
  const [major = 0, minor = 0] = process.versions.v8.split(".").map(Number);
  // Others complain on standard error that they do not know it.
  const isKnown = (major === 13 && minor >= 6) || (major === 14 && minor <= 1);
  if (isKnown) setFlagsFromString("--no-memory-reducer-favors-memory");
}
