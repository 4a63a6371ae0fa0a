/** Turns the text of a configuration file into rules with their places, or into everything that is wrong. */

import type { CommandHook } from "../../core/call/hook.ts";
import { hookShape } from "../../core/call/hook-shape.ts";
import type { Limit } from "../../rules/limits.ts";
import type { Policy } from "../../rules/policies.ts";
import type { Route } from "../../rules/routes.ts";
import { limitShape } from "../../rules/shapes/limit-shape.ts";
import { checkShape, maxProblems, type ShapeProblem } from "../../safe/files/documents/check-shape.ts";
import { type Path, type Place, readYaml, type YamlLimits } from "../../safe/files/documents/read-yaml.ts";
import { showPath } from "../../safe/files/documents/shape-words.ts";
import { type ConfigProblem, inOrder, withoutDetail } from "../config-problem.ts";
import { checkAnchors } from "../settings/ledger-settings.ts";
import { checkNotify } from "../settings/notify-settings.ts";
import { withDurations } from "../settings/read-section.ts";
import { checkStore } from "../settings/store-settings.ts";
import { checkTools } from "../settings/tools-settings.ts";
import { checkRunners } from "./check-runners.ts";
import { checkText } from "./check-text.ts";
import { checkUpstreams } from "./check-upstreams.ts";
import { configSchema, routesSchema, type WrittenFile } from "./file-schema.ts";
import { type FileSettings, readSections, toFileSettings } from "./file-settings.ts";
import { withoutMisshapen } from "./well-shaped.ts";
import { rulesIn, type WrittenRule } from "./written-rules.ts";

export interface ParsedFile {
  readonly routes: readonly Route[];
  readonly policies: readonly Policy[];
  readonly limits: readonly Limit[];
  readonly hooks: readonly CommandHook[];
  readonly settings: FileSettings;
}

export interface ParseOptions {
  readonly limits?: YamlLimits | undefined;
  /** No problem repeats a word of the text. It may hold what its reader must not see. */
  readonly discreet?: boolean;
}

export type ParsedConfig =
  | { readonly ok: true; readonly file: ParsedFile }
  | {
      readonly ok: false;
      readonly problems: readonly ConfigProblem[];
      /** The rules that have the right shape: compiled, they may have more problems. Never to be used. */
      readonly rest?: ParsedFile;
    };

type PlaceOf = (path: Path, part?: "key" | "value") => Place;

/** `routes`: only routes are allowed in the file. What a rule means is checked when it is compiled. */
export function parseConfigFile(
  text: string,
  file: string,
  kind: "config" | "routes",
  { limits, discreet = false }: ParseOptions = {},
): ParsedConfig {
  const read = readYaml(text, limits);
  const unread = read.ok ? [] : [read.problem, ...(read.more ?? [])];
  const told = unread.map(({ line, column, message, plain = withoutDetail }) => ({
    file,
    line,
    column,
    message: discreet ? plain : message,
  }));
  const found = read.ok ? read : read.rest;
  if (found === undefined) return { ok: false, problems: told };
  const { placeOf } = found;
  // A file with nothing but comments says nothing, which is allowed.
  const value = found.value ?? {};
  const misshapen = checkShape(value, kind === "routes" ? routesSchema : configSchema);
  const shaped = withoutMisshapen(value, misshapen);
  if (shaped === undefined)
    return { ok: false, problems: [...told, ...tell(misshapen, file, discreet, placeOf)] };
  // As the schema has checked it.
  const said = readSections(shaped);
  const problems = [
    ...misshapen,
    ...checkText(shaped as WrittenFile),
    ...checkUpstreams(shaped.upstreams),
    ...checkRunners(shaped.sessions),
    ...checkAnchors(said.ledger?.anchors),
    ...checkNotify(said.notify),
    ...checkStore(shaped.store),
    ...checkTools(said.tools, said.categories),
  ];
  const place = (path: Path) => ({ file, ...placeOf(path, "key") });
  const rules = toRules(shaped as WrittenFile, place);
  if (told.length + problems.length > 0)
    return {
      ok: false,
      problems: inOrder([...told, ...tell(problems, file, discreet, placeOf)]),
      rest: { ...rules, settings: {} },
    };
  const settings = toFileSettings(said, (name) => place(["upstreams", name]));
  return { ok: true, file: { ...rules, settings } };
}

function toRules(value: WrittenFile, place: (path: Path) => ConfigPlace): Omit<ParsedFile, "settings"> {
  const { routes, policies, limits, hooks } = rulesIn(value);
  const placed = <Rule extends object>({ name, rule, path }: WrittenRule<Rule>) => ({
    ...(Object.fromEntries(Object.entries(rule).filter(([, part]) => part !== null)) as Rule),
    name,
    source: place(path),
  });
  return {
    routes: routes.map(placed),
    policies: policies.map(placed),
    limits: limits.map(placed).map((limit) => withDurations(limit, limitShape.properties)),
    hooks: hooks.map(placed).map((hook) => withDurations(hook, hookShape.properties)),
  };
}

type ConfigPlace = Place & { readonly file: string };

function tell(
  found: readonly ShapeProblem[],
  file: string,
  discreet: boolean,
  placeOf: PlaceOf,
): ConfigProblem[] {
  const problems = found.map((problem) => {
    const { path, part, reason, plain = withoutDetail } = problem;
    const message = `${path.length === 0 ? "The file" : showPath(path)}: ${reason}`;
    return { file, ...placeOf(path, part), message: betterAdvice(problem) ?? (discreet ? plain : message) };
  });
  if (problems.length < maxProblems) return problems;
  return [
    ...problems.slice(0, maxProblems),
    { file, message: "There may be more problems; mend these first." },
  ];
}

/** For keys that are right somewhere else. */
function betterAdvice({ path, unknownKey }: ShapeProblem): string | undefined {
  const [section, , key] = path;
  if (unknownKey !== true) return undefined;
  if (path.length === 1 && Object.hasOwn(configSchema.properties ?? {}, String(section)))
    return `${section}: does not belong into a file of routes; put it into toolgate.yaml.`;
  if (path.length === 3 && key === "name")
    return `${section}: a rule's name is the key above it; remove "name".`;
  return undefined;
}
