/** Asks the gate's own rules what a candidate would change: in the past, and under attack. */
import type { Verdict } from "../../core/call/outcome.ts";
import type { Policy } from "../../rules/policies.ts";
import type { Rules } from "../../rules/rule-set.ts";
import { isNo } from "../evidence.ts";
import type { JudgedCall, RuleChange, RuleJudge } from "../judge.ts";
import type { SameCalls } from "../read-calls.ts";
import type { SuggestedChange } from "../suggestion.ts";
import { type Mutation, mutate } from "./mutations.ts";

export interface Replayed {
  /** Why it must not be proposed. */
  readonly problem?: string;
  readonly changed: readonly SameCalls[];
  /** Of these, what was allowed and is not any more. */
  readonly stricter: readonly SameCalls[];
  readonly changes: { readonly count: number; readonly calls: readonly SuggestedChange[] };
  readonly savedQuestions: number;
  readonly cannotTell: number;
}

export interface Attacked {
  readonly tried: number;
  /** Those that the candidate lets through. */
  readonly passed: readonly Mutation[];
  /** Some that it does not, for the tests. */
  readonly refused: readonly { readonly of: SameCalls; readonly mutation: Mutation }[];
}

const mostShown = 50;
/** One call of each shape: the first of them in all the ways that we know, the others in some. */
const attackedCalls = 24;
const leastAttacked = 8;
const attackedFully = 2;
const someAttacks = 8;

export class Prover {
  readonly judge: RuleJudge;
  readonly #byTool: ReadonlyMap<string, readonly SameCalls[]>;
  readonly #before = new Map<SameCalls, Verdict | undefined>();
  readonly #allowed = new Map<string, readonly SameCalls[]>();
  readonly #signal: AbortSignal | undefined;

  constructor(judge: RuleJudge, groups: readonly SameCalls[], signal: AbortSignal | undefined) {
    this.judge = judge;
    this.#byTool = Map.groupBy(groups, ({ read, call }) => read?.tool ?? call.tool);
    this.#signal = signal;
  }

  /** What the change makes of the calls that it may concern. */
  async replay(change: RuleChange, concerned: readonly SameCalls[]): Promise<Replayed> {
    const told = concerned.filter(({ call }) => call.incomplete !== true);
    const before = await this.#verdictsBefore(told);
    const after = await this.#ask(
      told.map(({ call }) => call),
      change,
    );
    const changed: SameCalls[] = [];
    const allowed: SameCalls[] = [];
    const stricter: SameCalls[] = [];
    const shown: SuggestedChange[] = [];
    let problem: string | undefined;
    let count = 0;
    let savedQuestions = 0;
    told.forEach((same, index) => {
      const [was, is] = [before[index], after[index]];
      if (was === undefined || is === undefined || was === is) return;
      changed.push(same);
      if (was === "allow") stricter.push(same);
      if (is === "allow") allowed.push(same);
      count += same.calls.length;
      const { seq, callId, tool, input } = same.call;
      if (shown.length < mostShown)
        shown.push({ seq, callId, tool, input, before: was, after: is, times: same.calls.length });
      // Where we say nothing, an agent's own prompts decide: that is less than a question of ours, too.
      if (is !== "allow" && !(is === "abstain" && was !== "allow")) return;
      savedQuestions += questionsOf(same);
      if (was === "deny") problem ??= "it would allow what a rule denies";
      if (same.calls.some(isNo)) problem ??= "it would allow what a person has denied";
      if (same.read === undefined || same.read.withheld !== undefined)
        problem ??= `it would allow what is never proposed: ${same.read?.withheld ?? "unknown"}`;
    });
    const [only, ...others] = change.added?.policies ?? [];
    if (only !== undefined && others.length === 0) this.#allowed.set(only.name, allowed);
    const cannotTell = concerned
      .filter(({ call }, index) => call.incomplete === true || after[index] === undefined)
      .reduce((sum, { calls }) => sum + calls.length, 0);
    return {
      ...(problem !== undefined && { problem }),
      changed,
      stricter,
      changes: { count, calls: shown },
      savedQuestions,
      cannotTell,
    };
  }

  /** What these policies approve, each by itself. With more approvals beside it that stays so. */
  allowedBy(policies: readonly Policy[]): ReadonlySet<SameCalls> {
    return new Set(policies.flatMap(({ name }) => this.#allowed.get(name) ?? []));
  }

  /** Calls from the whole of what it covers, in all the ways that we know. */
  async attack(added: Rules, covered: readonly SameCalls[]): Promise<Attacked> {
    const distinct = [...new Map(covered.map((same) => [shapeOf(same), same])).values()];
    const others = distinct.length < leastAttacked ? spread(covered, leastAttacked) : [];
    const tried = [...new Set([...spread(distinct, attackedCalls), ...others])].flatMap((of, nth) => {
      const { command, path, url } = of.read ?? {};
      const attacks = mutate({
        input: of.call.input,
        command,
        path: command === undefined ? path : undefined,
        url,
      });
      const chosen =
        nth < attackedFully ? attacks : attacks.filter((_, at) => at % someAttacks === nth % someAttacks);
      return chosen.map((mutation) => ({ of, mutation }));
    });
    const calls = tried.map(({ of, mutation }): JudgedCall => ({ ...of.call, input: mutation.input }));
    const after = await this.#ask(calls, { added });
    const allowed = tried.filter((_, index) => after[index] === "allow");
    const before = await this.#ask(
      allowed.map(({ of, mutation }) => ({ ...of.call, input: mutation.input })),
      {},
    );
    const passed = allowed.filter((_, index) => before[index] !== "allow").map(({ mutation }) => mutation);
    const refused = tried.filter((_, index) => after[index] === "ask" || after[index] === "abstain");
    return { tried: tried.length, passed, refused };
  }

  /** As `toolgate test` asks: an agent that runs the tool itself. */
  checked(calls: readonly JudgedCall[], added: Rules): Promise<readonly (Verdict | undefined)[]> {
    return this.#ask(
      calls.map((call) => ({ ...call, kind: "check" as const, cwd: call.workspace })),
      { added },
    );
  }

  /** Those that a rule for this tool may concern. */
  ofTool(tool: string): readonly SameCalls[] {
    return this.#byTool.get(tool) ?? [];
  }

  async #verdictsBefore(groups: readonly SameCalls[]): Promise<readonly (Verdict | undefined)[]> {
    const unknown = groups.filter((same) => !this.#before.has(same));
    const verdicts = await this.#ask(
      unknown.map(({ call }) => call),
      {},
    );
    for (const [index, same] of unknown.entries()) this.#before.set(same, verdicts[index]);
    return groups.map((same) => this.#before.get(same));
  }

  async #ask(calls: readonly JudgedCall[], change: RuleChange): Promise<readonly (Verdict | undefined)[]> {
    this.#signal?.throwIfAborted();
    if (calls.length === 0) return [];
    return (await this.judge.judge(calls, change)).map((judged) => judged?.verdict);
  }
}

export function questionsOf({ calls }: SameCalls): number {
  return calls.filter(({ question }) => question !== undefined).length;
}

/** So many of them, from the whole of the list. */
function spread<One>(list: readonly One[], most: number): One[] {
  const step = Math.max(1, list.length / most);
  return list.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** What a rule could tell calls by: which options, how many words, how deep. */
function shapeOf({ read, call }: SameCalls): string {
  const parts = (read?.parts ?? []).map((part) => {
    if (part.kind === "command")
      return `${part.key} ${part.shape.options.map(({ name, form }) => name + form).sort()} ${part.shape.operands.map(placeOf)}`;
    if (part.kind === "file") return `${part.key} ${placeOf(part.relative)}`;
    if (part.kind === "url") return `${part.key} ${placeOf(part.url.pathname)}`;
    return `${part.key} ${Object.values(part.input).map((value) => typeof value)}`;
  });
  return `${call.workspace} ${call.caller} ${call.cwd} ${parts.join("\n")}`;
}

/** Its folder and its ending. */
function placeOf(path: string): string {
  return path.replace(/[^/.]+(?=(?:\.\w+)?$)/, "*");
}
