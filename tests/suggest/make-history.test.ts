import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { answersInARow } from "../../src/suggest/evidence.ts";
import { adversaryHistories } from "./adversary-histories.ts";
import { createGateJudge } from "./gate-judge.ts";
import { historyRules, makeHistory } from "./make-history.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-history-")));
for (const folder of ["shop", "api", "desk", "infra", "home"]) mkdirSync(join(root, folder));
// `rm -rf ~` is looked into, and a real home is large.
const { HOME } = process.env;
process.env.HOME = join(root, "home");
afterAll(() => {
  process.env.HOME = HOME;
  rmSync(root, { recursive: true, force: true });
});

describe("a made-up year", () => {
  const history = makeHistory({ seed: 7, root, calls: 4_000 });

  it("is the same for the same seed, and another one for another", () => {
    expect(makeHistory({ seed: 7, root, calls: 4_000 })).toEqual(history);
    expect(makeHistory({ seed: 8, root, calls: 4_000 }).calls).not.toEqual(history.calls);
  });

  it("has several projects, people, agents, kinds of tools and ways to answer", () => {
    const { calls } = history;
    expect(calls).toHaveLength(4_000);
    expect(calls.map(({ seq }) => seq)).toEqual(calls.map((_, index) => index + 1));
    const kinds = (of: (call: (typeof calls)[number]) => unknown) => new Set(calls.map(of)).size;
    expect([kinds(({ workspace }) => workspace), kinds(({ agent }) => agent)]).toEqual([4, 3]);
    expect(kinds(({ question }) => question?.by)).toBeGreaterThan(4);
    expect(kinds(({ tool }) => tool)).toBeGreaterThan(6);
    expect(kinds(({ question }) => question?.state)).toBe(4);
    const some = (holds: (call: (typeof calls)[number]) => boolean) => calls.filter(holds).length;
    expect(some(({ incomplete }) => incomplete === true)).toBeGreaterThan(2);
    expect(some(({ question }) => question?.editedInput !== undefined)).toBeGreaterThan(20);
    expect(answersInARow(calls).size).toBeGreaterThan(20);
    expect(some(({ question }) => (question?.secondsToAnswer ?? 9) < 1.5)).toBeGreaterThan(100);
    expect(some(({ question }) => question?.reason !== undefined)).toBeGreaterThan(50);
    expect(some(({ at }) => at >= history.laterFrom)).toBeGreaterThanOrEqual(800);
  });

  it("says of every call what the rules of the time really say", async () => {
    await using judge = createGateJudge(historyRules);
    const judged = await judge.judge(history.calls);
    const other = history.calls.filter(({ verdict }, index) => judged[index]?.verdict !== verdict);
    expect([...new Set(other.map(({ input }) => JSON.stringify(input)))].slice(0, 20)).toEqual([]);
  });
});

describe("histories of adversaries", () => {
  const histories = adversaryHistories(root);

  it("are at least twenty, each with a name of its own", () => {
    expect(new Set(histories.map(({ name }) => name)).size).toBe(histories.length);
    expect(histories.length).toBeGreaterThanOrEqual(20);
  });

  it("want what the rules do not let pass", async () => {
    await using judge = createGateJudge(historyRules);
    for (const { name, wants } of histories) {
      const judged = await judge.judge(wants);
      const passes = wants.filter((_, index) => judged[index]?.verdict === "allow");
      expect([name, passes]).toEqual([name, []]);
    }
  });
});
