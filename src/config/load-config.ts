/** Reads every source of configuration, most trusted first, and merges them: later ones only add. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Policy } from "../rules/policies.ts";
import type { Route } from "../rules/routes.ts";
import type { Rules } from "../rules/rule-set.ts";
import type { RouteTier } from "../rules/tiers.ts";
import { readTextFile } from "../safe/files/documents/read-text-file.ts";
import type { ConfigProblem } from "./config-problem.ts";
import type { FileSettings } from "./file/file-settings.ts";
import { type ParsedFile, parseConfigFile } from "./file/parse-file.ts";
import type { Folders } from "./folders.ts";
import type { BrokenSource, ConfigSource, Ignored, LoadedConfig, LoadedSource } from "./loaded-config.ts";
import { mergeSettings } from "./merge-settings.ts";
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
  const read = await readSources(wanted, trust, more.strangers ?? ownReader);
  const taken = read.flatMap((one) => (one.ok ? [one] : []));
  const settled = stepAside(
    taken.map(({ source }) => source),
    taken.map(({ source: { file }, said: { shipped } }) => ({ file, shipped })),
  );
  const said = taken.map(({ source: { file, tier, vouched }, said }) => ({ file, tier, vouched, said }));
  const merged = mergeSettings(said, folders.home);
  return {
    rules: {
      routes: settled.sources.flatMap(({ rules }) => rules.routes ?? []),
      policies: settled.sources.flatMap(({ rules }) => rules.policies ?? []),
      limits: settled.sources.flatMap(({ rules }) => rules.limits ?? []),
      hooks: settled.sources.flatMap(({ rules }) => rules.hooks ?? []),
    },
    settings: merged.settings,
    sources: settled.sources,
    problems: [...read.flatMap((one) => (one.ok ? [] : one.problems)), ...merged.problems],
    broken: read.flatMap((one) => (one.ok || one.rest === undefined ? [] : [one.rest])),
    ignored: [...taken.flatMap(({ ignored }) => ignored), ...settled.ignored],
    steppedAside: settled.steppedAside,
    notes: [
      ...(more.notes ?? []),
      ...taken.flatMap(({ notes }) => notes),
      ...settled.notes,
      ...merged.notes,
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
    // A folder that cannot be read may hold the strictest rules of all: its file becomes a problem.
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

type ReadSource =
  | {
      readonly ok: true;
      readonly source: LoadedSource;
      readonly said: FileSettings;
      readonly ignored: readonly Ignored[];
      readonly notes: readonly string[];
    }
  | {
      readonly ok: false;
      readonly problems: readonly ConfigProblem[];
      readonly rest?: BrokenSource;
    };

/** In their order; what strangers wrote is read together, under one budget. */
async function readSources(
  wanted: readonly WantedSource[],
  trust: Trust,
  reader: StrangerReader,
): Promise<readonly ReadSource[]> {
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
  return texts.map((one): ReadSource => {
    if (!one.ok) return one;
    const parsed = one.vouched ? parseOwn(one) : answers[strangers.indexOf(one)];
    if (parsed?.ok) return toSource(one, parsed.file, parsed.ignored);
    if (parsed === undefined) return notRead(one.source.file, "It could not be read.");
    const { problems, rest } = parsed;
    return { ok: false, problems, ...(rest && { rest: toBroken(one, rest) }) };
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
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Nothing: it is not there, and need not be. */
function readText(source: WantedSource, trust: Trust): ReadText[] {
  const { file, tier, origin, required, within } = source;
  const read = readTextFile(file, { within });
  if (!read.ok) return read.missing && required !== true ? [] : [notRead(file, read.message)];
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

function toBroken({ source: { file, origin, tier }, vouched }: ReadOk, rest: ParsedFile): BrokenSource {
  const { limits, hooks } = rest;
  return { file, origin, vouched, rules: { ...withTier(rest, tier), limits, hooks } };
}

function notRead(file: string, message: string) {
  return { ok: false as const, problems: [{ file, message }] };
}

function toSource(
  { source: wanted, sha256, vouched }: ReadOk,
  taken: ParsedFile,
  ignored: readonly Ignored[],
): ReadSource {
  const { required, within, ...source } = wanted;
  const { file, tier } = source;
  const isStrange = tier === "project" && !vouched;
  const { routes, policies } = withTier(taken, tier);
  // Policies that nobody vouches for count as those of a plugin: they open and lift nothing.
  const rules = {
    routes,
    policies: isStrange ? withTier(taken, "plugin").policies : policies,
    limits: taken.limits,
    hooks: taken.hooks,
  };
  const own = tier === "admin" || tier === "user";
  const { said, notTaken } = own ? { said: taken.settings, notTaken: [] } : withoutOwnMatters(taken.settings);
  return {
    ok: true,
    source: { ...source, sha256, trusted: tier !== "project" || vouched, vouched, rules },
    said,
    ignored,
    notes: notTaken.length === 0 ? [] : [`${file}: ${notTaken.join(" and ")} is ignored: ${notHere}.`],
  };
}

/** Rules know whose they are. */
export function withTier(
  { routes = [], policies = [] }: Pick<Rules, "routes" | "policies">,
  tier: RouteTier,
): { readonly routes: readonly Route[]; readonly policies: readonly Policy[] } {
  // Policies know no shipped tier, and no shipped file has policies.
  const policyTier = tier === "shipped" ? "plugin" : tier;
  return {
    routes: routes.map((route): Route => ({ ...route, tier })),
    policies: policies.map((policy): Policy => ({ ...policy, tier: policyTier })),
  };
}

const notHere = "only the user's and the administrator's files set that up";

/**
 * Where the gate listens, whom it lets in, which agents it runs, whom it tells and where its records and its evidence go is
 * never a project's business.
 */
function withoutOwnMatters({ server, sessions, notify, store, ledger, ...said }: FileSettings): {
  readonly said: FileSettings;
  readonly notTaken: readonly string[];
} {
  const { anchors, ...others } = ledger ?? {};
  const notTaken = [
    ...(server === undefined ? [] : ['"server"']),
    ...(sessions === undefined ? [] : ['"sessions"']),
    ...(notify === undefined ? [] : ['"notify"']),
    ...(store === undefined ? [] : ['"store"']),
    ...(anchors === undefined ? [] : ['"ledger.anchors"']),
  ];
  return { said: { ...said, ...(ledger !== undefined && { ledger: others }) }, notTaken };
}
