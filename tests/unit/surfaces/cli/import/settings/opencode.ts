/** Permissions of OpenCode as people have them. */
import type { OpencodeOwn } from "../oracles/opencode.ts";

export const opencodeSettings: readonly OpencodeOwn[] = [
  { project: { edit: "ask", bash: "ask", webfetch: "allow" } },
  { project: { bash: { "*": "ask", "git status*": "allow", "git diff*": "allow", "npm *": "allow" } } },
  { user: { bash: { "*": "ask", "git *": "allow", "npm *": "allow", "rm *": "deny", "grep *": "allow" } } },
  { user: { bash: { "*": "deny", "ls *": "allow", "cat *": "allow", "rg *": "allow" } } },
  { user: { "*": "ask", bash: "allow", edit: "deny" } },
  { user: "ask" },
  { user: "allow", project: { bash: { "git push*": "ask", "rm -rf*": "deny" } } },
  { user: "deny", project: { read: "allow", grep: "allow" } },
  { project: { edit: { "*": "deny", "packages/web/src/content/docs/*.mdx": "allow" } } },
  {
    project: {
      edit: { "*": "allow", "*.lock": "deny", "dist/*": "ask" },
      read: { "*": "allow", "*.env": "deny", "*.env.example": "allow" },
    },
  },
  { user: { external_directory: { "*": "deny", "~/projects/**": "allow" } } },
  { user: { external_directory: "ask", webfetch: { "*": "ask", "https://docs.example.com/*": "allow" } } },
  { user: { webfetch: "deny", websearch: "deny", task: "ask" } },
  { user: { bash: { "git push *": "deny", "git *": "allow" } } },
  { user: { bash: { "git *": "allow", "git push *": "deny", "git push origin dev": "allow" } } },
  { user: { bash: { "*": "allow", "sudo *": "deny", "curl *": "ask", "* --force*": "ask" } } },
  { user: { bash: { "*": "deny", "npm run *": "allow", "npm run deploy*": "ask" } } },
  { user: { bash: { "*": "allow" } }, project: { bash: { "*": "ask", "make *": "allow" } } },
  { user: { bash: { "*": "ask", "git *": "allow" } }, project: { bash: { "git *": "deny", "*": "allow" } } },
  { user: { bash: { "terraform *": "deny", "terraform plan*": "allow" } } },
  { project: { bash: { "./gradlew *": "allow", "*": "ask" } } },
  { project: { bash: { "*": "ask", "./gradlew test*": "allow", "bin/rails test *": "allow" } } },
  { project: { bash: { 'echo "secret*': "deny", "echo *": "allow" } } },
  { user: { bash: { "git commit -m ?": "deny", "git commit *": "allow" } } },
  { user: { "github_*": "ask", github_delete_repo: "deny", bash: "ask" } },
  {
    user: {
      glob: "allow",
      grep: "allow",
      list: "allow",
      todowrite: "allow",
      skill: { "*": "ask", "docs-*": "allow" },
    },
  },
  {
    user: { edit: "allow", bash: { "*": "ask", "node scripts/*": "allow", "node scripts/release*": "deny" } },
  },
  { user: { read: { "*": "deny", "src/*": "allow", "docs/*": "allow" } } },
  {
    user: {
      bash: { "docker ps*": "allow", "docker *": "ask", "docker rm *": "deny", "docker logs *": "allow" },
    },
  },
  { project: { bash: { "*": "deny" } } },
];
