/** Options of git's reading subcommands that neither write files nor run helper programs. */

import { type CompiledSpec, compileSpec, type OptionSpec } from "../options.ts";

const DIFF =
  "patch no-patch raw stat? numstat shortstat dirstat? summary name-only name-status patch-with-stat compact-summary unified= inter-hunk-context= minimal patience histogram " +
  "anchored= diff-algorithm= word-diff? word-diff-regex= color-words? color? no-color color-moved? no-color-moved color-moved-ws= no-renames rename-empty no-rename-empty check full-index binary abbrev? " +
  "no-abbrev break-rewrites? find-renames? find-copies? find-copies-harder irreversible-delete diff-filter= pickaxe-all pickaxe-regex relative? no-relative text " +
  "ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= function-context exit-code quiet no-ext-diff no-textconv " +
  "ignore-submodules? src-prefix= dst-prefix= no-prefix default-prefix line-prefix= cached staged merge-base no-index cc combined-all-paths ours theirs base indent-heuristic no-indent-heuristic ws-error-highlight= skip-to= rotate-to=";
const DIFF_FLAGS = "puasbwRWzrctm";
const DIFF_VALUES = "SGlI";
const DIFF_ATTACHED = "UMCBDX";

const LOG =
  "oneline graph all branches? tags? remotes? glob= exclude= decorate? no-decorate decorate-refs= decorate-refs-exclude= clear-decorations source follow no-follow first-parent merges " +
  "no-merges min-parents= max-parents= no-min-parents no-max-parents max-count= skip= since= after= since-as-filter= until= before= author= committer= grep= grep-reflog= all-match invert-grep " +
  "regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp reverse topo-order date-order author-date-order walk-reflogs reflog cherry cherry-pick cherry-mark left-right " +
  "left-only right-only boundary simplify-by-decoration full-history dense sparse simplify-merges ancestry-path? show-pulls date= relative-date parents children abbrev-commit no-abbrev-commit " +
  "encoding= expand-tabs? no-expand-tabs notes? no-notes show-notes? log-size mailmap use-mailmap no-mailmap no-use-mailmap count objects no-walk? do-walk remove-empty not ignore-missing bisect diff-merges= no-diff-merges";

const SHOW_FORMAT = "format= pretty?";

function diffLike(more: string, extra: OptionSpec = {}): CompiledSpec {
  return compileSpec({
    flags: DIFF_FLAGS + (extra.flags ?? ""),
    values: DIFF_VALUES + (extra.values ?? ""),
    attached: DIFF_ATTACHED + (extra.attached ?? ""),
    reads: "O",
    long: `${DIFF} ${more}`,
    numbers: true,
  });
}

const LOG_SPEC = diffLike(`${LOG} ${SHOW_FORMAT} L=`, { flags: "giEFPq", values: "nL" });

export const GIT_READERS: ReadonlyMap<string, CompiledSpec> = new Map<string, CompiledSpec>([
  ["log", LOG_SPEC],
  ["whatchanged", LOG_SPEC],
  ["show", LOG_SPEC],
  [
    "rev-list",
    diffLike(`${LOG} ${SHOW_FORMAT} header timestamp disk-usage? objects-edge in-commit-order unpacked`, {
      values: "n",
    }),
  ],
  [
    "shortlog",
    compileSpec({
      flags: "nsecw",
      attached: "w",
      long: `numbered summary email committer group= ${LOG} ${SHOW_FORMAT}`,
    }),
  ],
  ["diff", diffLike("")],
  ["diff-tree", diffLike(`${SHOW_FORMAT} root no-commit-id always`, { flags: "v" })],
  ["diff-index", diffLike("")],
  ["diff-files", diffLike("", { flags: "q" })],
  ["range-diff", diffLike("creation-factor= no-dual-color left-only right-only notes? no-notes")],
  [
    "status",
    compileSpec({
      flags: "sbvzu",
      attached: "u",
      long: "short branch show-stash porcelain? long verbose untracked-files? ignore-submodules? ignored? ahead-behind no-ahead-behind renames no-renames find-renames? column? no-column null",
    }),
  ],
  [
    "blame",
    compileSpec({
      flags: "blrtswefnpckMC",
      attached: "MC",
      values: "LS",
      long: "root show-stats show-name show-number porcelain line-porcelain incremental date= encoding= since= score-debug show-email abbrev= ignore-rev= ignore-revs-file=< color-lines color-by-age minimal progress no-progress reverse first-parent",
    }),
  ],
  [
    "grep",
    compileSpec({
      flags: "aiIrwvhHEGPFnlLzocpWq",
      values: "ABCemd",
      reads: "f",
      numbers: true,
      long: "cached untracked no-index no-exclude-standard exclude-standard text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count color? no-color break heading show-function after-context= before-context= context= max-count= max-depth= recursive no-recursive function-context threads= and or not all-match quiet no-textconv",
    }),
  ],
  [
    "describe",
    compileSpec({
      long: "all tags contains abbrev= candidates= exact-match debug long match= exclude= always first-parent dirty? broken?",
    }),
  ],
  [
    "rev-parse",
    compileSpec({
      flags: "q",
      long: "verify quiet short? abbrev-ref? symbolic symbolic-full-name show-toplevel show-prefix show-cdup git-dir absolute-git-dir git-common-dir is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository all branches? tags? remotes? glob= exclude= disambiguate= not revs-only no-revs flags no-flags sq since= after= until= before= show-object-format? show-ref-format git-path= path-format= show-superproject-working-tree shared-index-path local-env-vars default= end-of-options",
    }),
  ],
  [
    "ls-files",
    compileSpec({
      flags: "cdomikstuvfzr",
      values: "x",
      reads: "X",
      long: "cached deleted others modified ignored stage unmerged killed directory no-empty-directory eol deduplicate exclude= exclude-from=< exclude-per-directory= exclude-standard error-unmatch with-tree= full-name abbrev? debug sparse format= resolve-undo",
    }),
  ],
  [
    "ls-tree",
    compileSpec({
      flags: "drtlz",
      long: "long name-only name-status object-only abbrev? full-name full-tree format=",
    }),
  ],
  [
    "cat-file",
    compileSpec({
      flags: "tsepZ",
      long: "batch? batch-check? batch-all-objects buffer unordered allow-unknown-type follow-symlinks",
    }),
  ],
  [
    "name-rev",
    compileSpec({
      long: "tags refs= exclude= all annotate-stdin stdin name-only no-undefined undefined always",
    }),
  ],
  ["merge-base", compileSpec({ flags: "a", long: "all octopus independent is-ancestor fork-point" })],
  [
    "for-each-ref",
    compileSpec({
      flags: "s",
      long: "count= sort= format= color? shell points-at= merged? no-merged? contains? no-contains? ignore-case omit-empty exclude= stdin",
    }),
  ],
  [
    "show-ref",
    compileSpec({
      flags: "dhqs",
      long: "head heads tags branches dereference hash? verify exists quiet abbrev? exclude-existing?",
    }),
  ],
  [
    "show-branch",
    compileSpec({
      flags: "arg",
      long: "all remotes current topo-order date-order sparse more? list merge-base independent no-name sha1-name topics reflog? color? no-color",
    }),
  ],
  ["cherry", compileSpec({ flags: "v", long: "abbrev?" })],
  ["count-objects", compileSpec({ flags: "vH", long: "verbose human-readable" })],
  ["check-ignore", compileSpec({ flags: "qvzn", long: "quiet verbose stdin no-index non-matching" })],
  ["check-attr", compileSpec({ flags: "az", long: "all cached stdin source=" })],
  [
    "check-ref-format",
    compileSpec({ long: "branch normalize allow-onelevel no-allow-onelevel refspec-pattern" }),
  ],
  ["var", compileSpec({ flags: "l" })],
  ["version", compileSpec({ long: "build-options" })],
  ["stripspace", compileSpec({ flags: "sc", long: "strip-comments comment-lines" })],
  ["verify-pack", compileSpec({ flags: "vs", long: "verbose stat-only" })],
]);
