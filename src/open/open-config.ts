/** Finds every source of configuration for a folder, loads it, and makes a gate of it. */
import { realpathSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { agentShell, findAgentRoutes } from "../agents/all-agents.ts";
import { packagedBundle } from "../agents/packaged-bundle.ts";
import type { ConfigProblem } from "../config/config-problem.ts";
import { findProject, type Project, projectSources } from "../config/find-project.ts";
import { type Environment, type Folders, findFolders } from "../config/folders.ts";
import { adminSources, loadConfig, type WantedSource } from "../config/load-config.ts";
import type { LoadedConfig, LoadedSource } from "../config/loaded-config.ts";
import { ownPaths } from "../config/own-paths.ts";
import { agentDialect } from "../config/settings/agent-dialect.ts";
import { anchorFiles } from "../config/settings/ledger-settings.ts";
import type { StrangerReader } from "../config/trust/strangers.ts";
import type { Approver } from "../core/call/approval.ts";
import { quietly } from "../core/run/quietly.ts";
import type { CategoryChoice } from "../core/tool/categories.ts";
import type { Permission } from "../core/tool/permission.ts";
import { createGateOf, type GateExtras } from "../gate/create-gate.ts";
import type { Gate } from "../gate/gate.ts";
import type { GateOptions, GateStore } from "../gate/gate-options.ts";
import { extendRules, loadRules, type RulesRequest } from "../gate/load-rules.ts";
import type { Policy } from "../rules/policies.ts";
import type { Rules } from "../rules/rule-set.ts";
import { createFileSpill } from "../safe/files/spill.ts";
import { type ConfiguredRules, compileConfigured, findDoubts, type Unvouched } from "./compile-config.ts";

export interface ConfigRequest {
  /** Where the call happens; its project is found from here. */
  readonly cwd: string;
  readonly env: Environment;
  /** Replaces discovery: this file alone. */
  readonly configFile?: string | undefined;
  /** Replaces discovery: these files, or none at all. */
  readonly files?: readonly string[] | undefined;
  /** What the agent calls its project; otherwise looked for from `cwd`. */
  readonly projectDir?: string | undefined;
  /** Where the shipped routes are; a bundle that lives elsewhere says so. */
  readonly shippedFile?: string | undefined;
  /** Who reads files that nobody vouches for: a server must not do it itself. */
  readonly strangers?: StrangerReader | undefined;
}

export interface OpenConfig extends LoadedConfig {
  /** All rules, compiled to find every problem; not ok if there is any. */
  readonly compiled: ConfiguredRules;
  /** Besides `problems`: what else is wrong with the rules, as far as they can be read. */
  findMoreProblems(): Promise<readonly ConfigProblem[]>;
  /** Rules that can be used and never match. Looked for when somebody wants to read them. */
  findDoubts(): readonly ConfigProblem[];
  readonly projectDir: string;
  readonly folders: Folders;
  /** What was asked for. */
  readonly request: ConfigRequest;
  /** By the clock of the system, before the first file was read. */
  readonly loadedAt: number;
}

/** Never throws for what is in the files: every problem of every file is in `problems`. */
export async function openConfig(request: ConfigRequest): Promise<OpenConfig> {
  const loadedAt = Date.now();
  const folders = findFolders(request.env);
  const project = findProject(request.projectDir ?? request.cwd, folders.home);
  const named = namedFiles(request);
  const loaded =
    named === undefined
      ? await discover(request, folders, project)
      : await loadConfig(
          named.map((file) => optionSource(request.cwd, file)),
          folders,
        );
  const compiled: ConfiguredRules =
    loaded.problems.length > 0
      ? { ok: false, problems: loaded.problems }
      : await compileConfigured(loaded.rules, unvouched(loaded, request), loaded.settings.categories);
  const problems = compiled.ok ? [] : compiled.problems;
  return {
    ...loaded,
    compiled,
    findDoubts: () => (compiled.ok ? findDoubts(loaded.rules, unvouched(loaded, request)) : []),
    findMoreProblems: () => findMoreProblems(loaded, request),
    problems,
    projectDir: project.folder,
    folders,
    request,
    loadedAt,
  };
}

/** The files that take the place of discovery. */
export function namedFiles({ configFile, files }: ConfigRequest): readonly string[] | undefined {
  return files ?? (configFile === undefined ? undefined : [configFile]);
}

export interface GateRequest extends Pick<GateExtras, "onClosed"> {
  /** Which categories are on. By default what the configuration says. */
  readonly enable?: CategoryChoice;
  /** The most that categories allow. By default what the configuration says. */
  readonly ceilings?: Readonly<Record<string, Permission>> | undefined;
  /** Who answers when a rule asks. `"desk"`: people, in any process. Nobody: such calls are refused. */
  readonly approver?: Approver | "desk" | undefined;
  /** How long people have to answer. */
  readonly approvalTimeoutMs?: number | undefined;
  /** Keeps records, questions, grants and counts; by default in memory. The gate never closes it. */
  readonly store?: GateStore | undefined;
  /** Besides the configuration's own. */
  readonly policies?: readonly Policy[];
  /** What a program says itself: its rules besides the configuration's, the rest instead of it. */
  readonly given?: GateOptions | undefined;
}

/** A gate that holds these rules, and no tools: enough for calls that an agent runs itself. */
export async function openGate(config: OpenConfig, request: GateRequest = {}): Promise<Gate> {
  const { rules, compiled, settings, projectDir, folders } = config;
  const {
    enable = configuredChoice(config),
    approver,
    approvalTimeoutMs: timeoutMs,
    policies = [],
    ceilings = settings.ceilings ?? {},
    given = {},
    store = given.store,
    onClosed,
  } = request;
  const load = (request: RulesRequest) =>
    compiled.ok && !hasRules(given)
      ? extendRules({ rules, compiled: compiled.rules }, policies, request)
      : loadRules(joinRules(rules, given, { policies }), request);
  const configured: GateOptions = {
    checkDefault: settings.checkDefault,
    agentDialect: agentDialect(settings.shellDialect, agentShell(config.request.env)),
    ...(settings.hookConcurrency !== undefined && { hookConcurrency: settings.hookConcurrency }),
    roots: [projectDir],
    // Who could write there could answer for a person, or change the record.
    ...ownPaths(folders, dirname(dirname(packagedBundle())), anchorFiles(config)),
    spill: createFileSpill({
      folder: join(folders.cache, "output"),
      ...(store && { clean: store.redactText }),
    }),
    ...(settings.hidden && { hidden: settings.hidden }),
    ...(settings.categories && { categories: settings.categories }),
    enable: { ...enable, ceilings },
    ...(approver && { approver }),
    ...(timeoutMs !== undefined && { approvals: { timeoutMs } }),
    ...(store && { store }),
  };
  const own = ["statePaths", "secretPaths", "programPaths"] as const;
  const paths = own.map((name) => [name, [...(configured[name] ?? []), ...(given[name] ?? [])]]);
  return createGateOf(
    load,
    { ...configured, ...given, ...Object.fromEntries(paths) },
    { policies, onClosed },
  );
}

const kindsOfRules = ["routes", "policies", "limits", "hooks"] as const;

function hasRules(rules: Rules): boolean {
  return kindsOfRules.some((kind) => (rules[kind] ?? []).length > 0);
}

function joinRules(...all: readonly Rules[]): Rules {
  return Object.fromEntries(kindsOfRules.map((kind) => [kind, all.flatMap((rules) => rules[kind] ?? [])]));
}

/** What the configuration switches on. */
export function configuredChoice({ settings }: Pick<OpenConfig, "settings">): CategoryChoice {
  const { enableAll, enabledCategories, disabledCategories } = settings;
  return {
    ...(enableAll !== undefined && { enableAll }),
    ...(enabledCategories !== undefined && { enabledCategories }),
    ...(disabledCategories !== undefined && { disabledCategories }),
  };
}

/** One who mends a file wants to mend all of it: what can be compiled is, though nothing will use it. */
async function findMoreProblems(
  loaded: LoadedConfig,
  request: ConfigRequest,
): Promise<readonly ConfigProblem[]> {
  if (loaded.problems.length === 0) return [];
  const all = [loaded.rules, ...loaded.broken.map(({ rules }) => rules)];
  const rules = {
    routes: all.flatMap(({ routes = [] }) => routes),
    policies: all.flatMap(({ policies = [] }) => policies),
    limits: all.flatMap(({ limits = [] }) => limits),
    hooks: all.flatMap(({ hooks = [] }) => hooks),
  };
  const sources = [...loaded.sources, ...loaded.broken];
  const compiled = await compileConfigured(rules, unvouched({ sources }, request));
  return compiled.ok ? [] : compiled.problems;
}

/** A plugin was installed by the user, and is still somebody else's. */
function unvouched(
  { sources }: { readonly sources: readonly Pick<LoadedSource, "file" | "origin" | "vouched">[] },
  { strangers }: ConfigRequest,
): Unvouched {
  const theirs = sources.filter(({ vouched }) => !vouched).map(({ file }) => file);
  const plugins = sources.filter(({ origin }) => origin === "plugin").map(({ file }) => file);
  return { bounded: strangers?.bounded === false ? [] : theirs, discreet: [...theirs, ...plugins] };
}

/** The order is the order in which routes are tried. */
export async function findSources(
  { cwd, env, shippedFile = packagedRoutes() }: ConfigRequest,
  folders: Folders,
  projectDir: string,
): Promise<{
  readonly sources: readonly WantedSource[];
  readonly inputs: readonly string[];
  readonly notes: readonly string[];
}> {
  const plugins = await findAgentRoutes({ home: folders.home, env, projectDir });
  const pluginSources = plugins.files.map(
    ({ file, plugin }): WantedSource => ({
      file,
      plugin,
      within: dirname(file),
      origin: "plugin",
      tier: "plugin",
      kind: "routes",
      required: true,
    }),
  );
  const sources: WantedSource[] = [
    ...adminSources(folders.admin),
    ...pluginSources,
    ...environmentSources(cwd, env),
    { file: join(folders.config, "config.yaml"), origin: "user", tier: "user", kind: "config" },
    ...projectSources(projectDir),
    { file: shippedFile, origin: "shipped", tier: "shipped", kind: "routes", required: true },
  ];
  return { sources: eachOnce(sources), inputs: [folders.admin, ...plugins.inputs], notes: plugins.notes };
}

async function discover(request: ConfigRequest, folders: Folders, project: Project): Promise<LoadedConfig> {
  const { sources, inputs, notes } = await findSources(request, folders, project.folder);
  const { strangers } = request;
  return loadConfig(sources, folders, { inputs: [...inputs, ...project.inputs], notes, strangers });
}

/** Of the tier of plugins: project settings can set variables, and must not weaken the user's rules. */
function environmentSources(cwd: string, env: Environment): WantedSource[] {
  const files = (env.TOOLGATE_ROUTES ?? "").split(delimiter).filter((file) => file !== "");
  return files.map((file) => ({
    file: resolve(cwd, file),
    origin: "environment",
    tier: "plugin",
    kind: "routes",
    required: true,
  }));
}

/** A file that is reached in two ways counts where it is most trusted; twice it would be in its own way. */
function eachOnce(sources: readonly WantedSource[]): WantedSource[] {
  const seen = new Set<string>();
  return sources.filter(({ file }) => {
    // What is not there cannot be the same as anything.
    const real = quietly(() => realpathSync(file)) ?? file;
    const isNew = !seen.has(real);
    seen.add(real);
    return isNew;
  });
}

function optionSource(cwd: string, file: string): WantedSource {
  return { file: resolve(cwd, file), origin: "option", tier: "user", kind: "config", required: true };
}

/** Beside `dist` and beside `src` alike. */
function packagedRoutes(): string {
  return fileURLToPath(new URL("../../routes/shipped.yaml", import.meta.url));
}
