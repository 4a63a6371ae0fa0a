/** Two weeks of answers become a rule: what `toolgate suggest` proposes, its proof, and the questions that fall away. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createGate, openStore } from "toolgate";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-suggest-")));
const [home, project] = [join(folder, "home"), join(folder, "project")];
const stateFolder = join(home, ".local/state/toolgate");
const userFile = join(home, ".config/toolgate/config.yaml");
mkdirSync(join(project, ".git"), { recursive: true });
mkdirSync(join(home, ".config/toolgate"), { recursive: true });
mkdirSync(stateFolder, { recursive: true });
writeFileSync(userFile, "policies:\n  ask-first: { tools: Bash, action: ask, priority: -10 }\n");

// Two weeks in a moment: a clock that we move, and Ann, who is a program here.
const day = 86_400_000;
let back = 14 * day;
const clock = {
  now: () => Date.now() - back,
  monotonic: () => performance.now(),
  dateOf: () => Date.now() - back,
  after: (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
{
  await using store = await openStore({ stateFolder });
  const gate = await createGate({
    store,
    clock,
    roots: [project],
    policies: [{ name: "ask-first", tools: "Bash", action: "ask", priority: -10 }],
    approvals: { timeoutMs: 20 * day },
    approver: {
      name: "ann",
      ask: ({ input }) =>
        String(input.command).includes("push")
          ? { decision: "deny", reason: "I push myself." }
          : { decision: "approve" },
    },
  });
  for (back = 14 * day; back > day; back -= day)
    for (const name of ["cart", "order", "price", "stock", "user"])
      for (const command of [`npx vitest run tests/${name}.test.ts`, "git push --force origin main"])
        await gate.check({ tool: "Bash", input: { command }, cwd: project, sessionId: `day-${back / day}` });
  await gate.close();
}

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const toolgate = async (...argv: string[]) => {
  const env = { PATH: process.env.PATH, HOME: home };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...argv], { cwd: project, env });
  return stdout;
};

const shown = await toolgate("suggest", "--for", "allow");
console.log(shown);
assert.match(shown, /1 rule would have saved 65 of 130 questions/);

const { report } = JSON.parse(await toolgate("suggest", "--for", "allow", "--json"));
const [suggestion] = report.suggestions;
assert.equal(suggestion.evidence.approved, 65);
assert.equal(suggestion.attacks.passed, 0);

// Nothing holds before a person writes it. Then the question is gone, and a slipped-in option still asks.
await toolgate("suggest", suggestion.id, "--write", userFile, "--yes");
console.log(readFileSync(userFile, "utf8"));
const verdict = async (command: string) =>
  JSON.parse(await toolgate("explain", "--json", "Bash", command)).verdict;
assert.equal(await verdict("npx vitest run tests/cart.test.ts"), "allow");
assert.equal(await verdict("npx vitest run tests/cart.test.ts --config /tmp/evil.ts"), "ask");
assert.equal(await verdict("git push --force origin main"), "ask");
assert.match(await toolgate("test", userFile), / 0 failed/);

rmSync(folder, { recursive: true });
