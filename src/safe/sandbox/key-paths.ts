/** Keys outside of the workspace that a sandboxed process must not see. */
import { join } from "node:path";
import { words } from "../../core/text/words.ts";

const KEYS = words(
  ".ssh .gnupg .aws .azure .kube .docker .oci .password-store .vault-token .terraform.d .netrc .pgpass .my.cnf " +
    ".git-credentials .npmrc .pypirc .yarnrc.yml .boto .s3cfg .config/gcloud .config/gh .config/glab-cli .config/op " +
    ".config/git/credentials .config/doctl .config/google-chrome .config/chromium .config/rclone .config/sops " +
    ".config/containers/auth.json .mozilla .thunderbird .local/share/keyrings .cargo/credentials " +
    ".cargo/credentials.toml .gem/credentials .m2/settings.xml .gradle/gradle.properties .claude/.credentials.json " +
    ".claude.json .codex/auth.json .gemini/oauth_creds.json .config/toolgate .local/share/toolgate " +
    ".local/state/toolgate .cache/toolgate .bash_history .zsh_history .psql_history",
);

const SYSTEM_KEYS = words(
  "/etc/shadow /etc/gshadow /etc/sudoers /etc/sudoers.d /etc/toolgate /etc/ssl/private",
);

export function keyPaths(home: string): string[] {
  return [...KEYS.map((name) => join(home, name)), ...SYSTEM_KEYS];
}
