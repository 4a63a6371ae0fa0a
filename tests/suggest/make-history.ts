/** A year of calls, made by a seeded generator: sessions of agents in several projects, and people who answer. */
import { join } from "node:path";
import type { JsonObject } from "../../src/core/input/json.ts";
import type { Rules } from "../../src/rules/rule-set.ts";
import type { HistoryCall, HistoryQuestion } from "../../src/suggest/history.ts";
import { type CallMaker, type Habit, type Project, projects } from "./made-calls.ts";
import { createRandom, type Random } from "./random.ts";

export interface HistoryRequest {
  readonly seed: number;
  /** Projects are folders in it; nothing is read or written there. */
  readonly root: string;
  /** Default: 100,000. */
  readonly calls?: number;
  /** Default: 365. */
  readonly days?: number;
  /** Milliseconds since the epoch, where it ends. */
  readonly until?: number;
}

export interface MadeHistory {
  readonly calls: readonly HistoryCall[];
  readonly since: number;
  readonly until: number;
  /** What comes later is for measuring: a fifth of the calls. */
  readonly laterFrom: number;
  /** Of calls that no rule may approve, whatever people have said. */
  readonly floor: ReadonlySet<string>;
}

/** In force all the time: what is more than reading, and what leaves the machine, asks. */
export const historyRules: Rules = {
  policies: [
    {
      name: "ask-before-changes",
      tools: "*",
      action: "ask",
      conditions: [{ type: "risk", operator: "greaterThan", value: "read" }],
      priority: -100,
    },
    { name: "ask-before-fetching", tools: "WebFetch", action: "ask", priority: -100 },
  ],
};

const day = 86_400_000;
const defaultEnd = Date.UTC(2026, 10, 2);

export function makeHistory({
  seed,
  root,
  calls: wanted = 100_000,
  days = 365,
  until = defaultEnd,
}: HistoryRequest): MadeHistory {
  const random = createRandom(seed);
  const since = until - days * day;
  const calls: HistoryCall[] = [];
  const floor = new Set<string>();
  const perDay = wanted / days;
  for (let at = since; at < until; at += day) {
    const goal = Math.min(wanted, Math.ceil(((at - since) / day + 1) * perDay));
    while (calls.length < goal) {
      const session = new MadeSession(pickProject(random), random, { root, day: at, seq: calls.length });
      const length = Math.min(goal - calls.length, 10 + random.below(70));
      for (const { call, isFloor } of session.calls(length)) {
        calls.push(call);
        if (isFloor) floor.add(call.callId);
      }
    }
  }
  const ordered = calls.sort((one, other) => one.at - other.at || one.seq - other.seq);
  const numbered = ordered.map((call, index) => ({ ...call, seq: index + 1 }));
  const laterFrom = numbered[Math.floor(numbered.length * 0.8)]?.at ?? until;
  return { calls: numbered, since, until, laterFrom, floor };
}

function pickProject(random: Random): Project {
  return random.pick(projects.flatMap((project) => Array<Project>(project.share).fill(project)));
}

interface SessionPlace {
  readonly root: string;
  readonly day: number;
  readonly seq: number;
}

interface MadeCall {
  readonly call: HistoryCall;
  readonly isFloor: boolean;
}

class MadeSession {
  readonly #project: Project;
  readonly #random: Random;
  readonly #place: SessionPlace;
  readonly #id: string;
  readonly #person: string;
  readonly #kinds: readonly CallMaker[];
  /** Some people look at questions in heaps, once in a while. */
  readonly #inBatches: boolean;

  constructor(project: Project, random: Random, place: SessionPlace) {
    this.#project = project;
    this.#random = random;
    this.#place = place;
    this.#id = `s-${random.hex(12)}`;
    this.#person = random.pick(project.people);
    this.#inBatches = random.chance(0.05);
    this.#kinds = project.calls.flatMap((maker) => Array<CallMaker>(maker.weight).fill(maker));
  }

  *calls(length: number): Generator<MadeCall> {
    // In working hours; the last call stays within the day.
    let at = this.#place.day + 7 * 3_600_000 + this.#random.below(9 * 3_600_000);
    for (let index = 0; index < length; index++) {
      const maker = this.#random.pick(this.#kinds);
      at += 2_000 + this.#random.below(60_000);
      const call = this.#make(maker, at, this.#place.seq + index);
      yield { call, isFloor: maker.floor === true };
      // Whoever answers in heaps lets several wait.
      if (!this.#inBatches) at = call.question?.answeredAt ?? at;
    }
  }

  #make(maker: CallMaker, at: number, seq: number): HistoryCall {
    const { name, agent } = this.#project;
    const workspace = join(this.#place.root, name);
    const input = maker.input(this.#random);
    const question = maker.free === true ? undefined : this.#answer(maker.habit, input, at);
    const refusedBy = { denied: "approval_denied", expired: "approval_expired" } as const;
    const state = question?.state;
    const code = state === "denied" || state === "expired" ? refusedBy[state] : undefined;
    return {
      seq,
      callId: `call_${this.#id}_${seq}`,
      at,
      tool: maker.tool,
      askedFor: maker.askedFor,
      kind: "check",
      input,
      ...(JSON.stringify(input).includes("[redacted") && { incomplete: true as const }),
      cwd: workspace,
      workspace,
      mode: "act",
      caller: "local",
      session: this.#id,
      agent,
      verdict: maker.free === true ? "abstain" : "ask",
      ...(maker.free !== true && { rule: { kind: "policy" as const, name: ruleFor(maker) } }),
      ...(code !== undefined && { code }),
      ran: code === undefined,
      ...(question !== undefined && { question }),
    };
  }

  #answer(habit: Habit | undefined, input: JsonObject, at: number): HistoryQuestion {
    const random = this.#random;
    if (random.chance(0.015)) return { state: "expired" };
    const isBatch = this.#inBatches && random.chance(0.6);
    // Most read for some seconds; some answers come before anybody can have read.
    // A batch is clicked away at the next full ten minutes.
    const seconds = isBatch
      ? (Math.ceil((at + (60 + random.below(600)) * 1_000) / 600_000) * 600_000 - at) / 1_000
      : random.chance(0.1)
        ? 0.4 + random.next()
        : 2 + random.next() ** 2 * 60;
    const answered = {
      by: this.#person,
      answeredAt: at + Math.round(seconds * 1_000),
      secondsToAnswer: Math.round(seconds * 10) / 10,
      scope: "once" as const,
    };
    if (habit === undefined || !random.chance(habit.often ?? 1)) return { state: "approved", ...answered };
    if ("deny" in habit) return { state: "denied", reason: habit.deny, ...answered };
    return { state: "approved", editedInput: habit.edit(input), ...answered };
  }
}

function ruleFor({ tool }: CallMaker): string {
  return tool === "web.fetch" ? "ask-before-fetching" : "ask-before-changes";
}
