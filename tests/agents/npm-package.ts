/**
 * A program that the checks need and that is too heavy for a dev dependency. npm installs it once for all clones, without its scripts, in
 * a folder of its version (`~/.cache/toolgate-agents`, or below XDG_CACHE_HOME).
 */
import { execFile } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
}

export type Installed = { readonly program: string } | { readonly problem: string };

export interface NpmProgram {
  readonly package: NpmPackage;
  /** What holds its node_modules. */
  readonly folder: string;
  /** Undefined: it is not installed, or its agent was not asked for. */
  find(): string | undefined;
  /** Downloads it unless it is there. */
  install(): Promise<Installed>;
}

interface ProgramOptions {
  /** Absent: it belongs to no agent, and all runs need it. */
  readonly agent?: string;
  readonly package: NpmPackage;
  /** Below node_modules; a glob, because packages with a build for each system name it. */
  readonly file: string;
  readonly npmOptions?: readonly string[];
  /** After npm, in the new folder. Throws: its message is the problem. */
  readonly finish?: (folder: string) => void;
}

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "toolgate-agents");

export function npmProgram(options: ProgramOptions): NpmProgram {
  const { name, version } = options.package;
  const folder = join(cache, `${name.replaceAll("/", "+")}@${version}`);
  const find = () => (isAskedFor(options.agent) ? findIn(folder, options.file) : undefined);
  return {
    package: options.package,
    folder,
    find,
    async install() {
      if (!existsSync(folder)) {
        try {
          await download(folder, options);
        } catch (error) {
          return { problem: error instanceof Error ? error.message.trim() : String(error) };
        }
      }
      const program = find();
      return program === undefined ? { problem: "npm has no such program for this system" } : { program };
    },
  };
}

function findIn(folder: string, file: string): string | undefined {
  const [found] = globSync(`node_modules/${file}`, { cwd: folder });
  return found === undefined ? undefined : join(folder, found);
}

/** `npm run test:agents -- --agent codex` asks for one; otherwise all are. */
function isAskedFor(agent: string | undefined): boolean {
  const asked = process.env.TOOLGATE_AGENTS;
  return agent === undefined || asked === undefined || asked.split(",").includes(agent);
}

/** Into a new folder that takes its place at the end: one that is there is complete. */
async function download(folder: string, options: ProgramOptions): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, "new-"));
  try {
    const { name, version } = options.package;
    const quiet = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", ...(options.npmOptions ?? [])];
    const args = ["install", ...quiet, "--prefix", fresh, `${name}@${version}`];
    await promisify(execFile)("npm", args, { timeout: 300_000 });
    options.finish?.(fresh);
    if (!existsSync(folder)) renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
