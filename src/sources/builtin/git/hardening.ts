/**
 * What git is told with every command, so that nothing the repository or its configuration names is run: no
 * hooks, no file system monitor, no pager, editor, signing program, credential helper, transport or
 * background maintenance. What depends on names that the repository chooses (filters, configured hooks) is
 * switched off name by name in `named-helpers.ts`.
 */

/** A folder that only looks like a repository is none, also where git is otherwise as configured. */
export const onlyNamedRepositories: readonly string[] = ["safe.bareRepository=explicit"];

/** Empty values switch off; they win over every file of configuration. */
export const fixedSettings: readonly string[] = [
  ...onlyNamedRepositories,
  "core.fsmonitor=",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  "core.editor=:",
  "core.askPass=",
  "core.sshCommand=false",
  "core.alternateRefsCommand=",
  "credential.helper=",
  "protocol.allow=never",
  "protocol.ext.allow=never",
  "commit.gpgSign=false",
  "log.showSignature=false",
  "gpg.program=false",
  "gpg.openpgp.program=false",
  "gpg.x509.program=false",
  "gpg.ssh.program=false",
  "gpg.ssh.defaultKeyCommand=",
  // Else a merge is done again to show what it changed, with the merge drivers of the repository.
  "log.diffMerges=separate",
  "gc.auto=0",
  "maintenance.auto=false",
  // Submodules have configuration of their own, which these settings do not reach.
  "submodule.recurse=false",
  "status.submoduleSummary=false",
  "diff.submodule=short",
  // How things look, the same for everybody.
  "core.quotePath=false",
  "color.ui=false",
];

/** For commands that compare contents: no external program, no conversion, no look into submodules. */
export const diffOptions: readonly string[] = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--submodule=short",
  "--ignore-submodules=dirty",
];

export const fixedEnvironment: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  // Reading must not write: no refreshed index.
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // A partial clone fetches what it lacks, by any transport it names. No transport has this name.
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_PAGER: "cat",
  PAGER: "cat",
  GIT_EDITOR: ":",
  GIT_ASKPASS: "",
  LC_ALL: "C",
  LANGUAGE: "",
  TERM: "dumb",
};
