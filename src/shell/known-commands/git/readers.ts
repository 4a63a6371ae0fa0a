/**
 * git's reading subcommands, option by option. A test asks the installed git for its options and fails for
 * one that is not here. `parts` says what each comes across in the repository's configuration: `git show-ref`
 * runs no filter, whatever the repository says.
 */
import { type Description, type Subcommand, subcommand } from "./subcommand.ts";

const DIFF =
  "p,patch u s,no-patch U,unified? W,function-context raw patch-with-raw patch-with-stat numstat shortstat X,dirstat? cumulative dirstat-by-file? " +
  "check summary name-only name-status stat? stat-width= stat-name-width= stat-graph-width= stat-count= compact-summary binary full-index color? " +
  "ws-error-highlight= z abbrev? src-prefix= dst-prefix= line-prefix= no-prefix default-prefix inter-hunk-context= output-indicator-new= " +
  "output-indicator-old= output-indicator-context= B,break-rewrites? M,find-renames? D,irreversible-delete C,find-copies? find-copies-harder no-renames " +
  "renames rename-empty follow l= minimal w,ignore-all-space b,ignore-space-change ignore-space-at-eol ignore-cr-at-eol ignore-blank-lines " +
  "I,ignore-matching-lines= indent-heuristic patience histogram diff-algorithm= anchored= word-diff? word-diff-regex= color-words? color-moved? " +
  "color-moved-ws= relative? a,text R exit-code quiet ext-diff! textconv! ignore-submodules? submodule? ita-invisible-in-index " +
  "ita-visible-in-index S= G= pickaxe-all pickaxe-regex O=< rotate-to= skip-to= find-object= diff-filter= output=> " +
  "r t m c cc combined-all-paths remerge-diff diff-merges= dd no-diff-merges max-depth?";

const REVISIONS =
  "n,max-count= skip= since= after= since-as-filter= until= before= max-age= min-age= author= committer= grep= grep-reflog= all-match invert-grep " +
  "i,regexp-ignore-case basic-regexp E,extended-regexp F,fixed-strings P,perl-regexp remove-empty merges no-merges min-parents? max-parents? " +
  "no-min-parents no-max-parents first-parent exclude-first-parent-only not all branches? tags? remotes? glob= exclude= exclude-hidden= reflog " +
  "alternate-refs! single-worktree ignore-missing stdin! bisect cherry-mark cherry-pick left-only right-only cherry g,walk-reflogs merge " +
  "boundary maximal-only simplify-by-decoration show-pulls full-history dense sparse simplify-merges ancestry-path? date-order " +
  "author-date-order topo-order reverse no-walk? do-walk pretty?% format=% abbrev-commit no-abbrev-commit oneline encoding= expand-tabs? " +
  "notes? no-notes show-notes? show-notes-by-default standard-notes show-signature! relative-date date= parents children left-right graph " +
  "no-graph show-linear-break? graph-lane-limit? count filter? no-filter exclude-promisor-objects objects objects-edge unpacked missing?";

const LOG = `${DIFF} ${REVISIONS} q,quiet source use-mailmap mailmap clear-decorations decorate-refs= decorate-refs-exclude= decorate? L=: log-size default=`;

/** What shows differences of commits. gpg: by configuration a log checks signatures. */
const HISTORY = "diff merge signing submodules";
/** What compares with the work tree, and keeps what it learned in the index. */
const COMPARES = "worktree diff merge submodules";
const REFRESHES = "post-index-change";

const log: Description = {
  options: LOG,
  operands: "revisions",
  parts: HISTORY,
  numbers: true,
  ofRevisions: true,
};
const rawDiff: Description = {
  options: `${DIFF} q cached merge-base 0 1 2 3 base ours theirs`,
  operands: "revisions",
  parts: COMPARES,
  hooks: REFRESHES,
  numbers: true,
  ofRevisions: true,
};

const DESCRIPTIONS: Readonly<Record<string, Description>> = {
  log,
  show: log,
  // Newer versions of git let an alias take its place.
  whatchanged: { ...log, options: `${LOG} i-still-use-this`, parts: `${HISTORY} aliases` },
  "rev-list": {
    ...log,
    options: `${DIFF} ${REVISIONS} q,quiet use-mailmap mailmap header timestamp disk-usage? in-commit-order bisect-vars bisect-all object-names indexed-objects use-bitmap-index progress? no-commit-header commit-header`,
  },
  shortlog: {
    options: `${REVISIONS} n,numbered s,summary e,email c,committer w? group= use-mailmap mailmap`,
    operands: "revisions",
    numbers: true,
    ofRevisions: true,
  },
  diff: { ...rawDiff, options: `${DIFF} cached staged merge-base no-index 0 1 2 3 base ours theirs` },
  "diff-tree": {
    ...rawDiff,
    options: `${DIFF} v root no-commit-id always pretty?% format=% stdin! merge-base`,
  },
  "diff-index": rawDiff,
  "diff-files": rawDiff,
  "range-diff": {
    options: `${DIFF} creation-factor= no-dual-color dual-color left-only right-only notes? no-notes diff-merges= max-memory= remerge-diff`,
    operands: "revisions",
    parts: HISTORY,
    numbers: true,
    ofRevisions: true,
  },
  status: {
    options:
      "v,verbose s,short b,branch show-stash ahead-behind porcelain? long z,null u,untracked-files? ignored? ignore-submodules? column? no-renames renames M,find-renames?",
    operands: "names",
    parts: COMPARES,
    hooks: REFRESHES,
  },
  blame: {
    options:
      "incremental b root show-stats progress score-debug f,show-name n,show-number p,porcelain line-porcelain c t l s e,show-email w ignore-rev= ignore-revs-file=< " +
      "color-lines color-by-age minimal S=< contents=< C? M? L= abbrev? date= encoding= since= reverse first-parent diff-algorithm=",
    operands: "revisions",
    parts: "worktree diff",
    ofRevisions: true,
  },
  grep: {
    options:
      "cached no-index index untracked exclude-standard recurse-submodules v,invert-match i,ignore-case w,word-regexp a,text I textconv! r,recursive max-depth= " +
      "E,extended-regexp G,basic-regexp F,fixed-strings P,perl-regexp n,line-number column h H full-name l,files-with-matches name-only L,files-without-match z,null " +
      "o,only-matching c,count color? break heading C,context= B,before-context= A,after-context= threads= p,show-function W,function-context f=< e= and or not " +
      "q,quiet all-match O,open-files-in-pager?! ext-grep m,max-count=",
    operands: "pattern",
    parts: "diff submodules",
    numbers: true,
  },
  describe: {
    options:
      "contains debug all tags long first-parent abbrev? exact-match candidates= match= exclude= always dirty? broken?",
    operands: "text",
    parts: "worktree submodules",
    hooks: REFRESHES,
  },
  "rev-parse": {
    options:
      "q,quiet verify short? abbrev-ref? symbolic symbolic-full-name show-toplevel show-prefix show-cdup git-dir absolute-git-dir git-common-dir is-inside-work-tree " +
      "is-inside-git-dir is-bare-repository is-shallow-repository all branches? tags? remotes? glob= exclude= exclude-hidden= disambiguate= not revs-only no-revs flags no-flags " +
      "sq sq-quote since= after= until= before= show-object-format? show-ref-format git-path= path-format= show-superproject-working-tree shared-index-path local-env-vars " +
      "default= end-of-options parseopt! prefix=! resolve-git-dir=! bisect",
    operands: "names",
    ofRevisions: true,
  },
  "ls-files": {
    options:
      "z t v f c,cached d,deleted m,modified o,others i,ignored s,stage k,killed directory eol empty-directory u,unmerged resolve-undo x,exclude= X,exclude-from=< " +
      "exclude-per-directory= exclude-standard full-name recurse-submodules error-unmatch with-tree= abbrev? debug deduplicate sparse format=%",
    operands: "names",
    parts: "worktree submodules",
  },
  "ls-tree": {
    options: "d r t z l,long name-only name-status object-only full-name full-tree format=% abbrev?",
    operands: "names",
  },
  "cat-file": {
    options:
      "e p t s Z z allow-unknown-type use-mailmap mailmap batch?! batch-check? batch-command?! batch-all-objects buffer follow-symlinks unordered textconv! filters! path=! filter=",
    operands: "revisions",
  },
  "name-rev": {
    options: "name-only tags refs= exclude= all stdin annotate-stdin undefined always peel-tag",
    operands: "text",
  },
  "merge-base": { options: "a,all octopus independent is-ancestor fork-point", operands: "text" },
  "for-each-ref": {
    options:
      "s,shell p,perl python tcl count= format=% color? sort= points-at= merged? no-merged? contains? no-contains? ignore-case omit-empty exclude= stdin include-root-refs start-after=",
    operands: "text",
  },
  "show-ref": {
    options:
      "tags heads branches verify exists head d,dereference s,hash? abbrev? q,quiet exclude-existing? h",
    operands: "text",
  },
  "show-branch": {
    options:
      "a,all r,remotes color? more? list no-name name current sha1-name merge-base independent topo-order topics sparse date-order g,reflog?",
    operands: "text",
  },
  cherry: { options: "abbrev? v,verbose", operands: "text", parts: "diff" },
  "count-objects": { options: "v,verbose H,human-readable", operands: "text" },
  "check-ignore": { options: "q,quiet v,verbose stdin z n,non-matching no-index index", operands: "names" },
  "check-attr": { options: "a,all cached stdin z source=", operands: "names" },
  "check-ref-format": {
    options: "branch normalize allow-onelevel no-allow-onelevel refspec-pattern",
    operands: "text",
  },
  var: { options: "l", operands: "text" },
  version: { options: "build-options", operands: "text" },
  stripspace: { options: "s,strip-comments c,comment-lines", operands: "text" },
  "verify-pack": { options: "v,verbose s,stat-only object-format=", operands: "read" },
};

export const GIT_READERS: ReadonlyMap<string, Subcommand> = new Map(
  Object.entries(DESCRIPTIONS).map(([name, description]) => [name, subcommand(description)]),
);
