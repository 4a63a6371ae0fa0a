/** Permissions of Cline as people have them. */
import type { ClineOwn } from "../oracles/cline.ts";

const off = { executeSafeCommands: false, executeAllCommands: false };

export const clineSettings: readonly ClineOwn[] = [
  { permissions: { allow: ["git *", "npm *"] } },
  { permissions: { allow: ["git status", "git diff *", "ls*"], deny: ["git diff --no-index *"] } },
  { permissions: { deny: ["rm -rf *", "sudo *"] } },
  { permissions: { deny: ["*curl*", "*wget*"] } },
  { permissions: { allow: ["npm run *", "npx tsc*"], deny: ["npm run deploy*"] } },
  { permissions: { allow: ["gh pr comment *", "gh pr view *"] } },
  { permissions: { allow: ["echo *", "cat *"], allowRedirects: true } },
  { permissions: { deny: ["git push*"], allowRedirects: true } },
  { permissions: {} },
  { permissions: { allow: [], deny: [] } },
  { permissions: { allow: ["*"], deny: ["docker *"] } },
  { permissions: { allow: ["make ?est", "make build"] } },
  { permissions: { allow: ["./gradlew *", "bin/test"] } },
  { permissions: { allow: ["python3 -m pytest *"], deny: ["python3 *"] } },
  { permissions: { deny: ['echo "secret*'] } },
  { permissions: { allow: ['git commit -m "*"', "git add *"] } },
  { actions: { readFiles: true, editFiles: false, ...off } },
  { actions: { readFiles: true, editFiles: true, executeSafeCommands: true } },
  { actions: { readFiles: true, editFiles: true, executeSafeCommands: true, executeAllCommands: true } },
  { actions: { executeAllCommands: true } },
  { actions: { readFiles: true, readFilesExternally: true, useBrowser: true } },
  { actions: { useMcp: true }, autoApprove: { github: ["get_issue", "list_issues"] } },
  { actions: { useMcp: false }, autoApprove: { github: ["get_issue"] } },
  { permissions: { allow: ["git *"] }, actions: { executeSafeCommands: true, executeAllCommands: true } },
  {
    permissions: { deny: ["npm publish*"] },
    actions: { executeSafeCommands: true, executeAllCommands: true },
  },
  { permissions: { deny: ["git push --force*"] }, actions: { editFiles: true } },
  { permissions: { allow: ["cargo build*", "cargo test*"] }, actions: { editFiles: true, readFiles: true } },
  { permissions: { allow: ["ls", "pwd", "whoami"] } },
  { permissions: { deny: ["*"] } },
  { permissions: { allow: ["node scripts/*"], deny: ["node scripts/release*"] } },
];
