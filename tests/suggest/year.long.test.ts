import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { mutate } from "../../src/suggest/proof/mutations.ts";
import { suggest } from "../../src/suggest/suggest.ts";
import { createGateJudge } from "./gate-judge.ts";
import { historyRules, makeHistory } from "./make-history.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-year-")));
for (const folder of ["shop", "api", "desk", "infra"]) mkdirSync(join(root, folder));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const wanted = 10_000;

it("a year of 100,000 calls is read in ten seconds, saves half of the questions, and lets none of 10,000 attacks pass", async () => {
  const { calls, until, floor } = makeHistory({ seed: 3, root, calls: 100_000 });
  await using judge = createGateJudge(historyRules);
  const before = process.cpuUsage();
  const report = await suggest(calls, { judge, now: until, days: 365 });
  // Of the processor: what else the machine does meanwhile is not our time.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000);
  expect(report.calls).toBe(100_000);
  expect(report.savedQuestions / report.questions).toBeGreaterThan(0.5);
  const added = {
    policies: report.suggestions.flatMap(({ kind, state, rules }) =>
      kind === "allow" && state === "ready" ? (rules.policies ?? []) : [],
    ),
  };
  const denied = calls.filter(({ question, callId }) => question?.state === "denied" || floor.has(callId));
  const ofDenied = await judge.judge(denied, { added });
  expect(denied.filter((_, index) => ofDenied[index]?.verdict === "allow")).toEqual([]);
  const seen = new Set<string>();
  const attacks = [];
  for (const call of calls) {
    const { command, file_path: path, url } = call.input;
    const text = [command, path, url].find((one) => typeof one === "string") as string | undefined;
    if (call.question === undefined || text === undefined || seen.has(text)) continue;
    seen.add(text);
    const all = mutate({
      input: call.input,
      ...(command !== undefined ? { command: text } : path !== undefined ? { path: text } : { url: text }),
    });
    // Each way of attack often, on ever other calls.
    attacks.push(
      ...all.filter((_, index) => (index + seen.size) % 7 === 0).map(({ input }) => ({ ...call, input })),
    );
    if (attacks.length >= wanted) break;
  }
  expect(attacks.length).toBeGreaterThanOrEqual(wanted);
  const attacked = await judge.judge(attacks, { added });
  const passed = attacks.filter((_, index) => attacked[index]?.verdict === "allow");
  expect(passed.map(({ input }) => input)).toEqual([]);
}, 600_000);
