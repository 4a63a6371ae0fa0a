/** Turns the text of a configuration file into rules that know where they stand, or into everything that is wrong with it. */
import type { CommandHook } from "../../core/call/hook.ts";
import type { JsonObject } from "../../core/input/json.ts";
import type { Permission } from "../../core/tool/permission.ts";
import type { SandboxRules } from "../../core/tool/sandbox-rules.ts";
import type { Limit } from "../../rules/limits.ts";
import type { Policy } from "../../rules/policies.ts";
import type { Route } from "../../rules/routes.ts";
import { checkShape, maxProblems, type ShapeProblem } from "../../safe/files/documents/check-shape.ts";
import { type Path, type Place, readYaml, type YamlLimits } from "../../safe/files/documents/read-yaml.ts";
import { type ConfigProblem, withoutDetail } from "../config-problem.ts";
import type { WebSearchSettings } from "../loaded-config.ts";
import type { dialects } from "../settings/agent-dialect.ts";
import { checkAnchors, type LedgerSettings, toLedgerSettings } from "../settings/ledger-settings.ts";
import { type McpSettings, toMcpSettings } from "../settings/mcp-settings.ts";
import { toSandboxRules } from "../settings/sandbox-settings.ts";
import { type ServerSettings, toServerSettings } from "../settings/server-settings.ts";
import { toUpstreams, type UpstreamEntry } from "../settings/upstream-settings.ts";
import { checkText, rulesIn } from "./check-text.ts";
import { checkUpstreams } from "./check-upstreams.ts";
import { configSchema, routesSchema } from "./file-schema.ts";

export interface ParsedFile {
  readonly routes: readonly Route[];
  readonly policies: readonly Policy[];
  readonly limits: readonly Limit[];
  readonly hooks: readonly CommandHook[];
  readonly settings: FileSettings;
}

export interface FileSettings {
  readonly hooksDefault?: "abstain" | "ask" | "deny";
  readonly hookConcurrency?: number;
  readonly shellDialect?: (typeof dialects)[number];
  readonly enableAll?: boolean;
  readonly enabledCategories?: readonly string[];
  readonly server?: ServerSettings;
  readonly mcp?: McpSettings;
  readonly ceilings?: Readonly<Record<string, Permission>>;
  readonly webSearch?: WebSearchSettings;
  /** As they are written. */
  readonly pluginFolders?: readonly string[];
  readonly ledger?: LedgerSettings;
  readonly upstreams?: readonly UpstreamEntry[];
  readonly sandbox?: SandboxRules;
}

export interface ParseOptions {
  readonly limits?: YamlLimits | undefined;
  /** No problem repeats a word of the text: nobody vouches for the file, and it may hold what its reader must not see. */
  readonly discreet?: boolean;
}

export type ParsedConfig =
  | { readonly ok: true; readonly file: ParsedFile }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

type PlaceOf = (path: Path, part?: "key" | "value") => Place;

/** `routes`: only routes are allowed in it. What a rule means is checked when it is compiled; here only how it is written. */
export function parseConfigFile(
  text: string,
  file: string,
  kind: "config" | "routes",
  { limits, discreet = false }: ParseOptions = {},
): ParsedConfig {
  const read = readYaml(text, limits);
  if (!read.ok) {
    const { line, column } = read.problem;
    return { ok: false, problems: [{ file, line, column, message: told(read.problem, discreet) }] };
  }
  const { placeOf } = read;
  // A file with nothing but comments says nothing, which is allowed.
  const value = read.value ?? {};
  const misshapen = checkShape(value, kind === "routes" ? routesSchema : configSchema);
  const problems = misshapen.length > 0 ? misshapen.map(betterAdvice) : checkMeaning(value as JsonObject);
  const shown = problems.map((problem) => ({ ...problem, message: told(problem, discreet) }));
  if (problems.length > 0) return { ok: false, problems: inFileOrder(shown, file, placeOf) };
  return { ok: true, file: toRules(value as JsonObject, file, placeOf) };
}

function told(
  { message, plain }: { message: string; plain?: string | undefined },
  discreet: boolean,
): string {
  return discreet ? (plain ?? withoutDetail) : message;
}

function toRules(value: JsonObject, file: string, placeOf: PlaceOf): ParsedFile {
  const rules = (section: string): readonly JsonObject[] =>
    rulesIn(value, section).map(({ name, rule, path }) => {
      const said = Object.entries(rule).filter(([, part]) => part !== null);
      return { ...Object.fromEntries(said), name, source: { file, ...placeOf(path, "key") } };
    });
  // The shape was checked against the schema, which has the keys of these types and no others.
  return {
    routes: rules("routes") as unknown as readonly Route[],
    policies: rules("policies") as unknown as readonly Policy[],
    limits: rules("limits") as unknown as readonly Limit[],
    hooks: rules("hooks") as unknown as readonly CommandHook[],
    settings: { ...toSettings(value), ...toUpstreamSettings(value, file, placeOf) },
  };
}

function checkMeaning(value: JsonObject): ShapeProblem[] {
  return [...checkText(value), ...checkUpstreams(value.upstreams), ...checkAnchors(value.ledger)];
}

function toUpstreamSettings({ upstreams }: JsonObject, file: string, placeOf: PlaceOf): FileSettings {
  if (upstreams === undefined || upstreams === null) return {};
  const placed = (name: string) => ({ file, ...placeOf(["upstreams", name], "key") });
  return { upstreams: toUpstreams(upstreams as JsonObject, placed) };
}

function toSettings(given: JsonObject): FileSettings {
  const { hooks, shell, tools, plugins, web, ledger, server, mcp, sandbox } = given;
  const { default: hooksDefault, concurrent: hookConcurrency } = (hooks ?? {}) as {
    default?: "abstain" | "ask" | "deny";
    concurrent?: number;
  };
  const { dialect: shellDialect } = (shell ?? {}) as { dialect?: (typeof dialects)[number] };
  const {
    enable_all: enableAll,
    enabled_categories: enabledCategories,
    ceilings,
  } = (tools ?? {}) as {
    enable_all?: boolean;
    enabled_categories?: readonly string[];
    ceilings?: Readonly<Record<string, Permission>> | null;
  };
  const { folders: pluginFolders } = (plugins ?? {}) as { folders?: readonly string[] | null };
  const { search } = (web ?? {}) as { search?: JsonObject };
  return {
    ...(hooksDefault !== undefined && { hooksDefault }),
    ...(hookConcurrency !== undefined && { hookConcurrency }),
    ...(shellDialect !== undefined && { shellDialect }),
    ...(enableAll !== undefined && { enableAll }),
    ...(enabledCategories !== undefined && { enabledCategories }),
    ...(ceilings !== undefined && ceilings !== null && { ceilings }),
    ...(search !== undefined && { webSearch: toWebSearch(search) }),
    ...(pluginFolders && { pluginFolders }),
    ...(ledger !== undefined && ledger !== null && { ledger: toLedgerSettings(ledger as JsonObject) }),
    ...(server !== undefined && server !== null && { server: toServerSettings(server as JsonObject) }),
    ...(sandbox !== undefined && sandbox !== null && { sandbox: toSandboxRules(sandbox as JsonObject) }),
    ...(mcp !== undefined && mcp !== null && { mcp: toMcpSettings(mcp as JsonObject) }),
  };
}

function toWebSearch({ url, format, ...rest }: JsonObject): WebSearchSettings {
  const { key_env: keyEnv, key_header: keyHeader, key_prefix: keyPrefix, allow_private: allowPrivate } = rest;
  const said = Object.entries({ keyEnv, keyHeader, keyPrefix, allowPrivate }).filter(
    ([, value]) => value !== undefined,
  );
  // As the schema has checked it.
  return { url, format: format ?? "searxng", ...Object.fromEntries(said) } as unknown as WebSearchSettings;
}

function inFileOrder(found: readonly ShapeProblem[], file: string, placeOf: PlaceOf): ConfigProblem[] {
  const problems = found.map(({ path, part, message }) => ({ file, ...placeOf(path, part), message }));
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  if (problems.length < maxProblems) return problems;
  return [...problems, { file, message: "There may be more problems; mend these first." }];
}

/** Keys that are right somewhere else. */
function betterAdvice(problem: ShapeProblem): ShapeProblem {
  const { path, part } = problem;
  const [section, , key] = path;
  if (part === "key" && path.length === 1 && Object.hasOwn(configSchema.properties ?? {}, String(section))) {
    const message = `${section}: does not belong into a file of routes; put it into toolgate.yaml.`;
    return { ...problem, message, plain: message };
  }
  if (part === "key" && path.length === 3 && key === "name" && problem.message.includes("unknown key")) {
    const message = `${section}: a rule's name is the key above it; remove "name".`;
    return { ...problem, message, plain: message };
  }
  return problem;
}
