/** Names that programs outside of the sandbox run by themselves: git, shells, editors, agents. */

import { wordSet, words } from "../../core/text/words.ts";
import { foldName, shellStartFiles } from "../files/inside-root/protected-names.ts";

/**
 * Why nothing of this name may appear, or undefined. `above`: the names of the two folders it is in. What
 * runs only when somebody runs the project itself (Makefile, package.json, conftest.py, CI workflows) is
 * ordinary work.
 */
export function trapReason(above: readonly string[], name: string): string | undefined {
  const folded = foldName(name);
  const first = folded.charCodeAt(0);
  // Most names of a project: neither a dot file nor one of the few without a dot.
  if (first !== dot && !plainNames.test(folded)) return inFolder(above, folded);
  for (const [reason, names] of Object.entries(byReason)) if (names.has(folded)) return reason;
  if (ownFiles.test(folded)) return agentReason;
  for (const [names, reason] of dotNames) if (names.test(folded)) return reason;
  if (plainNames.test(folded)) return reasonOfPlain(folded);
  return inFolder(above, folded);
}

/** Packages of others bring such files, and nobody works there: only repositories are looked for. */
export function isPackageFolder(name: string): boolean {
  return name === "node_modules" || name === "site-packages";
}

const dot = 46;
const agentReason = "it decides what agents do";
const shellReason = "a shell runs what is written there";
const editorReason = "an editor runs programs named in it";
const gitReason = "git runs programs named in it";
const packageReason = "a package manager runs what it names";
const startReason = "an interpreter runs it at its start";
const otherReason = "other programs run what is written there";

const byReason: Readonly<Record<string, ReadonlySet<string>>> = {
  [gitReason]: wordSet(
    ".gitconfig .gitmodules .husky .githooks .pre-commit-config.yaml .pre-commit-config.yml .overcommit.yml " +
      ".lefthook.yml .lefthook.yaml .lefthook.toml .lefthook.json .lefthook .hg .sl .jj .bzr .pijul",
  ),
  [agentReason]: wordSet(
    ".claude .claude-plugin .mcp.json .codex .gemini .cursor .windsurf .qwen .opencode .cline .copilot .continue " +
      ".roo .kiro .amp .goose .factory .trae .junie .augment .crush .crush.json .aider.conf.yml .toolgate .amazonq " +
      ".kilocode .kilo .pi .vibe .grok .openhands .continuerc.json",
  ),
  [shellReason]: new Set([
    ...shellStartFiles,
    ...words(
      ".login .logout .tmux.conf .screenrc .envrc .autoenv .autoenv.zsh .tool-versions .mise.toml .mise.local.toml " +
        ".mise .rtx.toml .rvmrc .rbenv-vars .shadowenv.d .ssh .gnupg .aws .kube",
    ),
  ]),
  [editorReason]: wordSet(
    ".vscode .idea .zed .fleet .vs .devcontainer .devcontainer.json .vimrc .nvimrc .exrc .nvim.lua .lvimrc " +
      ".local.vimrc .vim .emacs .emacs.d .dir-locals.el .dir-locals-2.el .helix .theia .bsp .gdbinit .lldbinit",
  ),
  // In the folder in which somebody starts one, whatever they want it for.
  [startReason]: wordSet(
    ".rprofile .renviron .ghci .irbrc .pryrc .iex.exs .ocamlinit .octaverc .pdbrc .perldb .psysh.php .erlang",
  ),
  [packageReason]: wordSet(
    ".npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs .pnpmfile.js .bazeliskrc .ripgreprc",
  ),
};

const dotNames: readonly (readonly [RegExp, string])[] = [
  // `source_env_if_exists .envrc.local` stands in many an `.envrc` that somebody has allowed.
  [/^\.envrc[.-](?!refused-)/, shellReason],
  [/^\.mise\.[\w.-]+\.toml$/, shellReason],
  [/^\.(?:lintstagedrc|huskyrc|simple-git-hooks)(?:\.\w+)?$/, gitReason],
];

const ownFiles = /^\.?toolgate\.(?:ya?ml|json)$/;
const plainNames =
  /^(?:toolgate\.(?:ya?ml|json)|mise(?:\.[\w-]+)?\.toml|lefthook(?:-local)?\.(?:ya?ml|toml|json)|(?:opencode|kilo)\.jsonc?|crush\.json|(?:site|user)customize\.py|.*\.code-workspace|rust-toolchain(?:\.toml)?|bunfig\.toml|buildserver\.json|lint-staged\.config\.\w+|captainhook\.json|grumphp\.ya?ml|(?:jupyter(?:_\w+)?|ipython)_config\.(?:py|json))$/;

function reasonOfPlain(folded: string): string {
  if (folded.startsWith("mise")) return shellReason;
  if (/^(?:lefthook|lint-staged|captainhook|grumphp)/.test(folded)) return gitReason;
  if (/^(?:rust-toolchain|bunfig)/.test(folded)) return packageReason;
  if (/^(?:jupyter|ipython)/.test(folded)) return startReason;
  if (folded === "buildserver.json") return editorReason;
  if (folded.endsWith("customize.py")) return "Python runs it at every start";
  return folded.endsWith(".code-workspace") ? editorReason : agentReason;
}

type Sequence = readonly [folders: readonly string[], name: RegExp, reason: string];

const sequences: readonly Sequence[] = [
  [[".config"], /^(?:git|jj|mise)$/, gitReason],
  [[".config"], /^(?:fish|autostart|systemd|environment\.d|direnv)$/, otherReason],
  [[".config"], /^(?:toolgate|claude|opencode|kilo)$/, agentReason],
  // Hooks and servers of agents. Workflows are ordinary work: they run elsewhere, after a push.
  [[".github"], /^(?:hooks|copilot|mcp\.json)$/, agentReason],
  [[".gitlab"], /^duo$/, agentReason],
  [[".direnv"], /\.rc$/, shellReason],
  [[".local"], /^bin$/, otherReason],
  [["library"], /^launchagents$/, otherReason],
  [[".cargo"], /^config(?:\.toml)?$/, packageReason],
  [[".yarn"], /^(?:releases|plugins)$/, packageReason],
  [[".mvn"], /^(?:extensions\.xml|jvm\.config|maven\.config)$/, packageReason],
  [[".local", "state"], /^toolgate$/, agentReason],
];

function inFolder(above: readonly string[], folded: string): string | undefined {
  const parent = above.at(-1);
  // Each sequence starts with a dot file, or with a folder of a Mac.
  if (parent === undefined || !/^\.|^library$|^state$/i.test(parent)) return undefined;
  const folders = above.map(foldName);
  for (const [names, name, reason] of sequences) {
    if (name.test(folded) && names.every((one, at) => folders.at(at - names.length) === one)) return reason;
  }
  return undefined;
}
