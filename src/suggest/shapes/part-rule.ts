/** What a rule says of parts of one kind: the condition, and whether a part meets it. */
import type { Condition } from "../../rules/conditions/condition.ts";
import { parseFileForm } from "../../rules/conditions/file-form.ts";
import { parseUsage } from "../../rules/conditions/usage.ts";
import { ownerOf } from "../floor/harmless-places.ts";
import type { Part } from "./call-parts.ts";
import { closedConditions } from "./closed-input.ts";
import { alikeInputs, argumentConditions, fileConditions, urlConditions } from "./place-shapes.ts";
import { usageOf } from "./usage-of.ts";

export interface RuleOptions {
  readonly typed: boolean;
  readonly withoutDenied: boolean;
}

export interface PartRule {
  readonly what: string;
  readonly conditions: readonly Condition[];
  readonly runsProject: boolean;
  readonly isCommand?: true;
  readonly covers: (part: Part) => boolean;
}

/** One rule for all of them: a list of usages holds when any of them does. */
export function together(rules: readonly (PartRule | undefined)[]): PartRule | undefined {
  const all = rules.filter((rule) => rule !== undefined);
  const [first, ...others] = all;
  if (first === undefined || all.length < rules.length || others.length === 0)
    return all.length === rules.length ? first : undefined;
  return {
    what: all.map(({ what }) => what).join(" and "),
    conditions: [{ type: "command", operator: "usage", value: all.map(({ what }) => what) }],
    runsProject: all.some(({ runsProject }) => runsProject),
    isCommand: true,
    covers: (part) => all.some(({ covers }) => covers(part)),
  };
}

type Times = readonly { readonly part: Part; readonly times: number }[];

export function ruleOf(
  parts: Times,
  refused: readonly Part[],
  { typed, withoutDenied }: RuleOptions,
): PartRule | undefined {
  const [first] = parts;
  if (first?.part.kind === "command") {
    const without = new Set(
      withoutDenied
        ? refused.flatMap((part) =>
            part.kind === "command" ? part.shape.options.map(({ name }) => name) : [],
          )
        : [],
    );
    const seen = parts.flatMap(({ part, times }) =>
      part.kind === "command" ? [{ shape: part.shape, times }] : [],
    );
    const usage = usageOf(seen, { typed, without });
    const parsed = usage === undefined ? undefined : parseUsage(usage);
    if (usage === undefined || parsed === undefined || typeof parsed === "string") return undefined;
    return {
      what: usage,
      conditions: [{ type: "command", operator: "usage", value: usage }],
      runsProject: first.part.shape.known.runsProject,
      isCommand: true,
      covers: (part) => part.kind === "command" && parsed.matches(part.shape.argv),
    };
  }
  if (first?.part.kind === "file") {
    const { extension, key, closed } = first.part;
    const paths = parts.flatMap(({ part }) => (part.kind === "file" ? [part.relative] : []));
    const conditions = fileConditions(paths, typed);
    if (conditions === undefined) return undefined;
    const tests = testOf(conditions);
    const [, tool = "", top = ""] = key.split(" ");
    return {
      what: `${tool} in ${top}/ (*${extension})`,
      conditions: [...conditions, ...closedConditions(closed)],
      runsProject: true,
      covers: (part) => part.kind === "file" && tests(part.relative),
    };
  }
  if (first?.part.kind === "url") {
    const urls = parts.flatMap(({ part }) => (part.kind === "url" ? [part.url] : []));
    const conditions = urlConditions(urls, typed);
    if (conditions === undefined) return undefined;
    const tests = testOf(conditions);
    const { url, closed } = first.part;
    const owner = ownerOf(url) ?? "/";
    return {
      what: `reading from ${url.hostname}${owner === "/" ? "" : owner}`,
      conditions: [...conditions, ...closedConditions(closed)],
      runsProject: false,
      covers: (part) => part.kind === "url" && tests(part.url.href),
    };
  }
  if (first?.part.kind === "arguments") {
    const inputs = parts.flatMap(({ part, times }) =>
      part.kind === "arguments" ? Array.from({ length: times }, () => part.input) : [],
    );
    const conditions = argumentConditions(alikeInputs(inputs), typed);
    if (conditions === undefined) return undefined;
    const [, tool = "", ...keys] = first.part.key.split(" ");
    const [, ...fields] = conditions;
    const tests = fields.map((one) => ({ field: one.field ?? "", holds: testOf([one]) }));
    return {
      what: `${tool} with ${keys.join(", ")}`,
      conditions,
      runsProject: false,
      covers: (part) =>
        part.kind === "arguments" && tests.every(({ field, holds }) => holds(part.input[field])),
    };
  }
  return undefined;
}

function testOf(conditions: readonly Condition[]): (value: unknown) => boolean {
  const [{ operator, value } = { operator: "equals", value: [] }] = conditions;
  if (operator === "files") {
    const form = parseFileForm(String(value));
    return (one) => typeof one === "string" && typeof form !== "string" && form.approves(one);
  }
  if (operator === "matches") {
    const pattern = new RegExp(String(value));
    return (one) => typeof one === "string" && pattern.test(one);
  }
  const values = new Set<unknown>([value].flat());
  return (one) => values.has(one);
}
