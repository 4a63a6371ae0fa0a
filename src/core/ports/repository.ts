/** What a git command takes from the repository that it runs in, asked of the disk through a port. */

/**
 * What of a repository's own configuration a command comes across. A pager, the place of the work tree and
 * keys that nobody knows count for every command, so they are not listed here.
 */
export type RepositoryPart =
  /** Looks at files of the work tree: fsmonitor, filters. */
  | "worktree"
  | "diff"
  | "merge"
  | "editor"
  | "signing"
  | "trailers"
  /** Talks to a remote: ssh, proxies, credential helpers, where a remote's address leads. */
  | "transport"
  /** Runs git in submodules, which have configuration of their own. */
  | "submodules"
  /** Goes on with a list of steps that an earlier command left behind. */
  | "steps"
  | "aliases";

export interface RepositoryUse {
  /** The folders it may run in, as written. */
  readonly directories: readonly string[];
  readonly parts: readonly RepositoryPart[];
  /** The hooks that it runs where they exist. */
  readonly hooks: readonly string[];
  /** Words that are names of remotes, or else paths. */
  readonly remotes: readonly string[];
  /**
   * Paths with wildcards that git itself reads, and (`:/path`) those that start at the top of the work tree.
   */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** The wildcards stand for files that git does not know yet, too. */
  readonly untracked: boolean;
  /**
   * What earlier parts of the line have done by then: `writes` some files, or perhaps files that make a
   * folder a repository, or hooks. What is on the disk now need not be what git finds.
   */
  readonly before: "nothing" | "writes" | "layout";
}

export interface RepositoryView {
  /** Why git may run a program here that the repository chooses. */
  readonly problem?: string;
  /** What the paths of the use stand for: absolute. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Too many to tell. */
  readonly unknownPaths: boolean;
}

export type LookAtRepository = (
  use: RepositoryUse,
  place: { readonly cwd: string; readonly roots: readonly string[] },
) => RepositoryView;
