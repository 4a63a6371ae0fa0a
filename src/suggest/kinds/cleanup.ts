/** Approvals that nobody needs any more: rules and grants that were never used, that others make needless, or too wide. */
import type { Grant } from "../../core/call/approval.ts";
import type { Condition } from "../../rules/conditions/condition.ts";
import type { Policy } from "../../rules/policies.ts";
import type { Rules } from "../../rules/rule-set.ts";
import { weigh } from "../evidence.ts";
import type { SameCalls } from "../read-calls.ts";
import type { RemovedRule, Suggestion } from "../suggestion.ts";
import type { Window } from "../window.ts";
import { day, idOf, line, nameOf } from "../write-suggestion.ts";

/** From fewer calls nobody can tell that a rule is not needed. */
const leastCalls = 100;
const leastUses = 20;
const mostBeginnings = 8;

export async function suggestCleanup(window: Window, grants: readonly Grant[]): Promise<Suggestion[]> {
  if (window.calls.length < leastCalls) return [];
  const found: Suggestion[] = unusedGrants(window, grants);
  for (const policy of window.rules.policies ?? []) {
    if (policy.action !== "approve" || policy.tier === "admin" || policy.tier === "plugin") continue;
    const used = window.groups.filter(({ calls }) =>
      calls.some(({ rule }) => rule?.kind === "policy" && rule.name === policy.name),
    );
    const suggestion =
      used.length === 0
        ? await unused(policy, window)
        : ((await shadowed(policy, used, window)) ?? (await wider(policy, used, window)));
    if (suggestion !== undefined) found.push(suggestion);
  }
  return found;
}

/** Nobody knows how old a rule is. One that would have approved calls of the window is younger than they are. */
async function unused(policy: Policy, window: Window): Promise<Suggestion | undefined> {
  const { changes } = await window.prover.replay({ removed: [policy.name] }, window.groups);
  if (changes.count > 0) return undefined;
  const title = `Remove policy ${policy.name}: it approved none of ${window.calls.length} calls since ${day(window.since)}`;
  return toSuggestion({ title, removes: [removed(policy, "unused")], rules: {}, used: [] }, window);
}

/** Without it the same calls get the same answers. */
async function shadowed(
  policy: Policy,
  used: readonly SameCalls[],
  window: Window,
): Promise<Suggestion | undefined> {
  const { changes, cannotTell } = await window.prover.replay({ removed: [policy.name] }, used);
  if (changes.count > 0 || cannotTell > 0) return undefined;
  const title = `Remove policy ${policy.name}: without it nothing would have changed`;
  return toSuggestion({ title, removes: [removed(policy, "shadowed")], rules: {}, used }, window);
}

/** `git` is approved, and only `git status` and `git log` were ever called. */
async function wider(
  policy: Policy,
  used: readonly SameCalls[],
  window: Window,
): Promise<Suggestion | undefined> {
  const conditions = policy.conditions ?? [];
  const [only] = conditions.filter(({ type }) => type === "command");
  const uses = used.reduce((sum, { calls }) => sum + calls.length, 0);
  if (
    only?.operator !== "startsWith" ||
    typeof only.value !== "string" ||
    /\s/.test(only.value) ||
    uses < leastUses
  )
    return undefined;
  const program = only.value;
  const beginnings = new Set<string>();
  for (const { seen } of used) {
    const commands = seen?.lines.flatMap(({ judged }) => judged?.commands ?? []) ?? [];
    for (const { argv } of commands.filter(({ argv }) => argv[0] === program)) {
      if (!/^[A-Za-z][\w:-]*$/.test(argv[1] ?? "")) return undefined;
      beginnings.add(`${program} ${argv[1]}`);
    }
  }
  if (beginnings.size === 0 || beginnings.size > mostBeginnings) return undefined;
  const values = [...beginnings].sort();
  const narrowed: Condition[] = conditions.map((one) => (one === only ? { ...one, value: values } : one));
  const { source: _, ...rest } = policy;
  const bare = { ...rest, conditions: narrowed };
  const id = idOf("cleanup", bare);
  const next: Policy = { ...bare, name: nameOf(`narrow ${policy.name}`, id), tests: [] };
  const { changes } = await window.prover.replay(
    { removed: [policy.name], added: { policies: [next] } },
    used,
  );
  if (changes.count > 0) return undefined;
  const title = `Narrow policy ${policy.name}: of ${program} only ${values.join(", ")} were seen`;
  return toSuggestion(
    { id, title, removes: [removed(policy, "wider")], rules: { policies: [next] }, used },
    window,
  );
}

function unusedGrants(window: Window, grants: readonly Grant[]): Suggestion[] {
  const { calls, since } = window;
  const used = new Set(calls.flatMap(({ question }) => question?.grantId ?? []));
  return grants
    .filter(({ id, createdAt, scope }) => createdAt < since && scope !== "session" && !used.has(id))
    .map(({ id, toolId, by, createdAt }) => {
      const title = `Take back the grant for ${toolId} that ${by} gave ${day(createdAt)}: not used since ${day(since)}`;
      return toSuggestion(
        {
          title,
          removes: [{ rule: { kind: "grant", name: id }, grantId: id, why: "unused" }],
          rules: {},
          used: [],
        },
        window,
      );
    });
}

function removed({ name, tier, source }: Policy, why: RemovedRule["why"]): RemovedRule {
  return {
    rule: {
      kind: "policy",
      name,
      ...(tier !== undefined && { tier }),
      ...(source !== undefined && { source }),
    },
    why,
  };
}

interface Cleanup {
  readonly id?: string;
  readonly title: string;
  readonly removes: readonly RemovedRule[];
  readonly rules: Rules;
  readonly used: readonly SameCalls[];
}

function toSuggestion({ id, title, removes, rules, used }: Cleanup, window: Window): Suggestion {
  const calls = used.flatMap((same) => same.calls);
  return window.toSuggestion({
    id:
      id ??
      idOf(
        "cleanup",
        removes.map(({ rule: { kind, name }, why }) => ({ kind, name, why })),
      ),
    kind: "cleanup",
    state: "ready",
    title: line(title),
    rules,
    removes,
    tests: [],
    evidence: weigh(calls, window.together),
    savedQuestions: 0,
    changes: { count: 0, calls: [] },
    cannotTell: 0,
    holdOut: { asked: 0, answered: 0, agreed: 0, denied: 0 },
    counterExamples: [],
    attacks: { tried: 0, passed: 0 },
    rows: calls.map(({ seq }) => seq),
    notes: [],
  });
}
