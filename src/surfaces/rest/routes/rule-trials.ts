/** Rules against the past and against their own tests. Nothing runs, nothing is asked, nothing is changed. */
import { defined } from "../../../core/input/defined.ts";
import { runRuleTests } from "../../../replay/run-rule-tests.ts";
import { json } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import type { ReplayResult, RuleHits, RuleTestReport } from "../contract.ts";
import { defineRoute, defineStoreRoute } from "../rest-route.ts";
import {
  hitsQuery,
  replayBody,
  replayResult,
  ruleHits,
  ruleTestBody,
  ruleTestReport,
} from "../schemas/insight.ts";
import { readTimes } from "../time-query.ts";
import { oneAtATime } from "../trials/one-at-a-time.ts";
import { replayPasted } from "../trials/replay-pasted.ts";
import { countHits } from "../trials/rule-hits.ts";
import { rulesByFile } from "../trials/rules-by-file.ts";

const showHits = defineStoreRoute({
  method: "GET",
  path: "/api/rules/hits",
  right: "read",
  summary: "How often each rule decided, and which never did",
  description:
    "By default in the last 30 days. `complete` is false while older records are still being counted: ask again.",
  query: hitsQuery,
  answers: { 200: ruleHits },
  async handle({ query: { days = 30 } }, { gate, store, clock }) {
    const until = clock.now();
    const since = until - days * 86_400_000;
    const counts = await store.ledger.ruleCounts({}, { since, until, byCode: false });
    return json<RuleHits>({ since, until, ...countHits(gate.rules, counts) });
  },
});

const testRules = defineRoute({
  method: "POST",
  path: "/api/rules/test",
  right: "read",
  summary: "Runs the tests that rules carry, by the rules in force",
  description: "Those of shipped rules only if `file` names their file.",
  body: ruleTestBody,
  bodyOptional: true,
  answers: { 200: ruleTestReport },
  async handle({ body }, { gate, config }) {
    const sources = rulesByFile(gate.rules);
    const { file } = body ?? {};
    if (file !== undefined && !sources.some((source) => source.file === file))
      return problem("not_found", "No rule in force comes from this file.", {
        hint: "GET /api/status lists the files.",
      });
    const { projectDir: root, sources: loaded } = config.current;
    // Those that come with toolgate only where somebody asks for them, as at the command line.
    const shipped = loaded.flatMap((one) => (one.origin === "shipped" ? one.file : []));
    const own = sources.map((source) => source.file).filter((one) => !shipped.includes(one));
    const run = () => runRuleTests(sources, { root, tested: file === undefined ? own : [file] });
    const report = await oneAtATime(gate, run);
    return report === undefined ? busy : json<RuleTestReport>(toReport(report));
  },
});

const replay = defineRoute({
  method: "POST",
  path: "/api/replay",
  // It shows nothing that the ledger does not show, changes nothing and runs nothing: hooks are left out.
  right: "read",
  summary: "Which recorded calls other rules would have decided otherwise",
  description:
    "The newest `limit` calls that fit the filter are judged again, by the rules in force with these in their place or besides, or by these alone. Hooks do not run, and plugins are not loaded: their calls count as `leftOut.noTool`.",
  body: replayBody,
  answers: { 200: replayResult },
  async handle({ body, signal }, { gate, store, config }) {
    const { yaml, keep = true, limit = 2_000, filter: wanted = {} } = body;
    const filter = readTimes(wanted);
    if ("kind" in filter) return filter;
    const request = { yaml, keep, limit, filter, signal };
    const result = await oneAtATime(gate, () => replayPasted(store.ledger, config.current, request));
    return result === undefined ? busy : json<ReplayResult>(result);
  },
});

const busy = problem("unavailable", "Rules are being tried out for somebody already.", {
  headers: { "retry-after": "3" },
});

export const hitRoutes = [showHits];
export const trialRoutes = [testRules, replay];

type Report = Awaited<ReturnType<typeof runRuleTests>>;

function toReport({ files, passed, failed }: Report): RuleTestReport {
  return {
    passed,
    failed,
    files: files.map(({ file, problem: wrong, tests }) =>
      defined({
        file,
        problem: wrong,
        tests: tests.map(({ rule, desc, ok, expect, verdict, message, decidedBy, shadowedBy }) =>
          defined({ rule, desc, ok, expect, verdict, message, decidedBy, shadowedBy: shadowedBy?.rule }),
        ),
      }),
    ),
  };
}
