/**
 * `git`, by subcommand. Reading subcommands can still run what the repository's own configuration names (fsmonitor,
 * pager, external diff): that is the repository the person works in, so they count as reading, while every way to point
 * git at other configuration (`-c`, `-C`, `--git-dir`) goes beyond. An unknown subcommand may be an alias: opaque.
 */

import { type Arg, isLiteral, LITERAL, maybeOption } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import { parseOptions } from "../options.ts";
import { EXECUTE, WRITE } from "../walk.ts";
import { GIT_READERS } from "./git-options.ts";

export function readGit(use: CommandUse): void {
  const at = skipGlobalOptions(use);
  const word = use.args[at];
  if (word === undefined) return;
  if (!isLiteral(word)) {
    use.cannotTell("git with a subcommand that is not known");
    return;
  }
  const name = word.text;
  const reader = GIT_READERS.get(name);
  if (reader !== undefined) {
    readReader(use, name, at);
    return;
  }
  const listing = LISTINGS.get(name);
  const rest = use.args.slice(at + 1);
  if (listing !== undefined && rest.every(isLiteral) && listing.test(rest.map((arg) => arg.text).join(" ")))
    return;
  if (PORCELAIN.has(name)) readPorcelain(use, name, at);
  else if (BEYOND.has(name)) {
    use.goesBeyond(`git ${name} does more than work with this repository's files`, EXECUTE);
    use.unknownPaths = true;
    use.network = NETWORK.has(name);
    for (const arg of rest) if (arg.kind === LITERAL && !arg.text.startsWith("-")) use.writePath(arg);
  } else {
    use.unknownPaths = true;
    use.cannotTell(`git ${name} may be an alias or a helper program`);
  }
}

function skipGlobalOptions(use: CommandUse): number {
  for (let i = 1; i < use.args.length; i++) {
    const arg = use.args[i] as Arg;
    const text = arg.text;
    if (arg.kind !== LITERAL) return i;
    if (!text.startsWith("-")) return i;
    if (HARMLESS_GLOBAL.has(text)) continue;
    use.goesBeyond(`git ${text} changes which program or configuration is used`, EXECUTE);
    use.unknownPaths = true;
    if (
      /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env|--super-prefix|--attr-source|--list-cmds)$/.test(
        text,
      )
    )
      i++;
  }
  return use.args.length;
}

function readReader(use: CommandUse, name: string, at: number): void {
  const spec = GIT_READERS.get(name);
  if (spec === undefined) return;
  const { operands } = parseOptions(use, spec, at + 1);
  for (let i = at + 1; i < use.args.length; i++) {
    const arg = use.args[i] as Arg;
    const letter = arg.text.charCodeAt(2);
    if ((letter !== 102 && letter !== 112) || !arg.text.startsWith("--")) continue;
    // `%G?` asks gpg, a program the configuration names; `-h` and `--help` start a reader for manuals.
    if (/%G|signature/.test(arg.text) && /^--(?:format|pretty)/.test(arg.text))
      use.goesBeyond("the format asks gpg", EXECUTE);
    if (arg.kind !== LITERAL && /^--(?:format|pretty)/.test(arg.prefix))
      use.goesBeyond("the format is not known", EXECUTE);
    if ((arg.text === "--format" || arg.text === "--pretty") && use.args[i + 1]?.kind !== LITERAL) {
      use.goesBeyond("the format is not known", EXECUTE);
    }
    if (
      (arg.text === "--format" || arg.text === "--pretty") &&
      /%G|signature/.test(use.args[i + 1]?.text ?? "")
    ) {
      use.goesBeyond("the format asks gpg", EXECUTE);
    }
  }
  const from = name === "grep" && !use.args.some((arg) => /^-\w*[ef]$/.test(arg.text)) ? 1 : 0;
  for (let i = from; i < operands.length; i++) use.readPath(operands[i] as Arg);
}

function readPorcelain(use: CommandUse, name: string, at: number): void {
  use.raise(WRITE);
  use.unknownPaths = CHANGES_FILES.has(name);
  use.pathsOfRepository = true;
  use.network = NETWORK.has(name);
  let operands = 0;
  let options = true;
  for (let i = at + 1; i < use.args.length; i++) {
    const arg = use.args[i] as Arg;
    const text = arg.text;
    if (arg.kind === LITERAL && options && text === "--") options = false;
    else if (options && arg.kind === LITERAL && text.startsWith("-") && text.length > 1) {
      if (isDangerousOption(name, text)) use.goesBeyond(`git ${name} ${text} may run a program`, EXECUTE);
      if (takesNext(name, text)) i++;
      if (/^(?:-F|--file|-t|--template|--pathspec-from-file)$/.test(text) && use.args[i] !== undefined)
        use.readPath(use.args[i] as Arg);
      const attached = /^(?:--file=|--template=|--pathspec-from-file=|-F)(.+)$/.exec(text)?.[1];
      if (attached !== undefined) use.readPath({ ...arg, text: attached });
    } else {
      if (options && maybeOption(arg) && arg.kind !== LITERAL && RUNS_BY_OPTION.has(name)) {
        use.goesBeyond(`${text} may be an option`, EXECUTE);
      }
      operands++;
      // A remote given as an address can name a program (`ext::`) or another repository with hooks of its own.
      if (
        operands === 1 &&
        NETWORK.has(name) &&
        (arg.kind !== LITERAL || !/^[\w.-]+$/.test(text) || text.startsWith("."))
      ) {
        use.goesBeyond("the remote is an address, not a name", EXECUTE);
      }
      if (WRITES_OPERANDS.has(name)) use.writePath(arg);
    }
  }
}

/** Only where the letter means that: `git rebase -m --exec x` has no message. */
function takesNext(name: string, text: string): boolean {
  if (!TAKES_MESSAGE.has(name)) return false;
  return /^-[a-z]*[mF]$/.test(text) || /^--(?:message|file|author|date|trailer)$/.test(text);
}

/** git accepts abbreviated options, so anything that may be short for a dangerous one counts. */
function isDangerousOption(name: string, text: string): boolean {
  if (!text.startsWith("--")) return DANGEROUS_SHORT.get(name)?.test(text) ?? false;
  const option = text.slice(2).split("=")[0] ?? "";
  return DANGEROUS_LONG.some((dangerous) => dangerous.startsWith(option) || option.startsWith(dangerous));
}

const list = (text: string) => new Set(text.split(" "));

const HARMLESS_GLOBAL = list(
  "--no-pager -P --no-optional-locks --literal-pathspecs --no-replace-objects --no-lazy-fetch --version -v --no-advice",
);

const PORCELAIN = list(
  "add commit push pull fetch checkout switch restore reset rm mv merge rebase cherry-pick revert stash tag branch clean",
);
const NETWORK = list("push pull fetch clone ls-remote submodule remote");
const TAKES_MESSAGE = list("commit tag merge stash");
const RUNS_BY_OPTION = list("push pull fetch merge rebase cherry-pick revert");
const WRITES_OPERANDS = list("mv rm restore");
const CHANGES_FILES = list("pull checkout switch reset merge rebase cherry-pick revert stash clean");

const DANGEROUS_LONG =
  "exec upload-pack receive-pack strategy output ext-diff textconv open-files-in-pager template config help gpg-sign show-signature edit-description format".split(
    " ",
  );
const DANGEROUS_SHORT: ReadonlyMap<string, RegExp> = new Map([
  ["rebase", /^-\w*[xs]/],
  ["merge", /^-\w*[s]/],
  ["pull", /^-\w*[s]/],
]);

const BEYOND = list(
  "config init clone submodule filter-branch filter-repo bisect remote worktree archive bundle format-patch apply am difftool mergetool hook help daemon instaweb send-email " +
    "notes gc prune repack replace update-index update-ref symbolic-ref read-tree write-tree commit-tree checkout-index hash-object mktag mktree merge-file merge-index merge-tree fast-import fast-export " +
    "pack-objects pack-refs unpack-objects unpack-file index-pack credential credential-store credential-cache lfs sparse-checkout maintenance rerere reflog ls-remote fsck " +
    "verify-commit verify-tag interpret-trailers mailinfo mailsplit request-pull svn p4 cvsimport gui citool shell upload-pack receive-pack upload-archive http-backend " +
    "update-server-info imap-send annotate bugreport diagnose multi-pack-index commit-graph fetch-pack send-pack column quiltimport backfill stage subtree range history",
);

/** Forms of writing subcommands that only list. */
const LISTINGS: ReadonlyMap<string, RegExp> = new Map([
  [
    "branch",
    /^(?:(?:-[avr]+|-vv|--all|--remotes|--list|--show-current|--no-color|--column|--merged(?: [\w./-]+)?|--no-merged(?: [\w./-]+)?|--contains [\w./-]+|--sort=[\w:-]+|--format=[^%]*(?:%\((?!signature)[\w:=,.-]+\)[^%]*)*) ?)*$/,
  ],
  [
    "tag",
    /^(?:(?:-l|--list|-n\d*|--sort=[\w:-]+|--contains [\w./-]+|--merged [\w./-]+|--points-at [\w./-]+) ?)*(?:$|(?<=(?:-l|--list) )[\w.*/?-]+$)/,
  ],
  ["remote", /^(?:-v|--verbose|get-url [\w.-]+|)$/],
  ["stash", /^(?:list(?: --oneline)?|show(?: -p| --stat| -u)*(?: stash@\{\d+\})?)$/],
  ["reflog", /^(?:show(?: [\w./@{}-]+)?|-n ?\d+|-\d+|)$/],
  ["worktree", /^list(?: --porcelain| -v)?$/],
  [
    "config",
    /^(?:(?:--local|--global|--system) )?(?:--get(?:-all)? [\w.-]+|--list|-l|get [\w.-]+|list)(?: --show-origin| --name-only)*$/,
  ],
  ["notes", /^(?:list|show)(?: [\w./-]+)?$/],
  ["bisect", /^log$/],
]);
