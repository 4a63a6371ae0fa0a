/** A home, a project and an administrator's folder of their own for each test. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { describeConfigProblem } from "../../../src/config/config-problem.ts";
import { type ParsedFile, parseConfigFile } from "../../../src/config/file/parse-file.ts";
import { findProject, projectSources } from "../../../src/config/find-project.ts";
import type { Environment, Folders } from "../../../src/config/folders.ts";
import { findFolders } from "../../../src/config/folders.ts";
import { adminSources, loadConfig, type WantedSource } from "../../../src/config/load-config.ts";
import type { LoadedConfig } from "../../../src/config/loaded-config.ts";
import { addTrust } from "../../../src/config/trust/trust.ts";
import { type ConfigRequest, type OpenConfig, openConfig } from "../../../src/open/open-config.ts";

export interface World {
  readonly home: string;
  readonly project: string;
  readonly env: Environment;
  readonly folders: Folders;
  /** Writes a file, its folders too; a path that is not absolute is in the project. */
  write(file: string, text: string): string;
  /** The user's own file. */
  user(text: string): string;
  /** A file of the administrator, which only `load` reads. */
  admin(text: string, name?: string): string;
  /** As `toolgate trust` does: the file as it is now. */
  trust(file: string): void;
  /** What holds in the project. */
  open(more?: Partial<ConfigRequest>): Promise<OpenConfig>;
  /** The same without plugins, with the administrator's files and these shipped routes. */
  load(shipped?: string): Promise<LoadedConfig>;
}

/** What each of them says, if anything. */
export interface Words {
  readonly admin?: string;
  readonly user?: string;
  readonly project?: string;
}

export function createWorld(words: Words = {}): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-config-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const home = join(base, "home");
  const project = join(home, "work", "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  const env = { HOME: home };
  const folders = { ...findFolders(env, "linux"), admin: join(base, "etc") };
  const userFile = join(folders.config, "config.yaml");
  const write = (file: string, text: string) => {
    const path = file.startsWith("/") ? file : join(project, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const admin = (text: string, name = "a.yaml") => write(join(folders.admin, name), text);
  if (words.admin !== undefined) admin(words.admin);
  if (words.user !== undefined) write(userFile, words.user);
  if (words.project !== undefined) write("toolgate.yaml", words.project);
  return {
    home,
    project,
    env,
    folders,
    write,
    user: (text) => write(userFile, text),
    admin,
    trust(path) {
      const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
      addTrust(folders.state, [{ path, sha256 }]);
    },
    open: (more = {}) => openConfig({ cwd: project, env, ...more }),
    load(shipped = "routes: {}\n") {
      const shippedFile = write(join(home, "shipped.yaml"), shipped);
      const { folder, inputs } = findProject(project, home);
      const sources: WantedSource[] = [
        ...adminSources(folders.admin),
        { file: userFile, origin: "user", tier: "user", kind: "config" },
        ...projectSources(folder),
        { file: shippedFile, origin: "shipped", tier: "shipped", kind: "routes", required: true },
      ];
      return loadConfig(sources, folders, { inputs });
    },
  };
}

/** A routes section with one route. */
export function oneRoute(name: string, more = "message: Do something else."): string {
  return `routes:\n  ${name}:\n    tool: Bash\n    pattern: 'forbidden-${name}'\n    ${more}\n`;
}

/** One line for each problem, as a person sees them. */
export function problemsIn(
  text: string,
  file = "config.yaml",
  kind: "config" | "routes" = "config",
): string[] {
  const parsed = parseConfigFile(text, file, kind);
  return parsed.ok ? [] : parsed.problems.map(describeConfigProblem);
}

/** Throws its problems. */
export function parsedFile(
  text: string,
  file = "toolgate.yaml",
  kind: "config" | "routes" = "config",
): ParsedFile {
  const parsed = parseConfigFile(text, file, kind);
  if (!parsed.ok) throw new Error(parsed.problems.map(describeConfigProblem).join("\n"));
  return parsed.file;
}

export const names = (list: readonly { readonly name: string }[] | undefined) =>
  list?.map(({ name }) => name);
