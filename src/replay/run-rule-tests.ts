/** Runs the inline tests of rules: each meets the rules of all files, as the calls of agents do. */
import type { RuleRef, RuleSource } from "../core/call/errors.ts";
import type { CheckResult, Verdict } from "../core/call/outcome.ts";
import { isJsonObject, type Json } from "../core/input/json.ts";
import { visible } from "../core/text/visible.ts";
import type { Gate } from "../gate/gate.ts";
import type { Rules } from "../rules/rule-set.ts";
import type { RuleTest } from "../rules/shapes/test-shape.ts";
import { Judges, type Problem, type RulesToTest, realFolder } from "./test-judges.ts";

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
  /** By the rules of its own file the test would pass; a rule of another file comes first. */
  readonly shadowedBy?: Shadow;
}

export interface Shadow {
  /** Undefined: no single rule is to blame. */
  readonly rule?: RuleRef;
}

export interface RuleTestOptions {
  /** The workspace that paths in the tests are relative to. Default: the current folder. */
  readonly root?: string;
  /** The files whose tests run; the others only stand beside them. Default: all. */
  readonly tested?: readonly string[];
}

export async function runRuleTests(
  sources: readonly RulesToTest[],
  options: RuleTestOptions = {},
): Promise<TestReport> {
  const { tested } = options;
  await using judges = new Judges(sources, options);
  const files: FileReport[] = [];
  for (const source of sources)
    if (tested?.includes(source.file) !== false) files.push(await testFile(source, judges));
  const results = files.flatMap(({ tests }) => tests);
  const passed = results.filter(({ ok }) => ok).length;
  const broken = files.filter(({ problem }) => problem !== undefined).length;
  return { files, passed, failed: results.length - passed + broken };
}

async function testFile(source: RulesToTest, judges: Judges): Promise<FileReport> {
  const { file, rules } = source;
  const asked = testsIn(rules, judges.root);
  if (asked.length === 0) return { file, tests: [] };
  const alone = await judges.alone(source);
  const together = alone.ok ? await judges.together() : alone;
  if (!alone.ok || !together.ok) return { file, tests: [], problem: (together as Problem).problem };
  const tests: TestResult[] = [];
  for (const one of asked) {
    const here = one.on === undefined ? alone : await judges.alone(source, one.on);
    const everywhere = one.on === undefined ? together : await judges.together(one.on);
    if (!here.ok || !everywhere.ok)
      return { file, tests: [], problem: ((here.ok ? everywhere : here) as Problem).problem };
    const found = await runTest(everywhere.gate, one);
    const byItself = everywhere.gate === here.gate ? found : await runTest(here.gate, one);
    const shadow = await findShadow({ source, asked: one, found, byItself }, judges);
    tests.push(shadow === undefined ? found : { ...found, ok: false, shadowedBy: shadow });
  }
  return { file, tests };
}

interface Compared {
  readonly source: RulesToTest;
  readonly asked: Asked;
  /** By the rules of all files, and by those of its own file. */
  readonly found: TestResult;
  readonly byItself: TestResult;
}

/** What of another file is in the way of a test that its own file would pass. */
async function findShadow(
  { source, asked, found, byItself }: Compared,
  judges: Judges,
): Promise<Shadow | undefined> {
  // That it is not approved holds, whichever rule sees to it.
  if (found.ok && asked.test.expect === "not-approved") return undefined;
  // Two files that refuse or ask in the same words, such as two that init wrote, are not in each other's way.
  const isSaidAlike = found.message !== undefined && found.message === byItself.message;
  const stops = asked.test.expect === "block" || asked.test.expect === "ask";
  if (found.ok && byItself.ok && stops && isSaidAlike) return undefined;
  const isOwn = (rule: RuleRef | undefined) => judges.fileOf(rule) === source.file;
  const isTaken = isOwn(byItself.decidedBy) && !isOwn(found.decidedBy) && found.decidedBy !== undefined;
  const isChanged = JSON.stringify(byItself.input) !== JSON.stringify(found.input);
  if (!byItself.ok || (found.ok && !isTaken && !isChanged)) return undefined;
  if (found.decidedBy !== undefined && !isOwn(found.decidedBy)) return { rule: found.decidedBy };
  // What lets a call pass is not named by the gate: each that could is tried.
  for (const route of judges.letsPass(source.file)) {
    const beside = await judges.beside(source, route, asked.on);
    if (!beside.ok) continue;
    await using gate = beside.gate;
    const { ok, input } = await runTest(gate, asked);
    const { name, source: place } = route;
    if (!ok || JSON.stringify(input) !== JSON.stringify(byItself.input))
      return { rule: { kind: "route", name, ...(place && { source: place }) } };
  }
  return {};
}

interface Asked {
  /** The workspace, unless the test names another. */
  readonly root: string;
  readonly rule: TestResult["rule"];
  readonly test: RuleTest;
  /** The rule is a policy in shadow mode: its tests say what it would decide. */
  readonly on: string | undefined;
}

function testsIn({ routes = [], policies = [] }: Rules, root: string): Asked[] {
  const asked = [
    ...routes.flatMap((rule) => testsOf("route", rule)),
    ...policies.flatMap((rule) => testsOf("policy", rule, rule.mode === "shadow" ? rule.name : undefined)),
  ];
  return asked.map((one) => ({ ...one, root }));
}

function testsOf(
  kind: "route" | "policy",
  {
    name,
    source,
    tests = [],
  }: { readonly name: string; readonly source?: RuleSource; readonly tests?: readonly RuleTest[] },
  on?: string,
): Omit<Asked, "root">[] {
  return tests.map((test) => ({ rule: { kind, name, ...(source && { source }) }, test, on }));
}

async function runTest(gate: Gate, { rule, test, root }: Omit<Asked, "on">): Promise<TestResult> {
  const { tool_name: tool, tool_input: input } = test.input;
  const caller = test.caller === undefined ? {} : { caller: { id: test.caller, capabilities: ["*"] } };
  const roots = [test.workspace === undefined ? root : realFolder(test.workspace)];
  const found = await gate.check({ tool, input, roots, ...caller }, { wait: false });
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

/** `allow`: the rules do not stand in the way, by approving the call or by silence. */
function expected(expect: RuleTest["expect"]): readonly Verdict[] {
  if (expect === "block") return ["deny"];
  if (expect === "approved") return ["allow"];
  if (expect === "not-approved") return ["ask", "abstain", "deny"];
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
  return `${visible(input.tool_name, { maxLength: 60 })} "${shown}" should ${said[expect]}`;
}

const said: Readonly<Record<RuleTest["expect"], string>> = {
  block: "block",
  allow: "allow",
  ask: "ask",
  approved: "be approved",
  "not-approved": "not be approved",
};
