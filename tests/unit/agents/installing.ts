/** Installs an agent's hooks into a scratch home, with short names for what differs from machine to machine. */
import { chmodSync, readFileSync } from "node:fs";
import type {
  AgentSetup,
  SettingsChange,
  SetupMemory,
  SetupResult,
} from "../../../src/agents/agent-setup.ts";
import type { SetupFinding } from "../../../src/agents/setup-finding.ts";
import { createWorld, type World } from "./claude-code/world.ts";

export interface Installing {
  /** `read`: with HOOK, NODE and KEY in place of the hook's path, of node's, and of the word that nobody can guess. */
  readonly world: World & { read(name: string): string };
  install(more?: object): SetupResult;
  uninstall(more?: object): SetupResult;
  findings(): readonly SetupFinding[];
  /** The names and levels of the findings. */
  examine(): readonly (readonly [check: string, level: string])[];
}

export function installing(
  setup: AgentSetup,
  env: (world: World) => Readonly<Record<string, string>> = () => ({}),
): Installing {
  const world = createWorld();
  const script = world.write("toolgate/dist/hook/hook.sh", "#!/bin/bash\n");
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  chmodSync(script, 0o755);
  const request = { ...world.request, env: env(world), scope: "user", memory: remembering() } as const;
  const plain = (text: string) =>
    text
      .replaceAll(script, "HOOK")
      .replaceAll(process.execPath, "NODE")
      .replaceAll(/\b[0-9a-f]{16}\b/g, "KEY");
  const findings = () => setup.examine(request).findings;
  return {
    world: { ...world, read: (name) => plain(readFileSync(world.path(name), "utf8")) },
    install: (more = {}) => setup.install({ ...request, bundle, execPath: process.execPath, ...more }),
    uninstall: (more = {}) => setup.uninstall({ ...request, ...more }),
    findings,
    examine: () => findings().map(({ check, level }) => [check, level]),
  };
}

function remembering(): SetupMemory {
  const known = new Map<string, SettingsChange>();
  return {
    recall: (file) => known.get(file),
    remember(file, change) {
      if (change === undefined) known.delete(file);
      else known.set(file, change);
    },
  };
}
