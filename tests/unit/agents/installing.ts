/** Installs an agent's hooks into a scratch home, with short names for what differs from machine to machine. */
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import type {
  AgentSetup,
  SettingsChange,
  SetupMemory,
  SetupResult,
} from "../../../src/agents/agent-setup.ts";
import type { SetupFinding } from "../../../src/agents/setup-finding.ts";
import { createWorld, type World } from "./claude-code/world.ts";

export interface Installing {
  readonly world: World & {
    /** With HOOK, NODE and KEY in place of the hook's path, of node's, and of the word that nobody can guess. */
    read(name: string): string;
    /** To the byte. */
    raw(name: string): string;
    has(name: string): boolean;
    /** As a person does it who has the file open. */
    edit(name: string, change: (text: string) => string): void;
  };
  readonly request: World["request"] & { readonly scope: "user"; readonly memory: SetupMemory };
  install(more?: object): SetupResult;
  uninstall(more?: object): SetupResult;
  findings(): readonly SetupFinding[];
  /** The names and levels of the findings. */
  examine(): readonly (readonly [check: string, level: string])[];
}

/** `beside`: on the same machine as another one. */
export function installing(
  setup: AgentSetup,
  env: (world: World) => Readonly<Record<string, string>> = () => ({}),
  beside?: Installing,
): Installing {
  const world = beside?.world ?? createWorld();
  const script = world.write("toolgate/dist/hook/hook.sh", "#!/bin/bash\n");
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  chmodSync(script, 0o755);
  const memory = beside?.request.memory ?? remembering();
  const request = { ...world.request, env: env(world), scope: "user", memory } as const;
  const plain = (text: string) =>
    text
      .replaceAll(script, "HOOK")
      .replaceAll(process.execPath, "NODE")
      .replaceAll(/\b[0-9a-f]{16}\b/g, "KEY");
  const findings = () => setup.examine(request).findings;
  const raw = (name: string) => readFileSync(world.path(name), "utf8");
  return {
    world: {
      ...world,
      read: (name) => plain(raw(name)),
      raw,
      has: (name) => existsSync(world.path(name)),
      edit: (name, change) => void world.write(name, change(raw(name))),
    },
    request,
    install: (more = {}) => setup.install({ ...request, bundle, execPath: process.execPath, ...more }),
    uninstall: (more = {}) => setup.uninstall({ ...request, ...more }),
    findings,
    examine: () => findings().map(({ check, level }) => [check, level]),
  };
}

/** Beside what is there: the file with our entries, all well with them; it is undone to the byte. */
export function installedInto(setup: AgentSetup, file: string, mine: string, more: object = {}): string {
  const { world, install, uninstall, examine } = installing(setup);
  world.write(file, mine);
  expect(install(more)).toMatchObject({ ok: true });
  const installed = world.read(file);
  expect(examine()).toEqual([["hooks-installed", "ok"]]);
  expect(uninstall(more)).toMatchObject({ ok: true });
  expect(world.raw(file)).toBe(mine);
  return installed;
}

/** What earlier installations did, kept as long as the test. */
export function remembering(): SetupMemory {
  const known = new Map<string, SettingsChange>();
  return {
    recall: (file) => known.get(file),
    remember: (file, change) => void (change === undefined ? known.delete(file) : known.set(file, change)),
  };
}
