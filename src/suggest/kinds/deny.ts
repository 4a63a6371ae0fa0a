/** Rules that deny what people always deny, with the reason they gave. */
import type { JudgedCommand } from "../../core/ports/command.ts";
import type { Condition } from "../../rules/conditions/condition.ts";
import type { Policy } from "../../rules/policies.ts";
import type { RuleTest } from "../../rules/shapes/test-shape.ts";
import { isNo, isYes, weigh } from "../evidence.ts";
import type { SameCalls } from "../read-calls.ts";
import type { Suggestion } from "../suggestion.ts";
import type { Window } from "../window.ts";
import { idOf, isWritable, line, nameOf } from "../write-suggestion.ts";

const leastDenials = 3;
const leastSessions = 2;
const mostTests = 3;
/** A denial of `make deploy` says nothing of `make`; of three different targets it does. */
const leastEndings = 3;

interface Denied {
  readonly tool: string;
  readonly what: string;
  /** What came after it; empty where nothing did. */
  readonly endings: Set<string>;
  readonly conditions: readonly Condition[];
  readonly groups: SameCalls[];
}

export async function suggestDenials(window: Window): Promise<Suggestion[]> {
  const found: Suggestion[] = [];
  const approved = approvedBeginnings(window);
  for (const denied of deniedKinds(window)) {
    if (!denied.endings.has("") && denied.endings.size < leastEndings) continue;
    // `git push` says all that `git push --force` would.
    if (approved.has(denied.what) || found.some(({ title }) => isWithin(denied.what, title))) continue;
    const suggestion = await prove(denied, window);
    if (suggestion !== undefined) found.push(suggestion);
  }
  return found;
}

function deniedKinds({ denied }: Window): Denied[] {
  const kinds = new Map<string, Denied>();
  for (const same of denied) {
    const { seen } = same;
    if (seen === undefined || same.call.incomplete === true) continue;
    const commands =
      seen.tool === "shell.exec" ? seen.lines.flatMap(({ judged }) => judged?.commands ?? []) : [];
    // The no meant the boldest of them: looking at files is no reason.
    for (const command of commands.filter(({ risk, network }) => risk !== "read" || network)) {
      for (const { words, ending } of beginningsOf(command))
        add(
          seen.tool,
          { what: words, ending },
          { type: "command", operator: "startsWith", value: words },
          same,
        );
    }
    for (const text of seen.tool === "web.fetch" ? seen.urls : []) {
      const host = URL.parse(text)?.hostname;
      if (host !== undefined && host !== "")
        add(seen.tool, { what: host, ending: "" }, { type: "url", operator: "inside", value: host }, same);
    }
  }
  return [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);

  function add(
    tool: string,
    { what, ending }: { readonly what: string; readonly ending: string },
    condition: Condition,
    same: SameCalls,
  ): void {
    const known = kinds.get(`${tool} ${what}`) ?? {
      tool,
      what,
      endings: new Set(),
      conditions: [condition],
      groups: [],
    };
    known.endings.add(ending);
    if (!known.groups.includes(same)) known.groups.push(same);
    kinds.set(`${tool} ${what}`, known);
  }
}

/** What somebody approved, or what ran without a question, is nothing to deny. */
function approvedBeginnings({ groups }: Window): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { seen, calls, read } of groups) {
    if (
      read === undefined ||
      !calls.some((one) => isYes(one) || (one.question === undefined && one.verdict !== "deny"))
    )
      continue;
    for (const { judged } of seen?.lines ?? [])
      for (const command of judged?.commands ?? [])
        for (const { words } of beginningsOf(command)) found.add(words);
    if (read.url !== undefined) found.add(URL.parse(read.url)?.hostname ?? "");
  }
  return found;
}

function isWithin(what: string, title: string): boolean {
  const said = title.slice("Deny ".length).split(":", 1)[0] ?? "";
  return what.startsWith(`${said} `);
}

interface Beginning {
  readonly words: string;
  readonly ending: string;
}

/** `git`, `git push`, `git push --force`: the shortest is proposed that nobody approved and that has many ends. */
function beginningsOf({ argv, dynamic }: JudgedCommand): Beginning[] {
  const isPlain = (word: string | undefined, at: number) =>
    word !== undefined && /^[A-Za-z][\w.:-]*$/.test(word) && !dynamic.includes(at);
  const [program, sub] = argv;
  if (!isPlain(program, 0) || program === undefined) return [];
  const whole = { words: program, ending: sub ?? "" };
  if (!isPlain(sub, 1)) return [whole];
  const options = argv
    .slice(2)
    .filter((word, at) => /^--?[A-Za-z][\w-]*$/.test(word) && !dynamic.includes(at + 2));
  return [
    whole,
    { words: `${program} ${sub}`, ending: options.join(" ") },
    ...options.map((option) => ({ words: `${program} ${sub} ${option}`, ending: "" })),
  ];
}

async function prove(
  { tool, what, conditions, groups }: Denied,
  window: Window,
): Promise<Suggestion | undefined> {
  const { prover, together } = window;
  const calls = groups.flatMap((same) => same.calls);
  const denials = calls.filter(isNo);
  const sessions = new Set(denials.map(({ session, caller }) => session ?? caller));
  const days = new Set(denials.map(({ at }) => Math.floor(at / 86_400_000)));
  if (denials.length < leastDenials || sessions.size < leastSessions || days.size < 2 || calls.some(isYes))
    return undefined;
  const bare: Omit<Policy, "name"> = { tools: tool, action: "deny", conditions: [...conditions] };
  const id = idOf("deny", bare);
  const reason = commonReason(denials.map(({ question }) => question?.reason));
  const policy: Policy = {
    name: nameOf(`no ${what}`, id),
    ...bare,
    reason: reason ?? `People denied this ${denials.length} times.`,
  };
  const replayed = await prover.replay({ added: { policies: [policy] } }, mayConcern(tool, what, window));
  // It must deny nothing that somebody approved, nor what runs without a question.
  const harmed = replayed.changed.some((same) =>
    same.calls.some((call) => isYes(call) || (call.ran && call.question === undefined)),
  );
  if (harmed || replayed.stricter.length > 0 || replayed.changes.count === 0) return undefined;
  const tested = groups.map(({ call }) => call).filter(({ input }) => isWritable(input));
  const tests = tested.slice(0, mostTests).map(
    (call): RuleTest => ({
      input: { tool_name: call.askedFor, tool_input: call.input },
      expect: "block",
    }),
  );
  const checked = await prover.checked(tested.slice(0, mostTests), { policies: [policy] });
  const holding = tests.filter((_, index) => checked[index] === "deny");
  const changed = replayed.changed.flatMap((same) => same.calls);
  return window.toSuggestion({
    id,
    kind: "deny",
    state: "ready",
    title: line(`Deny ${what}${reason === undefined ? "" : `: ${reason}`}`),
    rules: { policies: [{ ...policy, ...(holding.length > 0 && { tests: holding }) }] },
    removes: [],
    tests: holding,
    evidence: weigh(calls, together),
    savedQuestions: changed.filter(({ question }) => question !== undefined).length,
    changes: replayed.changes,
    cannotTell: replayed.cannotTell,
    holdOut: heldOut(replayed.changed, window),
    counterExamples: [],
    attacks: { tried: 0, passed: 0 },
    rows: denials.map(({ seq }) => seq),
    notes: [],
  });
}

/** A line without the program's name is another command, unless nobody can read it. */
function mayConcern(tool: string, what: string, { prover }: Window): readonly SameCalls[] {
  const [first = ""] = what.split(" ");
  return prover.ofTool(tool).filter(({ read }) => {
    const text = read?.command ?? read?.url;
    return (
      text === undefined ||
      text.includes(first) ||
      read?.withheld === "commands that nobody can read in advance"
    );
  });
}

function heldOut(changed: readonly SameCalls[], { split }: Window) {
  const later = changed
    .flatMap((same) => same.calls)
    .filter((call) => call.at >= split && call.question !== undefined);
  const denied = later.filter(isNo).length;
  return { asked: later.length, answered: later.length, agreed: denied, denied: 0 };
}

/** In the words that were used most; what an agent could have written is not among them. */
function commonReason(reasons: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const reason of reasons)
    if (reason !== undefined && reason.trim() !== "")
      counts.set(reason.trim(), (counts.get(reason.trim()) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))[0]?.[0];
}
