import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TestReport } from "../../../../src/replay/run-rule-tests.ts";
import type { Route } from "../../../../src/rules/routes.ts";
import { goodFile, useCliWorld } from "./cli-world.ts";
import { expectEnd, fails, refuses, says } from "./expect-end.ts";

const world = useCliWorld();

const failing = goodFile.replace("expect: allow", "expect: block");

describe("toolgate test", () => {
  it("prints a line for each test under its file, and the sum", async () => {
    world.file("toolgate.yaml", goodFile);
    const { code, out } = await world.run("test toolgate.yaml");
    expect(out).toBe(`toolgate.yaml
  ✓ no-force-push: a forced push should block
  ✓ no-force-push: a plain push should allow

2 tests passed, 0 failed
`);
    expect(code).toBe(0);
  });

  it("tests the user's own rules, and with --all shipped ones too, each under its file", async () => {
    world.file("toolgate.yaml", goodFile);
    await says(world.run("test"), /^toolgate\.yaml\n {2}✓ .*\n {2}✓ .*\n\n2 tests passed, 0 failed\n$/);
    await says(
      world.run("test --all"),
      /^toolgate\.yaml\n {2}✓ .*\n {2}✓ .*\n\n\S*shipped\.yaml\n( {2}✓ .*\n)+\n\d+ tests passed, 0 failed\n$/,
    );
  });

  it("shows what was expected and what came, and exits 1", async () => {
    world.file("toolgate.yaml", failing);
    await fails(
      world.run("test toolgate.yaml"),
      `  ✗ no-force-push: a plain push should allow
      expected: block
      got: allow (no rule speaks about this call)
      rule: toolgate.yaml:2

1 test passed, 1 failed
`,
    );
  });

  it("shows which rule decided, its message, and the text that was missing in it", async () => {
    world.file("toolgate.yaml", goodFile.replace("contains: pull request", "contains: merge request"));
    await fails(
      world.run("test toolgate.yaml"),
      `      expected: block, with "merge request" in the message
      got: block, by route "no-force-push" (toolgate.yaml:2)
      message: Do not force-push; open a pull request.
`,
    );
  });

  it("tests an untrusted file as it is written, and says what would be ignored", async () => {
    world.file(
      "toolgate.yaml",
      `routes:
  fine: {tool: Bash, pattern: ^git push origin, action: allow, tests: [{input: {tool_name: Bash, tool_input: {command: git push origin}}, expect: allow}]}
  no-push: {tool: Bash, pattern: ^git push, message: No.}
`,
    );
    await expectEnd(world.run("test"), {
      out: '  ✓ fine: Bash "git push origin" should allow',
      err: "toolgate trust toolgate.yaml",
    });
  });

  it("finds the project from a folder inside it", async () => {
    world.file("toolgate.yaml", goodFile);
    world.file("src/deep/a.txt", "");
    await says(
      world.run("test", { cwd: join(world.root, "src/deep") }),
      `${join(world.root, "toolgate.yaml")}\n  ✓ no-force-push`,
    );
  });

  it("says that there are no tests, which is not a failure", async () => {
    world.file("a.yaml", "routes:\n  a: {tool: Bash, pattern: x, message: m}\n");
    for (const line of ["test a.yaml", "test --config a.yaml"])
      await says(world.run(line), "There are no tests in a.yaml");
  });

  it.each([
    ["a wrong key", "routes:\n  a: {tool: Bash, patern: x, message: m}\n", /a\.yaml:2:\d+: .*patern/],
    ["broken YAML", "routes: [", /a\.yaml:\d+:\d+: /],
    [
      "a pattern that is no regular expression",
      "routes:\n  a: {tool: Bash, pattern: '(', message: m}\n",
      /a\.yaml:2/,
    ],
    [
      "a wrong test",
      "routes:\n  a: {tool: Bash, pattern: x, message: m, tests: [{expect: maybe}]}\n",
      /a\.yaml:2:\d+: /,
    ],
  ])("says where %s stands and runs nothing", async (_what, text, place) => {
    world.file("a.yaml", text);
    for (const line of ["test a.yaml", "test --config a.yaml"]) {
      const { out, err } = await expectEnd(world.run(line), { code: 1, never: "✓" });
      expect(out + err).toMatch(place);
    }
  });

  it.each([
    ["nope.yaml", "There is no such file."],
    [".git", "not a regular file"],
    ["old.json", "toolgate convert"],
  ])("says what is wrong with %s", async (name, message) => {
    world.file("old.json", "{}");
    await refuses(world.run(["test", name]), `${name}: `, message);
  });

  it("prints the report as JSON, also when the configuration is broken", async () => {
    world.file("toolgate.yaml", failing);
    const report = (await world.json("test toolgate.yaml", { code: 1 })) as TestReport;
    expect(report).toMatchObject({ passed: 1, failed: 1 });
    expect(report.files[0]?.tests[1]).toMatchObject({ ok: false, expect: "block", verdict: "abstain" });
    world.file("toolgate.yaml", "routes: 7\n");
    expect(await world.json("test", { code: 1 })).toMatchObject({ passed: 0, problems: [{ line: 1 }] });
  });

  it("hides nothing that a file hides", async () => {
    world.file("a.yaml", goodFile.replace("a plain push should allow", '"a\\e[2J\\u202eb"'));
    await expectEnd(world.run("test a.yaml"), { out: "\\u{1B}[2J\\u{202E}b", never: "\u001b" });
  });
});

describe("toolgate test, by the rules of all files", () => {
  const noPush =
    "policies:\n  no-push: {tools: Bash, action: deny, reason: Never., conditions: [{type: command, operator: startsWith, value: git push}]}\n";

  it("fails where a rule of the user decides otherwise, and names it", async () => {
    world.file("toolgate.yaml", goodFile);
    world.configure(noPush);
    for (const argv of [["test"], ["test", "toolgate.yaml"]]) {
      await fails(
        world.run(argv),
        "✓ no-force-push: a forced push should block",
        `  ✗ no-force-push: a plain push should allow
      expected: allow
      got: block, by policy "no-push" (${world.home}/.config/toolgate/config.yaml:2)
      shadowed: by itself this file passes the test, but policy "no-push" (${world.home}/.config/toolgate/config.yaml:2) comes first
`,
      );
    }
    expect((await world.run("test --config toolgate.yaml")).code).toBe(0);
  });

  it("fails where a rule of another file says the same first: the rule itself never speaks", async () => {
    world.file("toolgate.yaml", goodFile.replace("        contains: pull request\n", ""));
    world.configure("routes:\n  mine: {tool: Bash, pattern: 'git push -', message: Not with flags.}\n");
    const [, project] = ((await world.json("test", { code: 1 })) as TestReport).files;
    expect(project?.tests).toMatchObject([
      { ok: false, verdict: "deny", shadowedBy: { rule: { kind: "route", name: "mine" } } },
      { ok: true },
    ]);
  });

  it("names a route of another file that lets the call pass", async () => {
    world.file("toolgate.yaml", "routes:\n  fine: {tool: Bash, pattern: '^git push', action: allow}\n");
    world.file(".claude/tool-routes.yaml", goodFile);
    await fails(world.run("test"), 'but route "fine" (toolgate.yaml:2) comes first');
  });

  it("names a shipped route that stops what a rule of the user lets pass", async () => {
    const { routes }: { routes: Route[] } = await world.json("list --all");
    const blocked = ({ tests = [] }: Route) => tests.find((test) => test.expect === "block");
    const shipped = routes.find(blocked);
    const input = JSON.stringify(shipped && blocked(shipped)?.input);
    world.file(
      "toolgate.yaml",
      `routes:\n  mine: {tool: Nobody, pattern: x, message: m, tests: [{input: ${input}, expect: allow}]}\n`,
    );
    await fails(world.run("test"), `but route "${shipped?.name}" (`);
  });

  it("finds names that two named files use, and every other problem of both", async () => {
    world.file("a.yaml", goodFile);
    world.file("b.yaml", goodFile.replace("git push.*", "git push +"));
    await refuses(
      world.run("test a.yaml b.yaml"),
      /b\.yaml:2:\d+: route "no-force-push": the name is also used .*a\.yaml/,
    );
    world.file("c.yaml", "routes:\n  c: {tool: Bash, patern: x, message: m}\n");
    await refuses(world.run("test a.yaml b.yaml c.yaml"), "c.yaml:2", "the name is also used");
  });

  it("judges files that do not hold here by what they say together", async () => {
    world.file("a.yaml", goodFile);
    world.file("b.yaml", noPush);
    expect((await world.run("test a.yaml")).code).toBe(0);
    await fails(world.run("test a.yaml b.yaml"), 'policy "no-push" (b.yaml:2) comes first');
  });
});

describe("toolgate test --watch", () => {
  /** Runs it and hands out each round's sum as it comes. */
  function watching(argv: readonly string[], options: { isTerminal?: boolean } = {}) {
    const ending = new AbortController();
    const said: string[] = [];
    let wake = () => {};
    let all = "";
    const hear = (text: string) => {
      all += text;
      said.push(text);
      wake();
    };
    const running = world.run(argv, { ...options, signal: ending.signal, onOut: hear, onErr: hear });
    const nextRemark = async (part: string | RegExp): Promise<string> => {
      for (;;) {
        const next = said.shift();
        if (next?.match(part)) return next;
        if (next === undefined) {
          const { promise, resolve } = Promise.withResolvers<void>();
          wake = resolve;
          await promise;
        }
      }
    };
    const nextSum = async () =>
      /\d+ tests? passed, \d+ failed/.exec(await nextRemark(/tests? passed/))?.[0] ?? "";
    const end = async () => {
      ending.abort();
      return { ...(await running), all };
    };
    return { nextSum, nextRemark, end };
  }

  it("runs again when the file is written, replaced by renaming, removed and made again", async () => {
    const file = world.file("rules.yaml", goodFile);
    const { nextSum, end } = watching(["test", "--watch", "rules.yaml"]);
    expect(await nextSum()).toBe("2 tests passed, 0 failed");
    writeFileSync(file, failing);
    expect(await nextSum()).toBe("1 test passed, 1 failed");
    writeFileSync(`${file}.tmp`, goodFile);
    renameSync(`${file}.tmp`, file);
    expect(await nextSum()).toBe("2 tests passed, 0 failed");
    rmSync(file);
    world.file("rules.yaml", failing);
    expect(await nextSum()).toBe("1 test passed, 1 failed");
    const { code, err, all } = await end();
    expect(code).toBe(130);
    expect(err).toContain("Watching for changes");
    expect(all).not.toContain("\u001b");
  });

  it("sees a file and a folder appear that were not there at the start", async () => {
    const { nextSum, end } = watching(["test", "--watch", "--all"]);
    const shipped = Number(/^\d+/.exec(await nextSum())?.[0]);
    expect(shipped).toBeGreaterThan(0);
    world.file("toolgate.yaml", goodFile);
    expect(await nextSum()).toBe(`${shipped + 2} tests passed, 0 failed`);
    world.file(
      ".claude/tool-routes.yaml",
      goodFile.replace("no-force-push", "other").replaceAll("git push", "git fetch"),
    );
    let sum = await nextSum();
    // The folder may be seen before the file is in it.
    if (sum === `${shipped + 2} tests passed, 0 failed`) sum = await nextSum();
    expect(sum).toBe(`${shipped + 4} tests passed, 0 failed`);
    await end();
  });

  it("goes on after a broken file", async () => {
    const file = world.file("rules.yaml", goodFile);
    const { nextSum, nextRemark, end } = watching(["test", "--watch", "--config", "rules.yaml"]);
    expect(await nextSum()).toBe("2 tests passed, 0 failed");
    writeFileSync(file, "routes: [");
    expect(await nextRemark("cannot be used")).toContain("rules.yaml:1:");
    writeFileSync(file, goodFile);
    expect(await nextSum()).toBe("2 tests passed, 0 failed");
    expect((await end()).code).toBe(130);
  });

  it("clears the screen on a terminal only", async () => {
    world.file("rules.yaml", goodFile);
    const { nextSum, end } = watching(["test", "--watch", "rules.yaml"], { isTerminal: true });
    await nextSum();
    expect((await end()).all).toContain("\u001b[2J");
  });
});
