/** The thread that holds the database: takes what waits, runs it as one transaction, answers, rings. */
import { once } from "node:events";
import { parentPort, receiveMessageOnPort } from "node:worker_threads";
import type { StoreProblem } from "../../core/ports/store-error.ts";
import { type Area, again, type Operation } from "./area.ts";
import { areas } from "./areas.ts";
import { BellRope } from "./bell.ts";
import { Context } from "./context.ts";
import { CopyBack } from "./copy-back.ts";
import { removeLeftTemporaries } from "./left-temporaries.ts";
import { type Asks, type FromWorker, partsOfAsk, type ToWorker, type WorkerStart } from "./messages.ts";
import { openDatabase } from "./open-database.ts";
import { deadProcesses, forgetProcesses, processesArea } from "./processes/processes-area.ts";
import { runGroup, runRead, type Work, type WorkEnd } from "./run-group.ts";
import { toStoreError } from "./store-error.ts";

if (parentPort === null) throw new Error("This is the code of a thread.");
const [start] = (await once(parentPort, "message")) as [WorkerStart];
const { port } = start;
const { file } = start.database;
const mournEveryMs = 60_000;
/** Whoever ends is waited for; what others hold for longer than this, in one piece, is left to the next process. */
const closingPatienceMs = 10_000;
/** While one group is written, callers make the next. With larger groups both sides would wait in turns. */
const mostAsks = partsOfAsk * 32;
// Node 22 calls node:sqlite experimental on stderr, which belongs to the program.
process.emitWarning = () => {};

try {
  await serve();
} catch (error) {
  const { problem, message } = toStoreError(error, file);
  say({ kind: "refused", problem, message });
  port.close();
}

async function serve(): Promise<void> {
  const parts = [...areas, ...(await loadAreas())];
  const writes = operationsOf(parts, "writes");
  const reads = operationsOf(parts, "reads");
  const alone = new Set(parts.flatMap((area) => (area.alone ?? []).map((name) => `${area.name}.${name}`)));
  const database = await openDatabase(start.database);
  const context = new Context(database, { ...start, file });
  const finishing = parts.flatMap(({ beforeCommit }) => beforeCommit ?? []);
  context.beforeCommit = () => {
    for (const finish of finishing) finish(context);
  };
  const committed = parts.flatMap(({ onCommit }) => onCommit ?? []);
  context.onCommit = () => {
    for (const hear of committed) hear(context);
  };
  const bells = new BellRope(start.stateFolder);
  const copyBack = new CopyBack(database);
  // One transaction: a process is never registered without having looked at what the dead left.
  const opening = parts.map((area): Work => {
    return { id: 0, operation: (store) => area.onOpen?.(store, start.areaOptions), args: undefined };
  });
  opening.push({ id: 0, operation: mournAll, args: undefined });
  const failed = runGroup(context, opening).find((end) => !end.ok);
  if (failed !== undefined) {
    database.close();
    throw failed.error;
  }
  removeLeftTemporaries(start.stateFolder, context.now());
  const mourning = setInterval(() => {
    removeLeftTemporaries(start.stateFolder, context.now());
    runGroup(context, [{ id: 0, operation: mournAll, args: undefined }]);
    afterwards(true);
  }, mournEveryMs);
  const timers = parts.map((area) => {
    const { everySeconds } = area;
    return everySeconds === undefined
      ? undefined
      : setInterval(() => tick([area], false), everySeconds * 1_000);
  });
  port.on("message", take);
  say({ kind: "ready" });

  function take(first: ToWorker): void {
    let message: ToWorker | undefined = first;
    const asks: unknown[] = [];
    let closing = false;
    // What came while the last group was being committed goes into this one.
    while (message !== undefined) {
      if (message === "close") closing = true;
      else for (const part of message) asks.push(part);
      message = receiveMessageOnPort(port)?.message as ToWorker | undefined;
    }
    for (let at = 0; at < asks.length; at += mostAsks) answer(asks.slice(at, at + mostAsks));
    if (closing) close();
  }

  function mournAll(): void {
    const dead = deadProcesses(context);
    const kept = new Set(parts.flatMap((area) => area.onDead?.(context, dead) ?? []));
    forgetProcesses(
      context,
      dead.filter((id) => !kept.has(id)),
    );
  }

  function answer(asks: Asks): void {
    const group: Work[] = [];
    const apart: Work[] = [];
    const looks: Work[] = [];
    const told: Answers = { done: [], values: [], failed: [] };
    for (let at = 0; at < asks.length; at += partsOfAsk) {
      const id = asks[at] as number;
      const isWrite = asks[at + 1] === "write";
      const name = asks[at + 2] as string;
      const operation = (isWrite ? writes : reads).get(name);
      if (operation === undefined) told.failed.push([id, "failed", `The store has no operation "${name}".`]);
      else (isWrite ? (alone.has(name) ? apart : group) : looks).push({ id, operation, args: asks[at + 3] });
    }
    const ends = group.length > 0 ? runGroup(context, group) : [];
    for (const one of apart) ends.push(...runGroup(context, [one]));
    for (const end of ends) tell(end, told);
    // After the writes of the same moment: whoever wrote and then looks must see it.
    for (const one of looks) tell(runRead(context, one), told);
    say({ kind: "told", ...told });
    afterwards(ends.length > 0);
  }

  /** Nobody waits for this any more. */
  function afterwards(wrote: boolean): void {
    ringAll();
    if (!wrote) return;
    for (const area of parts) {
      const next = area.afterCommit?.(context);
      if (next !== undefined) runGroup(context, [{ id: 0, operation: next, args: undefined }]);
      ringAll();
    }
    copyBack.later();
  }

  /** After each transaction: the next one forgets which bells the last one rang. */
  function ringAll(): void {
    for (const name of context.rung) bells.ring(name);
    context.rung.clear();
  }

  /**
   * What an area does by itself can fail as everything can (a full disk), and is tried again at the next
   * tick. Returns how the first one failed; a process is not deregistered then, so that whoever comes next
   * deals with what it left.
   */
  function tick(some: readonly Area[], closing: boolean): WorkEnd | undefined {
    let failed: WorkEnd | undefined;
    for (const area of some) {
      if (closing && area === processesArea && failed !== undefined) break;
      const end = tickOne(area, closing);
      const next = end?.ok === true ? end.value : undefined;
      if (typeof next === "function")
        runGroup(context, [{ id: 0, operation: next as Operation, args: undefined }]);
      if (end?.ok !== false) continue;
      failed ??= end;
      // The others are tried, but none of them waits for the same lock again.
      if (closing) context.patienceMs = 0;
    }
    afterwards(true);
    return failed;
  }

  /** Piece by piece, until there is no more of the same. */
  function tickOne(area: Area, closing: boolean): WorkEnd | undefined {
    for (;;) {
      const [end] = runGroup(context, [
        { id: 0, operation: (store) => area.onTick?.(store, closing), args: undefined },
      ]);
      ringAll();
      if (end?.ok !== true || end.value !== again) return end;
    }
  }

  function close(): void {
    for (const timer of [mourning, ...timers]) clearInterval(timer);
    context.patienceMs = start.closingPatienceMs ?? closingPatienceMs;
    // In reverse: the process is deregistered last.
    const failed = tick([...parts].reverse(), true);
    const left = failed?.ok === false ? explainLeft(failed.error) : undefined;
    bells.close();
    copyBack.stop();
    database.close();
    say({ kind: "closed", left });
    port.close();
  }

  function explainLeft(error: unknown): { readonly problem: StoreProblem; readonly message: string } {
    const { problem, message } = toStoreError(error, file);
    const what = parts.flatMap((area) => area.onLeft?.(context) ?? []);
    return { problem, message: ["The store could not be closed in order.", ...what, message].join(" ") };
  }
}

async function loadAreas(): Promise<Area[]> {
  const loaded: Area[] = [];
  for (const url of start.modules) {
    const { area } = (await import(url)) as { readonly area: Area };
    loaded.push(area);
  }
  return loaded;
}

function operationsOf(parts: readonly Area[], kind: "writes" | "reads"): Map<string, Operation> {
  const entries = parts.flatMap((area) =>
    Object.entries(area[kind]).map(([name, operation]) => [`${area.name}.${name}`, operation] as const),
  );
  return new Map(entries);
}

interface Answers {
  readonly done: number[];
  readonly values: (readonly [number, unknown])[];
  readonly failed: (readonly [number, StoreProblem, string])[];
}

function tell(end: WorkEnd, told: Answers): void {
  if (!end.ok) {
    const { problem, message } = toStoreError(end.error, file);
    told.failed.push([end.id, problem, message]);
  } else if (end.value === undefined) told.done.push(end.id);
  else told.values.push([end.id, end.value]);
}

function say(message: FromWorker): void {
  port.postMessage(message);
}
