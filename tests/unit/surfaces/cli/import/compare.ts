/** Compares the policies made of a person's permissions with the program's own matching, call by call. */
import { expect } from "vitest";
import { type CallForms, type CallSeeds, callsNear, createRandom } from "./calls.ts";
import type { createImportWorld } from "./import-world.ts";
import { type OracleWorld, type OwnCall, type OwnVerdict, strictness } from "./oracles/verdict.ts";

const callsPerSetting = 60;

/** A pattern as something that it matches. */
export const filled = (text: string) => text.replaceAll("**", "deep/file").replaceAll(/[*?]/g, "some");

interface Wider {
  readonly setting: number;
  readonly call: OwnCall;
  readonly own: OwnVerdict;
  readonly ours: string;
}

interface Compared<Settings> {
  readonly settings: readonly Settings[];
  readonly forms: CallForms;
  open(one: Settings): ReturnType<typeof createImportWorld>;
  seedsOf(one: Settings): CallSeeds;
  ownVerdict(one: Settings, call: OwnCall, world: OracleWorld): OwnVerdict;
}

/** Compares both on calls near to each of the settings. */
export async function expectNeverWider<Settings>({ settings, ...one }: Compared<Settings>): Promise<void> {
  const wider: Wider[] = [];
  let calls = 0;
  let same = 0;
  for (const [setting, own] of settings.entries()) {
    const world = await one.open(own);
    try {
      const random = createRandom(setting + 7);
      for (const call of callsNear(one.seedsOf(own), one.forms, world, random, callsPerSetting)) {
        calls++;
        const theirs = one.ownVerdict(own, call, world);
        const { verdict: ours } = await world.gate.check(call, { wait: false });
        if (strictness[ours] < strictness[theirs]) wider.push({ setting, call, own: theirs, ours });
        if (strictness[ours] === strictness[theirs]) same++;
      }
    } finally {
      await world.close();
    }
  }
  expect(settings).toHaveLength(30);
  expect(calls).toBeGreaterThanOrEqual(500);
  expect(wider).toEqual([]);
  // Refusing everything would be never wider, too.
  expect(same / calls).toBeGreaterThan(0.4);
}
