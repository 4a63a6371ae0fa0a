/** Compares the policies made of a person's permissions with the program's own matching, call by call. */
import { expect } from "vitest";
import { type CallForms, type CallSeeds, callsNear, createRandom } from "./calls.ts";
import type { createImportWorld } from "./import-world.ts";
import { type OracleWorld, type OwnCall, type OwnVerdict, strictness } from "./oracles/verdict.ts";

const callsPerSetting = 60;

/** As Claude Code names its tools, and Codex. */
export const claudeForms: CallForms = {
  shell: (command) => ({ tool: "Bash", input: { command } }),
  read: (file_path) => ({ tool: "Read", input: { file_path } }),
  write: (file_path) => ({ tool: "Write", input: { file_path, content: "x" } }),
  fetch: (url) => ({ tool: "WebFetch", input: { url, prompt: "x" } }),
};

/** A pattern as something that it matches. */
export const filled = (text: string) => text.replaceAll("**", "deep/file").replaceAll(/[*?]/g, "some");

interface Wider {
  readonly setting: number;
  readonly call: OwnCall;
  readonly own: OwnVerdict;
  readonly ours: string;
}

export interface Compared<Settings> {
  readonly settings: readonly Settings[];
  readonly forms: CallForms;
  open(one: Settings): ReturnType<typeof createImportWorld>;
  seedsOf(one: Settings): CallSeeds;
  ownVerdict(one: Settings, call: OwnCall, world: OracleWorld): OwnVerdict;
}

/** Compares both on calls near to each of the settings, and counts. */
async function compare<Settings>({
  settings,
  forms,
  open,
  seedsOf,
  ownVerdict,
}: Compared<Settings>): Promise<{
  readonly calls: number;
  readonly wider: readonly Wider[];
  readonly same: number;
}> {
  const wider: Wider[] = [];
  let calls = 0;
  let same = 0;
  for (const [setting, one] of settings.entries()) {
    const world = await open(one);
    try {
      for (const call of callsNear(seedsOf(one), forms, world, createRandom(setting + 7), callsPerSetting)) {
        calls++;
        const own = ownVerdict(one, call, world);
        const { verdict: ours } = await world.gate.check(call, { wait: false });
        if (strictness[ours] < strictness[own]) wider.push({ setting, call, own, ours });
        if (strictness[ours] === strictness[own]) same++;
      }
    } finally {
      await world.close();
    }
  }
  return { calls, wider, same };
}

export async function expectNeverWider<Settings>(compared: Compared<Settings>): Promise<void> {
  const { calls, wider, same } = await compare(compared);
  expect(compared.settings).toHaveLength(30);
  expect(calls).toBeGreaterThanOrEqual(500);
  expect(wider).toEqual([]);
  // Refusing everything would be never wider, too.
  expect(same / calls).toBeGreaterThan(0.4);
}
