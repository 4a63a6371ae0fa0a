/** Settings and policy files of Gemini CLI as people have them. */
import type { GeminiOwn, GeminiOwnRule, GeminiOwnSettings } from "../oracles/gemini.ts";

const shell = "run_shell_command";
type Decision = GeminiOwnRule["decision"];
const rule = (decision: Decision, priority: number, more: Partial<GeminiOwnRule> = {}): GeminiOwnRule => ({
  toolName: shell,
  decision,
  priority,
  ...more,
});
const of = (toolName: string | readonly string[], decision: Decision, priority: number): GeminiOwnRule =>
  rule(decision, priority, { toolName });
const prefix = (commandPrefix: string | readonly string[], decision: Decision, priority: number) =>
  rule(decision, priority, { commandPrefix });
const user = (...rules: GeminiOwnRule[]): GeminiOwn => ({ user: { rules } });
const settings = (one: GeminiOwnSettings): GeminiOwn => ({ user: { settings: one } });

export const geminiSettings: readonly GeminiOwn[] = [
  settings({ tools: { allowed: ["run_shell_command(git status)", "run_shell_command(npm test)"] } }),
  settings({
    tools: { exclude: ["web_fetch", "google_web_search"], allowed: ["read_file", "run_shell_command(ls)"] },
  }),
  settings({
    tools: { core: ["read_file", "list_directory", "run_shell_command(git)", "run_shell_command(npm run)"] },
  }),
  user(
    prefix("git", "allow", 100),
    prefix("git push", "ask_user", 200),
    prefix("git push --force", "deny", 300),
  ),
  user(rule("deny", 100), prefix(["git status", "git diff", "ls"], "allow", 200)),
  user(rule("ask_user", 500), prefix("npm run", "allow", 600), prefix("npm run deploy", "deny", 700)),
  user(prefix("rm", "deny", 999), prefix("rm -i", "allow", 100)),
  user(prefix("docker", "deny", 100), prefix(["docker ps", "docker logs"], "allow", 150)),
  user(
    rule("allow", 100, { commandRegex: "^(ls|cat|head)\\b" }),
    rule("deny", 200, { commandRegex: "cat .*\\.env" }),
  ),
  user(
    rule("deny", 100, { commandRegex: "rm -rf .*" }),
    rule("allow", 50, { commandRegex: "make (build|test)" }),
  ),
  user(of("write_file", "ask_user", 100), of(["replace", "write_file"], "deny", 50)),
  user(
    { ...of("delete_repo", "deny", 300), mcpName: "github" },
    { ...of("*", "allow", 100), mcpName: "github" },
  ),
  settings({
    mcpServers: { files: { trust: true }, web: {} },
    mcp: { excluded: ["danger"], allowed: ["files"] },
  }),
  user({ ...of("web_fetch", "deny", 200), argsPattern: '"prompt":".*internal' }),
  user(rule("deny", 200, { argsPattern: '"command":"curl' }), prefix("curl", "allow", 100)),
  { project: { rules: [prefix("npm publish", "deny", 900), prefix("npm", "allow", 100)] } },
  { user: { rules: [prefix("npm", "allow", 10)] }, project: { rules: [prefix("npm publish", "deny", 999)] } },
  { user: { rules: [prefix("npm publish", "deny", 10)] }, project: { rules: [prefix("npm", "allow", 999)] } },
  user(rule("allow", 100, { modes: ["yolo"] }), prefix("ls", "allow", 200)),
  user(prefix("kubectl", "deny", 300), { ...prefix("kubectl get", "allow", 400), modes: ["plan"] }),
  user(of("*", "ask_user", 10), of("read_file", "allow", 20), prefix("git log", "allow", 30)),
  user(of("*", "deny", 10), of(["read_file", "glob"], "allow", 20)),
  settings({
    tools: {
      allowed: ["ShellTool(cargo test)", "run_shell_command(cargo build)"],
      exclude: ["run_shell_command(cargo publish)"],
    },
  }),
  {
    user: {
      settings: { tools: { allowed: ["run_shell_command"] } },
      rules: [prefix("sudo", "deny", 999), prefix("rm", "ask_user", 950)],
    },
  },
  user(prefix('echo "hi"', "allow", 100), prefix('echo "secret', "deny", 200)),
  user(of("mcp_jira_create_issue", "ask_user", 100), of("mcp_jira_*", "allow", 50)),
  {
    project: {
      settings: { tools: { allowed: ["run_shell_command(make)", "write_file"] } },
      rules: [prefix("make deploy", "ask_user", 999)],
    },
  },
  user(
    prefix("terraform", "ask_user", 100),
    prefix("terraform plan", "allow", 200),
    prefix("terraform destroy", "deny", 200),
  ),
  user(rule("ask_user", 100, { commandRegex: "git (push|rebase|reset)" }), prefix("git", "allow", 50)),
  { user: { settings: { tools: { core: ["read_file", "glob"] } }, rules: [prefix("ls", "allow", 100)] } },
];

/** As its file is written. */
export function geminiPolicy(rules: readonly GeminiOwnRule[]): string {
  return rules
    .map(
      (one) =>
        `[[rule]]\n${Object.entries(one)
          .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
          .join("")}`,
    )
    .join("\n");
}
