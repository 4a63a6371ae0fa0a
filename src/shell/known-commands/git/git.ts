/**
 * `git`, by subcommand. Every option has a kind; one that is not in the table goes beyond the plain use. What
 * the repository makes git do (fsmonitor, filters, hooks) only the disk can tell, so each command says what
 * of a repository it comes across. Every way to point git at another repository or configuration (`-c`,
 * `--git-dir`) goes beyond; a reading command with one `-C` is the one in that folder. An unknown subcommand
 * may be an alias: opaque.
 */
import type { RepositoryPart } from "../../../core/ports/repository.ts";
import { wordSet } from "../../../core/text/words.ts";
import { type Arg, isLiteral, LITERAL } from "../../arg.ts";
import type { CommandUse } from "../../command-use.ts";
import { changeDirectory, resolvePaths } from "../../paths.ts";
import { EXECUTE, WRITE } from "../../walk.ts";
import { earlierParts } from "./earlier-parts.ts";
import { BEYOND, BEYOND_ON_NETWORK, LISTINGS } from "./other-subcommands.ts";
import { addPathspec, addRevision, excludes, type RepositoryPaths } from "./pathspec.ts";
import { type ReadOptions, readOptions } from "./read-options.ts";
import { GIT_READERS } from "./readers.ts";
import type { Operands, Subcommand } from "./subcommand.ts";
import { GIT_STASHES, GIT_WRITERS } from "./writers.ts";

export function readGit(use: CommandUse): void {
  const folder = folderFirst(use);
  if (folder === undefined) {
    readFrom(use, skipGlobalOptions(use, 1));
    return;
  }
  use.readPath(folder);
  const { walk } = use;
  const { directories } = walk;
  walk.directories = directories.map((directory) => changeDirectory(directory, folder.text));
  readFrom(use, skipGlobalOptions(use, 3));
  walk.directories = directories;
}

/**
 * `git -C src log` is `git log` in that folder. Only for what reads, with one folder that is written out: git
 * follows links where the text has `..`, and rules that stop a writing command by its first words would not
 * know it in this form.
 */
function folderFirst({ args }: CommandUse): Arg | undefined {
  const [, option, folder] = args;
  if (option === undefined || !isLiteral(option) || option.text !== "-C") return undefined;
  if (folder === undefined || folder.kind !== LITERAL || !/^[^-~]/.test(folder.text)) return undefined;
  if (folder.text.split("/").includes("..")) return undefined;
  const word = args.slice(3).find((arg) => !(isLiteral(arg) && HARMLESS_GLOBAL.has(arg.text)));
  const isReading = word !== undefined && isLiteral(word) && GIT_READERS.has(word.text);
  return isReading ? folder : undefined;
}

function readFrom(use: CommandUse, at: number): void {
  const word = use.args[at];
  if (word === undefined) return;
  if (!isLiteral(word)) {
    use.cannotTell("the subcommand of git is only known when it runs; write it out");
    return;
  }
  const name = word.text;
  const rest = use.args.slice(at + 1);
  const reader = GIT_READERS.get(name);
  const listing = LISTINGS.get(name);
  if (reader !== undefined) readSubcommand(use, name, reader, at + 1);
  else if (
    listing !== undefined &&
    rest.every((arg) => isLiteral(arg) && !arg.text.includes("\n")) &&
    listing.test(rest.map((arg) => arg.text).join("\n"))
  )
    dependOnRepository(use, { parts: LISTING_PARTS, hooks: [] });
  else if (name === "stash") readStash(use, at + 1);
  else if (GIT_WRITERS.has(name)) readWriter(use, name, GIT_WRITERS.get(name) as Subcommand, at + 1);
  else if (BEYOND.has(name)) {
    use.goesBeyond(`git ${name} does more than work with this repository's files`, EXECUTE);
    use.unknownPaths = true;
    use.network = BEYOND_ON_NETWORK.has(name);
    for (const arg of rest) if (arg.kind === LITERAL && !arg.text.startsWith("-")) use.writePath(arg);
  } else {
    use.unknownPaths = true;
    use.cannotTell(
      `git ${name} is no command of git itself, so an alias or another program may run; write the command that is meant`,
    );
  }
}

function skipGlobalOptions(use: CommandUse, start: number): number {
  for (let i = start; i < use.args.length; i++) {
    const arg = use.args[i] as Arg;
    const text = arg.text;
    if (arg.kind !== LITERAL) return i;
    if (!text.startsWith("-")) return i;
    if (HARMLESS_GLOBAL.has(text)) continue;
    use.goesBeyond(`git ${text} changes which program or configuration is used`, EXECUTE);
    use.unknownPaths = true;
    if (GLOBAL_WITH_VALUE.test(text)) i++;
  }
  return use.args.length;
}

/** `git stash` and `git stash -m x` push; other first words are subcommands, or a mistake. */
function readStash(use: CommandUse, start: number): void {
  const first = use.args[start];
  const named = first !== undefined && isLiteral(first) ? GIT_STASHES.get(first.text) : undefined;
  if (named !== undefined) readWriter(use, `stash ${first?.text}`, named, start + 1);
  else if (first === undefined || (isLiteral(first) && first.text.startsWith("-")))
    readWriter(use, "stash push", GIT_STASHES.get("push") as Subcommand, start);
  else {
    use.unknownPaths = true;
    use.goesBeyond("git stash in a form that is not known", EXECUTE);
  }
}

function readWriter(use: CommandUse, name: string, command: Subcommand, start: number): void {
  use.raise(WRITE);
  use.network = command.operands === "remote";
  use.trackedPaths = command.changesFiles;
  readSubcommand(use, name, command, start);
}

function readSubcommand(use: CommandUse, name: string, command: Subcommand, start: number): void {
  const read = withoutExclusions(command, readOptions(use, command, start));
  if (name === "diff" && read.seen.has("no-index"))
    for (const arg of [...read.operands, ...read.paths]) use.useTree(arg, "read");
  const found: RepositoryPaths & { remotes: string[] } = { reads: [], writes: [], remotes: [] };
  for (const address of read.addresses) addRemote(use, found.remotes, address);
  addOperands(use, command, read, found);
  // `git checkout -b x` stays where it is.
  if (name === "checkout" && read.operands.length === 0 && (read.seen.has("b") || read.seen.has("B")))
    use.trackedPaths = false;
  const untracked = takesUntracked(name, read.seen);
  if (takesIgnored(name, read.seen)) addIgnored(use, command, read, found);
  // Nobody has named what is taken away here, not even the repository.
  const isTrial = read.seen.has("n") || read.seen.has("dry-run");
  if (untracked && (name.startsWith("stash") || (name === "clean" && !isTrial))) use.unknownPaths = true;
  dependOnRepository(use, { parts: command.parts, hooks: command.hooks, ...found, untracked });
}

/** `:!docs` takes away from what the others name; where there are no others, from everything. */
function withoutExclusions({ operands: kind }: Subcommand, read: ReadOptions): ReadOptions {
  if (![...read.operands, ...read.paths].some(excludes)) return read;
  const patterns = patternsOf(kind, read);
  return {
    ...read,
    operands: read.operands.filter((arg, index) => index < patterns || !excludes(arg)),
    paths: read.paths.filter((arg) => !excludes(arg)),
  };
}

/** How many of the operands are a pattern and no path. */
function patternsOf(kind: Operands, { seen }: ReadOptions): 0 | 1 {
  return kind === "pattern" && !seen.has("e") && !seen.has("f") ? 1 : 0;
}

function addOperands(
  use: CommandUse,
  { operands: kind }: Subcommand,
  read: ReadOptions,
  found: RepositoryPaths & { readonly remotes: string[] },
): void {
  const { operands, paths, seen } = read;
  switch (kind) {
    case "text":
      return;
    case "names":
      for (const arg of [...operands, ...paths]) use.readPath(arg);
      return;
    case "read":
    case "written":
      for (const arg of [...operands, ...paths])
        addPathspec(use, found, arg, kind === "read" ? "read" : "write");
      return;
    case "remote": {
      const words = [...operands, ...paths];
      const remotes = seen.has("multiple") || seen.has("m") ? words : words.slice(0, 1);
      for (const arg of remotes) addRemote(use, found.remotes, arg);
      return;
    }
    default: {
      const access = kind === "checked-out" ? "write" : "read";
      for (const arg of operands.slice(patternsOf(kind, read))) addRevision(use, found, arg, access);
      for (const arg of paths) addPathspec(use, found, arg, access);
    }
  }
}

/** A remote given as an address can name a program (`ext::`) or another repository with hooks of its own. */
function addRemote(use: CommandUse, remotes: string[], arg: Arg): void {
  if (arg.kind === LITERAL && /^[\w-][\w.-]*$/.test(arg.text)) remotes.push(arg.text);
  else use.goesBeyond("the remote is an address, not a name", EXECUTE);
}

/** Files that git does not know yet are taken, too, so a wildcard stands for more than what is tracked. */
function takesUntracked(name: string, seen: ReadonlySet<string>): boolean {
  if (name === "add" || name === "clean") return true;
  if (name === "grep") return seen.has("no-index") || seen.has("untracked");
  if (name !== "stash push" && name !== "stash save") return false;
  return ["u", "a", "include-untracked", "all"].some((option) => seen.has(option));
}

/** Ignored files are where secrets are. */
function takesIgnored(name: string, seen: ReadonlySet<string>): boolean {
  if (name === "add") return seen.has("f") || seen.has("force");
  if (name === "clean") return seen.has("x") || seen.has("X");
  if (name === "grep")
    return seen.has("no-index") || (seen.has("untracked") && seen.has("no-exclude-standard"));
  return name.startsWith("stash") && (seen.has("a") || seen.has("all"));
}

/** Everything below a folder is taken, so what is protected there is looked for. */
function addIgnored(
  use: CommandUse,
  { operands: kind }: Subcommand,
  read: ReadOptions,
  found: RepositoryPaths,
): void {
  const list = kind === "written" ? found.writes : found.reads;
  const paths = [...read.operands.slice(patternsOf(kind, read)), ...read.paths];
  // Without a path some of them start at the top, some here: the top holds both.
  if (paths.length === 0) list.push(kind === "pattern" ? "*" : ":/*");
  for (const { kind: known, text } of paths) {
    if (known !== LITERAL || text.startsWith(":(")) use.unknownPaths = true;
    else list.push(text.endsWith("/") ? `${text}*` : `${text}/*`);
  }
}

interface Dependence extends Partial<RepositoryPaths> {
  readonly parts: readonly RepositoryPart[];
  readonly hooks: readonly string[];
  readonly remotes?: readonly string[];
  readonly untracked?: boolean;
}

function dependOnRepository(use: CommandUse, dependence: Dependence): void {
  const directories: string[] = [];
  for (const directory of resolvePaths(use.walk, ".")) {
    if (directory === undefined) use.goesBeyond("git in a folder that is not known", EXECUTE);
    else directories.push(directory);
  }
  const { parts, hooks, reads = [], writes = [], remotes = [], untracked = false } = dependence;
  const before = earlierParts(use.walk, directories);
  use.repository = { directories, parts, hooks, remotes, reads, writes, untracked, before };
}

const HARMLESS_GLOBAL = wordSet(
  "--no-pager -P --no-optional-locks --literal-pathspecs --no-replace-objects --no-lazy-fetch --version -v --no-advice",
);

const GLOBAL_WITH_VALUE =
  /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env|--super-prefix|--attr-source|--list-cmds)$/;

/** Listings of stashes, notes and reflogs show differences. */
const LISTING_PARTS: readonly RepositoryPart[] = ["diff", "merge", "signing", "submodules"];
