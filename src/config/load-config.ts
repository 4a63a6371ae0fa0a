/** Reads every source of configuration, most trusted first, and merges them: later sources add, never override. */
import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Limit } from "../rules/limits.ts";
import type { Policy } from "../rules/policies.ts";
import type { Route } from "../rules/routes.ts";
import { readTextFile } from "../safe/files/documents/read-text-file.ts";
import type { ConfigProblem } from "./config-problem.ts";
import { type FileSettings, type ParsedFile, parseConfigFile } from "./file/parse-file.ts";
import type { Folders } from "./folders.ts";
import type { ConfigSource, Ignored, LoadedConfig, LoadedSource, Settings } from "./loaded-config.ts";
import { strictestDialect } from "./settings/agent-dialect.ts";
import { type LedgerSettings, mergeLedgerSettings } from "./settings/ledger-settings.ts";
import type { McpSettings } from "./settings/mcp-settings.ts";
import { mergeServerSettings } from "./settings/server-settings.ts";
import type { PlacedUpstream } from "./settings/upstream-settings.ts";
import { parsedShippedFile } from "./shipped-file.ts";
import { stepAside } from "./step-aside.ts";
import { ownReader, type StrangerReader } from "./trust/strangers.ts";
import { isTrusted, readTrust, type Trust, trustFile } from "./trust/trust.ts";

export interface WantedSource extends ConfigSource {
  /** A folder that it must not lead out of. */
  readonly within?: string;
  /** A problem when it does not exist. */
  readonly required?: boolean;
}

export interface LoadMore {
  readonly inputs?: readonly string[];
  readonly notes?: readonly string[];
  /** Who reads files that nobody vouches for. */
  readonly strangers?: StrangerReader | undefined;
}

export async function loadConfig(
  wanted: readonly WantedSource[],
  folders: Folders,
  more: LoadMore = {},
): Promise<LoadedConfig> {
  const trust = readTrust(folders.state);
  const problems: ConfigProblem[] = [];
  const ignored: Ignored[] = [];
  const sources: LoadedSource[] = [];
  const notes: string[] = [];
  const settings: SaidSettings[] = [];
  for (const { source, read } of await readSources(wanted, trust, more.strangers ?? ownReader)) {
    problems.push(...read.problems);
    ignored.push(...read.ignored);
    if (read.source !== undefined) sources.push(read.source);
    if (read.note !== undefined) notes.push(read.note);
    if (read.said !== undefined) settings.push({ file: source.file, tier: source.tier, said: read.said });
  }
  const settled = stepAside(sources);
  return {
    rules: {
      routes: settled.sources.flatMap(({ rules }) => rules.routes ?? []),
      policies: settled.sources.flatMap(({ rules }) => rules.policies ?? []),
      limits: settled.sources.flatMap(({ rules }) => rules.limits ?? []),
      hooks: settled.sources.flatMap(({ rules }) => rules.hooks ?? []),
    },
    settings: mergeSettings(settings, folders.home),
    sources: settled.sources,
    problems,
    ignored: [...ignored, ...settled.ignored],
    steppedAside: settled.steppedAside,
    notes: [
      ...(more.notes ?? []),
      ...notes,
      ...upstreamNotes(settings),
      ...(trust.ok ? [] : [trust.message]),
    ],
    inputs: [
      ...new Set([...wanted.map(({ file }) => file), trustFile(folders.state), ...(more.inputs ?? [])]),
    ],
  };
}

/** Everything in the administrator's folder counts, in the order of the names. */
export function adminSources(folder: string): WantedSource[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    // A folder that is there and cannot be read may hold the strictest rules of all: its file becomes a problem.
    names = ["config.yaml"];
  }
  return names
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => ({
      file: join(folder, name),
      origin: "admin",
      tier: "admin",
      kind: "config",
      required: true,
    }));
}

interface ReadSource {
  readonly source?: LoadedSource;
  readonly said?: FileSettings;
  readonly problems: readonly ConfigProblem[];
  readonly ignored: readonly Ignored[];
  readonly note?: string;
}

interface ReadOf {
  readonly source: WantedSource;
  readonly read: ReadSource;
}

/** In their order; what strangers wrote is read together, under one budget. */
async function readSources(
  wanted: readonly WantedSource[],
  trust: Trust,
  reader: StrangerReader,
): Promise<readonly ReadOf[]> {
  const texts = wanted.flatMap((source) => readText(source, trust));
  const strangers = texts.flatMap((one) => (one.ok && !one.vouched ? [one] : []));
  const answers = await reader.read(
    strangers.map(({ source: { file, kind, tier }, text }) => ({
      file,
      kind,
      text,
      narrows: tier === "project",
    })),
  );
  const byFile = new Map(strangers.map(({ source: { file } }, index) => [file, answers[index]]));
  return texts.map((one): ReadOf => {
    const { source } = one;
    if (!one.ok) return { source, read: { problems: [one.problem], ignored: [] } };
    const parsed = one.vouched ? parseOwn(one) : byFile.get(source.file);
    if (parsed === undefined || !parsed.ok)
      return { source, read: { problems: parsed?.problems ?? [notRead(source)], ignored: [] } };
    return { source, read: toSource(one, parsed.file, parsed.ignored) };
  });
}

type ReadText =
  | {
      readonly ok: true;
      readonly source: WantedSource;
      readonly text: string;
      readonly sha256: string;
      /** The user put it there, or trusts it. A variable that names a file may be set by a project. */
      readonly vouched: boolean;
    }
  | { readonly ok: false; readonly source: WantedSource; readonly problem: ConfigProblem };

/** Nothing: it is not there, and need not be. */
function readText(source: WantedSource, trust: Trust): ReadText[] {
  const { file, tier, origin, required, within } = source;
  const read = readTextFile(file, { within });
  if (!read.ok) {
    if (read.missing && required !== true) return [];
    return [{ ok: false, source, problem: { file, message: read.message } }];
  }
  const { text, sha256 } = read;
  const isOwn = tier !== "project" && origin !== "environment";
  return [{ ok: true, source, text, sha256, vouched: isOwn || isTrusted(trust, file, sha256) }];
}

type ReadOk = ReadText & { readonly ok: true };

function parseOwn({ source: { file, tier, kind, origin }, text, sha256 }: ReadOk) {
  const ready = tier === "shipped" ? parsedShippedFile(file, sha256) : undefined;
  const parsed = ready ?? parseConfigFile(text, file, kind, { discreet: origin === "plugin" });
  return parsed.ok ? { ...parsed, ignored: [] } : parsed;
}

function notRead({ file }: WantedSource): ConfigProblem {
  return { file, message: "It could not be read." };
}

function toSource(
  { source: wanted, sha256, vouched }: ReadOk,
  taken: ParsedFile,
  ignored: readonly Ignored[],
): ReadSource {
  const { required, within, ...source } = wanted;
  const { file, tier } = source;
  // Policies know no shipped tier, and no shipped file has policies.
  const policyTier = tier === "shipped" ? "plugin" : tier;
  const rules = {
    routes: taken.routes.map((route): Route => ({ ...route, tier })),
    policies: taken.policies.map((policy): Policy => ({ ...policy, tier: policyTier })),
    limits: taken.limits as readonly Limit[],
    hooks: taken.hooks,
  };
  const own = tier === "admin" || tier === "user";
  const { said, notTaken } = own ? { said: taken.settings, notTaken: [] } : withoutOwnMatters(taken.settings);
  return {
    source: { ...source, sha256, trusted: tier !== "project" || vouched, vouched, rules },
    said,
    problems: [],
    ignored,
    ...(notTaken.length > 0 && { note: `${file}: ${notTaken.join(" and ")} is ignored: ${notHere}.` }),
  };
}

const notHere = "only the user's and the administrator's files set that up";

/** Trust in a project is trust in its rules; where the gate listens, whom it lets in, and where its evidence goes is never a project's business. */
function withoutOwnMatters({ server, ledger, ...said }: FileSettings): {
  readonly said: FileSettings;
  readonly notTaken: readonly string[];
} {
  const { anchors, ...others } = ledger ?? {};
  const notTaken = [
    ...(server === undefined ? [] : ['"server"']),
    ...(anchors === undefined ? [] : ['"ledger.anchors"']),
  ];
  return { said: { ...said, ...(ledger !== undefined && { ledger: others }) }, notTaken };
}

const trustOrder = ["admin", "user", "project"];

interface SaidSettings {
  readonly file: string;
  readonly tier: ConfigSource["tier"];
  readonly said: FileSettings;
}

function mergeSettings(files: readonly SaidSettings[], home: string): Settings {
  const defaults = files.map(({ said }) => said.hooksDefault);
  const checkDefault = (["deny", "ask"] as const).find((one) => defaults.includes(one)) ?? "abstain";
  const shellDialect = strictestDialect(files.map(({ said }) => said.shellDialect));
  // Which tools are on is not a matter of stricter or looser: the most trusted file that says something decides.
  const byTrust = sortByTrust(files);
  const enableAll = byTrust.find(({ said }) => said.enableAll !== undefined)?.said.enableAll;
  const enabledCategories = byTrust.find(({ said }) => said.enabledCategories !== undefined)?.said
    .enabledCategories;
  const hookConcurrency = byTrust.find(({ said }) => said.hookConcurrency !== undefined)?.said
    .hookConcurrency;
  const pluginFolders = byTrust.flatMap(({ file, tier, said }) =>
    (said.pluginFolders ?? []).map((folder) => ({ path: resolve(dirname(file), below(home, folder)), tier })),
  );
  const upstreams = eachUpstreamOnce(byTrust).taken;
  const webSearch = byTrust.find(({ said }) => said.webSearch !== undefined)?.said.webSearch;
  // Each category for itself: who speaks of one says nothing about the others.
  const ceilings = Object.assign({}, ...byTrust.map(({ said }) => said.ceilings ?? {}).reverse());
  const ledger = mergeLedgerSettings(
    byTrust.map(({ file, said }) => withAnchorsPlaced(said.ledger ?? {}, file, home)),
  );
  const mcp = Object.assign({}, ...byTrust.map(({ said }) => said.mcp ?? {}).reverse()) as McpSettings;
  const sandbox = byTrust.flatMap(({ said }) => said.sandbox ?? []);
  const servers = byTrust.flatMap(({ said }) => said.server ?? []);
  return {
    checkDefault,
    ...(shellDialect !== undefined && { shellDialect }),
    ...(pluginFolders.length > 0 && { pluginFolders }),
    ...(hookConcurrency !== undefined && { hookConcurrency }),
    ...(Object.keys(ceilings).length > 0 && { ceilings }),
    ...(upstreams.length > 0 && { upstreams }),
    ...(webSearch !== undefined && { webSearch }),
    ...(sandbox.length > 0 && { sandbox }),
    ...(enableAll !== undefined && { enableAll }),
    ...(enabledCategories !== undefined && { enabledCategories }),
    ...(Object.keys(ledger).length > 0 && { ledger }),
    ...(Object.keys(mcp).length > 0 && { mcp }),
    ...(servers.length > 0 && { server: mergeServerSettings(servers) }),
  };
}

/** What the user calls `github` is the user's, whatever a project calls so. */
function eachUpstreamOnce(files: readonly SaidSettings[]): {
  readonly taken: readonly PlacedUpstream[];
  readonly others: readonly { readonly upstream: PlacedUpstream; readonly first: PlacedUpstream }[];
} {
  const taken = new Map<string, PlacedUpstream>();
  const others: { upstream: PlacedUpstream; first: PlacedUpstream }[] = [];
  for (const { tier, said } of sortByTrust(files)) {
    for (const entry of said.upstreams ?? []) {
      const upstream = { ...entry, tier };
      const first = taken.get(entry.name);
      if (first === undefined) taken.set(entry.name, upstream);
      else others.push({ upstream, first });
    }
  }
  return { taken: [...taken.values()], others };
}

function upstreamNotes(files: readonly SaidSettings[]): string[] {
  return eachUpstreamOnce(files).others.map(
    ({ upstream: { name, source }, first }) =>
      `${source.file}: upstream "${name}" is ignored: ${first.source.file} has one of that name.`,
  );
}

function sortByTrust(files: readonly SaidSettings[]): readonly SaidSettings[] {
  return [...files].sort((a, b) => trustOrder.indexOf(a.tier) - trustOrder.indexOf(b.tier));
}

function withAnchorsPlaced(ledger: LedgerSettings, from: string, home: string): LedgerSettings {
  if (ledger.anchors === undefined) return ledger;
  const anchors = ledger.anchors.map((anchor) =>
    "file" in anchor ? { file: resolve(dirname(from), below(home, anchor.file)) } : anchor,
  );
  return { ...ledger, anchors };
}

/** `~/tools` is in the user's home. */
function below(home: string, folder: string): string {
  return folder === "~" || folder.startsWith("~/") ? join(home, folder.slice(1)) : folder;
}
