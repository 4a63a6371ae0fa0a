/** Plans the bubblewrap sandbox around a process: read-only system, writable workspace minus its traps, no keys, no network. */

import { homedir } from "node:os";
import { findBubblewrap, sandboxWorks } from "./sandbox/find-bubblewrap.ts";
import { isolationArguments } from "./sandbox/isolation.ts";
import { mountArguments } from "./sandbox/mounts.ts";
import { keyPaths } from "./sandbox/protected-paths.ts";
import { resolveRoots } from "./sandbox/roots.ts";

export type SandboxMode = "off" | "preferred" | "required";

export interface SandboxOptions {
  readonly mode: SandboxMode;
  /** Workspace folders: the only places on disk where the process may write. */
  readonly writableRoots: readonly string[];
  /** Folders to show although they lie where the sandbox has something private (`/tmp`, `/run`). */
  readonly readOnlyRoots?: readonly string[];
  readonly protectedPaths?: {
    /** Visible but never changed, on top of `.git/hooks`, `.git/config` and editor and agent settings of the workspace. */
    readonly readOnly?: readonly string[];
    /** Not even visible, on top of key folders in the home folder: our own state goes here. */
    readonly hidden?: readonly string[];
  };
  readonly network: boolean;
  readonly home?: string;
  readonly findBwrap?: () => string | undefined;
}

export interface SandboxPlan {
  readonly ok: true;
  readonly active: boolean;
  /** For the person who runs toolgate, to be said once: why there is no sandbox although one was preferred. */
  readonly note?: string;
  wrap(command: string, args: readonly string[], place?: { readonly cwd: string }): WrappedCommand;
}

export interface WrappedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export type SandboxPlanning = SandboxPlan | { readonly ok: false; readonly message: string };

export async function planSandbox(options: SandboxOptions): Promise<SandboxPlanning> {
  if (options.mode === "off") return withoutSandbox();
  const home = options.home ?? homedir();
  const hidden = [...keyPaths(home), ...(options.protectedPaths?.hidden ?? [])];
  const { writableRoots, readOnlyRoots = [] } = options;
  const roots = resolveRoots({ writableRoots, readOnlyRoots, hidden });
  if (!roots.ok) return roots;
  const bwrap = (options.findBwrap ?? (() => findBubblewrap(roots.writable)))();
  const test = bwrap === undefined ? undefined : await sandboxWorks(bwrap);
  if (bwrap === undefined || test === undefined || !test.works) {
    return withoutBubblewrap(options.mode, test?.works === false ? test.why : undefined);
  }
  return {
    ok: true,
    active: true,
    // Looked up for every process: a key folder or a repository may have appeared since the last one.
    wrap: (command, args, place) => ({
      command: bwrap,
      args: [
        ...isolationArguments({ network: options.network, canDisableNesting: test.canDisableNesting }),
        ...mountArguments({
          writable: roots.writable,
          readable: roots.readable,
          readOnly: options.protectedPaths?.readOnly ?? [],
          hidden,
          network: options.network,
        }),
        ...["--setenv", "TMPDIR", "/tmp"],
        ...(place === undefined ? [] : ["--chdir", place.cwd]),
        "--",
        command,
        ...args,
      ],
    }),
  };
}

function withoutSandbox(note?: string): SandboxPlan {
  return {
    ok: true,
    active: false,
    ...(note === undefined ? {} : { note }),
    wrap: (command, args) => ({ command, args }),
  };
}

function withoutBubblewrap(mode: SandboxMode, why: string | undefined): SandboxPlanning {
  const found =
    process.platform !== "linux"
      ? `there is no bubblewrap for ${process.platform}`
      : why === undefined
        ? "bubblewrap (bwrap) is not installed"
        : `bubblewrap is installed but does not work here: ${why}`;
  const remedy =
    process.platform !== "linux"
      ? "Run toolgate on Linux or in a Linux container"
      : why === undefined
        ? "Install it (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap; Arch: pacman -S bubblewrap; Alpine: apk add bubblewrap)"
        : "Allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; in a container: its seccomp profile)";
  if (mode === "required") {
    return {
      ok: false,
      message: `Refused: the sandbox is required, but ${found}. ${remedy}, or set sandbox to "preferred" to run without it.`,
    };
  }
  return withoutSandbox(
    `Running without a sandbox: ${found}. ${remedy}, or set sandbox to "off" to silence this.`,
  );
}
