/** What a command line would do, as far as one knows without running it. From `shell/` for `rules/`. */
import type { RepositoryUse } from "./repository.ts";

/** From harmless to unknown; `opaque` means: not fully understood, so never approved without a person. */
export type CommandRisk = "read" | "write" | "execute" | "opaque";

export interface JudgedCommand {
  /** The literal words, quotes removed; the first one is the program as written. */
  readonly argv: readonly string[];
  /** Indexes of the words in `argv` that are not literal (`$x`, `*.ts`, `$(...)`) and stand as written. */
  readonly dynamic: readonly number[];
  readonly risk: CommandRisk;
  /** Paths as written that the command reads or writes by its arguments. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Glob words as written (`src/*.ts`) that name paths it reads or writes. */
  readonly globs: readonly string[];
  /** Some path it touches is not known before it runs (`cat "$f"`). */
  readonly unknownPaths: boolean;
  /**
   * The line does not choose them: a variable of the environment that is only looked at (`ls "$DIR"`), files
   * of a repository (`git pull`).
   */
  readonly pathsNotChosen?: true;
  readonly network: boolean;
  /** Folders that it reads or writes with what lies below them. */
  readonly trees?: readonly CommandTree[];
  /**
   * Files of the workspace that would choose what it runs or whom it asks (globs): only where none is there
   * is its risk as stated.
   */
  readonly settings?: readonly string[];
  /**
   * Why this use does more than the program's plain use (`sort -o`, `find -delete`): a rule that names only
   * the program does not cover it.
   */
  readonly beyond?: string;
  /** Set for git: what it does depends on the repository that it finds. */
  readonly repository?: RepositoryUse;
  /** The wrappers it was found in, as written, outermost first: `["sudo", "/usr/bin/env"]`. */
  readonly via: readonly string[];
  /** It runs behind a `cd`: not in the folder that the line starts in. */
  readonly elsewhere?: true;
  /** The line feeds something into it: by a pipe, a redirect, a here-document or a here-string. */
  readonly fed?: true;
  /**
   * Commands that it is given to run (`npx rm`), for rules that stop one. Nothing that they do is told by the
   * rest, and no rule approves by them.
   */
  readonly runs?: readonly JudgedCommand[];
}

/** A folder as written, and what of it a program reaches by itself. */
export interface CommandTree {
  readonly path: string;
  /** The path is a pattern, and stands for each folder that it matches. */
  readonly glob?: true;
  readonly access: "read" | "write";
  /** Names that begin with a dot are left out, unless they are named. */
  readonly skipsHidden?: true;
  /** Files with such names are opened although they begin with a dot (`rg -t sh`). */
  readonly hiddenFiles?: readonly string[];
  /** What the repository ignores is left out. */
  readonly skipsIgnored?: true;
  /** Links below it are followed. */
  readonly followsLinks?: true;
  /** Only files with such names are opened (`--include`); `*` and `?` as in a shell. */
  readonly only?: readonly string[];
  /** Names that are left out: of both kinds, of files (`--exclude`), of folders (`--exclude-dir`). */
  readonly without?: readonly string[];
  readonly withoutFiles?: readonly string[];
  readonly withoutFolders?: readonly string[];
}

export interface CommandRedirect {
  readonly path: string;
  readonly access: "read" | "write";
  /** The command that reads it, for rules that name the program. */
  readonly command?: JudgedCommand;
}

export interface OpaquePart {
  readonly reason: string;
  readonly text: string;
}

export interface CommandJudgement {
  /** The highest risk of all parts. */
  readonly risk: CommandRisk;
  readonly commands: readonly JudgedCommand[];
  readonly redirects: readonly CommandRedirect[];
  readonly network: boolean;
  readonly opaque: readonly OpaquePart[];
  /** Some text of it was not even parsed, so that paths in it are among none of these. */
  readonly unread?: true;
}

export type ShellDialect = "bash" | "zsh";

export interface CommandContext {
  readonly cwd: string;
  /** What `~` and `$HOME` mean; without it such paths stay as `~/...`. */
  readonly home?: string;
  readonly shell?: "bash" | "powershell" | "cmd";
  /**
   * Which shell of the bash family reads the line. `zsh`: it is or may be zsh, so the line must mean the same
   * in both.
   */
  readonly dialect?: ShellDialect;
}

export type CommandJudge = (commandLine: string, context: CommandContext) => CommandJudgement;
