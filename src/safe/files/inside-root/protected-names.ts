/** Names that are off limits unless a rule names them: secrets, and for writers what other programs run. */
import { wordSet, words } from "../../../core/text/words.ts";

export type Access = "read" | "write";

/** Why a path is protected, or undefined. Takes all parts of the absolute path, links followed. */
export function protectedReason(parts: readonly string[], access: Access): string | undefined {
  const folded = parts.map(foldName);
  for (const [index, name] of folded.entries()) {
    const reason =
      secretName(name) ??
      sequenceReason(secretSequences, folded, index) ??
      (access === "write" ? (writeReason(name) ?? sequenceReason(writeSequences, folded, index)) : undefined);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** A quick no for most files of a project, whatever folder they are in. */
export function isPlainSource(name: string): boolean {
  return plainSource.test(name);
}

const plainSource =
  /^(?!id_|cred|access_)[a-z0-9_][\w-]*(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|map|snap|vue|svelte|css|scss|html?|md|svg|png|jpe?g|gif|woff2?|ttf|py|pyc|go|rs|c|h|cc|hh|cpp|hpp|java|class|kt|rb|php|cs|swift|sql|mo|so|o|a)$/i;

/**
 * The spelling under which two names that some file system takes for one are equal: case (APFS, NTFS, ext4
 * casefold), NFC and NFD, ignorable characters (HFS+ opens `.g\u200cit` as `.git`), trailing dots and spaces
 * and `:stream` (NTFS).
 */
export function foldName(name: string): string {
  let folded = name;
  if (!plainAscii.test(name)) {
    folded = name.normalize("NFKC").replace(ignorable, "").toUpperCase().normalize("NFKC");
  }
  folded = folded.toLowerCase();
  const stream = folded.indexOf(":");
  if (stream > 0) folded = folded.slice(0, stream);
  return folded.replace(/[. ]+$/, "") || folded;
}

const plainAscii = /^[\x20-\x7e]*$/;
const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu;

function secretName(folded: string): string | undefined {
  return secretReason(folded) ?? secretReason(withoutCopyMarks(folded));
}

/** `.env~`, `.env.bak`, `.id_rsa.swp`: an editor's copy of a secret is a secret. */
function withoutCopyMarks(folded: string): string {
  const swap = /^\.(.+)\.sw[a-z]$/.exec(folded)?.[1];
  return (swap ?? folded)
    .replace(/^#(.*)#$/, "$1")
    .replace(/(?:~|\.(?:bak|backup|old|orig|save|copy|tmp|\d{1,3}))+$/, "");
}

function secretReason(name: string): string | undefined {
  if (environmentFile.test(name) && !environmentExample.test(name))
    return "it is an environment file, which holds secrets";
  if (keyName.test(name) || keySuffix.test(name)) return "it is a key or a certificate store";
  if (credentialNames.has(name)) return credentialReason;
  if (secretDirectories.has(name)) return `${name} holds keys and credentials`;
  if (shortSecretName.test(name)) return "it may be the Windows short name of a protected file";
  return undefined;
}

const credentialReason = "it holds the credentials of a program";
const gitReason = "git runs programs named in its own files; use the git tools to change them";
const startReason = "other programs run what is written there";
const agentReason = "it decides what agents may do";

const environmentFile = /^\.env|\.env$/;
const environmentExample =
  /^(?:\.env(?:\.[\w-]+)?\.(?:example|sample|template|dist)|(?:example|sample|template)\.env)$/;
const keyName = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[-_.](?!(?:.*\.)?pub$).*)?$/;
const keySuffix = /\.(?:pem|key|p12|pfx|p8|jks|jceks|keystore|kdbx|ppk|ovpn|agekey|keytab)$/;
/** NTFS and vfat open `.git` also as `GIT~1`. */
const shortSecretName =
  /^(?:git|env|ssh|aws|gnupg|kube|azure|docker|netrc|npmrc|pypirc|pgpass|id_rs|id_ds|id_ec|id_ed|vault|terraf)[^.]*~\d/;

const credentialNames = wordSet(
  ".netrc _netrc .npmrc .yarnrc.yml .pypirc .pgpass pgpass.conf .my.cnf .mylogin.cnf .git-credentials .dockercfg " +
    ".htpasswd .vault-token .boto .s3cfg .terraformrc credentials.tfrc.json terraform.tfstate rclone.conf " +
    "kubeconfig application_default_credentials.json .credentials.json",
);

const secretDirectories = wordSet(".ssh .aws .gnupg .kube .azure .oci .password-store");

type Sequence = readonly [names: readonly (string | RegExp)[], reason: string];

const secretSequences: readonly Sequence[] = [
  [[".config", "gcloud"], credentialReason],
  [["gcloud", /^credentials|^access_tokens/], credentialReason],
  [[".config", "gh", "hosts.yml"], credentialReason],
  [[".config", /^(?:hub|doctl|op|sops|age)$/], credentialReason],
  [[".docker", "config.json"], credentialReason],
  [[".cargo", /^credentials/], credentialReason],
  [[".gem", "credentials"], credentialReason],
  [[".composer", "auth.json"], credentialReason],
  [[".m2", /^settings(?:-security)?\.xml$/], credentialReason],
  [[".gradle", "gradle.properties"], credentialReason],
  [[".codex", "auth.json"], credentialReason],
  [[".gemini", /^(?:oauth_creds|google_accounts)\.json$/], credentialReason],
  [["keychains", /\.keychain/], credentialReason],
  [["etc", /^(?:g?shadow-?|sudoers|sudoers\.d)$/], "it is a password or privilege file of the system"],
];

function writeReason(name: string): string | undefined {
  if (name === ".git") return gitReason;
  if (startupNames.has(name)) return startReason;
  return /^(?:\.mcp\.json|\.?toolgate\.(?:ya?ml|json))$/.test(name) ? agentReason : undefined;
}

/** What a shell, or the session around it, reads when it starts. */
export const shellStartFiles = words(
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout " +
    ".kshrc .cshrc .tcshrc .xprofile .xinitrc .xsession .pam_environment .inputrc",
);
const startupNames = new Set([".gitconfig", ...shellStartFiles]);

const writeSequences: readonly Sequence[] = [
  [[/\.git$/, /^(?:hooks|config)$/], gitReason],
  [[".config", "git"], gitReason],
  [[".config", /^(?:fish|autostart|systemd|environment\.d)$/], startReason],
  [["launchagents", /./], startReason],
  // Our own rules, and plugin files: a tool that somebody writes there is run by the next call.
  [[/^\.config$|^roaming$/, "toolgate"], agentReason],
  [[".local", "state", "toolgate"], agentReason],
  [[".toolgate", "tools"], agentReason],
  [[".claude", /^settings.*\.json$/], agentReason],
  [[".claude", /^(?:hooks|tool-routes\.ya?ml|plugins)$/], agentReason],
  [[".claude-plugin", /./], agentReason],
  [[".codex", /./], agentReason],
  [
    [
      /^\.(?:gemini|qwen|copilot|opencode|kilo|cline|pi|windsurf)$/,
      /^(?:settings|config|hooks|policies|plugins?|extensions|agent$|mcp)/,
    ],
    agentReason,
  ],
  [[".config", /^(?:opencode|kilo)$/, /^(?:plugins?$|opencode\.|kilo\.|config)/], agentReason],
  [[".cursor", /^(?:mcp\.json|hooks(?:\.json)?|cli\.json|permissions\.json)$/], agentReason],
  [[".vscode", /^(?:settings|tasks|launch|mcp)\.json$/], "the editor runs programs named in it"],
];

function sequenceReason(
  sequences: readonly Sequence[],
  folded: readonly string[],
  at: number,
): string | undefined {
  for (const [names, reason] of sequences) {
    if (names.every((name, step) => matches(name, folded[at + step]))) return reason;
  }
  return undefined;
}

function matches(pattern: string | RegExp, name: string | undefined): boolean {
  if (name === undefined) return false;
  return typeof pattern === "string" ? pattern === name : pattern.test(name);
}
