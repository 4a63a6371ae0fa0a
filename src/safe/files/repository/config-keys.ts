/**
 * Which keys of a repository's configuration make git run a program, and for which commands that counts. An
 * allow list: a key of git's that is not here may be one of a newer git, and a section that nobody knows may
 * belong to a program that git starts.
 */
import type { RepositoryPart } from "../../../core/ports/repository.ts";
import { eachWord, wordSet } from "../../../core/text/words.ts";
import type { ConfigEntry } from "./parse-config.ts";

/** `always`: for every command. `hooks`: for commands that have any. Undefined: it runs nothing. */
export type Concern = RepositoryPart | "hooks" | "always" | undefined;

export function concernOf(entry: ConfigEntry): Concern {
  const { section, name, key, value } = entry;
  if (!sections.has(section)) return "always";
  const rule = sections.get(section);
  return typeof rule === "function" ? rule(key, value, name) : rule;
}

/** An address that starts no program: neither a helper (`ext::`) nor a folder, which has its own hooks. */
export function isPlainAddress(address: string): boolean {
  if (/^(?:https?|ssh|git|git\+ssh|ssh\+git):\/\/[^-]/i.test(address)) return true;
  return /^(?:[\w.+-]+@)?[A-Za-z0-9][\w.-]*:(?!:)/.test(address);
}

export function isRemoteName(value: string): boolean {
  return value === "." || /^[\w-][\w.-]*$/.test(value);
}

type Rule = (key: string, value: string, name: string | undefined) => Concern;

const harmless = undefined;
/** Keys of the list do nothing; all others are what `otherwise` says. */
function only(text: string, otherwise: Concern): Rule {
  const known = wordSet(text);
  return (key) => (known.has(key) ? harmless : otherwise);
}

const isSwitch = (value: string) => /^(?:true|false|yes|no|on|off|\d+|)$/i.test(value);

const coreKeys = wordSet(
  "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf quotepath preloadindex fscache untrackedcache " +
    "longpaths protecthfs protectntfs trustctime checkstat compression loosecompression bigfilethreshold packedgitwindowsize packedgitlimit deltabasecachelimit " +
    "sparsecheckout sparsecheckoutcone sharedrepository abbrev commentchar commentstring whitespace warnambiguousrefs attributesfile excludesfile hidedotfiles " +
    "multipackindex commitgraph usereplacerefs createobject fsync fsyncmethod fsyncobjectfiles filesreflocktimeout packedrefstimeout notesref disambiguate " +
    "splitindex alternaterefsprefixes checkroundtripencoding maxtreedepth usebuiltinfsmonitor worktree lockfilepid",
);

const core: Rule = (key, value) => {
  if (coreKeys.has(key)) return harmless;
  switch (key) {
    case "fsmonitor":
      return isSwitch(value) ? harmless : "worktree";
    case "hookspath":
      return "hooks";
    case "editor":
      return "editor";
    case "pager":
      return value === "" || value === "cat" || value === "less" ? harmless : "always";
    case "sshcommand":
      return plainSsh.test(value) ? harmless : "transport";
    case "gitproxy":
    case "askpass":
    case "alternaterefscommand":
      return "transport";
    default:
      return "always";
  }
};

/** A key of one's own for this repository is what people set here. */
const plainSsh = /^ssh(?: +-i +[\w~./@+-]+| +-o +IdentitiesOnly=yes)*$/;

const diffKeys = wordSet(
  "algorithm autorefreshindex colormoved colormovedws context dirstat ignoresubmodules indentheuristic interhunkcontext mnemonicprefix noprefix srcprefix dstprefix " +
    "orderfile relative renamelimit renames statgraphwidth statnamewidth submodule suppressblankempty tool guitool wordregex wserrorhighlight trustexitcode",
);
const diffDriverKeys = wordSet("binary xfuncname funcname wordregex cachetextconv algorithm trustexitcode");

const diff: Rule = (key, _, name) =>
  (name === undefined ? diffKeys : diffDriverKeys).has(key) ? harmless : "diff";

/** What `git lfs install --local` writes. */
const lfsFilter = /^git-lfs (?:clean(?: --skip)? -- %f|smudge(?: --skip)? -- %f|filter-process(?: --skip)?)$/;

const remoteKeys = wordSet(
  "fetch push tagopt prune prunetags skipdefaultupdate skipfetchall mirror promisor partialclonefilter followremotehead gh-resolved serveroption negotiationinclude",
);

const remote: Rule = (key, value, name) => {
  if (name === undefined) return isRemoteName(value) ? harmless : "transport";
  if (key === "url" || key === "pushurl") return isPlainAddress(value) ? harmless : "transport";
  return remoteKeys.has(key) ? harmless : "transport";
};

const branch: Rule = (key, value) => {
  if (key === "remote" || key === "pushremote") return isRemoteName(value) ? harmless : "transport";
  return key === "mergeoptions" ? "merge" : harmless;
};

/** A helper by its bare name is a program that was installed on purpose. */
const credential: Rule = (key, value) => {
  if (key === "username" || key === "usehttppath" || key === "interactive" || key === "protectprotocol")
    return harmless;
  const known = /^(?:store|cache|osxkeychain|manager|manager-core|libsecret|wincred|gcloud\.sh|)$/;
  return key === "helper" && known.test(value) ? harmless : "transport";
};

const keyOf = (dangerous: string, concern: Concern): Rule => {
  const keys = wordSet(dangerous);
  return (key) => (keys.has(key) ? concern : harmless);
};

const plainSections =
  "advice am apply author bitmap blame browser bundle checkout clean clone color column commit committer completion difftool feature fsck grep gui guitool help i18n " +
  "imap index init instaweb log lsrefs mailinfo mailmap maintenance man mergetool notes pack pretty promisor push rebase receive remotes repack rerere reset revert safe " +
  "sendemail showbranch sparse splitindex stash status tag tar transfer uploadarchive user versionsort web worktree format ssh gitweb gitcvs diagnose " +
  // Programs around git that keep something here and are not started by it.
  "gitflow git-town gitg gitk github gitlab hub gerrit gh cola magit forge gitbutler gitkraken gk sourcetree tortoisegit tgit bugtraq vscode jj branchless stgit graphite spice " +
  "svn-remote svn git-p4 delta absorb husky lint-staged pre-commit annex review gitreview issues codecommit town custom codespaces devcontainer copilot";

const sections: ReadonlyMap<string, Concern | Rule> = new Map<string, Concern | Rule>([
  ...eachWord(plainSections, harmless),
  ["core", core],
  ["diff", diff],
  ["remote", remote],
  ["branch", branch],
  ["credential", credential],
  ["filter", (key, value) => (key === "required" || lfsFilter.test(value) ? harmless : "worktree")],
  ["merge", (key, value) => (key === "driver" && value !== "true" ? "merge" : harmless)],
  ["pull", keyOf("twohead octopus", "merge")],
  ["hook", "hooks"],
  ["alias", "aliases"],
  ["gc", keyOf("recentobjectshook", "always")],
  ["pager", (_, value) => (isSwitch(value) || value === "cat" ? harmless : "always")],
  ["sequence", "editor"],
  ["interactive", (key) => (key === "difffilter" ? "diff" : harmless)],
  [
    "gpg",
    (key, value) => (key === "program" && !/^gpg2?$/.test(value) ? "signing" : gpg(key, value, undefined)),
  ],
  ["trailer", keyOf("command cmd", "trailers")],
  ["submodule", (key, value) => (key === "update" && value.startsWith("!") ? "submodules" : harmless)],
  ["url", (_, __, name) => (isPlainAddress(name ?? "") ? harmless : "transport")],
  [
    "protocol",
    (key, value) => (key === "version" || /^(?:never|user)$/.test(value) ? harmless : "transport"),
  ],
  ["fetch", keyOf("bundleuri", "transport")],
  ["uploadpack", keyOf("packobjectshook", "transport")],
  [
    "http",
    only(
      "extraheader postbuffer version sslverify lowspeedlimit lowspeedtime sslbackend sslcainfo useragent followredirects emptyauth maxrequests schannelcheckrevoke",
      "transport",
    ),
  ],
  // git-lfs runs extensions and transfer agents that are named here.
  [
    "lfs",
    only(
      "url pushurl locksverify repositoryformatversion access fetchinclude fetchexclude concurrenttransfers activitytimeout dialtimeout tlstimeout keepalive basictransfersonly " +
        "fetchrecentrefsdays fetchrecentcommitsdays fetchrecentremoterefs pruneoffsetdays pruneverifyremotealways skipdownloaderrors setlockablereadonly lockignoredfiles batch remote autodetect searchall",
      "worktree",
    ),
  ],
  [
    "extensions",
    only(
      "objectformat compatobjectformat refstorage worktreeconfig partialclone noop preciousobjects relativeworktrees",
      "always",
    ),
  ],
  // Read where they are met.
  ["include", harmless],
  ["includeif", harmless],
]);

const gpg = only("format program allowedsignersfile revocationfile mintrustlevel", "signing");
