import { describe, expect, it } from "vitest";
import { runRuleTests } from "../../../src/replay/run-rule-tests.ts";
import type { Policy } from "../../../src/rules/policies.ts";
import type { Route } from "../../../src/rules/routes.ts";
import type { RuleTest } from "../../../src/rules/shapes/test-shape.ts";

const bash = (command: string, expect: RuleTest["expect"], more: Partial<RuleTest> = {}): RuleTest => ({
  input: { tool_name: "Bash", tool_input: { command } },
  expect,
  ...more,
});

const block: Route = { name: "no-push", tool: "Bash", pattern: "^git push", message: "Open a pull request." };
const rewrite: Route = {
  ...{ name: "plain-log", tool: "Bash", pattern: "^git log$" },
  ...{ action: "rewrite", rewrite: { command: "git --no-pager log" } },
};
const make: Policy = {
  name: "make-is-fine",
  tools: "Bash",
  action: "approve",
  conditions: [
    { type: "command", operator: "equals", value: "make" },
    { type: "risk", operator: "lessThan", value: "opaque" },
  ],
};

/** The tests of one file with these rules, as they ended. */
async function tested(rules: Parameters<typeof runRuleTests>[0][number]["rules"]) {
  const { files, passed, failed } = await runRuleTests([{ file: "a.yaml", rules }]);
  const tests = files[0]?.tests ?? [];
  return {
    tests,
    oks: tests.map(({ ok }) => ok),
    verdicts: tests.map(({ verdict }) => verdict),
    passed,
    failed,
  };
}

describe("running the tests that rules carry", () => {
  it("takes a block for block, and both an approval and silence for allow", async () => {
    const route = { ...block, tests: [bash("git push", "block"), bash("git status", "allow")] };
    const policy = { ...make, tests: [bash("make", "allow")] };
    const { verdicts, passed, failed } = await tested({ routes: [route], policies: [policy] });
    expect(verdicts).toEqual(["deny", "abstain", "allow"]);
    expect([passed, failed]).toEqual([3, 0]);
  });

  it("tells an approval from silence, in the workspace that the test names", async () => {
    const workspace = "/srv/shop";
    const policy: Policy = {
      ...make,
      conditions: [
        { type: "command", operator: "usage", value: "make [-jNUMBER]" },
        { type: "workspace", operator: "equals", value: workspace },
      ],
      tests: [
        bash("make -j4", "approved", { workspace }),
        bash("make -j4", "not-approved", { workspace: "/srv/other" }),
        bash("make -f x", "not-approved", { workspace }),
        bash("make -f x", "approved", { workspace }),
      ],
    };
    expect((await tested({ policies: [policy] })).oks).toEqual([true, true, true, false]);
  });

  it("calls as the test says, for rules that hold for some callers", async () => {
    const tests = [
      bash("git push", "block", { caller: "ci-1" }),
      bash("git push", "allow", { caller: "ann" }),
      bash("git push", "allow"),
    ];
    const { passed, failed } = await tested({ routes: [{ ...block, caller: "ci-*", tests }] });
    expect([passed, failed]).toEqual([3, 0]);
  });

  it("tells ask from block, also where nobody could be asked", async () => {
    const tests = [bash("make", "ask"), bash("make", "block"), bash("make", "allow")];
    const asks: Policy = { name: "ask-first", tools: "Bash", action: "ask", tests };
    const { oks, verdicts } = await tested({ policies: [asks] });
    expect([oks, verdicts]).toEqual([
      [true, false, false],
      ["ask", "ask", "ask"],
    ]);
  });

  it("looks for the expected text in the message", async () => {
    const tests = [
      bash("git push", "block", { contains: "pull request" }),
      bash("git push", "block", { contains: "merge request" }),
      bash("git status", "allow", { contains: "anything" }),
    ];
    const ran = await tested({ routes: [{ ...block, tests }] });
    expect(ran.oks).toEqual([true, false, false]);
    const said = "Open a pull request.";
    expect(ran.tests.map(({ message }) => message)).toEqual([said, said, undefined]);
    expect([ran.passed, ran.failed]).toEqual([1, 2]);
  });

  it("looks for the expected text in the new input when a route rewrote the call", async () => {
    const tests = ["--no-pager", "--oneline"].map((contains) => bash("git log", "allow", { contains }));
    const ran = await tested({ routes: [{ ...rewrite, tests }] });
    expect(ran.oks).toEqual([true, false]);
    expect(ran.tests[0]?.input).toEqual({ command: "git --no-pager log" });
  });

  it("judges by the rules of all files, and says which rule of another file is in the way", async () => {
    const stern = {
      file: "stern.yaml",
      rules: { routes: [{ ...block, tests: [bash("git push", "block")] }] },
    };
    const rebase = { ...block, name: "no-rebase", pattern: "^git rebase" };
    const mild = (...tests: RuleTest[]) => ({ file: "mild.yaml", rules: { routes: [{ ...rebase, tests }] } });
    const report = await runRuleTests([stern, mild(bash("git push", "allow"))]);
    expect(report).toMatchObject({ passed: 1, failed: 1 });
    const shadowedBy = { rule: { kind: "route", name: "no-push" } };
    expect(report.files[1]?.tests[0]).toMatchObject({ ok: false, shadowedBy });
    const alone = await runRuleTests([stern, mild()], { tested: ["stern.yaml"] });
    expect(alone).toMatchObject({ files: [{ file: "stern.yaml" }], passed: 1 });
  });

  it("fails the test of a rewrite that a rule of another file undoes", async () => {
    const pass: Route = { name: "logs", tool: "Bash", pattern: "^git log", action: "allow" };
    const { files } = await runRuleTests([
      { file: "first.yaml", rules: { routes: [pass] } },
      { file: "second.yaml", rules: { routes: [{ ...rewrite, tests: [bash("git log", "allow")] }] } },
    ]);
    expect(files[1]?.tests[0]).toMatchObject({ ok: false, shadowedBy: { rule: { name: "logs" } } });
  });

  it("names the rule that decided and where it is written", async () => {
    const source = { file: "a.yaml", line: 3, column: 5 };
    const first: Route = { ...block, name: "first", pattern: "git", source };
    const second: Route = { ...block, name: "second", tests: [bash("git push", "allow")] };
    const { tests } = await tested({ routes: [first, second] });
    expect(tests[0]).toMatchObject({
      ok: false,
      rule: { kind: "route", name: "second" },
      decidedBy: { kind: "route", name: "first", source },
    });
  });

  it("leaves limits out: no test fails because of the ones before it", async () => {
    const tests = Array.from({ length: 5 }, () => bash("git push", "block"));
    const limits = [{ name: "one", tools: "Bash", max: 1, windowMs: 60_000 }];
    const { passed, failed } = await tested({ routes: [{ ...block, tests }], limits });
    expect([passed, failed]).toEqual([5, 0]);
  });

  it("makes a description from the input when there is none, with nothing hidden in it", async () => {
    const tests = [
      bash("git push", "block"),
      bash("git push\u202e evil", "block"),
      bash(`git push ${"x".repeat(500)}`, "block"),
      { input: { tool_name: "Bash", tool_input: {} }, expect: "allow" as const },
    ];
    const ran = await tested({ routes: [{ ...block, tests }] });
    const [plain, hidden, long, empty] = ran.tests.map(({ desc }) => desc);
    expect(plain).toBe('Bash "git push" should block');
    expect(hidden).toBe('Bash "git push\\u{202E} evil" should block');
    expect(long?.length).toBeLessThan(100);
    expect(empty).toBe('Bash "{}" should allow');
  });

  it("reports a file whose rules cannot be used as one failure, and still tests the others", async () => {
    const good = { ...block, tests: [bash("git push", "block")] };
    const report = await runRuleTests([
      { file: "broken.yaml", rules: { routes: [{ ...good, pattern: "(" }] } },
      { file: "good.yaml", rules: { routes: [good] } },
    ]);
    expect(report).toMatchObject({ passed: 1, failed: 1 });
    expect(report.files[0]?.problem).toContain('route "no-push"');
  });

  it("takes paths in tests relative to the given folder", async () => {
    const read = (file_path: string, expect: RuleTest["expect"]): RuleTest => ({
      input: { tool_name: "Read", tool_input: { file_path } },
      expect,
    });
    const policy: Policy = {
      name: "secret-folder",
      tools: "Read",
      action: "deny",
      conditions: [{ type: "path", operator: "inside", value: "secret" }],
      tests: [read("secret/a.txt", "block"), read("/elsewhere/secret/a.txt", "allow")],
    };
    const report = await runRuleTests([{ file: "a", rules: { policies: [policy] } }], { root: "/somewhere" });
    expect(report).toMatchObject({ passed: 2, failed: 0 });
  });
});

describe("the tests of a policy in shadow mode", () => {
  const tests = [bash("make", "allow"), bash("make install", "ask")];
  const shadow: Policy = { ...make, mode: "shadow", tests };
  const asks: Policy = { name: "ask-all", tools: "Bash", action: "ask", priority: -1 };

  it("say what it would decide", async () => {
    const report = await runRuleTests([
      { file: "a.yaml", rules: { policies: [shadow] } },
      { file: "b.yaml", rules: { policies: [asks] } },
    ]);
    expect(report).toMatchObject({ passed: 2, failed: 0 });
    expect(report.files[0]?.tests.map(({ verdict }) => verdict)).toEqual(["allow", "ask"]);
  });

  it("meet other policies in shadow mode as the calls do: not at all", async () => {
    const other: Policy = { ...shadow, name: "other", tests: [bash("make", "ask")], action: "deny" };
    const { verdicts, passed, failed } = await tested({ policies: [shadow, other, asks] });
    expect(verdicts).toEqual(["allow", "ask", "deny"]);
    expect([passed, failed]).toEqual([2, 1]);
  });
});
