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

describe("running the tests that rules carry", () => {
  it("takes a block for block, and both an approval and silence for allow", async () => {
    const route = { ...block, tests: [bash("git push", "block"), bash("git status", "allow")] };
    const policy: Policy = {
      name: "make-is-fine",
      tools: "Bash",
      action: "approve",
      conditions: [
        { type: "command", operator: "equals", value: "make" },
        { type: "risk", operator: "lessThan", value: "opaque" },
      ],
      tests: [bash("make", "allow")],
    };
    const report = await runRuleTests([{ file: "a.yaml", rules: { routes: [route], policies: [policy] } }]);
    const [file] = report.files;
    expect(file?.tests.map(({ ok, verdict }) => [ok, verdict])).toEqual([
      [true, "deny"],
      [true, "abstain"],
      [true, "allow"],
    ]);
    expect(report).toMatchObject({ passed: 3, failed: 0 });
  });

  it("tells an approval from silence, in the workspace that the test names", async () => {
    const policy: Policy = {
      name: "make-is-fine",
      tools: "Bash",
      action: "approve",
      conditions: [
        { type: "command", operator: "usage", value: "make [-jNUMBER]" },
        { type: "workspace", operator: "equals", value: "/srv/shop" },
      ],
      tests: [
        bash("make -j4", "approved", { workspace: "/srv/shop" }),
        bash("make -j4", "not-approved", { workspace: "/srv/other" }),
        bash("make -f x", "not-approved", { workspace: "/srv/shop" }),
        bash("make -f x", "approved", { workspace: "/srv/shop" }),
      ],
    };
    const { files } = await runRuleTests([{ file: "a.yaml", rules: { policies: [policy] } }]);
    expect(files[0]?.tests.map(({ ok }) => ok)).toEqual([true, true, true, false]);
  });

  it("calls as the test says, for rules that hold for some callers", async () => {
    const route: Route = {
      ...block,
      caller: "ci-*",
      tests: [
        bash("git push", "block", { caller: "ci-1" }),
        bash("git push", "allow", { caller: "ann" }),
        bash("git push", "allow"),
      ],
    };
    expect(await runRuleTests([{ file: "a.yaml", rules: { routes: [route] } }])).toMatchObject({
      passed: 3,
      failed: 0,
    });
  });

  it("tells ask from block, also where nobody could be asked", async () => {
    const policy: Policy = {
      name: "ask-first",
      tools: "Bash",
      action: "ask",
      tests: [bash("make", "ask"), bash("make", "block"), bash("make", "allow")],
    };
    const { files } = await runRuleTests([{ file: "a.yaml", rules: { policies: [policy] } }]);
    expect(files[0]?.tests.map(({ ok, verdict }) => [ok, verdict])).toEqual([
      [true, "ask"],
      [false, "ask"],
      [false, "ask"],
    ]);
  });

  it("looks for the expected text in the message", async () => {
    const tests = [
      bash("git push", "block", { contains: "pull request" }),
      bash("git push", "block", { contains: "merge request" }),
      bash("git status", "allow", { contains: "anything" }),
    ];
    const { files, passed, failed } = await runRuleTests([
      { file: "a", rules: { routes: [{ ...block, tests }] } },
    ]);
    expect(files[0]?.tests.map(({ ok, message }) => [ok, message])).toEqual([
      [true, "Open a pull request."],
      [false, "Open a pull request."],
      [false, undefined],
    ]);
    expect([passed, failed]).toEqual([1, 2]);
  });

  it("looks for the expected text in the new input when a route rewrote the call", async () => {
    const route: Route = {
      name: "plain-log",
      tool: "Bash",
      pattern: "^git log$",
      action: "rewrite",
      rewrite: { command: "git --no-pager log" },
      tests: [
        bash("git log", "allow", { contains: "--no-pager" }),
        bash("git log", "allow", { contains: "--oneline" }),
      ],
    };
    const { files } = await runRuleTests([{ file: "a", rules: { routes: [route] } }]);
    expect(files[0]?.tests.map(({ ok }) => ok)).toEqual([true, false]);
    expect(files[0]?.tests[0]?.input).toEqual({ command: "git --no-pager log" });
  });

  it("judges by the rules of all files, and says which rule of another file is in the way", async () => {
    const stern = { ...block, tests: [bash("git push", "block")] };
    const mild: Route = {
      ...block,
      name: "no-rebase",
      pattern: "^git rebase",
      tests: [bash("git push", "allow")],
    };
    const report = await runRuleTests([
      { file: "stern.yaml", rules: { routes: [stern] } },
      { file: "mild.yaml", rules: { routes: [mild] } },
    ]);
    expect(report).toMatchObject({ passed: 1, failed: 1 });
    expect(report.files[1]?.tests[0]).toMatchObject({
      ok: false,
      shadowedBy: { rule: { kind: "route", name: "no-push" } },
    });
    const beside = [
      { file: "stern.yaml", rules: { routes: [stern] } },
      { file: "mild.yaml", rules: { routes: [{ ...mild, tests: [] }] } },
    ];
    expect(await runRuleTests(beside, { tested: ["stern.yaml"] })).toMatchObject({
      files: [{ file: "stern.yaml" }],
      passed: 1,
    });
  });

  it("fails the test of a rewrite that a rule of another file undoes", async () => {
    const rewrite: Route = {
      name: "plain-log",
      tool: "Bash",
      pattern: "^git log$",
      action: "rewrite",
      rewrite: { command: "git --no-pager log" },
      tests: [bash("git log", "allow")],
    };
    const pass: Route = { name: "logs", tool: "Bash", pattern: "^git log", action: "allow" };
    const { files } = await runRuleTests([
      { file: "first.yaml", rules: { routes: [pass] } },
      { file: "second.yaml", rules: { routes: [rewrite] } },
    ]);
    expect(files[1]?.tests[0]).toMatchObject({ ok: false, shadowedBy: { rule: { name: "logs" } } });
  });

  it("names the rule that decided and where it is written", async () => {
    const source = { file: "a.yaml", line: 3, column: 5 };
    const first: Route = { ...block, name: "first", pattern: "git", source };
    const second: Route = { ...block, name: "second", tests: [bash("git push", "allow")] };
    const { files } = await runRuleTests([{ file: "a.yaml", rules: { routes: [first, second] } }]);
    expect(files[0]?.tests[0]).toMatchObject({
      ok: false,
      rule: { kind: "route", name: "second" },
      decidedBy: { kind: "route", name: "first", source },
    });
  });

  it("leaves limits out: no test fails because of the ones before it", async () => {
    const tests = Array.from({ length: 5 }, () => bash("git push", "block"));
    const limits = [{ name: "one", tools: "Bash", max: 1, windowMs: 60_000 }];
    const report = await runRuleTests([{ file: "a", rules: { routes: [{ ...block, tests }], limits } }]);
    expect(report).toMatchObject({ passed: 5, failed: 0 });
  });

  it("makes a description from the input when there is none, with nothing hidden in it", async () => {
    const tests = [
      bash("git push", "block"),
      bash("git push\u202e evil", "block"),
      bash(`git push ${"x".repeat(500)}`, "block"),
      { input: { tool_name: "Bash", tool_input: {} }, expect: "allow" as const },
    ];
    const { files } = await runRuleTests([{ file: "a", rules: { routes: [{ ...block, tests }] } }]);
    const [plain, hidden, long, empty] = (files[0]?.tests ?? []).map(({ desc }) => desc);
    expect(plain).toBe('Bash "git push" should block');
    expect(hidden).toBe('Bash "git push\\u{202E} evil" should block');
    expect(long?.length).toBeLessThan(100);
    expect(empty).toBe('Bash "{}" should allow');
  });

  it("reports a file whose rules cannot be used as one failure, and still tests the others", async () => {
    const broken: Route = { ...block, pattern: "(", tests: [bash("git push", "block")] };
    const report = await runRuleTests([
      { file: "broken.yaml", rules: { routes: [broken] } },
      { file: "good.yaml", rules: { routes: [{ ...block, tests: [bash("git push", "block")] }] } },
    ]);
    expect(report).toMatchObject({ passed: 1, failed: 1 });
    expect(report.files[0]?.problem).toContain('route "no-push"');
  });

  it("takes paths in tests relative to the given folder", async () => {
    const policy: Policy = {
      name: "secret-folder",
      tools: "Read",
      action: "deny",
      conditions: [{ type: "path", operator: "inside", value: "secret" }],
      tests: [
        { input: { tool_name: "Read", tool_input: { file_path: "secret/a.txt" } }, expect: "block" },
        {
          input: { tool_name: "Read", tool_input: { file_path: "/elsewhere/secret/a.txt" } },
          expect: "allow",
        },
      ],
    };
    const report = await runRuleTests([{ file: "a", rules: { policies: [policy] } }], { root: "/somewhere" });
    expect(report).toMatchObject({ passed: 2, failed: 0 });
  });
});

describe("the tests of a policy in shadow mode", () => {
  const shadow: Policy = {
    name: "make-is-fine",
    tools: "Bash",
    action: "approve",
    mode: "shadow",
    conditions: [
      { type: "command", operator: "equals", value: "make" },
      { type: "risk", operator: "lessThan", value: "opaque" },
    ],
    tests: [bash("make", "allow"), bash("make install", "ask")],
  };
  const asks: Policy = { name: "ask-all", tools: "Bash", action: "ask", priority: -1 };

  it("say what it would decide", async () => {
    const sources = [
      { file: "a.yaml", rules: { policies: [shadow] } },
      { file: "b.yaml", rules: { policies: [asks] } },
    ];
    const report = await runRuleTests(sources);
    expect(report).toMatchObject({ passed: 2, failed: 0 });
    expect(report.files[0]?.tests.map(({ verdict }) => verdict)).toEqual(["allow", "ask"]);
  });

  it("meet other policies in shadow mode as the calls do: not at all", async () => {
    const other: Policy = { ...shadow, name: "other", tests: [bash("make", "ask")], action: "deny" };
    const report = await runRuleTests([{ file: "a.yaml", rules: { policies: [shadow, other, asks] } }]);
    expect(report.files[0]?.tests.map(({ verdict }) => verdict)).toEqual(["allow", "ask", "deny"]);
    expect(report).toMatchObject({ passed: 2, failed: 1 });
  });
});
