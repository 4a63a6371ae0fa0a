/**
 * `npm run test:agents [-- --agent NAME ...] [part-of-a-file-name ...]`: installs the pinned agents side by side and runs the checks against
 * them. Without --agent: all of them.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { startVitest } from "vitest/node";
import { agentSdk } from "../tests/agents/agent-sdk.ts";
import { inspector } from "../tests/agents/inspector.ts";
import { describeMatrix, forgetMatrix } from "../tests/agents/real/print-matrix.ts";
import { realAgents } from "../tests/agents/real/real-agents.ts";

const { values, positionals } = parseArgs({
  options: { agent: { type: "string", multiple: true } },
  allowPositionals: true,
});
const names = realAgents.map(({ name }) => name);
const asked = values.agent ?? names;
const unknown = asked.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.log(`There are no checks of ${unknown}. The agents are ${names.join(", ")}.`);
  process.exit(2);
}
const missing = ["dist/cli.js", "dist/hook/hook.cjs"].filter((file) => !existsSync(file));
if (missing.length > 0) {
  console.log(`${missing.join(" and ")}: not built. Run npm run build first.`);
  process.exit(1);
}
// Read by tests/agents/npm-package.ts: what is installed and not asked for is not found.
process.env.TOOLGATE_AGENTS = asked.join(",");

const programs = [
  ...realAgents.filter(({ name }) => asked.includes(name)),
  inspector,
  ...(asked.includes("claude-code") ? [agentSdk] : []),
];
await Promise.all(
  programs.map(async ({ package: { name, version }, install }) => {
    const installed = await install();
    console.log(
      "problem" in installed
        ? `${name}@${version} could not be installed, its checks are skipped: ${installed.problem}`
        : `${name}@${version}`,
    );
  }),
);

forgetMatrix();
process.env.TOOLGATE_TESTS = "agents";
const vitest = await startVitest("test", positionals, {
  run: true,
  watch: false,
  // The client mostly waits for its hook and for the model: two sessions share two cores well.
  fileParallelism: true,
  maxWorkers: 2,
  reporters: ["verbose"],
  // Files about one agent only. Where a file has several, those that were not asked for are skipped.
  exclude: names
    .filter((name) => !asked.includes(name))
    .flatMap((name) => [
      `tests/agents/**/${name}.agents.test.ts`,
      `tests/agents/**/${name}-*.agents.test.ts`,
    ]),
});
await vitest.close();

const files = vitest.state.getTestModules();
const states = files.flatMap((file) => [...file.children.allTests()].map((test) => test.result().state));
const count = (...wanted) => states.filter((state) => wanted.includes(state)).length;
const [passed, failed, skipped] = [count("passed"), count("failed"), count("skipped", "pending")];
const mustBeFull = process.env.TOOLGATE_CI === "full" && skipped > 0;

console.log(describeMatrix(realAgents.map(({ name }) => name)));
if (mustBeFull) console.log("TOOLGATE_CI=full: what is skipped counts as failed.");
console.log(`${passed} checks passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
// A file that does not even load has no checks that could fail.
const isBroken = states.length === 0 || files.some((file) => file.state() === "failed");
if (failed > 0 || isBroken || mustBeFull) process.exitCode = 1;
