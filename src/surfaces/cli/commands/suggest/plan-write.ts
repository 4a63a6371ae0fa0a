/** What of the suggestions goes into which file, tried out before a byte is written. */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { addEntry } from "../../../../config/file/edit-entries.ts";
import { putPolicies } from "../../../../config/file/edit-policies.ts";
import { parseConfigFile } from "../../../../config/file/parse-file.ts";
import { findProject, projectSources } from "../../../../config/find-project.ts";
import { withTier } from "../../../../config/load-config.ts";
import { ToolgateError } from "../../../../core/call/errors.ts";
import { isInside } from "../../../../core/input/inside-folder.ts";
import type { JsonObject } from "../../../../core/input/json.ts";
import { plural } from "../../../../core/text/plural.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { rulesVersionOf } from "../../../../replay/rule-judge.ts";
import { runRuleTests } from "../../../../replay/run-rule-tests.ts";
import type { Suggestion, SuggestionReport } from "../../../../suggest/suggestion.ts";
import { type RuleFileChange, readUsableFile, refuseBroken } from "../../open/edit-rule-file.ts";
import { openUsable } from "../../open/effective-config.ts";
import { realPath } from "../../open/real-path.ts";
import type { CliIo } from "../../terminal/io.ts";
import { collectRules } from "../test/rules-to-test.ts";

export interface PlannedWrite extends RuleFileChange {
  /** Of the rules that are written. */
  readonly names: readonly string[];
  readonly leftOut: readonly { readonly title: string; readonly why: string }[];
}

/** Throws when the file is not the user's, when rules have changed since, or when a test fails there. */
export async function planWrite(report: SuggestionReport, given: string, io: CliIo): Promise<PlannedWrite> {
  const file = resolve(io.cwd, given);
  const config = await openUsable({}, io);
  refuseForeign(file, config);
  const isPrivate = isInside(realPath(file), realPath(config.folders.config));
  if (!isPrivate && !existsSync(dirname(file)))
    throw new ToolgateError(
      `There is no folder ${dirname(file)}. Make it first, or write to ${config.folders.config}/config.yaml`,
    );
  if (rulesVersionOf(config) !== report.rulesVersion)
    throw new ToolgateError("The rules were changed meanwhile, so nothing is proved. Run it again.");
  const leftOut = report.suggestions.flatMap((one) => {
    const why = whyNot(one);
    return why === undefined ? [] : [{ title: one.title, why }];
  });
  const ready = report.suggestions.filter((one) => whyNot(one) === undefined);
  const before = readUsableFile(file);
  const after = ready.reduce((text, one) => putRules(text, one), before);
  refuseBroken(file, after, "Nothing was written, because the result could not be used:");
  const names = ready.flatMap(({ rules: { policies = [], routes = [], limits = [] } }) =>
    [...policies, ...routes, ...limits].map(({ name }) => name),
  );
  if (names.length > 0) await refuseFailing(file, after, names, io);
  return { file, before, after, names, leftOut, isPrivate };
}

function whyNot({ state, kind }: Suggestion): string | undefined {
  if (state !== "ready") return "there is not enough evidence yet";
  return kind === "cleanup" ? "rules and grants are removed by hand" : undefined;
}

/** Approvals belong to the person. A repository's file is everybody's who can write to it. */
function refuseForeign(file: string, config: OpenConfig): void {
  // Also of a file that is not there yet, behind links.
  const real = realPath(join(realPath(dirname(file)), basename(file)));
  const { folder } = findProject(dirname(real), config.folders.home);
  const source = config.sources.find((one) => realPath(one.file) === real);
  const isProjects =
    isInside(real, realPath(config.projectDir)) ||
    projectSources(folder).some((one) => realPath(one.file) === real);
  if (!isProjects || source?.vouched === true) return;
  throw new ToolgateError(
    `${file} lies in a project and nobody trusts it; what it approves would not count. Write to a file of your own: ${config.folders.config}/config.yaml`,
  );
}

function putRules(text: string, { rules, yaml }: Suggestion): string {
  const { policies = [], routes = [], limits = [] } = rules;
  const entries = (all: readonly { readonly name: string }[]) =>
    all.map(({ name, ...rest }) => [name, written(rest)] as const);
  let put = putPolicies(text, Object.fromEntries(entries(policies)), () => false);
  for (const [name, rule] of entries(routes)) put = addEntry(put, ["routes", name], rule);
  for (const [name, rule] of entries(limits)) put = addEntry(put, ["limits", name], rule);
  // Where it comes from, and when to look at it again.
  const comment = yaml.split("\n").filter((line) => line.startsWith("#"));
  return [...policies, ...routes, ...limits].reduce((all, { name }) => withComment(all, name, comment), put);
}

function withComment(text: string, name: string, comment: readonly string[]): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.trim() === `${name}:`);
  if (at < 0) return text;
  const indent = /^ */.exec(lines[at] ?? "")?.[0] ?? "";
  return lines.toSpliced(at, 0, ...comment.map((line) => `${indent}${line}`)).join("\n");
}

/** Whose rule it is, is said by the file. */
function written(rule: object): JsonObject {
  const { tier: _, source: __, ...rest } = rule as { tier?: unknown; source?: unknown };
  return JSON.parse(JSON.stringify(rest)) as JsonObject;
}

/** As `toolgate test` would run them there, beside all other rules. */
async function refuseFailing(file: string, text: string, names: readonly string[], io: CliIo): Promise<void> {
  const parsed = parseConfigFile(text, file, "config");
  if (!parsed.ok) return;
  const { sources, config } = await collectRules({}, io);
  const { routes, policies } = parsed.file;
  const others = sources.filter((source) => realPath(source.file) !== realPath(file));
  const tested = { file, rules: withTier({ routes, policies }, "user") };
  const report = await runRuleTests([...others, tested], { root: config.projectDir, tested: [file] });
  const failed = report.files.flatMap(({ tests }) =>
    tests.filter(({ ok, rule }) => !ok && names.includes(rule.name)),
  );
  const [first] = failed;
  if (first !== undefined)
    throw new ToolgateError(
      `Nothing was written: beside your other rules ${plural(failed.length, "test fails", "tests fail")}, such as "${first.desc}" of ${first.rule.name} (${first.verdict}).`,
    );
}
