/** Plans the sandbox of a process: read-only system, writable workspace without traps, no keys. */

import { homedir } from "node:os";
import type { SandboxMode } from "../../core/tool/sandbox-rules.ts";
import { findBubblewrap, sandboxWorks } from "./find-bubblewrap.ts";
import { isolationArguments } from "./isolation.ts";
import { keyPaths } from "./key-paths.ts";
import { mountArguments } from "./mounts.ts";
import { infoFd } from "./namespace-end.ts";
import type { Planted } from "./planted.ts";
import { resolveRoots } from "./roots.ts";
import { type Survey, surveyRoots } from "./survey.ts";
import { guardRoots } from "./trap-guard.ts";

export type { SandboxMode } from "../../core/tool/sandbox-rules.ts";

export interface SandboxOptions {
  readonly mode: SandboxMode;
  /** Workspace folders: the only places on disk where the process may write. */
  readonly writableRoots: readonly string[];
  /** Folders to show although they lie where the sandbox has something private (`/tmp`, `/run`). */
  readonly readOnlyRoots?: readonly string[];
  readonly protectedPaths?: {
    /** Visible but never changed, besides what programs outside run by themselves (git, shells, agents). */
    readonly readOnly?: readonly string[];
    /** Not even visible, besides keys in the home folder and secrets of the workspace: our own state. */
    readonly hidden?: readonly string[];
    /** Secrets of the workspace that this call may read: visible, not writable. */
    readonly shown?: readonly string[];
  };
  readonly network: boolean;
  /** It lives on when the call is over: then it cannot write in repositories at all. Default false. */
  readonly stays?: boolean;
  readonly home?: string;
  readonly findBwrap?: () => string | undefined;
}

/** For one process: what it must not touch is looked up when it is planned. */
export interface SandboxPlan {
  readonly ok: true;
  readonly active: boolean;
  /** For the person who runs toolgate, to be said once: why there is no sandbox. */
  readonly note?: string;
  wrap(command: string, args: readonly string[], place?: { readonly cwd: string }): WrappedCommand;
  /**
   * To be called before the start: what is planted first is seen, too. Its answer is called at the end, and tells
   * what was planted.
   */
  guard?(): () => Promise<readonly Planted[]>;
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
  const survey = await surveyRoots({ roots: roots.writable, maxEntries, home });
  const toRead = await surveyRoots({ roots: roots.readable, maxEntries, home });
  const { readOnly = [], shown = [] } = options.protectedPaths ?? {};
  const secrets = [...survey.secrets, ...toRead.secrets];
  const mounts = mountArguments({
    writable: roots.writable,
    readable: roots.readable,
    readOnly: [...readOnly, ...secrets.filter((path) => shown.includes(path))],
    hidden,
    survey: { ...survey, secrets: secrets.filter((path) => !shown.includes(path)) },
    stays: options.stays === true,
    network: options.network,
  });
  const trouble = mounts.complete ? (explainIncomplete(survey) ?? explainIncomplete(toRead)) : tooMuch;
  if (trouble !== undefined && options.mode === "required")
    return { ok: false, message: `Refused: ${trouble} Name a smaller folder as the workspace.` };
  const isolation = isolationArguments({
    network: options.network,
    canDisableNesting: test.canDisableNesting,
  });
  return {
    ok: true,
    active: true,
    ...(trouble !== undefined && { note: trouble }),
    wrap: (command, args, place) => ({
      command: bwrap,
      args: [
        ...isolation,
        ...["--info-fd", String(infoFd)],
        ...mounts.args,
        ...["--setenv", "TMPDIR", "/tmp"],
        ...(place === undefined ? [] : ["--chdir", place.cwd]),
        "--",
        command,
        ...args,
      ],
    }),
    guard: () => guardRoots(roots.writable, survey, { home, stays: options.stays === true }),
  };
}

/** So many names are read in about two seconds, the first time; others are served meanwhile. */
const maxEntries = 1_000_000;

const tooMuch =
  "the workspace holds more secrets and files that programs run by themselves than a sandbox can cover.";

/** Undefined: everything is known. */
function explainIncomplete({ complete, nameless }: Survey): string | undefined {
  if (complete) return undefined;
  const [folder] = nameless.keys();
  if (folder !== undefined)
    return `the sandbox cannot cover a folder in ${folder} whose name is not UTF-8; rename it.`;
  return `the workspace holds more than ${maxEntries} files, so that the sandbox cannot hide every secret in it.`;
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
  const [found, remedy] = explainMissing(why);
  if (mode !== "required")
    return withoutSandbox(
      `Running without a sandbox: ${found}. ${remedy}, or set sandbox to "off" to silence this.`,
    );
  return {
    ok: false,
    message: `Refused: the sandbox is required, but ${found}. ${remedy}, or set sandbox to "preferred" to run without it.`,
  };
}

/** `why`: it is there and does not work. */
function explainMissing(why: string | undefined): readonly [found: string, remedy: string] {
  if (process.platform !== "linux")
    return [
      `there is no bubblewrap for ${process.platform}`,
      "Run toolgate on Linux or in a Linux container",
    ];
  if (why === undefined)
    return [
      "bubblewrap (bwrap) is not installed",
      "Install it (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap; Arch: pacman -S bubblewrap; Alpine: apk add bubblewrap)",
    ];
  return [
    `bubblewrap is installed but does not work here: ${why}`,
    "Allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; in a container: its seccomp profile)",
  ];
}
