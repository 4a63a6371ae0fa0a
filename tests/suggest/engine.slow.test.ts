import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeConfigProblem } from "../../src/config/config-problem.ts";
import { parseConfigFile } from "../../src/config/file/parse-file.ts";
import { runRuleTests } from "../../src/replay/run-rule-tests.ts";
import type { Rules } from "../../src/rules/rule-set.ts";
import type { HistoryCall } from "../../src/suggest/history.ts";
import { suggest } from "../../src/suggest/suggest.ts";
import type { SuggestionReport } from "../../src/suggest/suggestion.ts";
import { adversaryEnd, adversaryHistories } from "./adversary-histories.ts";
import { createGateJudge, type GateJudge } from "./gate-judge.ts";
import { historyRules, makeHistory } from "./make-history.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-suggest-")));
for (const folder of ["shop", "api", "desk", "infra", "home"]) mkdirSync(join(root, folder));
const { HOME } = process.env;
process.env.HOME = join(root, "home");

const history = makeHistory({ seed: 11, root, calls: 5_000 });
const past = history.calls.filter(({ at }) => at < history.laterFrom);
const later = history.calls.filter(({ at }) => at >= history.laterFrom);
let judge: GateJudge;
let report: SuggestionReport;

beforeAll(async () => {
  judge = createGateJudge(historyRules);
  report = await suggest(past, { judge, now: history.laterFrom, days: 365 });
}, 300_000);

afterAll(async () => {
  await judge[Symbol.asyncDispose]();
  process.env.HOME = HOME;
  rmSync(root, { recursive: true, force: true });
});

const ready = (from: SuggestionReport) => from.suggestions.filter(({ state }) => state === "ready");
const approvals = (from: SuggestionReport): Rules => ({
  policies: ready(from).flatMap(({ kind, rules }) => (kind === "allow" ? (rules.policies ?? []) : [])),
});

function parsed(yaml: string): Rules {
  const result = parseConfigFile(`version: 1\n${yaml}`, "suggested.yaml", "config");
  if (!result.ok) throw new Error(result.problems.map(describeConfigProblem).join("\n"));
  return { routes: result.file.routes, policies: result.file.policies };
}

describe("suggestions for a made-up year", () => {
  it("are the same every time, in whatever order the calls come", async () => {
    const again = await suggest([...past].reverse(), { judge, now: history.laterFrom, days: 365 });
    expect(again).toEqual(report);
    expect(new Set(report.suggestions.map(({ id }) => id)).size).toBe(report.suggestions.length);
  });

  it("save at least half of the questions that come later, and allow no denial and nothing of the floor", async () => {
    const added = approvals(report);
    const now = await judge.judge(later, { added });
    const asked = later
      .map((call, index) => ({ call, now: now[index]?.verdict }))
      .filter(({ call }) => call.question);
    const saved = asked.filter((one) => one.now !== "ask");
    expect(saved.length / asked.length).toBeGreaterThan(0.5);
    const before = await judge.judge(past, { added });
    const all = [...asked, ...past.map((call, index) => ({ call, now: before[index]?.verdict }))];
    const isWrong = ({ call }: { call: HistoryCall }) =>
      call.question?.state === "denied" || history.floor.has(call.callId);
    // Some of what is always denied in one project is fine in another: only verdicts count.
    const wrong = all.filter((one) => one.now === "allow" && isWrong(one));
    expect(wrong.map(({ call }) => call.input)).toEqual([]);
  });

  it("change exactly the calls that they say, each alone", async () => {
    const base = await judge.judge(past);
    for (const { title, rules, changes, kind, project } of ready(report)) {
      if (kind === "limit" || project !== undefined) continue;
      const now = await judge.judge(past, { added: rules });
      const changed = past.filter((_, index) => now[index]?.verdict !== base[index]?.verdict);
      expect([title, changed.length]).toEqual([title, changes.count]);
    }
  }, 120_000);

  it("come as text that says the same, and whose tests pass", async () => {
    expect(ready(report).length).toBeGreaterThan(15);
    for (const { yaml, rules, title, kind, tests } of ready(report)) {
      const { policies = [], routes = [] } = parsed(yaml);
      expect([...policies, ...routes].map(({ source: _, tier: __, ...rest }) => rest)).toMatchObject(
        [...(rules.policies ?? []), ...(rules.routes ?? [])].map((rule) => JSON.parse(JSON.stringify(rule))),
      );
      const { passed, failed } = await runRuleTests([
        { file: "suggested.yaml", rules: { policies, routes } },
      ]);
      expect([title, failed, passed]).toEqual([title, 0, tests.length]);
      if (kind === "allow") expect(tests.map(({ expect: wanted }) => wanted)).toContain("not-approved");
      if (kind === "allow") expect(tests.map(({ expect: wanted }) => wanted)).toContain("approved");
    }
  }, 120_000);

  it("pass their tests together, too", async () => {
    const all = ready(report).filter(({ project }) => project === undefined);
    const files = all.map(({ yaml }) => parsed(yaml));
    const rules = {
      routes: files.flatMap(({ routes = [] }) => routes),
      policies: files.flatMap(({ policies = [] }) => policies),
    };
    const { files: tested } = await runRuleTests([{ file: "suggested.yaml", rules }]);
    const failed = tested.flatMap(({ tests }) => tests.filter(({ ok }) => !ok));
    expect(failed.map(({ rule, desc, verdict }) => `${rule.name}: ${desc} (${verdict})`)).toEqual([]);
  }, 120_000);

  it("are of every kind that the history has, with numbers that can be checked", () => {
    const titles = ready(report).map(({ title }) => title);
    expect(titles).toContain("Approve npx vitest run tests/PATH.test.ts for local in shop");
    expect(titles.some((title) => title.startsWith("Deny git push --force: Never force-push"))).toBe(true);
    expect(titles).toContain("Rewrite npm -> pnpm");
    const vitest = ready(report).find(({ title }) => title.includes("vitest"));
    expect(vitest?.evidence).toMatchObject({ denied: 0, edited: 0, people: 2 });
    expect(vitest?.holdOut.answered).toBeGreaterThan(10);
    expect(vitest?.holdOut).toMatchObject({ denied: 0 });
    expect(vitest?.attacks.tried).toBeGreaterThan(100);
    expect(vitest?.provenance).toMatchObject({ rulesVersion: judge.rulesVersion, until: history.laterFrom });
    expect(report.withheld.map(({ why }) => why).join("\n")).toMatch(/git push[\s\S]*sudo/);
    expect(report.cannotTell).toBeGreaterThan(0);
  });
});

it.each(adversaryHistories(root).map((one) => [one.name, one] as const))(
  "suggestions for agents that farm approvals give nothing to %s",
  async (_, { calls, wants }) => {
    const found = await suggest(calls, { judge, now: adversaryEnd, days: 30 });
    const now = await judge.judge(wants, { added: approvals(found) });
    const passed = wants.filter((__, index) => now[index]?.verdict === "allow");
    expect(passed.map(({ input }) => input)).toEqual([]);
  },
);
