/** Subcommands without a table of options: forms that only list are known; everything else goes beyond. */
import { wordSet } from "../../../core/text/words.ts";

export const BEYOND = wordSet(
  "config init clone submodule filter-branch filter-repo bisect remote worktree archive bundle format-patch apply am difftool mergetool hook help daemon instaweb send-email " +
    "notes gc prune repack replace update-index update-ref symbolic-ref read-tree write-tree commit-tree checkout-index hash-object mktag mktree merge-file merge-index merge-tree fast-import fast-export " +
    "pack-objects pack-refs unpack-objects unpack-file index-pack credential credential-store credential-cache lfs sparse-checkout maintenance rerere reflog ls-remote fsck " +
    "verify-commit verify-tag interpret-trailers mailinfo mailsplit request-pull svn p4 cvsimport gui citool shell upload-pack receive-pack upload-archive http-backend " +
    "update-server-info imap-send annotate bugreport diagnose multi-pack-index commit-graph fetch-pack send-pack column quiltimport backfill stage subtree range history",
);

export const BEYOND_ON_NETWORK = wordSet("clone ls-remote submodule remote");

const listing = (line: string) => new RegExp(`^(?:${line})$`);

/** An option on a line of its own, any number of them. */
const lines = (options: string) => `(?:(?:${options})(?:\\n|$))*`;

const WHICH =
  "--(?:merged|no-merged|contains|no-contains|points-at)\\n[\\w./-]+|--(?:merged|no-merged|contains|no-contains)";
/** No `%(signature)`, which asks gpg. */
const FORMAT = "--format=[^%\\n]*(?:%\\((?!signature)[\\w:=,.-]+\\)[^%\\n]*)*";
const PATTERNS = "(?:[\\w./*?][\\w./*?-]*(?:\\n|$))*";
const SORT = "--sort=[\\w:-]+|--no-color|--no-column|--column|-i|--ignore-case";

/** Forms of writing subcommands that only list, a word a line. */
export const LISTINGS: ReadonlyMap<string, RegExp> = new Map([
  [
    "branch",
    listing(lines(`-[avr]+|-vv|--all|--remotes|--list|-l|--show-current|${WHICH}|${SORT}|${FORMAT}`)),
  ],
  [
    "tag",
    listing(
      `${lines(`-n\\d*|${WHICH}|${SORT}|${FORMAT}`)}(?:(?:-l|--list)(?:\\n|$)${lines(`-n\\d*|${WHICH}|${SORT}|${FORMAT}`)}${PATTERNS}${lines(`${SORT}|${FORMAT}`)})?`,
    ),
  ],
  ["remote", listing("-v|--verbose|get-url\\n[\\w.-]+|")],
  ["stash", listing("list(?:\\n--oneline)?|show(?:\\n-p|\\n--stat|\\n-u)*(?:\\nstash@\\{\\d+\\})?")],
  ["reflog", listing("show(?:\\n[\\w./@{}][\\w./@{}-]*)?|-n\\n?\\d+|-\\d+|")],
  ["worktree", listing("list(?:\\n--porcelain|\\n-v)?")],
  [
    "config",
    listing(
      "(?:--(?:local|global|system)\\n)?(?:--get(?:-all)?\\n[\\w.-]+|[\\w-]+\\.[\\w.-]+|--list|-l|get\\n[\\w.-]+|list)(?:\\n--show-origin|\\n--name-only)*",
    ),
  ],
  // With a second name it would write.
  ["symbolic-ref", listing("(?:(?:-q|--quiet|--short)\\n)*[\\w./][\\w./-]*")],
  ["notes", listing("(?:list|show)(?:\\n[\\w./][\\w./-]*)?")],
  ["bisect", listing("log")],
]);
