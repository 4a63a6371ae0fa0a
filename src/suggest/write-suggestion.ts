/** A suggestion as a person reads it: its name, its text in a rule file, and where it comes from. */
import { writeComment, writeYaml } from "../config/file/write-yaml.ts";
import { fingerprint } from "../core/input/fingerprint.ts";
import type { Json, JsonObject } from "../core/input/json.ts";
import { plural } from "../core/text/plural.ts";
import { visible } from "../core/text/visible.ts";
import type { Limit } from "../rules/limits.ts";
import type { Policy } from "../rules/policies.ts";
import type { Route } from "../rules/routes.ts";
import type { Rules } from "../rules/rule-set.ts";
import type { Evidence, Provenance, SuggestionKind } from "./suggestion.ts";

const shortHash = 8;
const longestTest = 4_000;

/** The same for the same rule; its tests and its reason do not count. */
export function idOf(kind: SuggestionKind, rule: object): string {
  return `${kind}-${fingerprint(withoutWords(rule) as Json)
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, shortHash)
    .toLowerCase()}`;
}

function withoutWords(rule: object): object {
  return JSON.parse(JSON.stringify({ ...rule, name: undefined, tests: undefined, reason: undefined }));
}

/** `suggested-npm-run-lint-1a2b`: what it is about, and its id, so that two never have the same. */
export function nameOf(what: string, id: string): string {
  const words = what
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 32)
    .replace(/-$/, "");
  return `suggested-${words}-${id.slice(-shortHash)}`;
}

export interface Written {
  readonly rules: Rules;
  readonly title: string;
  readonly provenance: Provenance;
  readonly evidence: Evidence;
  readonly reviewAt: number;
}

/** With a comment that says where it comes from: agents' words in it are made visible. */
export function writeRules({ rules, title, provenance, evidence, reviewAt }: Written): string {
  const { policies = [], routes = [], limits = [] } = rules;
  const comment = [
    title,
    `Suggested ${day(provenance.at)} from ${evidence.approved} approvals and ${evidence.denied} denials by ${plural(evidence.people, "person", "people")} in ${plural(evidence.sessions, "session")} on ${plural(evidence.days, "day")}`,
    `(${day(provenance.since)} to ${day(provenance.until)}; rows ${provenance.rows.slice(0, 5).join(", ")}${provenance.rows.length > 5 ? ", ..." : ""}; rules ${provenance.rulesVersion.slice(0, 12)}).`,
    `Look at it again by ${day(reviewAt)}.`,
  ].join("\n");
  return `${writeComment(comment)}\n${writeYaml({
    ...(routes.length > 0 && { routes: byName(routes) }),
    ...(policies.length > 0 && { policies: byName(policies) }),
    ...(limits.length > 0 && { limits: byName(limits) }),
  })}`;
}

function byName(rules: readonly (Policy | Route | Limit)[]): JsonObject {
  return Object.fromEntries(
    rules.map(({ name, ...rest }) => [name, JSON.parse(JSON.stringify(rest)) as JsonObject]),
  );
}

export function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** As the input of a test: a rule file takes no zero bytes, no invisible letters and no whole files. */
export function isWritable(input: JsonObject): boolean {
  const json = JSON.stringify(input);
  return json.length <= longestTest && /^[\x20-\x7e]*$/.test(json) && !/\\u00/.test(json);
}

/** One line for people; whatever an agent wrote into it is shown as it is. */
export function line(text: string): string {
  return visible(text, { maxLength: 200 });
}
