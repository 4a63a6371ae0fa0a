/** Which policy decides on each part of a call, and what that means for the whole. */
import type { Mode } from "../core/call/call.ts";
import type { Answer, CallView } from "./conditions/condition.ts";
import {
  approved,
  type Decision,
  type Default,
  defaultDecision,
  isStricter,
  opaqueDecision,
  outsideDecision,
  protectedDecision,
  stricter,
  strictnessOf,
  unknownPathDecision,
} from "./decision.ts";
import { describeDoubt } from "./doubt.ts";
import { ownDecision } from "./own/own-decisions.ts";
import type { CompiledPolicy, Policy } from "./policies.ts";
import { partOf, type Subject } from "./subject.ts";

/** What a call is judged by. */
export interface JudgedBy {
  /** The highest priority first. */
  readonly policies: readonly CompiledPolicy[];
  readonly view: CallView;
  readonly mode: Mode;
  readonly otherwise: Default;
}

/** Every part is decided on its own, and the strictest decision stands: one bad command spoils the line. */
export function decide(subjects: readonly Subject[], by: JudgedBy): Decision {
  let strictest: Decision | undefined;
  for (const subject of subjects) {
    const decision = decideWithOwn(subject, by);
    if (strictest === undefined || isStricter(decision, strictest)) strictest = decision;
    if (strictest.verdict === "deny") break;
  }
  if (strictest === undefined) return { verdict: "deny", message: "Nothing could be judged." };
  // Of the whole call: what other parts come to counts as well.
  return strictest.without === undefined
    ? strictest
    : { ...strictest, without: decide(subjects, withoutOthers(by)) };
}

/** Without the rules that may only narrow. */
function withoutOthers(by: JudgedBy): JudgedBy {
  return { ...by, policies: by.policies.filter(({ trust }) => trust > 0) };
}

/** What is toolgate's own is decided before any rule, for every caller. */
function decideWithOwn(subject: Subject, by: JudgedBy): Decision {
  const own = ownDecision(subject);
  if (own?.verdict === "deny") return own;
  const decision = decideSubject(subject, by);
  return own === undefined ? decision : stricter(decision, own);
}

function decideSubject(subject: Subject, by: JudgedBy): Decision {
  const winner = winningPolicy(subject, by);
  if (winner === undefined) return defaultDecision(subject, by.otherwise);
  const decision = decisionOf(winner, subject, by);
  if (winner.candidate.trust > 0 || decision.verdict === "deny") return decision;
  // Somebody else's rule only narrows: it is no answer where another rule or a default has one.
  const without = decideSubject(subject, withoutOthers(by));
  const isSpoken = winner.action !== "approve" && !isStricter(without, decision);
  return isSpoken ? { ...decision, without } : without;
}

function decisionOf(winner: Winner, subject: Subject, by: JudgedBy): Decision {
  const { action, maybe, candidate, namesPath, namesRisk, coversOpaque, opens } = winner;
  const { policy, ref } = candidate;
  const part = partOf(subject);
  const path = subject.path === "unknown" ? undefined : subject.path;
  if (action !== "deny" && path?.protected !== undefined && !opens)
    return protectedDecision(subject, path.protected);
  if (action === "approve") {
    const isCovered = subject.fixed === true || (namesRisk && subject.unseen !== true);
    if (subject.opaque !== undefined && !isCovered) return inDoubt(opaqueDecision(subject), by);
    if (path !== undefined && !path.inside && !namesPath) return outsideDecision(subject, path.absolute);
    if (touchesUnknownPath(subject) && !coversOpaque) return inDoubt(unknownPathDecision(subject), by);
    return approved(candidate, part);
  }
  if (maybe) {
    const message = describeDoubt(subject, policy.name);
    return inDoubt({ verdict: "ask", message, rule: ref, part }, by);
  }
  // A reason of several lines in YAML ends with a line break; one that says nothing is none.
  const given = policy.reason?.trimEnd() ?? "";
  const reason =
    given !== "" ? given : action === "deny" ? "This policy denies it." : "This policy asks a person first.";
  const message = `${reason}${part === "" ? "" : ` (${part})`}`;
  return { verdict: action, message, rule: ref, part };
}

/** Of a call that we run ourselves a doubt is a question like any other. */
function inDoubt(decision: Decision, { otherwise }: JudgedBy): Decision {
  return otherwise === "abstain" ? { ...decision, unsure: true } : decision;
}

/** `cat $(echo .env)` must not get what `cat .env` does not. A program that runs code may touch any path. */
function touchesUnknownPath({ path, command, risk, fixed }: Subject): boolean {
  if (path !== "unknown" || command === undefined || risk === "execute" || fixed === true) return false;
  return command.pathsNotChosen !== true;
}

interface Winner {
  readonly candidate: CompiledPolicy;
  readonly action: Policy["action"];
  readonly maybe: boolean;
  /** Some rule that counts names this very protected file. */
  readonly opens: boolean;
  /** Some rule that counts speaks of paths: it may open what lies outside the workspace. */
  readonly namesPath: boolean;
  /** Some approving rule that counts speaks of risk: it may cover what is not understood. */
  readonly namesRisk: boolean;
  /** Some approving rule that counts says that it means what nobody can read in advance. */
  readonly coversOpaque: boolean;
}

/**
 * A matching rule of higher priority and at least the same trust sets others aside. Of those that remain the
 * strictest decides. A rule that may match can narrow, but sets nothing aside: doubt never widens.
 */
function winningPolicy(subject: Subject, { policies, view, mode, otherwise }: JudgedBy): Winner | undefined {
  let winner: CompiledPolicy | undefined;
  let winning: Policy["action"] = "approve";
  let strictest = 0;
  let maybe = false;
  let namesPath = false;
  let namesRisk = false;
  let coversOpaque = false;
  let opens = false;
  let highestTrust = -1;
  let groupTrust = -1;
  let groupPriority = Number.POSITIVE_INFINITY;
  for (const candidate of policies) {
    if (candidate.priority !== groupPriority) {
      if (groupTrust > highestTrust) highestTrust = groupTrust;
      groupTrust = -1;
      groupPriority = candidate.priority;
    }
    if (highestTrust >= candidate.trust) continue;
    if (candidate.policy.modes !== undefined && !candidate.policy.modes.includes(mode)) continue;
    const holds = allHold(candidate, subject, view);
    if (holds === false || (holds !== true && candidate.action === "approve")) continue;
    if (holds === true && candidate.trust > groupTrust) groupTrust = candidate.trust;
    // A deny that may or may not concern the call is for a person to decide.
    const action = holds === "maybe" ? "ask" : candidate.action;
    if (candidate.trust > 0 && action !== "deny") {
      namesPath ||= candidate.namesPath;
      namesRisk ||= candidate.namesRisk && action === "approve";
      coversOpaque ||= candidate.coversOpaque && action === "approve";
      opens ||= opensProtected(candidate, subject, view);
    }
    const strictness = strictnessOf(action, holds === "maybe" && otherwise === "abstain");
    // At equal strictness the more trusted rule speaks, so the order of rules means nothing.
    const moreTrusted = winner !== undefined && strictness === strictest && candidate.trust > winner.trust;
    if (winner !== undefined && !moreTrusted && strictness <= strictest) continue;
    winner = candidate;
    winning = action;
    strictest = strictness;
    maybe = holds === "maybe";
  }
  return winner && { candidate: winner, action: winning, maybe, namesPath, namesRisk, coversOpaque, opens };
}

/** Whether it could have a say in some part of a call. */
export function mayConcern(
  policy: CompiledPolicy,
  subjects: readonly Subject[],
  { view, mode }: Pick<JudgedBy, "view" | "mode">,
): boolean {
  if (policy.policy.modes !== undefined && !policy.policy.modes.includes(mode)) return false;
  return subjects.some((subject) => allHold(policy, subject, view) !== false);
}

/** Whether a rule that stops or asks speaks of this path: then the folder above is looked at more closely. */
export function namesPath(policies: readonly CompiledPolicy[], absolute: string, view: CallView): boolean {
  const subject: Subject = { risk: "read", network: false, path: { absolute, inside: true }, label: "" };
  return policies.some(
    ({ action, conditions }) =>
      action !== "approve" &&
      conditions.some(({ type, holds }) => type === "path" && holds(subject, view, false) !== false),
  );
}

function opensProtected({ conditions }: CompiledPolicy, { path }: Subject, view: CallView): boolean {
  if (path === undefined || path === "unknown" || path.protected === undefined) return false;
  return conditions.some(({ names }) => names?.(path.absolute, view) === true);
}

function allHold(candidate: CompiledPolicy, subject: Subject, view: CallView): Answer {
  // For somebody else: nothing of it is looked at.
  let weakest: Answer = candidate.caller === undefined || candidate.caller(view.caller);
  if (weakest === false) return false;
  if (candidate.until !== undefined && view.now >= candidate.until) return false;
  const widening = candidate.action === "approve";
  for (const condition of candidate.conditions) {
    const answer = condition.holds(subject, view, widening);
    if (answer === false) return false;
    if (answer !== true && (answer === undefined || weakest === true)) weakest = answer;
  }
  return weakest;
}
