/** What a configuration file says besides its rules, section by section. */
import type { RuleSource } from "../../core/call/errors.ts";
import type { JsonObject } from "../../core/input/json.ts";
import type { PostgresPlace } from "../../core/ports/store.ts";
import type { Category } from "../../core/tool/categories.ts";
import { type LedgerSettings, toLedgerSettings } from "../settings/ledger-settings.ts";
import { readSection, type SettingsOf } from "../settings/read-section.ts";
import { toStoreSettings } from "../settings/store-settings.ts";
import { type ToolsSettings, toCategory, toToolsSettings } from "../settings/tools-settings.ts";
import { toUpstreams, type UpstreamEntry } from "../settings/upstream-settings.ts";
import { sections } from "./file-schema.ts";

const allSections = { type: "object", properties: sections } as const;

export type SaidSections = SettingsOf<typeof allSections>;

/** `hooks` without its programs, which are rules. */
export interface FileSettings extends Omit<SaidSections, NotAsWritten> {
  readonly hooks?: Omit<NonNullable<SaidSections["hooks"]>, "commands">;
  readonly ledger?: LedgerSettings;
  readonly store?: PostgresPlace;
  readonly tools?: ToolsSettings;
  readonly categories?: readonly Category[];
  readonly upstreams?: readonly UpstreamEntry[];
}

type NotAsWritten = "hooks" | "ledger" | "store" | "tools" | "categories" | "upstreams";

/** For a file of the right shape. */
export function readSections(file: JsonObject): SaidSections {
  const written = Object.keys(sections).flatMap((name) =>
    Object.hasOwn(file, name) ? [[name, file[name]]] : [],
  );
  return readSection(Object.fromEntries(written), allSections);
}

/** For sections that were checked. */
export function toFileSettings(said: SaidSections, placeOf: (upstream: string) => RuleSource): FileSettings {
  const { hooks, ledger, store, tools, categories, upstreams, ...others } = said;
  const place = toStoreSettings(store);
  const { commands: _, ...hookSettings } = hooks ?? {};
  const settings: FileSettings = {
    ...others,
    hooks: hookSettings,
    ...(ledger && { ledger: toLedgerSettings(ledger) }),
    ...(place && { store: place }),
    ...(tools && { tools: toToolsSettings(tools) }),
    ...(categories && { categories: Object.entries(categories).map(([id, one]) => toCategory(id, one)) }),
    ...(upstreams && { upstreams: toUpstreams(upstreams, placeOf) }),
  };
  // An empty section says nothing.
  const says = (one: unknown) => typeof one !== "object" || Object.keys(one ?? {}).length > 0;
  return Object.fromEntries(Object.entries(settings).filter(([, one]) => says(one)));
}
