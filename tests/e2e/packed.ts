/** The package as its users get it: packed, unpacked in another folder, with nothing beside it but what it depends on. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");

export interface Packed {
  /** A project that has it in `node_modules`. */
  readonly project: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** As npm made it. */
  readonly archive: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
  toolgate(args: readonly string[], input?: string): Promise<CommandEnd>;
  /** The command, for as long as the test wants it. */
  start(args: readonly string[]): ChildProcessWithoutNullStreams;
  /** A program of the project. */
  node(code: string): Promise<CommandEnd>;
  close(): void;
}

export interface CommandEnd {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function packPackage(): Promise<Packed> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-packed-")));
  const [home, project] = [join(base, "home"), join(base, "project")];
  const modules = join(project, "node_modules");
  for (const folder of [home, join(project, ".git"), join(modules, "toolgate")])
    mkdirSync(folder, { recursive: true });
  // As whoever publishes does, also where the scripts of other packages are not wanted.
  const args = ["pack", "--json", "--ignore-scripts=false", "--pack-destination", base];
  const { stdout } = await run("npm", args, {
    cwd: copyForPack(join(base, "copy")),
    maxBuffer: 64 * 1024 * 1024,
  });
  // What the scripts of the package say comes first.
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
  await run("tar", ["-xzf", join(base, filename), "--strip-components=1", "-C", join(modules, "toolgate")]);
  const { dependencies } = JSON.parse(readFileSync(join(modules, "toolgate/package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  const path = [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":");
  const command = join(modules, "toolgate/dist/cli.js");
  const env = { HOME: home, PATH: path, LANG: "C.UTF-8" };
  const start = (args: readonly string[], input = "") =>
    new Promise<CommandEnd>((done) => {
      const child = execFile(process.execPath, args, { cwd: project, env }, (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
        done({ code, out, err });
      });
      child.stdin?.end(input);
    });
  return {
    project,
    home,
    env,
    archive: join(base, filename),
    files,
    toolgate: (args, input) => start([command, ...args], input),
    start: (args) => spawn(process.execPath, [command, ...args], { cwd: project, env }),
    node: (code) => start(["--input-type=module", "-e", code]),
    close: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** npm exchanges the README while it packs, and other tests read it. */
function copyForPack(copy: string): string {
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of ["package.json", "README.md", "LICENSE", "scripts/packed-docs.mjs", ...files])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  return copy;
}

/** Starts what a settings file names, as an agent does. */
export async function runHookLine(
  line: string,
  event: object,
  { project, env }: Packed,
): Promise<CommandEnd> {
  return new Promise((done) => {
    const child = execFile("/bin/sh", ["-c", line], { cwd: project, env }, (error, out, err) => {
      done({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 1, out, err });
    });
    child.stdin?.end(JSON.stringify(event));
  });
}
