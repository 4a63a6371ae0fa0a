/** The places a sandboxed process must not reach: keys it could read, and workspace files that others run without being asked. */

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isInside } from "./roots.ts";

export interface WorkspaceTrap {
  readonly path: string;
  /** Where its mere appearance would be harmful, an empty read-only one is put in its place. */
  readonly whenMissing?: "folder" | "file";
}

const KEYS = [
  ...[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".oci",
    ".password-store",
    ".vault-token",
    ".terraform.d",
  ],
  ...[
    ".netrc",
    ".pgpass",
    ".my.cnf",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".yarnrc.yml",
    ".boto",
    ".s3cfg",
  ],
  ...[
    ".config/gcloud",
    ".config/gh",
    ".config/glab-cli",
    ".config/op",
    ".config/git/credentials",
    ".config/doctl",
  ],
  ...[
    ".config/google-chrome",
    ".config/chromium",
    ".config/rclone",
    ".config/sops",
    ".config/containers/auth.json",
  ],
  ...[".mozilla", ".thunderbird", ".local/share/keyrings", ".cargo/credentials", ".cargo/credentials.toml"],
  ...[".gem/credentials", ".m2/settings.xml", ".gradle/gradle.properties", ".claude/.credentials.json"],
  ...[
    ".claude.json",
    ".codex/auth.json",
    ".gemini/oauth_creds.json",
    ".config/toolgate",
    ".local/share/toolgate",
  ],
  ...[".local/state/toolgate", ".cache/toolgate", ".bash_history", ".zsh_history", ".psql_history"],
];

const SYSTEM_KEYS = [
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/toolgate",
  "/etc/ssl/private",
];

/** Files which a shell, an editor, git or an agent runs by itself, outside of the sandbox, the next time it starts here. */
const SELF_STARTING = [
  ...[
    ".gitconfig",
    ".gitmodules",
    ".husky",
    ".vscode",
    ".idea",
    ".claude",
    ".codex",
    ".gemini",
    ".mcp.json",
    ".envrc",
  ],
  ...[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
  ],
  ...[
    ".config/git",
    ".config/fish",
    ".config/autostart",
    ".config/systemd",
    ".config/environment.d",
    ".local/bin",
    ".ripgreprc",
  ],
  ...["toolgate.yaml", ".toolgate"],
];

export function keyPaths(home: string): string[] {
  return [...KEYS.map((name) => join(home, name)), ...SYSTEM_KEYS];
}

export function workspaceTraps(root: string): WorkspaceTrap[] {
  const git = join(root, ".git");
  return [
    // A worktree's `.git` is a file that names the real place; `lock` finds out which of the two it is.
    ...(isGitFile(git)
      ? [{ path: git }]
      : [
          { path: join(git, "hooks"), whenMissing: "folder" as const },
          { path: join(git, "config"), whenMissing: "file" as const },
          { path: join(git, "config.worktree") },
          { path: join(git, "commondir") },
        ]),
    ...configuredHooks(root, git),
    ...SELF_STARTING.map((name) => ({ path: join(root, name) })),
  ];
}

function isGitFile(git: string): boolean {
  return readIfFile(git) !== undefined;
}

/** `core.hooksPath` moves the hooks into the work tree, where they would be ordinary writable files. */
function configuredHooks(root: string, git: string): WorkspaceTrap[] {
  const setting = /^\s*hookspath\s*=\s*"?([^"\n#;]+)"?/im.exec(readIfFile(join(git, "config")) ?? "");
  const path = setting?.[1] === undefined ? undefined : resolve(root, setting[1].trim());
  return path !== undefined && path !== root && isInside(path, root) ? [{ path }] : [];
}

function readIfFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
