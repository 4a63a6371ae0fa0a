/** A folder with a home of its own, and the command line run inside it: real files, no real home. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ToolgateError } from "../../../../src/core/call/errors.ts";
import { main } from "../../../../src/surfaces/cli/main.ts";
import type { CliIo } from "../../../../src/surfaces/cli/terminal/io.ts";

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

export interface CliWorld {
  /** The project. */
  readonly root: string;
  readonly home: string;
  file(name: string, text: string): string;
  run(argv: readonly string[], options?: RunOptions): Promise<Ran>;
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
  return {
    root,
    home,
    file: (name, text) => {
      const file = join(root, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    run: (argv, options = {}) => runIn(root, home, argv, options),
    close: () => {
      process.env.HOME = realHome;
      rmSync(folder, { recursive: true, force: true });
    },
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
