import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGate } from "../../../src/index.ts";
import { openConfig } from "../../../src/open/open-config.ts";
import { openStore } from "../../../src/open/open-store.ts";
import { replayCalls } from "../../../src/replay/replay-calls.ts";
import type { Policy } from "../../../src/rules/policies.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-replay-calls-")));
const workspace = join(folder, "project");
const env = { HOME: join(folder, "home") };
const stateFolder = join(folder, "home/.local/state/toolgate");
mkdirSync(join(workspace, ".git"), { recursive: true });
mkdirSync(stateFolder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noEnv: Policy = {
  name: "no-env",
  tools: "*",
  action: "deny",
  conditions: [{ type: "path", operator: "matches", value: "(^|/)[.]env$" }],
};
const rules = `policies: ${JSON.stringify({ "no-env": { ...noEnv, name: undefined } })}\n`;
const doubtful = { tool: "Bash", input: { command: "python3 -c 'print(1)'" }, cwd: workspace };

beforeAll(async () => {
  await using store = await openStore({ stateFolder });
  const gate = await createGate({ store, roots: [workspace], policies: [noEnv] });
  const left = await gate.check({ ...doubtful, unsure: "abstain" });
  // Nobody is there to be asked; that a person should have been is in the record.
  const asked = await gate.check(doubtful);
  await gate.check({ ...doubtful, input: { command: "ls" } });
  expect([left.verdict, asked.verdict]).toEqual(["abstain", "deny"]);
});

async function replayed(yaml: string): Promise<readonly string[]> {
  writeFileSync(join(workspace, "toolgate.yaml"), yaml);
  const config = await openConfig({ cwd: workspace, env });
  await using store = await openStore({ stateFolder });
  const { changes, calls } = await replayCalls(store.ledger, config, { onlyProject: false });
  expect(calls).toBe(3);
  return changes.map(({ before, now }) => `${before} -> ${now.verdict}`);
}

describe("calls about which a policy was in doubt, played again", () => {
  it("end as they did where the rules are the same", async () => {
    expect(await replayed(rules)).toEqual([]);
  });

  it("are asked about or denied where hooks.unsure says so by now", async () => {
    expect(await replayed(`${rules}hooks: { unsure: ask }\n`)).toEqual(["abstain -> ask"]);
    expect(await replayed(`${rules}hooks: { unsure: deny }\n`)).toEqual(["abstain -> deny", "ask -> deny"]);
  });
});
