/** The child process that compiles patterns first: it tells their costs, and is killed at an endless one. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { LineReader } from "../../core/text/line-reader.ts";

/** What it took to compile and to run on short texts, with every engine that it may meet. */
export interface PatternCost {
  readonly cpuMs: number;
  readonly bytes: number;
}

export interface TrialEnd {
  /** Of the patterns that came back, in their order. */
  readonly costs: readonly PatternCost[];
  /** The next pattern does not end. Otherwise all came back, or there was no time left. */
  readonly hung: boolean;
}

/** Each is a source with its flags, and perhaps another source and flags that stand for the same. */
export type Trial = readonly string[];

export interface TrialBounds {
  /** Of wall time. */
  readonly timeoutMs: number;
  /** Of the child's processor time: what comes after is not tried. */
  readonly maxCpuMs: number;
}

export function askChild(trials: readonly Trial[], { timeoutMs, maxCpuMs }: TrialBounds): Promise<TrialEnd> {
  return new Promise((resolve) => {
    const child: ChildProcess = spawn(process.execPath, childArguments, {
      stdio: ["pipe", "pipe", "ignore"],
      env: {},
      windowsHide: true,
    });
    const reports = new Reports();
    let hung = false;
    const stop = (): void => void child.kill("SIGKILL");
    const total = setTimeout(stop, timeoutMs);
    let patience: NodeJS.Timeout | undefined;
    const wait = (): void => {
      clearTimeout(patience);
      patience = setTimeout(giveUp, patienceMs);
    };
    // On a busy machine the child may hardly have run: that says nothing about the pattern.
    function giveUp(): void {
      const used = cpuMsOf(child.pid);
      hung = used === undefined || used - reports.cpuMs >= patienceMs / 2;
      if (hung) stop();
      else wait();
    }
    child.stdout?.setEncoding("latin1");
    child.stdout?.on("data", (text: string) => {
      reports.add(text);
      if (reports.spentMs > maxCpuMs) stop();
      wait();
    });
    child.stdin?.on("error", () => {});
    child.on("error", () => finish());
    child.on("close", () => finish());
    function finish(): void {
      clearTimeout(total);
      clearTimeout(patience);
      resolve({ costs: reports.costs.slice(0, trials.length), hung });
    }
    child.stdin?.end(inputOf(trials));
  });
}

/** The same for one, while everything else waits. */
export function askChildNow(trial: Trial): PatternCost | "hangs" {
  const child = spawnSync(process.execPath, childArguments, {
    input: inputOf([trial]),
    timeout: 1_000,
    killSignal: "SIGKILL",
    encoding: "latin1",
    env: {},
    windowsHide: true,
  });
  const reports = new Reports();
  reports.add(child.stdout ?? "");
  return reports.costs[0] ?? "hangs";
}

const patienceMs = 400;

/** One line at the start and one after each pattern: processor time and memory so far. */
class Reports {
  readonly costs: PatternCost[] = [];
  cpuMs = 0;
  spentMs = 0;
  #bytes = 0;
  #started = false;
  readonly #lines = new LineReader(1_000, { line: (line) => this.#report(line), tooLong: () => {} });

  add(text: string): void {
    this.#lines.take(text);
  }

  #report(line: string): void {
    const [cpuMs = 0, bytes = 0] = line.split(" ").map(Number);
    const cost = { cpuMs: cpuMs - this.cpuMs, bytes: Math.max(0, bytes - this.#bytes) };
    if (this.#started) {
      this.costs.push(cost);
      this.spentMs += cost.cpuMs;
    }
    this.#started = true;
    this.cpuMs = cpuMs;
    this.#bytes = Math.max(bytes, this.#bytes);
  }
}

/** Undefined where the system does not say: then time that passed is all there is. */
function cpuMsOf(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    // In hundredths of a second on every Linux that Node runs on.
    return (Number(user) + Number(system)) * 10;
  } catch {
    return undefined;
  }
}

function inputOf(trials: readonly Trial[]): string {
  return trials.map((trial) => `${JSON.stringify(trial)}\n`).join("");
}

/** Short texts of both string kinds, twice, because V8 compiles again for each of them. */
const childCode = `
const { setFlagsFromString } = require("node:v8");
setFlagsFromString("--enable-experimental-regexp-engine");
setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");
const { writeSync, readFileSync } = require("node:fs");
const report = () => {
  const { user, system } = process.cpuUsage();
  writeSync(1, (user + system) / 1000 + " " + process.memoryUsage.rss() + "\\n");
};
const run = (source, flags) => {
  try {
    const regexp = new RegExp(source, flags);
    for (const text of ["zb", "zb", "z\\u1234", "z\\u1234", ""]) regexp.test(text);
  } catch {}
};
report();
for (const line of readFileSync(0, "utf8").split("\\n")) {
  if (line === "") continue;
  const [source, flags, twin, twinFlags] = JSON.parse(line);
  run(source, flags);
  if (twin !== undefined) {
    if (twin !== source || twinFlags !== flags) run(twin, twinFlags);
    run(twin, twinFlags + "l");
  }
  report();
}`;

const childArguments = ["--max-old-space-size=128", "-e", childCode];
