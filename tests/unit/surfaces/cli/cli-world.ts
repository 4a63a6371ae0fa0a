/** A folder with a home of its own, and the command line run inside it: real files, no real home. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { ToolgateError } from "../../../../src/core/call/errors.ts";
import { main } from "../../../../src/surfaces/cli/main.ts";
import type { CliIo } from "../../../../src/surfaces/cli/terminal/io.ts";
import { expectEnd, wordsOf } from "./expect-end.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly stdin?: string | AsyncIterable<string>;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly isTerminal?: boolean;
  readonly stdinIsTerminal?: boolean;
  readonly stderrIsTerminal?: boolean;
  readonly signal?: AbortSignal;
  /** The file that was started. Absent: nobody knows. */
  readonly script?: string;
  readonly onOut?: (text: string) => void;
  readonly onErr?: (text: string) => void;
  /** Standard input and output for a command that speaks a protocol over them. */
  readonly pipe?: ReturnType<NonNullable<CliIo["takePipe"]>>;
}

type Argv = string | readonly string[];
/** A test names the fields that it looks at. */
type Parsed = ReturnType<typeof JSON.parse>;

export interface Server {
  /** What it printed first. */
  readonly said: string;
  /** With `--json`: where it is, and the owner's token. */
  readonly url: string;
  readonly tokenFile: string;
  readonly token: string;
}

export interface CliWorld {
  /** The project. */
  readonly root: string;
  readonly home: string;
  file(name: string, text: string): string;
  /** A file below the home. */
  inHome(name: string, text: string): string;
  /** The user's own configuration. */
  configure(text: string): string;
  /** A line is split as a shell would. */
  run(argv: Argv, options?: RunOptions): Promise<Ran>;
  /** What a command prints with `--json`; it ends with 0 unless told. */
  json(argv: Argv, options?: RunOptions & { readonly code?: number }): Promise<Parsed>;
  /** Runs `toolgate serve --port 0` until `during` is over; how it ended, and what `during` answered. */
  serving<Result>(
    more: string,
    during?: (server: Server) => Promise<Result>,
    options?: RunOptions,
  ): Promise<Ran & { readonly result: Result | undefined }>;
  close(): void;
}

export function createCliWorld(): CliWorld {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-cli-")));
  const home = join(folder, "home");
  const root = join(folder, "project");
  mkdirSync(home);
  mkdirSync(join(root, ".git"), { recursive: true });
  const realHome = process.env.HOME;
  process.env.HOME = home;
  const write = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const run: CliWorld["run"] = (argv, options = {}) =>
    runIn(root, home, typeof argv === "string" ? wordsOf(argv) : argv, options);
  return {
    root,
    home,
    file: (name, text) => write(join(root, name), text),
    inHome: (name, text) => write(join(home, name), text),
    configure: (text) => write(join(home, ".config/toolgate/config.yaml"), text),
    json: async (argv, { code = 0, ...options } = {}) => {
      const words = typeof argv === "string" ? wordsOf(argv) : argv;
      return JSON.parse((await expectEnd(run([...words, "--json"], options), { code })).out);
    },
    run,
    serving: async (more, during, options = {}) => {
      const ending = new AbortController();
      const { promise, resolve: onOut } = Promise.withResolvers<string>();
      const over = run(`serve --port 0 ${more}`, { ...options, signal: ending.signal, onOut });
      const said = await Promise.race([promise, over.then(({ err }) => Promise.reject(new Error(err)))]);
      try {
        const result = await during?.(serverOf(said));
        ending.abort();
        return { ...(await over), result };
      } finally {
        ending.abort();
        await over;
      }
    },
    close: () => {
      process.env.HOME = realHome;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serverOf(said: string): Server {
  if (!said.startsWith("{")) return { said, url: "", tokenFile: "", token: "" };
  const { url, tokenFile } = JSON.parse(said) as Server;
  return { said, url, tokenFile, token: readFileSync(tokenFile, "utf8").trim() };
}

/** A new world for each test, or one for all of the file or `describe`. */
export function useCliWorld(
  prepare: (world: CliWorld) => unknown = () => {},
  lasts: "test" | "file" = "test",
): CliWorld {
  const [begin, end] = lasts === "test" ? [beforeEach, afterEach] : [beforeAll, afterAll];
  let world: CliWorld;
  begin(async () => {
    world = createCliWorld();
    await prepare(world);
  });
  end(() => world.close());
  return {
    get root() {
      return world.root;
    },
    get home() {
      return world.home;
    },
    file: (...parts) => world.file(...parts),
    inHome: (...parts) => world.inHome(...parts),
    configure: (text) => world.configure(text),
    json: (...call) => world.json(...call),
    run: (...call) => world.run(...call),
    serving: (...call) => world.serving(...call),
    close: () => world.close(),
  };
}

async function runIn(root: string, home: string, argv: readonly string[], options: RunOptions): Promise<Ran> {
  const { stdin = "", env = {}, cwd = root, isTerminal = false, stdinIsTerminal = false } = options;
  const { stderrIsTerminal = false } = options;
  const { signal, script, onOut, onErr, pipe } = options;
  let out = "";
  let err = "";
  const io: CliIo = {
    readStdin: async ({ maxBytes = 16 * 1024 * 1024 } = {}) => {
      let text = "";
      for await (const chunk of chunksOf(stdin)) text += chunk;
      if (Buffer.byteLength(text) > maxBytes) throw new ToolgateError("Standard input holds too much.");
      return text;
    },
    stdinChunks: () => chunksOf(stdin),
    ...(pipe && { takePipe: () => pipe }),
    out: (text) => {
      out += text;
      onOut?.(text);
    },
    err: (text) => {
      err += text;
      onErr?.(text);
    },
    env: { HOME: home, ...env },
    cwd,
    script,
    isTerminal,
    stdinIsTerminal,
    stderrIsTerminal,
    signal: signal ?? new AbortController().signal,
  };
  const code = await main(argv, io);
  return { code, out, err };
}

async function* chunksOf(stdin: string | AsyncIterable<string>): AsyncGenerator<string> {
  if (typeof stdin === "string") yield stdin;
  else yield* stdin;
}

/** One tool call as JSON. */
export function call(tool: string, input: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ tool_name: tool, tool_input: input });
}

/** A rule file with one route and two tests that pass. */
export const goodFile = `routes:
  no-force-push:
    tool: Bash
    pattern: git push.*--force
    message: Do not force-push; open a pull request.
    tests:
      - desc: a forced push should block
        input: {tool_name: Bash, tool_input: {command: git push --force}}
        expect: block
        contains: pull request
      - desc: a plain push should allow
        input: {tool_name: Bash, tool_input: {command: git push}}
        expect: allow
`;
