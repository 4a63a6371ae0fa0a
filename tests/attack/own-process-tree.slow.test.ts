/** The real command line below a process that is an agent, with no variable that says so, and with a terminal that script(1) makes. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const cli = resolve("src/cli.ts");
let base: string;
let home: string;
let project: string;
/** Programs that run the words they are given, as agents do. */
let agents: Record<"claude" | "codex", readonly string[]>;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "own-tree-")));
  home = join(base, "home");
  project = join(base, "project");
  mkdirSync(home);
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, "toolgate.yaml"), "policies:\n  all: { tools: '*', action: approve }\n");
  const shell = join(base, "bin/claude");
  const packaged = join(base, "lib/node_modules/@openai/codex/bin/run.mjs");
  for (const file of [shell, packaged]) mkdirSync(dirname(file), { recursive: true });
  writeFileSync(shell, '#!/bin/sh\n"$@"\nexit $?\n');
  chmodSync(shell, 0o755);
  writeFileSync(
    packaged,
    `import { spawnSync } from "node:child_process";
const [program, ...args] = process.argv.slice(2);
process.exit(spawnSync(program, args, { stdio: "inherit" }).status ?? 1);
`,
  );
  agents = { claude: [shell], codex: [process.execPath, packaged] };
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function run(words: readonly string[]) {
  const [program = "", ...args] = words;
  const env = { HOME: home, PATH: process.env.PATH ?? "", TERM: "dumb" };
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: project,
    env,
    encoding: "utf8",
    input: "y\ny\n",
  });
  return { status, text: `${stdout}${stderr}` };
}

const toolgate = (args: readonly string[]) => [process.execPath, "--no-warnings", cli, ...args];
const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(" ");

const forPeople = [
  ["trust", "--yes"],
  ["tokens", "create", "me", "--rights", "approve"],
  ["upstreams", "add", "mine", "--", "sh", "-c", "id"],
  ["grants", "revoke", "--all"],
  ["uninstall", "claude-code"],
  ["install", "claude-code", "--force"],
  ["init", "--force", "--yes"],
  ["audit", "prune", "--older-than", "1s", "--yes"],
  ["tools", "call", "fs.write", '{"path":"a","content":"x"}', "--enable-tools", "--yes"],
  ["serve", "--port", "0", "--token-file", "mine"],
];

describe.skipIf(process.platform === "win32")("the command line inside an agent's tree of processes", () => {
  it.each(forPeople)("refuses: %s %s %s", (...args) => {
    for (const agent of Object.values(agents)) {
      const { status, text } = run([...agent, ...toolgate(args)]);
      expect([status, text]).toEqual([1, expect.stringMatching(/inside an agent \(.*started it\)/)]);
    }
    expect(existsSync(join(home, ".local/state/toolgate/trust.json"))).toBe(false);
    expect(existsSync(join(home, ".claude/settings.json"))).toBe(false);
    expect(readdirSync(project).sort()).toEqual([".git", "toolgate.yaml"]);
  });

  it.each([
    ["a terminal of script(1)", (words: string) => ["script", "-qec", words, "/dev/null"]],
    ["a cleared environment", (words: string) => ["env", "-i", `HOME=HOMEDIR`, "sh", "-c", words]],
    ["a session of its own", (words: string) => ["setsid", "-w", "sh", "-c", words]],
    ["several shells", (words: string) => ["nohup", "sh", "-c", `sh -c "${words}"; exit $?`]],
  ])("refuses behind %s", (_name, wrap) => {
    const wrapped = wrap(quoted(toolgate(["trust"]))).map((word) => word.replaceAll("HOMEDIR", home));
    const { text } = run([...agents.claude, ...wrapped]);
    expect(text).toMatch(/inside an agent \(claude, pid \d+, started it\)/);
    expect(existsSync(join(home, ".local/state/toolgate/trust.json"))).toBe(false);
  });

  it("serves nobody whom a configuration of the agent's own lets in", () => {
    const file = join(base, "team.yaml");
    const oauth = "issuer: 'https://me.example', audience: gate, jwks_file: /tmp/mine.json";
    writeFileSync(file, `server:\n  oauth: { ${oauth} }\n`);
    const { status, text } = run([...agents.claude, ...toolgate(["serve", "--port", "0", "--config", file])]);
    expect([status, text]).toEqual([1, expect.stringContaining("who may answer is a person's decision")]);
  });

  it("does not ask an agent at the terminal that the agent made", () => {
    const call = toolgate(["tools", "call", "fs.write", '{"path":"b","content":"x"}', "--enable-tools"]);
    const { text } = run([...agents.claude, "script", "-qec", quoted(call), "/dev/null"]);
    expect(text).not.toMatch(/Allow|Approve\?/);
    expect(existsSync(join(project, "b"))).toBe(false);
  });

  it("still reads for an agent", () => {
    expect(run([...agents.claude, ...toolgate(["trust", "--list"])]).status).toBe(0);
  });
});
