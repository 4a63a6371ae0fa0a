/** Which agent a session gets, or why there is none. */
import type { Runner } from "../runner.ts";
import { type SessionProblem, sessionProblem } from "../session-problem.ts";

export interface RunnerChoice {
  readonly byName: ReadonlyMap<string, Runner>;
  /** Default: the first that misses nothing. */
  readonly defaultRunner: string | undefined;
}

export async function chooseRunner(
  asked: string | undefined,
  { byName, defaultRunner }: RunnerChoice,
): Promise<Runner | SessionProblem> {
  const name = asked ?? defaultRunner;
  if (name !== undefined) {
    const runner = byName.get(name);
    if (runner === undefined) return unknownRunner(name, [...byName.keys()]);
    const missing = await runner.explainMissing?.();
    return missing === undefined ? runner : sessionProblem("runner_missing", sentence(missing));
  }
  const looked: LookedAt[] = [];
  for (const runner of byName.values()) {
    const missing = await runner.explainMissing?.();
    if (missing === undefined) return runner;
    looked.push({ name: runner.name, missing });
  }
  return noRunner(looked);
}

/** A runner as lists have it. */
export interface LookedAt {
  readonly name: string;
  readonly missing?: string | undefined;
  readonly default?: boolean | undefined;
}

/** The same of a list, for who wants to know before anything is sent. Undefined: there is one. */
export function explainNoRunner(
  asked: string | undefined,
  runners: readonly LookedAt[],
): SessionProblem | undefined {
  if (asked === undefined && !runners.some((one) => one.default === true)) return noRunner(runners);
  const found = runners.find((one) => (asked === undefined ? one.default === true : one.name === asked));
  if (found === undefined)
    return unknownRunner(
      asked ?? "",
      runners.map(({ name }) => name),
    );
  return found.missing === undefined ? undefined : sessionProblem("runner_missing", sentence(found.missing));
}

function unknownRunner(name: string, known: readonly string[]): SessionProblem {
  const there = known.join(", ") || "none";
  return sessionProblem(
    "unknown_runner",
    `There is no runner ${JSON.stringify(name.slice(0, 80))}; there are: ${there}.`,
    { hint: name === "chat" ? `${chatHint} ${otherHint}` : otherHint },
  );
}

const chatHint = "chat is there as soon as ANTHROPIC_API_KEY or OPENAI_API_KEY is set.";
const otherHint =
  "Others are set up in the configuration (sessions: { runners: ... }); docs/sessions.md says how.";

function noRunner(looked: readonly LookedAt[]): SessionProblem {
  const why = looked.flatMap(({ name, missing }) => (missing ? [`${name}: ${sentence(missing)}`] : []));
  return sessionProblem("runner_missing", ["No agent can be run here.", ...why].join(" "), {
    hint: "Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name an agent in the configuration (sessions: { runners: ... }); docs/sessions.md says how.",
  });
}

/** What a runner says of itself may come from another program; the next sentence follows it. */
function sentence(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
