/** A machine on which toolgate is put into Claude Code and taken out again; a new one for each test. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { beforeEach } from "vitest";
import { type InstallOptions, runInstall } from "../../../../src/surfaces/cli/commands/install/install.ts";
import type { SetupOptions } from "../../../../src/surfaces/cli/commands/install/setup-request.ts";
import { runUninstall } from "../../../../src/surfaces/cli/commands/install/uninstall.ts";
import type { CliIo } from "../../../../src/surfaces/cli/terminal/io.ts";
import { createWorld, type Ran, type World } from "../../agents/claude-code/world.ts";

export const settings = "home/.claude/settings.json";
export const localSettings = "project/.claude/settings.local.json";

export interface InstallWorld
  extends Pick<World, "home" | "project" | "path" | "write" | "addPlugin" | "run"> {
  install(options?: Partial<InstallOptions>, io?: Partial<CliIo>): Promise<Ran>;
  uninstall(options?: Partial<SetupOptions>, io?: Partial<CliIo>): Promise<Ran>;
  /** What a file holds, as text and as JSON. */
  text(path?: string): string;
  json(path?: string): ReturnType<typeof JSON.parse>;
  exists(path: string): boolean;
  /** Every file and folder below one. */
  names(path?: string): string[];
  /** The line that the agent starts before a call, and the program in it. */
  line(path?: string): string;
  program(path?: string): string;
  /** Another after any write or replacement of the settings. */
  identity(): string;
  /** The environment of a command with more in it. */
  env(more: Record<string, string>): Pick<CliIo, "env">;
}

export function useInstallWorld(): InstallWorld {
  let world: World;
  beforeEach(() => {
    world = createWorld();
  });
  const text = (path = settings) => readFileSync(world.path(path), "utf8");
  const line = (path?: string) => JSON.parse(text(path)).hooks.PreToolUse[0].hooks[0].command;
  return {
    get home() {
      return world.home;
    },
    get project() {
      return world.project;
    },
    path: (...parts) => world.path(...parts),
    write: (...parts) => world.write(...parts),
    addPlugin: (...parts) => world.addPlugin(...parts),
    run: (...call) => world.run(...call),
    install: (options, io) => {
      const bundle = options?.bundle ?? world.write("toolgate/dist/hook/hook.cjs", "");
      return world.run((own) => runInstall({ agents: ["claude-code"], ...options, bundle }, own), io);
    },
    uninstall: (options, io) =>
      world.run((own) => runUninstall({ agents: ["claude-code"], ...options }, own), io),
    text,
    json: (path) => JSON.parse(text(path)),
    exists: (path) => existsSync(world.path(path)),
    names: (path = ".") => readdirSync(world.path(path), { recursive: true, encoding: "utf8" }).sort(),
    line,
    program: (path) => line(path).split(" ")[0] ?? "",
    identity: () => {
      const { ino, ctimeNs } = statSync(world.path(settings), { bigint: true });
      return `${ino}:${ctimeNs}`;
    },
    env: (more) => ({ env: { HOME: world.home, PATH: process.env.PATH, ...more } }),
  };
}
