/**
 * `tar`: listing and comparing read, creating writes the archive, extracting writes what the archive names.
 */

import { type Arg, isLiteral, LITERAL, literalArg } from "../arg.ts";
import type { CommandUse, TreeReach } from "../command-use.ts";
import { lazySpec, type ReachSpec } from "../option-spec.ts";
import { type OptionSpec, type ParsedOptions, parseOptions } from "../options.ts";
import { reachOf } from "../tree-reach.ts";
import { EXECUTE, WRITE } from "../walk.ts";
import { judgeUnknown } from "./unknown.ts";

export const TAR: OptionSpec = {
  flags: "AcdrtuxnSkUOmpBiajJzZhPlRvwoGq",
  values: "fCbVKN",
  // With a value here and none in the tar of macOS, or the other way round.
  attached: "HsW",
  reads: "X",
  lists: "T",
  refuses: "gFILMy",
  long:
    "catenate concatenate create delete diff compare append test-label list update extract get check-device listed-incremental=> incremental hole-detection= " +
    "ignore-failed-read level= no-check-device no-seek seek occurrence? sparse-version= sparse add-file=< directory= exclude= exclude-backups exclude-caches " +
    "exclude-caches-all exclude-caches-under exclude-ignore= exclude-ignore-recursive= exclude-tag= exclude-tag-all= exclude-tag-under= exclude-vcs " +
    "exclude-vcs-ignores no-null no-recursion no-unquote no-verbatim-files-from null recursion files-from=@ unquote verbatim-files-from exclude-from=< anchored " +
    "ignore-case no-anchored no-ignore-case no-wildcards no-wildcards-match-slash wildcards wildcards-match-slash keep-directory-symlink keep-newer-files " +
    "keep-old-files no-overwrite-dir one-top-level?! overwrite overwrite-dir recursive-unlink! remove-files! skip-old-files unlink-first verify " +
    "ignore-command-error no-ignore-command-error to-stdout to-command=! atime-preserve? clamp-mtime delay-directory-restore group= group-map=< mode= mtime= " +
    "touch no-delay-directory-restore no-same-owner no-same-permissions numeric-owner owner= owner-map=< preserve-permissions same-permissions same-owner sort= " +
    "preserve-order same-order preserve acls no-acls no-selinux no-xattrs selinux xattrs xattrs-exclude= xattrs-include= force-local file= info-script=! " +
    "new-volume-script=! tape-length= multi-volume! rmt-command=! rsh-command=! volno-file=> blocking-factor= read-full-records ignore-zeros record-size= " +
    "format= old-archive portability pax-option= posix label= auto-compress use-compress-program=! bzip2 xz lzip lzma lzop no-auto-compress zstd gzip gunzip " +
    "ungzip compress uncompress backup? hard-dereference dereference starting-file= newer-mtime= newer= after-date= one-file-system absolute-names suffix= " +
    "strip-components= transform= xform= checkpoint? checkpoint-action=! full-time index-file=> check-links no-quote-chars= quote-chars= quoting-style= " +
    "block-number show-defaults show-omitted-dirs show-snapshot-field-ranges show-transformed-names show-stored-names totals? utc verbose warning= interactive " +
    "confirmation set-mtime-command=! set-mtime-format= restrict help usage version",
  abbreviates: true,
};

const SPEC = lazySpec(TAR);

/** `--exclude` counts for what stands behind it, and other options say how: nothing is certain. */
function excludesBefore(use: CommandUse, { operands, seen, given }: ParsedOptions): ParsedOptions["given"] {
  if (seen.some((name) => /anchored|wildcards|ignore-case|add-file/.test(name))) return [];
  const [first] = operands;
  const end = first === undefined ? -1 : use.args.indexOf(first);
  const behind = use.args.slice(end + 1).some(({ text }) => /^--exc/.test(text));
  return behind ? [] : given;
}

const REACH: ReachSpec = { without: "exclude", followsLinks: "h dereference" };

export function readTar(use: CommandUse): void {
  const first = use.args[1];
  const bundled = isLiteral(first) && /^[A-Za-z]/.test(first.text) ? first.text : undefined;
  // `tar tzf x`: letters with values take the next words in turn, which is read for the one value that is
  // common.
  if (bundled !== undefined && !/^[ctxrudvzjJapkmhO]*f?[ctxrudvzjJapkmhO]*$/.test(bundled)) {
    judgeUnknown(use);
    use.goesBeyond("letters of tar that are not read here", EXECUTE);
    return;
  }
  const bundledFile = bundled?.includes("f") === true ? use.args[2] : undefined;
  const parsed = parseOptions(use, SPEC(), bundled === undefined ? 1 : bundledFile === undefined ? 2 : 3);
  const seen = [...parsed.seen, ...(bundled ?? "")];
  const value = (...names: string[]) =>
    parsed.given.filter(({ name }) => names.includes(name)).map((given) => given.value);
  const archives = [...value("f", "file"), ...(bundledFile === undefined ? [] : [bundledFile])];
  const is = (names: string) => names.split(" ").some((name) => seen.includes(name));
  if (!is("force-local")) for (const archive of archives) refuseRemote(use, archive);
  const extracts = is("x extract get");
  const changes = is("c create r append u update A catenate concatenate delete");
  for (const archive of archives) {
    if (changes) use.writePath(archive);
    else use.readPath(archive);
  }
  if (changes) use.raise(WRITE);
  // Without `-f` it is a tape, or whatever TAPE names.
  if (archives.length === 0 && !is("help version usage show-defaults")) use.unknownPaths = true;
  if (extracts && !is("O to-stdout")) {
    use.raise(EXECUTE);
    use.unknownPaths = true;
  }
  const folders = value("C", "directory");
  for (const folder of folders) {
    if (extracts) use.writePath(folder);
    else use.readPath(folder);
  }
  if (changes || is("d diff compare"))
    readMembers(
      use,
      parsed.operands,
      folders,
      reachOf(REACH, { ...parsed, seen, given: excludesBefore(use, parsed) }),
    );
  // The files that an archive names, wherever they are.
  if (is("d diff compare")) use.unknownPaths = true;
}

/**
 * Members stand in the folder of a `-C` before them; which one that is need not be known to name them all.
 */
function readMembers(
  use: CommandUse,
  members: readonly Arg[],
  folders: readonly Arg[],
  reach: TreeReach,
): void {
  for (const member of members) {
    use.useTree(member, "read", reach);
    // The tar of macOS takes the members of another archive by `@archive`.
    if (member.prefix.startsWith("@")) use.readPath(literalArg(member.text.slice(1)));
    for (const folder of folders) {
      if (folder.kind === LITERAL && member.kind === LITERAL)
        use.useTree(
          literalArg(member.text.startsWith("/") ? member.text : `${folder.text}/${member.text}`),
          "read",
          reach,
        );
      else use.unknownPaths = true;
    }
  }
}

/** `host:file` is fetched by a remote shell. */
function refuseRemote(use: CommandUse, archive: Arg): void {
  if (archive.kind === LITERAL && !archive.text.includes(":")) return;
  use.network = true;
  use.goesBeyond(`${archive.text} may be an archive on another machine`, EXECUTE);
}
