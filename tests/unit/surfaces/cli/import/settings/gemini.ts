/** Settings and policy files of Gemini CLI as people have them. */
import type { GeminiOwn, GeminiOwnRule } from "../oracles/gemini.ts";

const shell = "run_shell_command";
const rule = (
  decision: GeminiOwnRule["decision"],
  priority: number,
  more: Partial<GeminiOwnRule> = {},
): GeminiOwnRule => ({ toolName: shell, decision, priority, ...more });
const prefix = (
  commandPrefix: string | readonly string[],
  decision: GeminiOwnRule["decision"],
  priority: number,
) => rule(decision, priority, { commandPrefix });

export const geminiSettings: readonly GeminiOwn[] = [
  {
    user: {
      settings: { tools: { allowed: ["run_shell_command(git status)", "run_shell_command(npm test)"] } },
    },
  },
  {
    user: {
      settings: {
        tools: {
          exclude: ["web_fetch", "google_web_search"],
          allowed: ["read_file", "run_shell_command(ls)"],
        },
      },
    },
  },
  {
    user: {
      settings: {
        tools: {
          core: ["read_file", "list_directory", "run_shell_command(git)", "run_shell_command(npm run)"],
        },
      },
    },
  },
  {
    user: {
      rules: [
        prefix("git", "allow", 100),
        prefix("git push", "ask_user", 200),
        prefix("git push --force", "deny", 300),
      ],
    },
  },
  { user: { rules: [rule("deny", 100), prefix(["git status", "git diff", "ls"], "allow", 200)] } },
  {
    user: {
      rules: [rule("ask_user", 500), prefix("npm run", "allow", 600), prefix("npm run deploy", "deny", 700)],
    },
  },
  { user: { rules: [prefix("rm", "deny", 999), prefix("rm -i", "allow", 100)] } },
  { user: { rules: [prefix("docker", "deny", 100), prefix(["docker ps", "docker logs"], "allow", 150)] } },
  {
    user: {
      rules: [
        rule("allow", 100, { commandRegex: "^(ls|cat|head)\\b" }),
        rule("deny", 200, { commandRegex: "cat .*\\.env" }),
      ],
    },
  },
  {
    user: {
      rules: [
        rule("deny", 100, { commandRegex: "rm -rf .*" }),
        rule("allow", 50, { commandRegex: "make (build|test)" }),
      ],
    },
  },
  {
    user: {
      rules: [
        { toolName: "write_file", decision: "ask_user", priority: 100 },
        { toolName: ["replace", "write_file"], decision: "deny", priority: 50 },
      ],
    },
  },
  {
    user: {
      rules: [
        { mcpName: "github", toolName: "delete_repo", decision: "deny", priority: 300 },
        { mcpName: "github", toolName: "*", decision: "allow", priority: 100 },
      ],
    },
  },
  {
    user: {
      settings: {
        mcpServers: { files: { trust: true }, web: {} },
        mcp: { excluded: ["danger"], allowed: ["files"] },
      },
    },
  },
  {
    user: {
      rules: [
        { toolName: "web_fetch", argsPattern: '"prompt":".*internal', decision: "deny", priority: 200 },
      ],
    },
  },
  { user: { rules: [rule("deny", 200, { argsPattern: '"command":"curl' }), prefix("curl", "allow", 100)] } },
  { project: { rules: [prefix("npm publish", "deny", 900), prefix("npm", "allow", 100)] } },
  { user: { rules: [prefix("npm", "allow", 10)] }, project: { rules: [prefix("npm publish", "deny", 999)] } },
  { user: { rules: [prefix("npm publish", "deny", 10)] }, project: { rules: [prefix("npm", "allow", 999)] } },
  { user: { rules: [rule("allow", 100, { modes: ["yolo"] }), prefix("ls", "allow", 200)] } },
  {
    user: {
      rules: [prefix("kubectl", "deny", 300), { ...prefix("kubectl get", "allow", 400), modes: ["plan"] }],
    },
  },
  {
    user: {
      rules: [
        { toolName: "*", decision: "ask_user", priority: 10 },
        { toolName: "read_file", decision: "allow", priority: 20 },
        prefix("git log", "allow", 30),
      ],
    },
  },
  {
    user: {
      rules: [
        { toolName: "*", decision: "deny", priority: 10 },
        { toolName: ["read_file", "glob"], decision: "allow", priority: 20 },
      ],
    },
  },
  {
    user: {
      settings: {
        tools: {
          allowed: ["ShellTool(cargo test)", "run_shell_command(cargo build)"],
          exclude: ["run_shell_command(cargo publish)"],
        },
      },
    },
  },
  {
    user: {
      settings: { tools: { allowed: ["run_shell_command"] } },
      rules: [prefix("sudo", "deny", 999), prefix("rm", "ask_user", 950)],
    },
  },
  { user: { rules: [prefix('echo "hi"', "allow", 100), prefix('echo "secret', "deny", 200)] } },
  {
    user: {
      rules: [
        { toolName: "mcp_jira_create_issue", decision: "ask_user", priority: 100 },
        { toolName: "mcp_jira_*", decision: "allow", priority: 50 },
      ],
    },
  },
  {
    project: {
      settings: { tools: { allowed: ["run_shell_command(make)", "write_file"] } },
      rules: [prefix("make deploy", "ask_user", 999)],
    },
  },
  {
    user: {
      rules: [
        prefix("terraform", "ask_user", 100),
        prefix("terraform plan", "allow", 200),
        prefix("terraform destroy", "deny", 200),
      ],
    },
  },
  {
    user: {
      rules: [rule("ask_user", 100, { commandRegex: "git (push|rebase|reset)" }), prefix("git", "allow", 50)],
    },
  },
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
