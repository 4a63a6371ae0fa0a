/** git's everyday writing subcommands, option by option, as a person expects of their names. */
import { type Description, type Subcommand, subcommand } from "./subcommand.ts";

const FROM_FILE = "pathspec-from-file=* pathspec-file-nul";
const FETCH =
  "v,verbose q,quiet all set-upstream a,append atomic upload-pack=! f,force t,tags prefetch p,prune P,prune-tags recurse-submodules? recurse-submodules-default= " +
  "dry-run write-fetch-head k,keep u,update-head-ok progress depth= shallow-since= shallow-exclude= deepen= unshallow refetch update-shallow refmap= o,server-option= " +
  "4,ipv4 6,ipv6 negotiation-tip= negotiate-only filter= auto-maintenance auto-gc show-forced-updates write-commit-graph submodule-prefix= porcelain";
const MERGE =
  "n stat summary compact-summary log? squash commit e,edit cleanup= ff ff-only rerere-autoupdate verify-signatures! s,strategy=! X,strategy-option= S,gpg-sign?! " +
  "allow-unrelated-histories progress autostash overwrite-ignore signoff verify no-verify";
const PICK =
  "quit continue abort skip cleanup= n,no-commit commit e,edit s,signoff m,mainline= rerere-autoupdate strategy=! X,strategy-option= S,gpg-sign?!";

const INDEX_HOOKS = "post-index-change";
const REF_HOOKS = "reference-transaction";
const COMMIT_HOOKS = `pre-commit prepare-commit-msg commit-msg post-commit post-rewrite pre-auto-gc ${INDEX_HOOKS} ${REF_HOOKS}`;
const MERGE_HOOKS = `${COMMIT_HOOKS} pre-merge-commit post-merge post-checkout`;
const REBASE_HOOKS = `${MERGE_HOOKS} pre-rebase applypatch-msg pre-applypatch post-applypatch`;

/** What writes commits on top of others, with whatever that takes. */
const MERGES = "worktree merge diff editor signing submodules";

const DESCRIPTIONS: Readonly<Record<string, Description>> = {
  add: {
    options: `n,dry-run v,verbose i,interactive p,patch e,edit f,force u,update renormalize N,intent-to-add A,all ignore-removal refresh ignore-errors ignore-missing sparse chmod= ${FROM_FILE} U,unified= inter-hunk-context= warn-embedded-repo auto-advance`,
    operands: "read",
    parts: "worktree diff editor submodules",
    hooks: INDEX_HOOKS,
    free: true,
  },
  commit: {
    options: `q,quiet v,verbose F,file=< author= date= m,message= c,reedit-message= C,reuse-message= fixup= squash= reset-author trailer= s,signoff t,template=< e,edit cleanup= status S,gpg-sign?! a,all i,include interactive p,patch o,only n,no-verify verify dry-run short branch ahead-behind porcelain long z,null amend no-post-rewrite post-rewrite u,untracked-files? ${FROM_FILE} allow-empty allow-empty-message U,unified= inter-hunk-context=`,
    operands: "read",
    parts: "worktree diff editor signing trailers submodules",
    hooks: COMMIT_HOOKS,
  },
  push: {
    options:
      "v,verbose q,quiet repo=@ all branches mirror d,delete tags n,dry-run porcelain f,force force-with-lease? force-if-includes recurse-submodules= thin receive-pack=! exec=! " +
      "u,set-upstream progress prune no-verify verify follow-tags signed?! atomic o,push-option= 4,ipv4 6,ipv6",
    operands: "remote",
    parts: "transport signing submodules",
    hooks: `pre-push ${REF_HOOKS}`,
  },
  fetch: {
    options: `${FETCH} m,multiple n j,jobs= stdin`,
    operands: "remote",
    parts: "transport submodules",
    hooks: `pre-auto-gc ${REF_HOOKS}`,
  },
  pull: {
    options: `${FETCH} ${MERGE} r,rebase? t,tags p,prune j,jobs? o,server-option= k,keep f,force a,append`,
    operands: "remote",
    parts: `transport ${MERGES} steps`,
    hooks: REBASE_HOOKS,
    changesFiles: true,
  },
  checkout: {
    options: `b= B= l guess overlay q,quiet recurse-submodules? progress m,merge conflict= d,detach t,track? f,force orphan= overwrite-ignore ignore-other-worktrees 2,ours 3,theirs p,patch ignore-skip-worktree-bits ${FROM_FILE} U,unified= inter-hunk-context= auto-advance`,
    operands: "checked-out",
    parts: "worktree diff merge editor submodules",
    hooks: `post-checkout ${INDEX_HOOKS} ${REF_HOOKS}`,
    free: true,
    changesFiles: true,
  },
  switch: {
    options:
      "c,create= C,force-create= guess discard-changes q,quiet recurse-submodules? progress m,merge conflict= d,detach t,track? f,force orphan= overwrite-ignore ignore-other-worktrees",
    operands: "text",
    parts: "worktree merge submodules",
    hooks: `post-checkout ${INDEX_HOOKS} ${REF_HOOKS}`,
    free: true,
    changesFiles: true,
  },
  restore: {
    options: `s,source= S,staged W,worktree ignore-unmerged overlay q,quiet recurse-submodules? progress m,merge conflict= 2,ours 3,theirs p,patch ignore-skip-worktree-bits ${FROM_FILE} U,unified= inter-hunk-context= auto-advance`,
    operands: "written",
    parts: "worktree diff merge editor submodules",
    hooks: `post-checkout ${INDEX_HOOKS}`,
    free: true,
  },
  reset: {
    options: `q,quiet no-refresh refresh mixed soft hard merge keep recurse-submodules? p,patch N,intent-to-add ${FROM_FILE} U,unified= inter-hunk-context= auto-advance`,
    operands: "checked-out",
    parts: "worktree diff editor submodules",
    hooks: `${INDEX_HOOKS} ${REF_HOOKS}`,
    free: true,
    changesFiles: true,
  },
  rm: {
    options: `n,dry-run q,quiet cached f,force r ignore-unmatch sparse ${FROM_FILE}`,
    operands: "written",
    parts: "worktree submodules",
    hooks: INDEX_HOOKS,
    free: true,
  },
  mv: {
    options: "v,verbose n,dry-run f,force k sparse",
    operands: "written",
    parts: "worktree submodules",
    hooks: INDEX_HOOKS,
    free: true,
  },
  merge: {
    options: `${MERGE} m,message= F,file=< into-name= v,verbose q,quiet abort quit continue`,
    operands: "text",
    parts: MERGES,
    hooks: MERGE_HOOKS,
    changesFiles: true,
  },
  rebase: {
    options:
      "onto= keep-base no-verify verify q,quiet v,verbose n,no-stat stat signoff committer-date-is-author-date reset-author-date ignore-date C= ignore-whitespace whitespace= " +
      "f,force-rebase no-ff ff continue skip abort quit edit-todo show-current-patch apply m,merge i,interactive rerere-autoupdate empty= autosquash update-refs S,gpg-sign?! " +
      "autostash x,exec=! r,rebase-merges? fork-point s,strategy=! X,strategy-option= root reschedule-failed-exec reapply-cherry-picks k,keep-empty allow-empty-message trailer= p,preserve-merges",
    operands: "text",
    parts: `${MERGES} trailers steps`,
    hooks: REBASE_HOOKS,
    changesFiles: true,
  },
  "cherry-pick": {
    options: `${PICK} x ff allow-empty allow-empty-message keep-redundant-commits empty=`,
    operands: "text",
    parts: MERGES,
    hooks: MERGE_HOOKS,
    changesFiles: true,
  },
  revert: {
    options: `${PICK} reference`,
    operands: "text",
    parts: MERGES,
    hooks: MERGE_HOOKS,
    changesFiles: true,
  },
  tag: {
    options:
      "l,list n? d,delete v,verify! a,annotate m,message= F,file=< e,edit s,sign! cleanup= u,local-user=! f,force create-reflog column? contains? no-contains? with? without? merged? no-merged? " +
      "sort= points-at? format=% color? i,ignore-case omit-empty trailer=",
    operands: "text",
    parts: "editor signing trailers",
    hooks: REF_HOOKS,
  },
  branch: {
    options:
      "v,verbose q,quiet t,track? u,set-upstream-to= unset-upstream color? r,remotes contains? no-contains? with? without? abbrev? a,all d,delete D m,move M c,copy C l,list show-current " +
      "create-reflog edit-description! f,force merged? no-merged? column? sort= points-at= i,ignore-case recurse-submodules format=% omit-empty set-upstream! delete-merged=! forked=",
    operands: "text",
    parts: "submodules",
    hooks: REF_HOOKS,
  },
  clean: {
    options: "q,quiet n,dry-run f,force i,interactive d e,exclude= x X",
    operands: "written",
    parts: "worktree",
    free: true,
  },
};

export const GIT_WRITERS: ReadonlyMap<string, Subcommand> = new Map(
  Object.entries(DESCRIPTIONS).map(([name, description]) => [name, subcommand(description)]),
);

const STASHES = "worktree diff merge submodules";
const STASH_HOOKS = `${INDEX_HOOKS} ${REF_HOOKS} post-checkout`;
const PUSH_OPTIONS = "k,keep-index S,staged p,patch q,quiet u,include-untracked a,all m,message=";

const STASH: Readonly<Record<string, Description>> = {
  push: {
    options: `${PUSH_OPTIONS} ${FROM_FILE} U,unified= inter-hunk-context= auto-advance`,
    operands: "written",
  },
  save: { options: PUSH_OPTIONS, operands: "text" },
  pop: { options: "q,quiet index label-ours= label-theirs= label-base=", operands: "text" },
  apply: { options: "q,quiet index label-ours= label-theirs= label-base=", operands: "text" },
  drop: { options: "q,quiet", operands: "text" },
  branch: { operands: "text" },
  clear: { operands: "text" },
  create: { operands: "text" },
  store: { options: "q,quiet m,message=", operands: "text" },
};

/** `git stash` has subcommands of its own; without one it is `push`. */
export const GIT_STASHES: ReadonlyMap<string, Subcommand> = new Map(
  Object.entries(STASH).map(([name, description]) => [
    name,
    subcommand({
      parts: `${STASHES} editor`,
      hooks: STASH_HOOKS,
      free: true,
      changesFiles: true,
      ...description,
    }),
  ]),
);
