/**
 * Leaves calls that went well out of a stream that has too many of them, and counts what it leaves out. Refusals,
 * failures and questions are never left out. What it remembers is bounded, whatever the client does.
 */
import type { Clock } from "../../../core/ports/ports.ts";
import type { EventData } from "../contract.ts";
import type { LoggedEvent } from "./event-log.ts";

export type Summary = EventData["summary"];

export interface Thinning {
  /** Whether this event goes to the client. */
  passes(event: LoggedEvent): boolean;
  /** What was left out, once a second. Undefined: nothing, or not yet. */
  takeSummary(): Summary | undefined;
  /** When the next summary is due. Undefined: nothing was left out. */
  readonly dueInMs: number | undefined;
}

const everyMs = 1_000;
/** Calls whose beginning was sent: their ends are sent, too. */
const mostStarted = 10_000;
const mostTools = 200;
const shownTools = 20;
const mostTimes = 1_000;

/** `rate`: so many events of calls a second. */
export function createThinning(rate: number, clock: Clock): Thinning {
  const started = new Set<string>();
  let tokens = rate;
  let at = clock.monotonic();
  let left: LeftOut | undefined;

  const take = (cost: number): boolean => {
    const now = clock.monotonic();
    tokens = Math.min(rate, tokens + ((now - at) * rate) / 1_000);
    at = now;
    if (tokens < cost) return false;
    tokens -= cost;
    return true;
  };
  const begin = (callId: string): boolean => {
    // Its end is paid for as well.
    if (!take(Math.min(2, rate))) return false;
    started.add(callId);
    const [oldest] = started;
    if (started.size > mostStarted && oldest !== undefined) started.delete(oldest);
    return true;
  };
  return {
    passes({ kind, data }) {
      const callId = String(data.callId);
      if (kind === "call-start") return begin(callId);
      if (kind === "call-progress") return started.has(callId);
      if (kind !== "call-end") return true;
      if (started.delete(callId) || data.ok !== true || take(1)) return true;
      left ??= new LeftOut(clock.now(), clock.monotonic());
      left.add(String(data.tool), Number(data.durationMs));
      return false;
    },
    takeSummary() {
      if (left === undefined || clock.monotonic() - left.since < everyMs) return undefined;
      const summary = left.summary(clock.now());
      left = undefined;
      return summary;
    },
    get dueInMs() {
      return left && Math.max(1, left.since + everyMs - clock.monotonic());
    },
  };
}

class LeftOut {
  readonly since: number;
  readonly #fromMs: number;
  readonly #tools = new Map<string, number>();
  readonly #times: number[] = [];
  #count = 0;

  constructor(fromMs: number, since: number) {
    this.#fromMs = fromMs;
    this.since = since;
  }

  add(tool: string, durationMs: number): void {
    const name = this.#tools.has(tool) || this.#tools.size < mostTools ? tool : "…";
    this.#tools.set(name, (this.#tools.get(name) ?? 0) + 1);
    // The latest of them are as good as any.
    this.#times[this.#count++ % mostTimes] = durationMs;
  }

  summary(toMs: number): Summary {
    const times = this.#times.toSorted((one, other) => one - other);
    const part = (share: number) => times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0;
    const tools = [...this.#tools]
      .map(([tool, count]) => ({ tool, count }))
      .sort((one, other) => other.count - one.count)
      .slice(0, shownTools);
    const left = this.#count;
    return { fromMs: this.#fromMs, toMs, left, ok: left, tools, p50Ms: part(0.5), p95Ms: part(0.95) };
  }
}
