/** Runs the inline tests of rules: those of each file meet a gate that holds only that file's rules. */
import { messageOf, type RuleRef, type RuleSource } from "../core/call/errors.ts";
import type { CheckResult, Verdict } from "../core/call/outcome.ts";
import { isJsonObject, type Json } from "../core/input/json.ts";
import { visible } from "../core/text/visible.ts";
import { createGate } from "../gate/create-gate.ts";
import type { Gate } from "../gate/gate.ts";
import type { Rules } from "../rules/rule-set.ts";
import type { RuleTest } from "../rules/shapes/test-shape.ts";

export interface RulesToTest {
  readonly file: string;
  readonly rules: Rules;
}

export interface TestReport {
  /** In the order given; files without tests have an empty list. */
  readonly files: readonly FileReport[];
  readonly passed: number;
  readonly failed: number;
}

export interface FileReport {
  readonly file: string;
  readonly tests: readonly TestResult[];
  /** The rules cannot be used, so none of their tests ran. Counts as one failure. */
  readonly problem?: string;
}

export interface TestResult {
  readonly rule: Pick<RuleRef, "kind" | "name"> & { readonly source?: RuleSource };
  readonly desc: string;
  readonly ok: boolean;
  readonly expect: RuleTest["expect"];
  readonly contains?: string;
  readonly verdict: Verdict;
  readonly message?: string;
  /** The rule that decided, if one did. */
  readonly decidedBy?: RuleRef;
  /** What a rewrite made of the call. */
  readonly input?: Json;
}

export interface RuleTestOptions {
  /** The workspace that paths in the tests are relative to. Default: the current folder. */
  readonly root?: string;
}

export async function runRuleTests(
  sources: readonly RulesToTest[],
  options: RuleTestOptions = {},
): Promise<TestReport> {
  const files: FileReport[] = [];
  for (const source of sources) files.push(await testFile(source, options));
  const results = files.flatMap(({ tests }) => tests);
  const passed = results.filter(({ ok }) => ok).length;
  const broken = files.filter(({ problem }) => problem !== undefined).length;
  return { files, passed, failed: results.length - passed + broken };
}

async function testFile({ file, rules }: RulesToTest, { root }: RuleTestOptions): Promise<FileReport> {
  const { routes = [], policies = [] } = rules;
  const asked = [
    ...routes.flatMap((rule) => testsOf("route", rule)),
    ...policies.flatMap((rule) => testsOf("policy", rule)),
  ];
  if (asked.length === 0) return { file, tests: [] };
  let gate: Gate;
  try {
    // Without limits: the hundredth test of a file must not fail because of the ninety-nine before it.
    gate = await createGate({ routes, policies, ...(root !== undefined && { roots: [root] }) });
  } catch (error) {
    return { file, tests: [], problem: messageOf(error) };
  }
  try {
    const tests: TestResult[] = [];
    for (const { rule, test } of asked) tests.push(await runTest(gate, rule, test));
    return { file, tests };
  } finally {
    await gate.close();
  }
}

type Named = TestResult["rule"];

function testsOf(
  kind: "route" | "policy",
  {
    name,
    source,
    tests = [],
  }: { readonly name: string; readonly source?: RuleSource; readonly tests?: readonly RuleTest[] },
): { readonly rule: Named; readonly test: RuleTest }[] {
  return tests.map((test) => ({ rule: { kind, name, ...(source && { source }) }, test }));
}

async function runTest(gate: Gate, rule: Named, test: RuleTest): Promise<TestResult> {
  const { tool_name: tool, tool_input: input } = test.input;
  const found = await gate.check({ tool, input }, { wait: false });
  const { verdict, message, rule: decidedBy } = found;
  return {
    rule,
    desc: test.desc ?? describe(test),
    ok: expected(test.expect).includes(verdict) && holdsText(test, found),
    expect: test.expect,
    ...(test.contains !== undefined && { contains: test.contains }),
    verdict,
    ...(message !== undefined && { message }),
    ...(decidedBy !== undefined && { decidedBy }),
    ...(found.input !== undefined && { input: found.input as Json }),
  };
}

/** `allow`: the file's rules do not stand in the way, by approving the call or by silence. */
function expected(expect: RuleTest["expect"]): readonly Verdict[] {
  if (expect === "block") return ["deny"];
  return expect === "ask" ? ["ask"] : ["allow", "abstain"];
}

/** A rewrite has no message: what it is about is the new input. */
function holdsText({ contains }: RuleTest, { message, input }: CheckResult): boolean {
  if (contains === undefined) return true;
  if (message !== undefined) return message.includes(contains);
  return input !== undefined && textsIn(input as Json).some((text) => text.includes(contains));
}

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** `Bash "git push --force" should block`, for a test that has no description. */
function describe({ input, expect }: RuleTest): string {
  const value = (input.tool_input ?? {}) as Json;
  const [text] = textsIn(value);
  const shown = visible(text ?? JSON.stringify(value), { maxLength: 60 });
  return `${visible(input.tool_name, { maxLength: 60 })} "${shown}" should ${expect}`;
}
