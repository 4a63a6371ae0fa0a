/** A real gate with the git tools over a real repository, and a home folder of its own. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import { type AnyTool, createGate, type GateOptions } from "../../../../../src/index.ts";
import type { CommitOptions } from "../../../../../src/sources/builtin/git/commit.ts";
import { createGitTools } from "../../../../../src/sources/builtin/git/git-tools.ts";
import { rule } from "../../rule.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { callsOf } from "../calls.ts";

const hasGit = (() => {
  try {
    execFileSync("git", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Skipped and counted where git is missing; a full run must have it. */
const skipped = !hasGit && process.env.TOOLGATE_CI !== "full";
export const describeGit = (title: string, tests: () => void) =>
  describe.skipIf(skipped)(`${title}${skipped ? " (skipped: git is not installed)" : ""}`, () => {
    useOwnHome();
    tests();
  });

export const approveAll = rule("approve", "*");
export const approvePaths = rule("approve", "*", [["path", "matches", "."]]);

/** Of the tests that run now. Files of tests share this module, so that each makes its own. */
let home = "";

/** A home of its own for the tests around: git has a name for commits there, and nothing of this machine's user is read. */
function useOwnHome(): void {
  let realHome: string | undefined;
  beforeAll(() => {
    realHome = process.env.HOME;
    home = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-home-")));
    writeFileSync(
      join(home, ".gitconfig"),
      "[user]\n\tname = Ann\n\temail = ann@example.com\n[init]\n\tdefaultBranch = main\n",
    );
    process.env.HOME = home;
  });
  afterAll(() => {
    if (realHome !== undefined) process.env.HOME = realHome;
    rmSync(home, { recursive: true, force: true });
  });
}

/** Runs git as a person does. */
export function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };
  return execFileSync("git", args, {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 10_000,
  });
}

export type GitGate = Awaited<ReturnType<typeof gitGate>>;

export interface GitGateOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly commit?: CommitOptions;
  readonly gate?: GateOptions;
  readonly tools?: readonly AnyTool[];
  /** Below the repository: the workspace, if it is only a part of it. */
  readonly workspace?: string;
  readonly init?: boolean;
}

/** With files they are the first commit. */
export async function gitGate(options: GitGateOptions = {}) {
  const base = temporaryFolder("git");
  const root = join(base, "root");
  mkdirSync(root);
  const run = (...args: string[]) => git(root, ...args);
  const write = (path: string, content: string | Buffer, mode?: number) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    if (mode !== undefined) chmodSync(join(root, path), mode);
  };
  const commitAll = (message: string) => {
    run("add", "-A");
    run("commit", "-qm", message);
  };
  if (options.init !== false) run("init", "-q");
  for (const [path, content] of Object.entries(options.files ?? {})) write(path, content);
  if (options.init !== false && options.files !== undefined) commitAll("first");
  const tools = createGitTools(options.commit);
  onTestFinished(() => tools.close());
  const workspace = join(root, options.workspace ?? "");
  const gate = await createGate({
    tools: [...tools.tools, ...(options.tools ?? [])],
    roots: [workspace],
    enable: { enabledCategories: ["development"] },
    policies: [approveAll],
    ...options.gate,
  });
  onTestFinished(() => gate.close());
  return { base, root, gate, write, commitAll, git: run, ...callsOf(gate, { sessionId: "s1" }) };
}

/** Every file, link and mode below a folder, by path; `skip` names what does not count. */
export function treeOf(
  folder: string,
  skip: (path: string) => boolean = () => false,
  prefix = "",
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    const path = `${prefix}${name}`;
    if (skip(path)) continue;
    const full = join(folder, name);
    const stats = lstatSync(full);
    if (stats.isDirectory()) Object.assign(found, treeOf(full, skip, `${path}/`));
    else if (stats.isSymbolicLink()) found[path] = `link ${readlinkSync(full)}`;
    else
      found[path] =
        `${(stats.mode & 0o100) === 0 ? "file" : "program"} ${readFileSync(full).toString("base64")}`;
  }
  return found;
}
