/** One policy file and forty calls: each agent makes the same calls in its own words, and must get the same answers. */

export type CaseKind = "shell" | "write" | "read" | "fetch" | "mcp";

export interface MatrixCase {
  readonly kind: CaseKind;
  /** A command, a path in the project, a URL, or a tool of the server `store`. */
  readonly what: string;
  /** What is written. */
  readonly content?: string;
  /** The word in the answer of the rule that stops the call. Absent: none does. */
  readonly stopped?: string;
}

export const matrixRules = `
routes:
  no-curl: { tool: Bash, pattern: "^curl ", message: "M-CURL: ask for the page with the fetch tool." }
  no-word: { tool: Bash, pattern: "forbidden-word", message: "M-WORD: say it in other words." }
  no-page: { tool: WebFetch, pattern: "^https://forbidden\\\\.example/", message: "M-PAGE: ask for the archive." }
policies:
  no-deploy: { tools: Bash, action: deny, reason: "M-DEPLOY: people deploy.", conditions: [{ type: command, operator: startsWith, value: deploy }] }
  no-rm: { tools: Bash, action: deny, reason: "M-RM: nothing is deleted.", conditions: [{ type: command, operator: startsWith, value: rm -r }] }
  ask-publish: { tools: Bash, action: ask, reason: "M-ASK: a person publishes.", conditions: [{ type: command, operator: startsWith, value: npm publish }] }
  no-env: { tools: "*", action: deny, reason: "M-ENV: that file holds keys.", conditions: [{ type: path, operator: matches, value: '(^|/)\\.env$' }] }
  no-secrets: { tools: "*", action: deny, reason: "M-SECRETS: that folder is closed.", conditions: [{ type: path, operator: inside, value: secrets }] }
  no-key: { tools: [Write, Edit], action: deny, reason: "M-KEY: a key is not written.", conditions: [{ type: content, operator: contains, value: BEGIN PRIVATE KEY }] }
  no-drop: { tools: mcp__store__drop, action: deny, reason: "M-DROP: the store is only read." }
`;

const shell = (what: string, stopped?: string): MatrixCase => made("shell", what, stopped);

function made(kind: CaseKind, what: string, stopped?: string): MatrixCase {
  return { kind, what, ...(stopped !== undefined && { stopped }) };
}

/** What is not stopped does nothing. Never three refusals in a row: some agents end a run then. */
export const matrixCases: readonly MatrixCase[] = [
  shell("deploy prod", "M-DEPLOY"),
  shell("echo deploy"),
  shell("true && deploy prod", "M-DEPLOY"),
  shell("true && echo two"),
  shell("env A=1 deploy prod", "M-DEPLOY"),
  shell("A=1 echo three"),
  shell("bash -c 'deploy prod'", "M-DEPLOY"),
  shell("bash -c 'echo four'"),
  shell("(deploy prod)", "M-DEPLOY"),
  shell("echo $(deploy prod)", "M-DEPLOY"),
  shell("echo $(pwd)"),
  shell("echo five | deploy prod", "M-DEPLOY"),
  shell("command deploy prod", "M-DEPLOY"),
  shell("for i in 1 2; do echo $i; done"),
  shell("rm -rf build", "M-RM"),
  shell("true; rm -r -f build", "M-RM"),
  shell("echo rm -r build"),
  shell("cat .env", "M-ENV"),
  shell("head -1 < ./.env", "M-ENV"),
  shell("cat open.txt"),
  shell("cp .env other.txt", "M-ENV"),
  shell("cat secrets/key.txt", "M-SECRETS"),
  shell("ls"),
  shell("curl http://127.0.0.1:9/", "M-CURL"),
  shell("echo forbidden-word", "M-WORD"),
  shell("printf 'six\\n'"),
  shell("npm publish", "M-ASK"),
  shell("true && npm publish", "M-ASK"),
  shell("pwd"),
  made("write", ".env", "M-ENV"),
  { kind: "write", what: "made.txt", content: "plain\n" },
  made("write", "secrets/key.txt", "M-SECRETS"),
  { kind: "write", what: "key.txt", content: "-----BEGIN PRIVATE KEY-----\n", stopped: "M-KEY" },
  { kind: "write", what: "notes.txt", content: "BEGIN of notes\n" },
  made("read", ".env", "M-ENV"),
  made("read", "open.txt"),
  made("read", "secrets/key.txt", "M-SECRETS"),
  made("fetch", "https://forbidden.example/page", "M-PAGE"),
  made("mcp", "look"),
  made("mcp", "drop", "M-DROP"),
];

export function nameOfCase({ kind, what, content }: MatrixCase): string {
  return `${kind} ${what}${content === undefined ? "" : ` ${JSON.stringify(content)}`}`;
}
