/** What loading the configuration gives: the rules of all sources, and what must be said about them. */

import type { CommandHook } from "../core/call/hook.ts";
import type { ShellDialect } from "../core/ports/command.ts";
import type { PostgresPlace } from "../core/ports/store.ts";
import type { Category } from "../core/tool/categories.ts";
import type { Permission } from "../core/tool/permission.ts";
import type { SandboxRules } from "../core/tool/sandbox-rules.ts";
import type { Rules } from "../rules/rule-set.ts";
import type { HiddenTools } from "../rules/shapes/hidden-shape.ts";
import type { RouteTier } from "../rules/tiers.ts";
import type { ConfigProblem } from "./config-problem.ts";
import type { AskingSettings } from "./settings/asking-settings.ts";
import type { LedgerSettings } from "./settings/ledger-settings.ts";
import type { McpSettings } from "./settings/mcp-settings.ts";
import type { NotifySettings } from "./settings/notify-settings.ts";
import type { ServerSettings } from "./settings/server-settings.ts";
import type { SessionSettings } from "./settings/session-settings.ts";
import type { PlacedUpstream } from "./settings/upstream-settings.ts";
import type { BrowserSettings, WebSearchSettings } from "./settings/web-settings.ts";

export interface LoadedConfig {
  /** Every rule carries its tier and its place. Empty lists if there are problems. */
  readonly rules: ConfiguredRuleLists;
  readonly settings: Settings;
  /** In the order in which their routes are tried. */
  readonly sources: readonly LoadedSource[];
  /** Any of these: the configuration cannot be used. */
  readonly problems: readonly ConfigProblem[];
  /** Of files with problems: the rules that have the right shape, to be looked at for more problems. */
  readonly broken: readonly BrokenSource[];
  /** What untrusted files said and was not taken. */
  readonly ignored: readonly Ignored[];
  /** Shipped routes that do not count here. */
  readonly steppedAside: readonly SteppedAside[];
  /** Worth telling a person, no reason to stop: a plugin's broken manifest, an unreadable trust list. */
  readonly notes: readonly string[];
  /** Every path that was looked at, found or not. If none of them changed, loading again gives the same. */
  readonly inputs: readonly string[];
}

export interface SteppedAside {
  readonly name: string;
  /** The file that has one in its place, or switches it off. */
  readonly for: string;
  readonly why: "replaced" | "off";
}

export interface Settings {
  /** What silence of the rules means for calls that an agent runs itself. The strictest file wins. */
  readonly checkDefault: "abstain" | "ask" | "deny";
  /** The shell of agents, if a file says it. The strictest file wins. */
  readonly shellDialect?: ShellDialect;
  /** Who is asked about calls that an agent runs itself. Absent: `auto`. */
  readonly asking?: AskingSettings;
  /** How many hooks that are programs may run at the same time. */
  readonly hookConcurrency?: number;
  readonly enableAll?: boolean;
  readonly enabledCategories?: readonly string[];
  /** Of all files together: what one switches off, no other switches on. */
  readonly disabledCategories?: readonly string[];
  /** Tools that some callers do not see, of all files together. */
  readonly hidden?: readonly HiddenTools[];
  /** Categories besides the shipped ones. */
  readonly categories?: readonly Category[];
  /** Only of files of the user and the administrator. */
  readonly server?: ServerSettings;
  /** Of the most trusted file that says it; of files of the user and the administrator. */
  readonly notify?: NotifySettings;
  /** Only of files of the user and the administrator. */
  readonly sessions?: SessionSettings;
  /** Key by key of the most trusted file. */
  readonly mcp?: McpSettings;
  readonly ledger?: LedgerSettings;
  /** Only of files of the user and the administrator. */
  readonly store?: PostgresPlace;
  /** By category, instead of what it allows by default. */
  readonly ceilings?: Readonly<Record<string, Permission>>;
  readonly webSearch?: WebSearchSettings;
  /** `host:port` pairs of one's own network that web tools and browser may reach. */
  readonly webAllowPrivate?: readonly string[];
  readonly webBrowser?: BrowserSettings;
  /** Folders with plugin files that configuration files name, the most trusted first. */
  readonly pluginFolders?: readonly NamedFolder[];
  /** What each file says; the strictest counts (`chooseSandbox`). */
  readonly sandbox?: readonly SandboxRules[];
  /** MCP servers, the most trusted first; of a name there is one. */
  readonly upstreams?: readonly PlacedUpstream[];
}

export interface NamedFolder {
  readonly path: string;
  /** Of the file that names it. */
  readonly tier: RouteTier;
}

export type SourceOrigin = "admin" | "plugin" | "environment" | "user" | "project" | "shipped" | "option";

export interface ConfigSource {
  readonly file: string;
  readonly origin: SourceOrigin;
  readonly tier: RouteTier;
  /** `routes`: only routes are allowed in it. `config`: the whole format. */
  readonly kind: "config" | "routes";
  /** The agent plugin it came with. */
  readonly plugin?: string;
}

export interface LoadedSource extends ConfigSource {
  readonly sha256: string;
  /** Only project files can be untrusted: then they can only narrow. */
  readonly trusted: boolean;
  /** The user put it there, or trusts it. Any other file has a budget, and no message repeats its words. */
  readonly vouched: boolean;
  /** What it adds, in its own order. */
  readonly rules: ConfiguredRuleLists;
}

export type BrokenSource = Pick<LoadedSource, "file" | "origin" | "vouched" | "rules">;

/** Hooks of files are programs: files hold no code. */
export interface ConfiguredRuleLists extends Rules {
  readonly hooks?: readonly CommandHook[];
}

export interface Ignored {
  readonly file: string;
  readonly line?: number;
  /** `route "x" (rewrite)`. */
  readonly what: string;
  readonly why: string;
  /** What it says itself: a command, an address. Only for the person who decides on trust. */
  readonly detail?: string;
}
