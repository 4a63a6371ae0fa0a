/** A home, a project and an administrator's folder of their own, with the files that Claude Code keeps there. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { CliIo } from "../../../../src/surfaces/cli/terminal/io.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface World {
  readonly home: string;
  readonly project: string;
  readonly managedDir: string;
  /** What the functions under test are asked with. */
  readonly request: {
    readonly home: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly projectDir: string;
    readonly managedDir: string;
  };
  /** Hands a command its input and output; answers what it said. */
  run(command: (io: CliIo) => Promise<number>, io?: Partial<CliIo>): Promise<Ran>;
  /** A path below the folder that holds all three: `home/.claude/settings.json`, `project/toolgate.yaml`. */
  path(...parts: string[]): string;
  /** Text as it is, anything else as JSON. */
  write(path: string, content: unknown): string;
  /** Puts a plugin with one route file into a marketplace that is a folder, known and enabled for the user. */
  addPlugin(name: string, options?: { readonly enabled?: boolean; readonly installed?: boolean }): string;
}

export function createWorld(): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-claude-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const path = (...parts: string[]) => join(base, ...parts);
  const home = path("home");
  const project = path("project");
  const managedDir = path("etc");
  mkdirSync(home);
  mkdirSync(join(project, ".git"), { recursive: true });
  const write = (file: string, content: unknown) => {
    mkdirSync(dirname(path(file)), { recursive: true });
    writeFileSync(path(file), typeof content === "string" ? content : JSON.stringify(content, null, 2));
    return path(file);
  };
  const plugins: { name: string; source: string }[] = [];
  const enabled: Record<string, boolean> = {};
  const installed: Record<string, unknown[]> = {};
  return {
    home,
    project,
    managedDir,
    request: { home, env: {}, projectDir: project, managedDir },
    run: (command, io = {}) =>
      run(command, { env: { HOME: home, PATH: process.env.PATH }, cwd: project, ...io }),
    path,
    write,
    addPlugin(name, options = {}) {
      const id = `${name}@market`;
      plugins.push({ name, source: `./plugins/${name}` });
      if (options.enabled !== false) enabled[id] = true;
      const installPath = path("home/.claude/plugins/cache/market", name, "1.0.0");
      if (options.installed !== false) installed[id] = [{ scope: "user", installPath, version: "1.0.0" }];
      write("home/.claude/settings.json", { enabledPlugins: enabled });
      write("home/.claude/plugins/installed_plugins.json", { version: 2, plugins: installed });
      write("home/.claude/plugins/known_marketplaces.json", {
        market: { source: { source: "directory", path: path("market") }, installLocation: path("market") },
      });
      write("market/.claude-plugin/marketplace.json", { name: "market", owner: { name: "Team" }, plugins });
      write(`market/plugins/${name}/.claude-plugin/plugin.json`, { name, version: "1.0.0" });
      return write(`market/plugins/${name}/hooks/tool-routes.yaml`, "routes: {}\n");
    },
  };
}

async function run(
  command: (io: CliIo) => Promise<number>,
  io: Pick<CliIo, "env" | "cwd"> & Partial<CliIo>,
): Promise<Ran> {
  let out = "";
  let err = "";
  const code = await command({
    readStdin: async () => "",
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    isTerminal: false,
    signal: new AbortController().signal,
    ...io,
  });
  return { code, out, err };
}
