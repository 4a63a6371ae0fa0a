/** `npm run test:agents [-- part-of-a-file-name]`: installs the pinned agents and runs the checks against them. */
import { existsSync } from "node:fs";
import { startVitest } from "vitest/node";
import { agentSdk, installAgentSdk } from "../tests/agents/agent-sdk.ts";
import { inspector, installInspector } from "../tests/agents/inspector.ts";
import { describeMatrix, forgetMatrix } from "../tests/agents/real/print-matrix.ts";
import { realAgents } from "../tests/agents/real/real-agents.ts";

const missing = ["dist/cli.js", "dist/hook/hook.cjs"].filter((file) => !existsSync(file));
if (missing.length > 0) {
  console.log(`${missing.join(" and ")}: not built. Run npm run build first.`);
  process.exit(1);
}

for (const [client, install] of [
  ...realAgents.map((agent) => [agent.package, () => agent.install()]),
  [inspector, installInspector],
  [agentSdk, installAgentSdk],
]) {
  const installed = install();
  console.log(
    "problem" in installed
      ? `${client.name}@${client.version} could not be installed, its checks are skipped: ${installed.problem}`
      : `${client.name}@${client.version}`,
  );
}

forgetMatrix();
process.env.TOOLGATE_TESTS = "agents";
const vitest = await startVitest("test", process.argv.slice(2), {
  run: true,
  watch: false,
  // The client mostly waits for its hook and for the model: two sessions share two cores well.
  fileParallelism: true,
  maxWorkers: 2,
  reporters: ["verbose"],
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
