/** Settings of Claude Code as people have them. */
import type { ClaudePermissions } from "../oracles/claude.ts";

type Permissions = ClaudePermissions & Readonly<Record<string, unknown>>;
export type ClaudeSettings = Readonly<Partial<Record<"user" | "project" | "local", Permissions>>>;

const user = (permissions: Permissions) => ({ user: permissions });
const project = (permissions: Permissions) => ({ project: permissions });
const local = (permissions: Permissions) => ({ local: permissions });

export const claudeSettings: readonly ClaudeSettings[] = [
  project({
    allow: ["Bash(npm run lint)", "Bash(npm run test:*)", "Bash(ls:*)"],
    deny: ["Bash(curl:*)", "Read(./.env)", "Read(./.env.*)", "Read(./secrets/**)"],
  }),
  local({
    allow: [
      "Bash(git add:*)",
      "Bash(git commit:*)",
      "Bash(git push:*)",
      "Bash(gh pr view:*)",
      "WebFetch(domain:github.com)",
    ],
  }),
  user({
    allow: ["Bash(git status)", "Bash(git diff *)", "Bash(git log *)", "Bash(rg *)"],
    ask: ["Bash(git push *)"],
    deny: ["Bash(git push --force *)", "Bash(rm -rf *)"],
  }),
  user({ allow: ["Bash"], deny: ["Bash(sudo:*)", "Bash(su:*)", "Bash(chmod 777 *)"] }),
  user({
    allow: ["Read", "Edit", "Glob", "Grep"],
    deny: ["Read(~/.ssh/**)", "Read(~/.aws/**)", "Edit(~/.bashrc)"],
  }),
  project({
    allow: ["Edit(./src/**)", "Edit(/docs/**/*.md)", "Read(//tmp/shared/**)"],
    deny: ["Edit(./src/generated/**)", "Edit(package-lock.json)"],
  }),
  local({
    allow: ["mcp__github__get_issue", "mcp__github__list_issues", "mcp__puppeteer"],
    deny: ["mcp__github__delete_repo", "mcp__filesystem__*"],
  }),
  user({
    allow: ["Bash(docker ps:*)", "Bash(docker compose up:*)", "Bash(docker logs:*)"],
    deny: ["Bash(docker system prune:*)", "Bash(docker rm *)"],
  }),
  user({
    allow: ["WebFetch(domain:docs.python.org)", "WebFetch(domain:*.mozilla.org)", "WebSearch"],
    deny: ["WebFetch(domain:pastebin.com)"],
  }),
  project({ allow: ["Bash(* --version)", "Bash(* --help *)"], deny: ["Bash(*curl*)", "Bash(* | sh)"] }),
  project({ allow: ["Bash(git * main)", "Bash(npm*)"], ask: ["Bash(npm publish*)"] }),
  user({
    ask: ["Bash(kubectl delete:*)", "Bash(terraform apply:*)", "Edit"],
    allow: ["Bash(kubectl get:*)", "Bash(terraform plan:*)"],
  }),
  user({ deny: ["WebFetch", "WebSearch", "Bash(wget:*)", "Bash(nc:*)"] }),
  { user: { deny: ["Bash"] }, project: { allow: ["Bash(npm test)"] } },
  {
    user: { allow: ["Bash(cargo build:*)", "Bash(cargo test:*)", "Bash(cargo clippy:*)"] },
    project: { deny: ["Bash(cargo publish:*)"], allow: ["Bash(cargo:*)"] },
  },
  local({
    allow: [
      "Bash(python3 -m pytest:*)",
      "Bash(source .venv/bin/activate)",
      "Bash(./gradlew test:*)",
      "Bash(make:*)",
    ],
  }),
  local({ allow: ['Bash(git commit -m "wip")', "Bash(echo $PATH)", "Bash(for f in *.ts:*)"] }),
  project({ deny: ['Bash(echo "secret"*)', "Bash(git commit --no-verify*)", "Bash(FOO=1 npm test)"] }),
  user({
    defaultMode: "acceptEdits",
    additionalDirectories: ["../other"],
    allow: ["Bash(find:*)", "Bash(cat:*)", "Bash(head:*)"],
    deny: ["Read(**/*.pem)", "Read(id_rsa)"],
  }),
  user({ allow: ["Bash(find *)", "Bash(xargs *)", "Bash(sed -n *)"], ask: ["Bash(sed -i *)"] }),
  user({ deny: ["Agent(Explore)", "Skill(deploy)", "NotebookEdit"], allow: ["Task", "TodoWrite"] }),
  project({ allow: ["Write(docs/**)", "Glob(src/**)"], deny: ["Write(dist/**)", "MultiEdit(src/**)"] }),
  project({
    allow: ["Bash(pnpm install)", "Bash(pnpm run build)", "Bash(pnpm run *)", "Bash(node scripts/*)"],
    ask: ["Bash(node scripts/release*)"],
  }),
  user({ allow: ["Bash(aws s3 ls)", "Bash(aws sts get-caller-identity)"], deny: ["Bash(aws *)"] }),
  user({
    allow: ["Bash(gh *)", "Bash(jq *)"],
    ask: ["Bash(gh pr merge *)", "Bash(gh api *)"],
    deny: ["Bash(gh repo delete *)"],
  }),
  user({ allow: ["Read(//usr/share/doc/**)", "Read(~/notes/*.md)"], ask: ["Read(//etc/**)"] }),
  local({
    allow: ["Bash(psql -c 'select 1')", "Bash(psql:*)"],
    deny: ["Bash(psql -c 'drop*)", "Bash(dropdb:*)"],
  }),
  user({
    allow: ["Bash(go test ./...)", "Bash(go vet:*)", "Bash(golangci-lint run:*)"],
    deny: ["Bash(go install *)"],
  }),
  project({ ask: ["mcp__db__query", "Bash(make deploy*)"], allow: ["Bash(make *)", "mcp__db__*"] }),
  user({
    allow: ["Bash(timeout 60 npm test)", "Bash(time make)", "Bash(command -v:*)"],
    deny: ["Bash(env:*)", "Bash(printenv:*)", "Bash(eval:*)"],
  }),
];
