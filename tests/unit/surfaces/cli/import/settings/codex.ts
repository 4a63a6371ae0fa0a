/** Rule files of Codex as people have them. */
import type { CodexRule } from "../oracles/codex.ts";

export interface CodexSettings {
  readonly user?: readonly CodexRule[];
  readonly project?: readonly CodexRule[];
  readonly config?: string;
}

const allow = (...pattern: CodexRule["pattern"]): CodexRule => ({ pattern, decision: "allow" });
const prompt = (...pattern: CodexRule["pattern"]): CodexRule => ({ pattern, decision: "prompt" });
const forbidden = (...pattern: CodexRule["pattern"]): CodexRule => ({ pattern, decision: "forbidden" });
const user = (...rules: CodexRule[]): CodexSettings => ({ user: rules });

export const codexSettings: readonly CodexSettings[] = [
  user(
    allow("git", "status"),
    allow("git", "diff"),
    prompt("git", "push"),
    forbidden("git", "push", "--force"),
  ),
  user(allow("npm", "run", ["lint", "test", "build"]), forbidden("npm", "publish")),
  user({ pattern: ["ls"] }, { pattern: ["cat"] }, forbidden("rm", "-rf")),
  user(prompt("gh", "pr", ["merge", "close"]), allow("gh", "pr", "view")),
  { user: [forbidden(["curl", "wget"]), forbidden("nc")], config: 'approval_policy = "on-request"\n' },
  {
    user: [prompt("docker"), allow("docker", "ps")],
    config: 'approval_policy = "never"\nsandbox_mode = "workspace-write"\n',
  },
  {
    user: [allow("cargo", ["build", "test", "check", "clippy"])],
    project: [forbidden("cargo", "publish"), allow("cargo")],
  },
  { project: [allow("pnpm", "install"), allow("pnpm", "run"), prompt("pnpm", "publish")] },
  user(allow("python3", "-m", "pytest"), forbidden("python3", "-c")),
  user(forbidden("sudo"), forbidden("su"), allow("sudo", "apt", "update")),
  user(allow("echo", "hello world"), prompt("echo", "secret words")),
  user(forbidden("git commit", "-m"), allow("git", "commit", "-m")),
  user(allow("make"), forbidden("make", "deploy"), prompt("make", "release")),
  user(allow("terraform", "plan"), prompt("terraform", ["apply", "destroy"])),
  user(allow("kubectl", ["get", "describe", "logs"]), forbidden("kubectl", "delete")),
  { project: [allow("go", ["test", "vet", "build"]), prompt("go", "install")] },
  user(allow("rg"), allow("fd"), allow("find"), forbidden("find", "/")),
  user(allow("bash", "-lc"), forbidden("bash", "-c")),
  user(allow("./gradlew", "test"), forbidden("./gradlew", "publish")),
  user(allow("/usr/bin/git", "status"), forbidden("/usr/bin/git", "push")),
  user(prompt(["npm", "pnpm", "yarn"], ["install", "add", "remove"]), allow(["npm", "pnpm", "yarn"], "test")),
  user(allow("jq"), allow("sed", "-n"), prompt("sed", "-i")),
  user(forbidden("env"), forbidden("printenv"), allow("date")),
  user(allow("psql", "-c", "select 1"), forbidden("psql", "-c", "drop table users"), prompt("psql")),
  user(allow("node", "scripts/build.mjs"), prompt("node")),
  user(allow("aws", "s3", "ls"), forbidden("aws")),
  {
    project: [
      allow("bundle", "exec", "rspec"),
      allow("bin/rails", "test"),
      prompt("bin/rails", "db:migrate"),
    ],
  },
  user(allow("tsc", "--noEmit"), allow("npx", "tsc"), prompt("npx")),
  user(forbidden("chmod", "777"), forbidden("chmod", "-R"), allow("chmod", "+x")),
  user(allow("ssh", "build-host", ["uptime", "df"]), forbidden("ssh")),
];

/** As its file is written. */
export function codexFile(rules: readonly CodexRule[]): string {
  return `# rules\n${rules.map(({ pattern, decision }) => `prefix_rule(\n    pattern = ${JSON.stringify(pattern)},${decision === undefined ? "" : `\n    decision = ${JSON.stringify(decision)},`}\n)\n`).join("")}`;
}
