/** What a decision says, and the decisions that hold where no policy speaks. */
import type { RuleRef } from "../core/call/errors.ts";
import { describeDoubt } from "./doubt.ts";
import type { CompiledPolicy } from "./policies.ts";
import { partOf, type Subject } from "./subject.ts";

export interface Decision {
  readonly verdict: "approve" | "ask" | "deny" | "abstain";
  readonly message: string;
  readonly rule?: RuleRef;
  /** The part of the call that decided. */
  readonly part?: string;
  /** An agent's own call that nobody can read in advance: it asks, though no rule is known to concern it. */
  readonly unsure?: true;
  /** It is by a rule that may only narrow: what holds without such rules, which must not become looser. */
  readonly without?: Decision;
}

/** What counts when no policy speaks: the gate's default, or silence for a call that another agent runs. */
export type Default = "gate" | "abstain";

const strictness = { approve: 0, abstain: 1, doubt: 2, ask: 3, deny: 4 } as const;

export function isStricter(one: Decision, than: Decision): boolean {
  return strictnessOf(one.verdict, one.unsure) > strictnessOf(than.verdict, than.unsure);
}

/** A doubt is less than a question that a rule really asks: it must never stand in that one's place. */
export function strictnessOf(verdict: Decision["verdict"], isDoubt = false): number {
  return isDoubt && verdict === "ask" ? strictness.doubt : strictness[verdict];
}

/** Reading inside the workspace goes through; everything else asks. */
export function defaultDecision(subject: Subject, otherwise: Default): Decision {
  const { path } = subject;
  // An agent that may change its own rules, or read the token of who decides, needs no other permission.
  if (typeof path === "object" && path.own === true && (subject.risk !== "read" || path.secret === true))
    return protectedDecision(subject, path.protected ?? "it belongs to toolgate itself");
  if (otherwise === "abstain") return { verdict: "abstain", message: "No rule speaks about this call." };
  if (path !== undefined && path !== "unknown" && path.protected !== undefined)
    return protectedDecision(subject, path.protected);
  if (subject.opaque !== undefined) return opaqueDecision(subject);
  if (path !== undefined && path !== "unknown" && !path.inside)
    return outsideDecision(subject, path.absolute);
  if (subject.risk === "read" && !subject.network && path !== "unknown") {
    const message = "Reading inside the workspace is approved by default.";
    return decided("approve", subject, "read-inside-workspace", message);
  }
  const what = subject.network
    ? "It uses the network"
    : path === "unknown"
      ? "The paths it touches are not known"
      : `Its risk is "${subject.risk}"`;
  return decided("ask", subject, "ask", `${what} and no policy approves it${shown(subject)}`);
}

export function approved({ policy, ref }: CompiledPolicy, part: string): Decision {
  return { verdict: "approve", message: policy.reason ?? "This policy approves it.", rule: ref, part };
}

export function opaqueDecision(subject: Subject): Decision {
  return decided("ask", subject, "opaque-command", describeDoubt(subject));
}

export function outsideDecision(subject: Subject, absolute: string): Decision {
  const message = `${subject.label} leads outside the workspace, or nobody can tell where (${absolute}).`;
  return decided("ask", subject, "outside-workspace", message);
}

export function unknownPathDecision(subject: Subject): Decision {
  return decided("ask", subject, "unknown-path", describeDoubt(subject));
}

export function protectedDecision(subject: Subject, why: string): Decision {
  const advice = subject.reached === true ? "Narrow the folders, or leave it out (--exclude). " : "";
  const message = `${subject.label} is protected: ${why}. ${advice}Only a policy whose path condition names it can open it.`;
  return decided("deny", subject, "protected-path", message);
}

/** By a rule that nobody wrote. */
export function decided(
  verdict: Decision["verdict"],
  subject: Subject,
  rule: string,
  message: string,
): Decision {
  return { verdict, message, rule: byDefault(rule), part: partOf(subject) };
}

/** With the end of the sentence. A path that is nothing but dots would be lost in it. */
function shown(subject: Subject): string {
  const { path } = subject;
  const part = /^[./]+$/.test(subject.label) && typeof path === "object" ? path.absolute : partOf(subject);
  return part === "" ? "." : `: ${part}${part.endsWith(".") ? "" : "."}`;
}

export function stricter(a: Decision, b: Decision): Decision {
  return isStricter(b, a) ? b : a;
}

/** Always the same objects, as those of policies are: whoever keeps something about a rule finds it again. */
const defaults = new Map<string, RuleRef>();

export function byDefault(name: string): RuleRef {
  let ref = defaults.get(name);
  if (ref === undefined) {
    ref = Object.freeze({ kind: "default", name });
    defaults.set(name, ref);
  }
  return ref;
}
