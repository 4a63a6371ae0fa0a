/** Rules that approve what people always approve. */
import type { Rules } from "../../rules/rule-set.ts";
import type { RuleTest } from "../../rules/shapes/test-shape.ts";
import {
  type Candidate,
  type Cluster,
  candidateOf,
  clustersOf,
  generalities,
  linesOf,
  policyOf,
} from "../candidates.ts";
import { isNo, isSure, isYes, leastDays, leastSessions, neededWeight, weigh } from "../evidence.ts";
import type { Replayed } from "../proof/prover.ts";
import type { SameCalls } from "../read-calls.ts";
import { liftsOthers, priorityFor } from "../set-aside.ts";
import { isBehindCheck } from "../shapes/call-parts.ts";
import type { HoldOut, Suggestion } from "../suggestion.ts";
import type { Window } from "../window.ts";
import { day, idOf, isWritable, line, nameOf } from "../write-suggestion.ts";

/** Below that nobody wants to hear of it. */
const leastWeight = 3;
const positiveTests = 3;
const negativeTests = 5;
const mostCounterExamples = 5;

export async function suggestApprovals(window: Window): Promise<Suggestion[]> {
  const found: Suggestion[] = [];
  const alone = new Set<string>();
  for (const cluster of clustersOf(window.groups)) {
    const suggestion = await ofCluster(cluster, window);
    if (suggestion === undefined) continue;
    found.push(suggestion);
    alone.add(cluster.keys[0] ?? "");
  }
  for (const cluster of linesOf(window.groups)) {
    if (cluster.keys.every((key) => alone.has(key))) continue;
    const suggestion = await ofCluster(cluster, window);
    if (suggestion !== undefined) found.push(suggestion);
  }
  return found;
}

async function ofCluster(cluster: Cluster, window: Window): Promise<Suggestion | undefined> {
  for (const generality of generalities) {
    const options = { ...generality, denied: window.denied };
    await window.turn();
    const candidate = candidateOf(cluster, { ...options, before: window.until });
    if (candidate === undefined) continue;
    await window.turn();
    // A denial that it matches: a narrower one may not.
    if (window.denied.some((same) => candidate.coversCall(same) || candidate.mayCover(same))) continue;
    const early = candidateOf(cluster, { ...options, before: window.split });
    await window.turn();
    const suggestion = await prove(candidate, early, window);
    if (suggestion !== undefined) return suggestion;
  }
  return undefined;
}

async function prove(
  candidate: Candidate,
  early: Candidate | undefined,
  window: Window,
): Promise<Suggestion | undefined> {
  const { prover, together } = window;
  const concerned = prover.ofTool(candidate.tool).filter((same) => mayConcern(candidate, same));
  const covered = concerned.filter((same) => candidate.coversCall(same));
  const doubtful = concerned.filter((same) => isBlamed(candidate, same));
  const alone = covered.filter(({ read }) => read?.parts.some(isBehindCheck) !== true);
  const calls = [...alone, ...doubtful].flatMap((same) => same.calls);
  await window.turn();
  const evidence = weigh(calls, together);
  await window.turn();
  if (evidence.weight < leastWeight) return undefined;
  const id = idOf("allow", policyOf(candidate, ""));
  const name = nameOf(candidate.what, id);
  const bare = policyOf(candidate, name);
  const policy = { ...bare, ...priorityFor(covered, window.policies) };
  if (candidate.isTyped && liftsOthers(policy, covered, window.policies)) return undefined;
  const replayed = await prover.replay({ added: { policies: [policy] } }, concerned);
  if (replayed.problem !== undefined || replayed.savedQuestions === 0) return undefined;
  const all = new Set(replayed.changed);
  const changed = covered.filter((same) => all.has(same));
  const attacked = await prover.attack({ policies: [policy] }, changed);
  // What could not be attacked is not proved.
  if (attacked.passed.length > 0 || attacked.tried === 0) return undefined;
  await window.turn();
  const holdOut = heldOut(early, candidate.tool, window);
  await window.turn();
  if (holdOut.denied > 0) return undefined;
  const needed = neededWeight(evidence.denied);
  const notes: string[] = [];
  if (evidence.sessions < leastSessions || evidence.days < leastDays)
    notes.push(
      `not enough yet: ${evidence.sessions} session(s) on ${evidence.days} day(s); it takes ${leastSessions} on ${leastDays}`,
    );
  if (!isSure(evidence.lowerBound)) notes.push(`not enough yet (${Math.floor(evidence.weight)}/${needed})`);
  const isReady = notes.length === 0;
  if (policy.priority !== undefined)
    notes.push("an exception to a policy that asks: it has a higher priority");
  const title = line(`Approve ${candidate.what}${forWhom(candidate)}`);
  const reason = `People approved this ${evidence.approved} times and denied it ${evidence.denied === 0 ? "never" : `${evidence.denied} times`}.`;
  const tests = isReady
    ? await testsFor({ policies: [policy] }, { candidate, changed, refused: attacked.refused }, window)
    : [];
  // What nobody confirms ends by itself.
  const until = day(window.reviewAt);
  const rules: Rules = {
    policies: [{ ...policy, until, reason, ...(tests.length > 0 && { tests: [...tests] }) }],
  };
  return window.toSuggestion({
    id,
    kind: "allow",
    state: isReady ? "ready" : "not-enough",
    title,
    rules,
    removes: [],
    tests,
    evidence,
    ...numbersOf(replayed),
    holdOut,
    counterExamples: counterExamples(candidate, window),
    attacks: { tried: attacked.tried, passed: 0 },
    rows: changed.flatMap((same) => same.calls.filter(isYes).map(({ seq }) => seq)),
    notes,
  });
}

export function numbersOf({ savedQuestions, changes, cannotTell }: Replayed) {
  return { savedQuestions, changes, cannotTell };
}

/** What cannot be told may be such a call, too. What the floor keeps back is looked at for all rules together. */
function mayConcern(candidate: Candidate, { read }: SameCalls): boolean {
  return read === undefined || read.parts.some((part) => candidate.covers(part));
}

/** A denied line of several commands, all of them harmless: the no may have meant this one. */
function isBlamed(candidate: Candidate, same: SameCalls): boolean {
  const { read } = same;
  if (read === undefined || read.withheld !== undefined || !same.calls.some(isNo)) return false;
  return !candidate.coversCall(same) && read.parts.some((part) => candidate.covers(part));
}

/** Of the answers that came after those it was made from. */
function heldOut(early: Candidate | undefined, tool: string, { prover, later }: Window): HoldOut {
  const groups = prover.ofTool(tool);
  const laterOf = (same: SameCalls) => later.get(same) ?? [];
  const answered =
    early === undefined ? [] : groups.filter((same) => early.coversCall(same)).flatMap(laterOf);
  return {
    asked: groups.reduce((sum, same) => sum + laterOf(same).length, 0),
    answered: answered.length,
    agreed: answered.filter(isYes).length,
    denied: answered.filter(isNo).length,
  };
}

interface TestMaterial {
  readonly candidate: Candidate;
  readonly changed: readonly SameCalls[];
  readonly refused: readonly {
    readonly of: SameCalls;
    readonly mutation: { readonly name: string; readonly input: SameCalls["call"]["input"] };
  }[];
}

/** Only such as hold when `toolgate test` runs them: there an agent asks, and silence is no approval. */
async function testsFor(
  added: Rules,
  { candidate, changed, refused }: TestMaterial,
  { prover }: Window,
): Promise<RuleTest[]> {
  const toTest = (
    { call }: SameCalls,
    input: SameCalls["call"]["input"],
    expect: RuleTest["expect"],
    desc?: string,
  ): RuleTest => ({
    ...(desc !== undefined && { desc: line(desc) }),
    input: { tool_name: call.askedFor, tool_input: input },
    ...(candidate.callers !== undefined && { caller: call.caller }),
    ...(candidate.workspaces !== undefined && { workspace: call.workspace }),
    expect,
  });
  const likely = changed.filter(({ call }) => isWritable(call.input)).slice(0, positiveTests * 4);
  const yes = await prover.checked(
    likely.map(({ call }) => call),
    added,
  );
  const positive = likely.filter((_, index) => yes[index] === "allow").slice(0, positiveTests);
  const fit = refused.filter(({ mutation }) => isWritable(mutation.input));
  // From the whole of the list: its neighbours are of one kind.
  const step = Math.max(1, Math.floor(fit.length / negativeTests));
  const spread = fit.filter((_, index) => index % step === 0).slice(0, negativeTests);
  const no = await prover.checked(
    spread.map(({ of, mutation }) => ({ ...of.call, input: mutation.input })),
    added,
  );
  const negative = spread.filter((_, index) => no[index] !== "allow");
  return [
    ...positive.map((same) => toTest(same, same.call.input, "approved")),
    ...negative.map(({ of, mutation }) => toTest(of, mutation.input, "not-approved", mutation.name)),
  ];
}

function counterExamples({ tool, covers }: Candidate, { denied }: Window) {
  const near = denied.filter(
    ({ read, call }) => (read?.tool ?? call.tool) === tool && (read?.parts.some(covers) ?? false),
  );
  return near.slice(0, mostCounterExamples).map(({ call, read, calls }) => {
    const reason = calls.find(isNo)?.question?.reason;
    return {
      seq: call.seq,
      text: line(read?.command ?? JSON.stringify(call.input)),
      ...(reason !== undefined && { reason: line(reason) }),
    };
  });
}

function forWhom({ callers, workspaces }: Candidate): string {
  const who = callers === undefined ? "" : ` for ${callers.join(", ")}`;
  if (workspaces === undefined) return who;
  return `${who} in ${workspaces.map((path) => path.slice(path.lastIndexOf("/") + 1)).join(", ")}`;
}
