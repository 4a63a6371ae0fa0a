/** The command line as a real process, in a project and a home of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Built: a start of the source strips the types of hundreds of files. check-build.ts sees to it that it is there. */
export const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `toolgate serve`, once it listens. */
export interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
  readonly tokenFile: string;
  readonly token: string;
  readonly over: Promise<Ended>;
  /** Ends it at once. */
  kill(): Promise<unknown>;
}

export interface CliWorld {
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  /** The state folder. */
  readonly state: string;
  /** A file of the project. */
  file(name: string, text: string): string;
  /** The user's own configuration. */
  configure(text: string): string;
  start(argv: readonly string[], nodeOptions?: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess;
  run(
    argv: readonly string[],
    stdin?: string | Buffer,
    nodeOptions?: readonly string[],
    env?: NodeJS.ProcessEnv,
  ): Promise<Ended>;
  /** Given a process that was started otherwise: that one. */
  serve(argv?: readonly string[], child?: ChildProcess): Promise<Serving>;
  close(): void;
}

interface WorldOptions {
  /** The one of a world that another process has made. */
  readonly folder?: string;
  /** Such as the source, for what looks at its modules. */
  readonly program?: string;
}

export function createCliWorld({
  folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-e2e-"))),
  program = cli,
}: WorldOptions = {}): CliWorld {
  const [project, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(home, { recursive: true });
  mkdirSync(join(project, ".git"), { recursive: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const start: CliWorld["start"] = (argv, nodeOptions = [], env = {}) =>
    spawn(process.execPath, [...nodeOptions, program, ...argv], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: home, ...env },
      stdio: "pipe",
    });
  return {
    folder,
    project,
    home,
    state: join(home, ".local/state/toolgate"),
    file: (name, text) => write(join(project, name), text),
    configure: (text) => write(join(home, ".config/toolgate/config.yaml"), text),
    start,
    run(argv, stdin = "", nodeOptions = [], env = {}) {
      const child = start(argv, nodeOptions, env);
      // A command that does not read its input may be gone before it is written.
      child.stdin?.on("error", () => {});
      child.stdin?.end(stdin);
      return ended(child);
    },
    async serve(argv = [], child = start(["serve", "--port", "0", "--json", ...argv])) {
      const over = ended(child);
      const line = await new Promise<string>((resolve, reject) => {
        child.stdout?.once("data", resolve);
        void over.then(({ err }) => reject(new Error(err)));
      });
      const { url, tokenFile } = JSON.parse(line) as { url: string; tokenFile: string };
      const kill = () => {
        child.kill("SIGKILL");
        return over;
      };
      return { child, url, tokenFile, token: readFileSync(tokenFile, "utf8").trim(), over, kill };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function ended(child: ChildProcess): Promise<Ended> {
  let out = "";
  let err = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}
