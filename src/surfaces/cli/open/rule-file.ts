/** Reads one rule file as it is written, to test and validate it; never to decide about calls. */
import { basename } from "node:path";
import { type ConfigProblem, inOrder } from "../../../config/config-problem.ts";
import type { FileSettings } from "../../../config/file/file-settings.ts";
import { parseConfigFile } from "../../../config/file/parse-file.ts";
import { compileConfigured, findDoubts } from "../../../open/compile-config.ts";
import type { Rules } from "../../../rules/rule-set.ts";
import { leadsElsewhere, readTextFile } from "../../../safe/files/documents/read-text-file.ts";

export type RuleFile =
  | { readonly ok: true; readonly rules: Rules; readonly settings: FileSettings }
  | {
      readonly ok: false;
      readonly problems: readonly ConfigProblem[];
      /** Rules that have the right shape, to be looked at for more problems. */
      readonly rest?: Rules;
    };

export function readRuleFile(file: string, kind: "config" | "routes" = kindByName(file)): RuleFile {
  const read = readTextFile(file);
  if (!read.ok) return { ok: false, problems: [{ file, message: read.message }] };
  if (/\.json$/i.test(file)) {
    const message = "Rules are written in YAML. For an old tool-routes.json run: toolgate convert FILE";
    return { ok: false, problems: [{ file, message }] };
  }
  // The text behind a link is not quoted: naming a rule file must not be a way to read any file.
  const parsed = parseConfigFile(read.text, file, kind, { discreet: leadsElsewhere(file) });
  if (!parsed.ok) return parsed;
  const { routes, policies, limits, hooks, settings } = parsed.file;
  return { ok: true, rules: { routes, policies, limits, hooks }, settings };
}

export type CheckedFile =
  /** `doubts`: rules that can be used and never match. */
  | (RuleFile & { readonly ok: true; readonly doubts: readonly ConfigProblem[] })
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** The same, and its rules compiled: finds everything that is wrong with the file alone. */
export async function checkRuleFile(file: string): Promise<CheckedFile> {
  const read = readRuleFile(file);
  const discreet = leadsElsewhere(file) ? [file] : [];
  const compiled = await compileConfigured(read.ok ? read.rules : (read.rest ?? {}), {
    bounded: [],
    discreet,
  });
  const problems = [...(read.ok ? [] : read.problems), ...(compiled.ok ? [] : compiled.problems)];
  if (!read.ok || problems.length > 0) return { ok: false, problems: inOrder(problems) };
  return { ...read, doubts: findDoubts(read.rules, { discreet }) };
}

export interface ReadFiles {
  /** Those that can be read. */
  readonly files: readonly { readonly file: string; readonly rules: Rules }[];
  readonly problems: readonly ConfigProblem[];
  readonly rest: readonly Rules[];
}

/** Several files as one set of rules: also finds names that are used twice. */
export async function checkRuleFiles(files: readonly string[]): Promise<ReadFiles> {
  const { files: read, problems, rest } = readRuleFiles(files.map((file) => ({ file })));
  const all = [...read.map(({ rules }) => rules), ...rest];
  const merged: Rules = {
    routes: all.flatMap(({ routes = [] }) => routes),
    policies: all.flatMap(({ policies = [] }) => policies),
    limits: all.flatMap(({ limits = [] }) => limits),
    hooks: all.flatMap(({ hooks = [] }) => hooks),
  };
  const compiled = await compileConfigured(merged, { bounded: [], discreet: files.filter(leadsElsewhere) });
  const told = compiled.ok ? problems : inOrder([...problems, ...compiled.problems]);
  return { files: read, problems: told, rest };
}

export function readRuleFiles(
  wanted: readonly { readonly file: string; readonly kind?: "config" | "routes" }[],
): ReadFiles {
  const read = wanted.map(({ file, kind }) => ({ file, read: readRuleFile(file, kind) }));
  return {
    files: read.flatMap((one) => (one.read.ok ? [{ file: one.file, rules: one.read.rules }] : [])),
    problems: read.flatMap((one) => (one.read.ok ? [] : one.read.problems)),
    rest: read.flatMap((one) => (one.read.ok || one.read.rest === undefined ? [] : [one.read.rest])),
  };
}

function kindByName(file: string): "config" | "routes" {
  return /tool-routes/.test(basename(file)) ? "routes" : "config";
}
