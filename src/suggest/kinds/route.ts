/** Routes that make the change which people make again and again before they say yes. */
import type { Route } from "../../rules/routes.ts";
import type { RuleTest } from "../../rules/shapes/test-shape.ts";
import { isAnswered, isYes, weigh } from "../evidence.ts";
import type { HistoryCall } from "../history.ts";
import type { Suggestion } from "../suggestion.ts";
import type { Window } from "../window.ts";
import { idOf, line, nameOf } from "../write-suggestion.ts";

const leastEdits = 3;
const leastSessions = 2;
const mostTests = 3;
/** So many may pass unchanged beside them. */
const mostUnchanged = 0.1;

interface Edit {
  /** The words before the changed one: "" where the program itself was changed. */
  readonly head: string;
  readonly from: string;
  readonly to: string;
}

export async function suggestRoutes(window: Window): Promise<Suggestion[]> {
  const edits = new Map<string, { readonly edit: Edit; readonly calls: HistoryCall[] }>();
  for (const call of window.calls) {
    const edit = editOf(call);
    if (edit === undefined || !isAnswered(call)) continue;
    const key = `${call.tool}\n${edit.head}\n${edit.from}\n${edit.to}`;
    const known = edits.get(key) ?? { edit, calls: [] };
    known.calls.push(call);
    edits.set(key, known);
  }
  const found: Suggestion[] = [];
  for (const [, { edit, calls }] of [...edits].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const suggestion = await toRoute(edit, calls, window);
    if (suggestion !== undefined) found.push(suggestion);
  }
  return found;
}

/** One word of a plain line was replaced. */
function editOf({ input, question }: HistoryCall): Edit | undefined {
  const [before, after] = [input.command, question?.editedInput?.command];
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  const others = (one: HistoryCall["input"]) => JSON.stringify({ ...one, command: "" });
  if (others(input) !== others(question?.editedInput ?? {})) return undefined;
  const plain = /^[\w@%+=:,./-]+(?: [\w@%+=:,./-]+)*$/;
  if (!plain.test(before) || !plain.test(after)) return undefined;
  const [old, now] = [before.split(" "), after.split(" ")];
  const changed = old.flatMap((word, at) => (word === now[at] ? [] : [at]));
  const [at] = changed;
  if (old.length !== now.length || changed.length !== 1 || at === undefined) return undefined;
  const [from, to] = [old[at] ?? "", now[at] ?? ""];
  if (at === 0) return { head: "", from, to };
  return from.startsWith("-") && to.startsWith("-")
    ? { head: old.slice(0, Math.min(at, 2)).join(" "), from, to }
    : undefined;
}

async function toRoute(
  { head, from, to }: Edit,
  calls: readonly HistoryCall[],
  window: Window,
): Promise<Suggestion | undefined> {
  const sessions = new Set(calls.map(({ session, caller }) => session ?? caller));
  const [first] = calls;
  if (calls.length < leastEdits || sessions.size < leastSessions || first === undefined) return undefined;
  const pattern =
    head === ""
      ? `^${escaped(from)}((?: [^\\n;&|$\`<>]*)?)$`
      : `^(${escaped(head)}(?: [^\\n;&|$\`<>]*?)?) ${escaped(from)}((?: [^\\n;&|$\`<>]*)?)$`;
  const rewrite = head === "" ? `${dollars(to)}$1` : `$1 ${dollars(to)}$2`;
  const matches = new RegExp(pattern);
  const isMatched = ({ tool, input }: HistoryCall) =>
    tool === first.tool && typeof input.command === "string" && matches.test(input.command);
  const isLeftAlone = (list: readonly HistoryCall[]) =>
    list.filter(isYes).length <= mostUnchanged * list.length;
  const everywhere = window.calls.filter(isMatched);
  const [workspace, ...others] = [...new Set(calls.map((call) => call.workspace))];
  const here = everywhere.filter((call) => call.workspace === workspace);
  // A habit of one project is a route of that project.
  const isOfProject = !isLeftAlone(everywhere) && others.length === 0 && isLeftAlone(here);
  if (!isOfProject && !isLeftAlone(everywhere)) return undefined;
  const concerned = isOfProject ? here : everywhere;
  const isConcerned = (call: HistoryCall) =>
    isMatched(call) && (!isOfProject || call.workspace === workspace);
  const bare = {
    tool: first.tool,
    pattern,
    field: "command",
    action: "rewrite" as const,
    rewrite: { command: rewrite },
  };
  const id = idOf("route", bare);
  const what = `${head === "" ? "" : `${head} `}${from} -> ${to}`;
  const tests: RuleTest[] = distinct(calls)
    .slice(0, mostTests)
    .map((call) => ({
      input: { tool_name: call.askedFor, tool_input: call.input },
      expect: "allow",
      contains: to,
    }));
  const route: Route = {
    name: nameOf(what, id),
    description: line(`People changed this ${calls.length} times.`),
    ...bare,
  };
  const groups = window.groups.filter(({ call }) => isConcerned(call));
  const replayed = await window.prover.replay({ added: { routes: [route] } }, groups);
  if (replayed.problem !== undefined || replayed.changes.calls.some(({ after }) => after === "allow"))
    return undefined;
  const checked = await window.prover.checked(distinct(calls).slice(0, mostTests), { routes: [route] });
  const holding = tests.filter((_, index) => checked[index] === "allow" || checked[index] === "abstain");
  return window.toSuggestion({
    id,
    kind: "route",
    state: "ready",
    title: line(`Rewrite ${what}`),
    rules: { routes: [{ ...route, ...(holding.length > 0 && { tests: holding }) }] },
    ...(isOfProject && workspace !== undefined && { project: workspace }),
    removes: [],
    tests: holding,
    evidence: weigh(concerned, window.together),
    savedQuestions: 0,
    changes: replayed.changes,
    cannotTell: replayed.cannotTell,
    holdOut: heldOut(concerned, window),
    counterExamples: [],
    attacks: { tried: 0, passed: 0 },
    rows: calls.map(({ seq }) => seq),
    notes: [
      `people made this change ${calls.length} times`,
      ...(isOfProject ? [line(`only in ${workspace}: it belongs in the rules of that project`)] : []),
    ],
  });
}

function heldOut(concerned: readonly HistoryCall[], { split }: Window) {
  const later = concerned.filter((call) => call.at >= split && isAnswered(call));
  const agreed = later.filter(({ question }) => question?.editedInput !== undefined).length;
  return { asked: later.length, answered: later.length, agreed, denied: 0 };
}

function distinct(calls: readonly HistoryCall[]): HistoryCall[] {
  return [...new Map(calls.map((call) => [String(call.input.command), call])).values()];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** `$` means a group in a rewrite. */
function dollars(text: string): string {
  return text.replaceAll("$", "$$$$");
}
