/** Of the tests that policies could carry those that hold, beside all other rules of this place. */

import { parseConfigFile } from "../../../../config/file/parse-file.ts";
import { withTier } from "../../../../config/load-config.ts";
import type { JsonObject } from "../../../../core/input/json.ts";
import { runRuleTests } from "../../../../replay/run-rule-tests.ts";
import { realPath } from "../../open/real-path.ts";
import type { CliIo } from "../../terminal/io.ts";
import { collectRules } from "../test/rules-to-test.ts";

type Policies = Readonly<Record<string, JsonObject>>;

export interface TestedPolicies {
  readonly policies: Policies;
  /** The text of the file with them. */
  put(policies: Policies): string;
  readonly file: string;
  readonly tier: "user" | "project";
  readonly root: string;
}

/** Another rule may be stricter than the test of one of these: such a test is not written. */
export async function holdingTests(
  { policies, put, file, tier, root }: TestedPolicies,
  io: CliIo,
): Promise<Policies> {
  const parsed = parseConfigFile(put(policies), file, "config");
  // What is wrong is said when the file is checked.
  if (!parsed.ok) return policies;
  const { sources } = await collectRules({}, io);
  const isIt = (other: string) => realPath(other) === realPath(file);
  const { routes, policies: all } = parsed.file;
  const tested = { file, rules: withTier({ routes, policies: all }, tier) };
  const report = await runRuleTests([...sources.filter((source) => !isIt(source.file)), tested], {
    root,
    tested: [file],
  });
  const [{ tests = [] } = { tests: [] }] = report.files;
  return Object.fromEntries(
    Object.entries(policies).map(([name, policy]) => {
      const results = tests.filter(({ rule }) => rule.kind === "policy" && rule.name === name);
      const written = (policy.tests ?? []) as readonly JsonObject[];
      const kept = written.filter((_, index) => results[index]?.ok === true);
      const { tests: __, ...rest } = policy;
      return [name, kept.length === 0 ? rest : { ...rest, tests: kept }];
    }),
  );
}
