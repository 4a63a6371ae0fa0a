/** Subcommands without a table of options: forms that only list are known as a whole, everything else of them goes beyond. */

const list = (text: string) => new Set(text.split(" "));

export const BEYOND = list(
  "config init clone submodule filter-branch filter-repo bisect remote worktree archive bundle format-patch apply am difftool mergetool hook help daemon instaweb send-email " +
    "notes gc prune repack replace update-index update-ref symbolic-ref read-tree write-tree commit-tree checkout-index hash-object mktag mktree merge-file merge-index merge-tree fast-import fast-export " +
    "pack-objects pack-refs unpack-objects unpack-file index-pack credential credential-store credential-cache lfs sparse-checkout maintenance rerere reflog ls-remote fsck " +
    "verify-commit verify-tag interpret-trailers mailinfo mailsplit request-pull svn p4 cvsimport gui citool shell upload-pack receive-pack upload-archive http-backend " +
    "update-server-info imap-send annotate bugreport diagnose multi-pack-index commit-graph fetch-pack send-pack column quiltimport backfill stage subtree range history",
);

export const BEYOND_ON_NETWORK = list("clone ls-remote submodule remote");

/** Forms of writing subcommands that only list. */
export const LISTINGS: ReadonlyMap<string, RegExp> = new Map([
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
