import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
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

  it("says of every call what the rules of the time really say", async () => {
    await using judge = createGateJudge(historyRules);
    const judged = await judge.judge(history.calls);
    const other = history.calls.filter(({ verdict }, index) => judged[index]?.verdict !== verdict);
    expect([...new Set(other.map(({ input }) => JSON.stringify(input)))].slice(0, 20)).toEqual([]);
  });
});

describe("histories of adversaries", () => {
  const histories = adversaryHistories(root);

  it("want what the rules do not let pass", async () => {
    await using judge = createGateJudge(historyRules);
    for (const { name, wants } of histories) {
      const judged = await judge.judge(wants);
      const passes = wants.filter((_, index) => judged[index]?.verdict === "allow");
      expect([name, passes]).toEqual([name, []]);
    }
  });
});
