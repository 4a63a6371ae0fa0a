/** A gate for each project in which an agent works, of the rules that a hook process would find there. */
import type { Environment } from "../../../config/folders.ts";
import { identityOf } from "../../../config/rule-cache/input-identity.ts";
import { isSameEnvironment } from "../../../config/rule-cache/tracked-environment.ts";
import type { AskingSettings } from "../../../config/settings/asking-settings.ts";
import { anchorFiles } from "../../../config/settings/ledger-settings.ts";
import { createIsolatedReader } from "../../../config/trust/isolated-strangers.ts";
import type { StrangerReader } from "../../../config/trust/strangers.ts";
import type { HookType } from "../../../core/call/hook.ts";
import type { Gate } from "../../../gate/gate.ts";
import { type OpenConfig, openGate } from "../../../open/open-config.ts";
import type { Store } from "../../../open/open-store.ts";
import type { Warnings } from "../process/answer.ts";
import { placeVariables } from "../process/find-place.ts";
import { describeBroken, describeOutdated } from "../process/find-rules.ts";
import { type LoadedFrom, type LoadedNow, type LoadRequest, loadNow } from "../process/load-now.ts";

export type Place = Pick<LoadRequest, "cwd" | "projectDir" | "env">;

export type FoundGate =
  | (Warnings & {
      readonly ok: true;
      readonly gate: Gate;
      readonly asking: AskingSettings | undefined;
      readonly hooks: readonly { readonly type: HookType }[];
    })
  | { readonly ok: false; readonly message: string };

export interface ProjectGates {
  /** Who reads rule files that nobody vouches for, away from the server's other work. */
  readonly strangers: StrangerReader;
  find(place: Place): Promise<FoundGate>;
  close(): Promise<void>;
}

export interface ProjectGatesOptions {
  readonly store: Pick<Store, "ledger" | "approvals" | "grants" | "limits" | "tasks" | "redactText">;
  /** How long a question may wait for a person. */
  readonly approvalTimeoutMs?: number | undefined;
  /** False: nobody answers, so what asks is refused. */
  readonly attended?: boolean;
  /** `ask`: where no rule speaks a person does, whatever the configuration says; unless it says no. */
  readonly undecided?: "ask";
  /** Replaces discovery: this file alone. */
  readonly configFile?: string | undefined;
  readonly maxProjects?: number;
}

type Loaded = LoadedNow & { readonly ok: true };

/** Rules that cannot be used, and the gate of those that could be before. */
interface Broken {
  readonly loaded: LoadedNow & { readonly ok: false };
  readonly found: FoundGate;
}

interface Kept {
  readonly gate: Gate;
  readonly loaded: Loaded;
}

export function createProjectGates(options: ProjectGatesOptions): ProjectGates {
  const { store, approvalTimeoutMs, attended = true, undecided, configFile, maxProjects = 64 } = options;
  const kept = new Map<string, Kept>();
  const broken = new Map<string, Broken>();
  // A rule file that is slow to read must not be everybody's problem.
  const strangers = createIsolatedReader();
  const loading = new Map<string, Promise<FoundGate>>();
  const closing = new Set<Promise<void>>();
  let isClosed = false;

  const retire = (gate: Gate) => {
    const done = gate.close().finally(() => closing.delete(done));
    closing.add(done);
  };

  const keep = (key: string, entry: Kept) => {
    // Those used last are at the end.
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept;
    if (kept.size <= maxProjects || oldest === undefined) return;
    kept.delete(oldest[0]);
    retire(oldest[1].gate);
  };

  const load = async (key: string, place: Place, before: Kept | undefined): Promise<FoundGate> => {
    const known = new Map(before?.loaded.inputs.map(([path]) => [path, identityOf(path)]));
    const loaded = await loadNow({ ...place, configFile, shippedFile: undefined, before: known, strangers });
    broken.delete(key);
    if (!loaded.ok) {
      const found: FoundGate =
        before === undefined
          ? { ok: false, message: describeBroken(loaded.problems) }
          : { ...foundOf(before), outdated: describeOutdated(loaded.problems) };
      // As long as nothing changes, nobody reads it again: a call must not cost what reading it did.
      broken.set(key, { loaded, found });
      const [oldest] = broken.keys();
      if (broken.size > maxProjects && oldest !== undefined) broken.delete(oldest);
      return found;
    }
    const { warnings } = loaded;
    if (before !== undefined && isSameGate(before.loaded.config, loaded.config)) {
      // The same gate: what waits for a person is decided again by the new rules, and not lost.
      if (!isSameRules(before.loaded, loaded)) await before.gate.setRules(loaded.config.rules);
      const same = { gate: before.gate, loaded };
      keep(key, same);
      return { ...foundOf(same), warnings };
    }
    const gate = await openGate(withDefault(loaded.config, undecided), {
      store,
      approver: attended ? "desk" : undefined,
      approvalTimeoutMs,
    });
    if (before !== undefined) retire(before.gate);
    keep(key, { gate, loaded });
    return { ...foundOf({ gate, loaded }), warnings };
  };

  return {
    strangers,
    async find(place) {
      if (isClosed) return { ok: false, message: "The server is shutting down." };
      const key = keyOf(place);
      const found = kept.get(key);
      if (found !== undefined && isFresh(found.loaded, place.env)) {
        keep(key, found);
        return foundOf(found);
      }
      const unusable = broken.get(key);
      if (unusable !== undefined && isFresh(unusable.loaded, place.env)) return unusable.found;
      const before = loading.get(key);
      // Of calls that come at the same time, one loads.
      if (before !== undefined) return before;
      const now = load(key, place, found).finally(() => loading.delete(key));
      loading.set(key, now);
      return now;
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(loading.values());
      strangers.close();
      for (const { gate } of kept.values()) retire(gate);
      kept.clear();
      await Promise.all(closing);
    },
  };
}

function foundOf({ gate, loaded }: Kept): FoundGate & { readonly ok: true } {
  return {
    ok: true,
    gate,
    asking: loaded.config.settings.asking,
    hooks: loaded.config.rules.hooks ?? [],
    warnings: [],
  };
}

function withDefault(config: OpenConfig, undecided: "ask" | undefined): OpenConfig {
  const { settings } = config;
  if (undecided === undefined || settings.checkDefault === "deny") return config;
  return { ...config, settings: { ...settings, checkDefault: undecided } };
}

function keyOf({ cwd, projectDir, env }: Place): string {
  return JSON.stringify([cwd, projectDir ?? null, ...placeVariables.map((name) => env[name] ?? null)]);
}

function isFresh({ settled, inputs, variables: read }: LoadedFrom, env: Environment): boolean {
  return (
    settled &&
    isSameEnvironment(read, env) &&
    inputs.every(([path, identity]) => identityOf(path) === identity)
  );
}

/** What a gate is told only once. */
function isSameGate(one: OpenConfig, other: OpenConfig): boolean {
  return (
    one.projectDir === other.projectDir &&
    one.settings.checkDefault === other.settings.checkDefault &&
    one.settings.shellDialect === other.settings.shellDialect &&
    anchorFiles(one).join("\n") === anchorFiles(other).join("\n")
  );
}

/** Loaded again only because a file was too new the first time: then nothing has changed. */
function isSameRules(one: Loaded, other: Loaded): boolean {
  return JSON.stringify(one.inputs) === JSON.stringify(other.inputs) && one.settled;
}
