/** Suggestions for people at a terminal: what each would save, what speaks for it, and the rule itself. */
import { writeYaml } from "../../../../config/file/write-yaml.ts";
import type { Json, JsonObject } from "../../../../core/input/json.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { ShadowTally } from "../../../../replay/shadow-tally.ts";
import type { SuggestedRules } from "../../../../replay/suggest-rules.ts";
import type { Suggestion, SuggestionReport } from "../../../../suggest/suggestion.ts";
import { type Colours, coloursFor } from "../../terminal/colours.ts";
import type { CliIo } from "../../terminal/io.ts";
import { indented } from "../../terminal/shown.ts";

const shownChanges = 5;
const shownExamples = 3;

/** Everything that an agent had a hand in is shown with nothing hidden in it. */
export function describeReport({ report, shadows }: SuggestedRules, days: number, io: CliIo): string {
  const colours = coloursFor(io);
  const ready = report.suggestions.filter(({ state }) => state === "ready");
  const waiting = report.suggestions.filter(({ state }) => state !== "ready");
  return [
    `${headline(report, ready, days)}\n`,
    ...ready.map((one) => describeSuggestion(one, colours)),
    ...(waiting.length > 0 ? [`\n${colours.bold("Not enough yet")}\n`] : []),
    ...waiting.map(
      ({ id, title, notes }) =>
        `  ${colours.dim(id)}  ${visible(title, { maxLength: 160 })}${notes.length > 0 ? colours.dim(`  ${notes.map((note) => visible(note)).join("; ")}`) : ""}\n`,
    ),
    describeShadows(shadows, colours),
    describeWithheld(report, colours),
  ].join("");
}

/** Also for the console: one sentence. */
function headline(
  { questions, savedQuestions, calls }: SuggestionReport,
  ready: readonly Suggestion[],
  days: number,
): string {
  const rules = ready.filter(({ kind }) => kind === "allow").length;
  const window = `of the last ${plural(days, "day")}`;
  if (calls === 0)
    return `No call was recorded in the last ${plural(days, "day")}. Rules are proposed from how people answer the calls that ask.`;
  if (questions === 0) return `Nobody was asked anything in ${plural(calls, "call")} ${window}.`;
  if (rules === 0 && ready.length > 0)
    return `${plural(ready.length, "suggestion")} and no new approval for the ${plural(questions, "question")} ${window}.`;
  if (rules === 0) return `No rule is proposed for the ${plural(questions, "question")} ${window}.`;
  return `${plural(rules, "rule")} would have saved ${savedQuestions} of ${plural(questions, "question")} ${window}.`;
}

function describeSuggestion(one: Suggestion, colours: Colours): string {
  const { id, kind, title, evidence, holdOut, changes, attacks, counterExamples, removes } = one;
  const lines = [`\n${colours.bold(kind)}  ${visible(title, { maxLength: 160 })}  ${colours.dim(id)}`];
  if (kind === "allow" || kind === "deny" || kind === "route") {
    const { approved, denied, edited, people, sessions, days } = evidence;
    lines.push(
      `  answers  ${approved} approved, ${denied} denied, ${edited} edited, by ${plural(people, "person", "people")} in ${plural(sessions, "session")} on ${plural(days, "day")}`,
      `  saves    ${plural(one.savedQuestions, "question")}; of ${holdOut.asked} later ones it would have answered ${holdOut.answered}, people agreed with ${holdOut.agreed} and denied ${holdOut.denied}`,
    );
  }
  lines.push(
    `  changes  ${plural(changes.count, "call")}${one.cannotTell > 0 ? `, and perhaps ${one.cannotTell} whose record is incomplete` : ""}; ${attacks.passed} of ${attacks.tried} attacks pass`,
  );
  for (const { before, after, tool, input, times } of changes.calls.slice(0, shownChanges))
    lines.push(
      colours.dim(
        `           ${before} -> ${after}  ${visible(tool)} ${visible(JSON.stringify(input), { maxLength: 100 })}${times > 1 ? ` (${times} times)` : ""}`,
      ),
    );
  if (changes.calls.length > shownChanges)
    lines.push(
      colours.dim(`           ... and ${changes.calls.length - shownChanges} more (--json for all)`),
    );
  for (const { text, reason } of counterExamples.slice(0, shownExamples))
    lines.push(
      `  not for  ${visible(text, { maxLength: 100 })}${reason === undefined ? "" : `  (denied: ${visible(reason, { maxLength: 100 })})`}`,
    );
  for (const { rule, grantId, why } of removes)
    lines.push(`  remove   ${rule.kind} ${visible(grantId ?? rule.name)}: ${why}`);
  for (const note of one.notes) lines.push(`  note     ${visible(note, { maxLength: 200 })}`);
  const rule = ruleText(one);
  if (rule !== "") lines.push(indented(rule, 4));
  return `${lines.join("\n")}\n`;
}

/** Without its tests: they are many, and a person has to see the rule. */
function ruleText({ rules: { policies = [], routes = [], limits = [] }, tests }: Suggestion): string {
  const sections = Object.entries({ policies, routes, limits }).flatMap(([name, rules]) =>
    rules.length === 0 ? [] : [[name, Object.fromEntries(rules.map((rule) => [rule.name, bare(rule)]))]],
  );
  if (sections.length === 0) return "";
  return `${writeYaml(Object.fromEntries(sections))}# and ${plural(tests.length, "test")} (--json, --write)`;
}

function bare(rule: { readonly name: string }): JsonObject {
  const { name: _, tests: __, tier: ___, source: ____, ...rest } = rule as Readonly<Record<string, Json>>;
  return JSON.parse(JSON.stringify(rest)) as JsonObject;
}

function describeShadows(shadows: readonly ShadowTally[], colours: Colours): string {
  if (shadows.length === 0) return "";
  const lines = shadows.map(({ rule, answered, agreed, disagreed, stopped, stoppedApproved, asked }) => {
    const parts = [
      answered > 0 &&
        `would have answered ${answered}, you agreed ${agreed}${disagreed > 0 ? `, you did not ${disagreed}` : ""}`,
      stopped > 0 && `would have stopped ${stopped}, you had approved ${stoppedApproved}`,
      asked > 0 && `would have asked about ${asked}`,
    ].filter((part) => part !== false);
    return `  ${visible(rule)}: ${parts.length === 0 ? "has met no call yet" : parts.join("; ")}\n`;
  });
  return `\n${colours.bold("In shadow mode")}\n${lines.join("")}`;
}

function describeWithheld({ withheld, cannotTell }: SuggestionReport, colours: Colours): string {
  const lines = withheld.map(({ why, questions }) => `  ${visible(why)}: ${plural(questions, "question")}\n`);
  const incomplete =
    cannotTell === 0
      ? ""
      : colours.dim(`\n${plural(cannotTell, "call")} left out: the record is incomplete.\n`);
  if (lines.length === 0) return incomplete;
  return `\n${colours.bold("Never proposed, however often it was approved")}\n${lines.join("")}${incomplete}`;
}
