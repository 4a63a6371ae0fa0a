/** What all files together say besides their rules. Each setting says what holds when two files differ. */
import { dirname, join, resolve } from "node:path";
import type { PostgresPlace } from "../core/ports/store.ts";
import type { Category } from "../core/tool/categories.ts";
import type { ConfigProblem } from "./config-problem.ts";
import type { FileSettings } from "./file/file-settings.ts";
import type { ConfigSource, Settings } from "./loaded-config.ts";
import { strictestDialect } from "./settings/agent-dialect.ts";
import { mergeAsking } from "./settings/asking-settings.ts";
import { type LedgerSettings, mergeLedgerSettings } from "./settings/ledger-settings.ts";
import { unlessEmpty } from "./settings/read-section.ts";
import type { RunnerSettings, SessionSettings } from "./settings/session-settings.ts";
import { explainUnknownCategories } from "./settings/tools-settings.ts";
import type { PlacedUpstream } from "./settings/upstream-settings.ts";
import type { SaidSearch, WebSearchSettings } from "./settings/web-settings.ts";

export interface SaidSettings {
  readonly file: string;
  /** The user put it there, or trusts it: its words may be repeated. */
  readonly vouched: boolean;
  readonly tier: ConfigSource["tier"];
  readonly said: FileSettings;
}

export interface MergedSettings {
  readonly settings: Settings;
  /** What was left out, for people. */
  readonly notes: readonly string[];
  /** What cannot be followed now that all files are known. */
  readonly problems: readonly ConfigProblem[];
}

export function mergeSettings(files: readonly SaidSettings[], home: string): MergedSettings {
  const byTrust = [...files].sort((a, b) => trustOrder.indexOf(a.tier) - trustOrder.indexOf(b.tier));
  const all = byTrust.map(({ said }) => said);
  /** Not a matter of stricter or looser: the most trusted file that says something decides. */
  const first = <Value>(read: (said: FileSettings) => Value): Value | undefined =>
    all.map(read).find((value) => value !== undefined);
  /** Key by key of the most trusted file that says it. */
  const keyByKey = <Section extends object>(read: (said: FileSettings) => Section | undefined) =>
    unlessEmpty<Section>(Object.assign({}, ...all.map(read).reverse()));
  const defaults = all.map(({ hooks }) => hooks?.default);
  const search = first(({ web }) => web?.search);
  const pluginFolders = byTrust.flatMap(({ file, tier, said: { plugins } }) =>
    (plugins?.folders ?? []).map((folder) => ({ path: placed(folder, file, home), tier })),
  );
  const ledgers = byTrust.map(({ file, said }) => withAnchorsPlaced(said.ledger ?? {}, file, home));
  const upstreams = eachOnce(byTrust, "upstream", ({ said, tier }) =>
    (said.upstreams ?? []).map((one): [string, PlacedUpstream] => [one.name, { ...one, tier }]),
  );
  const categories = eachOnce(byTrust, "category", ({ said }) =>
    (said.categories ?? []).map((one) => [one.id, one]),
  );
  const settings = {
    shellDialect: strictestDialect(all.map(({ shell }) => shell?.dialect)),
    asking: mergeAsking(all.map(({ hooks }) => hooks)),
    hookConcurrency: first(({ hooks }) => hooks?.concurrent),
    enableAll: first(({ tools }) => tools?.enableAll),
    enabledCategories: first(({ tools }) => tools?.enabledCategories),
    disabledCategories: unlessEmpty([
      ...new Set(all.flatMap(({ tools }) => tools?.disabledCategories ?? [])),
    ]),
    hidden: unlessEmpty(all.flatMap(({ tools }) => tools?.hidden ?? [])),
    categories: unlessEmpty(categories.items),
    ceilings: keyByKey(({ tools }) => tools?.ceilings),
    pluginFolders: unlessEmpty(pluginFolders),
    upstreams: unlessEmpty(upstreams.items),
    webSearch: search && withFormat(search),
    webAllowPrivate: first(({ web }) => web?.allowPrivate),
    webBrowser: first(({ web }) => web?.browser),
    sandbox: unlessEmpty(all.flatMap(({ sandbox }) => sandbox ?? [])),
    ledger: unlessEmpty(mergeLedgerSettings(ledgers)),
    store: mergeStore(byTrust, home),
    mcp: keyByKey(({ mcp }) => mcp),
    server: keyByKey(({ server }) => server),
    notify: first(({ notify }) => notify),
    sessions: mergeSessions(byTrust, home),
  };
  const checkDefault = (["deny", "ask"] as const).find((one) => defaults.includes(one)) ?? "abstain";
  return {
    settings: { checkDefault, ...whatIsSaid(settings) },
    notes: [...upstreams.notes, ...categories.notes, ...byTrust.flatMap(oldNames)],
    problems: byTrust.flatMap((one) => unknownCategories(one, categories.items)),
  };
}

/** What is still read under the name that it had. */
function oldNames({ file, said: { server } }: SaidSettings): string[] {
  if (server?.oauth?.principalClaim === undefined) return [];
  return [`${file}: server.oauth.principal_claim is called caller_claim now; rename it.`];
}

function unknownCategories(
  { file, said, vouched }: SaidSettings,
  defined: readonly Category[],
): ConfigProblem[] {
  return explainUnknownCategories(said.tools ?? {}, defined).map(({ message, plain }) => ({
    file,
    message: vouched ? message : plain,
  }));
}

/** Of the most trusted file that names one, with its files where that file says. */
function mergeStore(byTrust: readonly SaidSettings[], home: string): PostgresPlace | undefined {
  const named = byTrust.find(({ said }) => said.store !== undefined);
  if (named?.said.store === undefined) return undefined;
  const { url, passwordFile, ca } = named.said.store;
  const at = (path: string) => placed(path, named.file, home);
  return { url, ...(passwordFile && { passwordFile: at(passwordFile) }), ...(ca && { ca: at(ca) }) };
}

/** Key by key of the most trusted file, and so are runners, name by name. */
function mergeSessions(byTrust: readonly SaidSettings[], home: string): SessionSettings | undefined {
  const all = byTrust.flatMap(({ file, said: { sessions } }) => {
    if (sessions === undefined) return [];
    const { roots, runners, ...others } = sessions;
    const atHome = (path: string) => placed(path, file, home);
    return [
      {
        ...others,
        ...(roots && { roots: roots.map(atHome) }),
        runners: Object.fromEntries(
          Object.entries(runners ?? {}).map(([name, one]) => [name, withKeyPlaced(one, atHome)]),
        ),
      },
    ];
  });
  if (all.length === 0) return undefined;
  const runners = Object.assign({}, ...all.map((one) => one.runners).reverse());
  return { ...Object.assign({}, ...[...all].reverse()), runners };
}

function withKeyPlaced(runner: RunnerSettings, atHome: (path: string) => string): RunnerSettings {
  return runner.type === "chat" && runner.keyFile !== undefined
    ? { ...runner, keyFile: atHome(runner.keyFile) }
    : runner;
}

const trustOrder = ["admin", "user", "project"];

function withFormat({ url, format = "searxng", ...others }: SaidSearch): WebSearchSettings {
  return { url, format, ...others };
}

function whatIsSaid<Parts extends object>(parts: Parts) {
  const said = Object.entries(parts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as { readonly [Key in keyof Parts]?: NonNullable<Parts[Key]> };
}

/** What the user calls `github` is the user's, whatever a project calls so. */
function eachOnce<Item>(
  byTrust: readonly SaidSettings[],
  kind: "upstream" | "category",
  read: (one: SaidSettings) => readonly (readonly [name: string, item: Item])[],
) {
  const taken = new Map<string, { readonly item: Item; readonly file: string }>();
  const notes: string[] = [];
  for (const one of byTrust) {
    for (const [name, item] of read(one)) {
      const first = taken.get(name);
      if (first === undefined) taken.set(name, { item, file: one.file });
      else notes.push(`${one.file}: ${kind} "${name}" is ignored: ${first.file} has one of that name.`);
    }
  }
  return { items: [...taken.values()].map(({ item }) => item), notes };
}

function withAnchorsPlaced(ledger: LedgerSettings, from: string, home: string): LedgerSettings {
  if (ledger.anchors === undefined) return ledger;
  const anchors = ledger.anchors.map((anchor) =>
    "file" in anchor ? { file: placed(anchor.file, from, home) } : anchor,
  );
  return { ...ledger, anchors };
}

/** From the folder of the file that says it; `~/tools` is in the user's home. */
function placed(path: string, from: string, home: string): string {
  const isInHome = path === "~" || path.startsWith("~/");
  return resolve(dirname(from), isInHome ? join(home, path.slice(1)) : path);
}
