/** With a required sandbox nothing can be planted that runs later outside. Each way is tried without a sandbox first: it must work there. */
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createGate } from "../../src/gate/create-gate.ts";
import { runProcess } from "../../src/safe/process/spawn.ts";
import { createShellTools } from "../../src/sources/builtin/shell/shell-tools.ts";
import { describeSandbox } from "../unit/safe/sandbox/describe-sandbox.ts";
import { type Plant, sandboxPlants } from "./sandbox-plants.ts";

describeSandbox("what a sandboxed command plants", () => {
  it("is tried in at least fifty ways", () => {
    expect(Object.keys(sandboxPlants).length).toBeGreaterThanOrEqual(50);
  });

  it.each(Object.entries(sandboxPlants))("never runs outside: %s", { timeout: 30_000 }, async (_, plant) => {
    expect(await attack(plant, "off")).toBe("it ran");
    expect(await attack(plant, "required")).toBe("it did not run");
  });
});

async function attack(plant: Plant, sandbox: "off" | "required"): Promise<string> {
  const folder = (name: string): string => realpathSync(mkdtempSync(`/var/tmp/toolgate-${name}-`));
  const [workspace, outside] = [folder("workspace"), folder("outside")];
  onTestFinished(() => {
    for (const one of [workspace, outside])
      rmSync(one, { recursive: true, force: true, maxRetries: 30, retryDelay: 200 });
  });
  const proof = join(outside, "proof");
  const evil = join(workspace, "evil.sh");
  writeFileSync(evil, `#!/bin/sh\ntouch '${proof}' 2>/dev/null\n`);
  chmodSync(evil, 0o755);
  const filled = (text: string): string =>
    text.replaceAll("EVIL", evil).replaceAll("OUTSIDE", outside).replaceAll("WORKSPACE", workspace);
  const atHome = async (line: string): Promise<void> => {
    const env = { HOME: outside, GIT_CONFIG_GLOBAL: join(outside, "gitconfig") };
    await runProcess({ command: "bash", args: ["-c", line], cwd: workspace, env, timeoutMs: 20_000 });
  };
  writeFileSync(
    join(outside, "gitconfig"),
    "[user]\nname = a\nemail = a@b.c\n[init]\ndefaultBranch = main\n",
  );
  await atHome("git init -q && git add evil.sh && git commit -q -m first");
  await atHome(filled(plant.given ?? "true"));

  const shell = createShellTools({ sandbox, env: { GIT_CONFIG_GLOBAL: join(outside, "gitconfig") } });
  const gate = await createGate({
    tools: shell.tools,
    roots: [workspace],
    enable: { enabledCategories: ["shell"] },
    // A person who says yes to everything: the sandbox alone stands in the way.
    approver: { name: "everyone", ask: () => ({ decision: "approve" }) },
  });
  const run = async (input: object): Promise<void> => {
    const outcome = await gate.dispatch({ tool: "shell.exec", input, sessionId: "s" });
    if (!outcome.ok && outcome.error.stage !== "run") throw new Error(outcome.error.message);
  };
  // In a program that no rule can look into.
  writeFileSync(join(workspace, "build.sh"), filled(plant.plant));
  await run({ command: "bash ./build.sh", ...(plant.background === true && { background: true }) });
  if (plant.background === true) await sleep(1_000);
  // Planting may run it, too, in there or here: what counts is what runs afterwards.
  rmSync(proof, { force: true });
  await atHome(filled(plant.trigger));
  const ran = existsSync(proof);
  await gate.close();
  await shell.close();
  return ran ? "it ran" : "it did not run";
}
