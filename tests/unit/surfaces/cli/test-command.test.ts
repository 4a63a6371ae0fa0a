import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TestReport } from "../../../../src/replay/run-rule-tests.ts";
import { type CliWorld, createCliWorld, goodFile } from "./cli-world.ts";

let world: CliWorld;
beforeEach(() => {
  world = createCliWorld();
});
afterEach(() => world.close());

const failing = goodFile.replace("expect: allow", "expect: block");

describe("toolgate test", () => {
  it("prints a line for each test under its file, and the sum", async () => {
    world.file("toolgate.yaml", goodFile);
    const { code, out } = await world.run(["test", "toolgate.yaml"]);
    expect(out).toBe(`toolgate.yaml
  ✓ no-force-push: a forced push should block
  ✓ no-force-push: a plain push should allow

2 tests passed, 0 failed
`);
    expect(code).toBe(0);
  });

  it("tests everything that holds here, shipped routes too, each under its file", async () => {
    world.file("toolgate.yaml", goodFile);
    const { code, out } = await world.run(["test"]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^toolgate\.yaml\n {2}✓ .*\n {2}✓ .*\n\n\S*shipped\.yaml\n( {2}✓ .*\n)+\n\d+ tests passed, 0 failed\n$/,
    );
  });

  it("shows what was expected and what came, and exits 1", async () => {
    world.file("toolgate.yaml", failing);
    const { code, out } = await world.run(["test", "toolgate.yaml"]);
    expect(code).toBe(1);
    expect(out).toContain(`  ✗ no-force-push: a plain push should allow
      expected: block
      got: allow (no rule speaks about this call)
      rule: toolgate.yaml:2

1 tests passed, 1 failed
`);
  });

  it("shows which rule decided, its message, and the text that was missing in it", async () => {
    world.file("toolgate.yaml", goodFile.replace("contains: pull request", "contains: merge request"));
    const { code, out } = await world.run(["test", "toolgate.yaml"]);
    expect(code).toBe(1);
    expect(out).toContain(`      expected: block, with "merge request" in the message
      got: block, by route "no-force-push" (toolgate.yaml:2)
      message: Do not force-push; open a pull request.
`);
  });

  it("tests an untrusted file as it is written, and says what would be ignored", async () => {
    world.file(
      "toolgate.yaml",
      `routes:
  fine: {tool: Bash, pattern: ^git push origin, action: allow, tests: [{input: {tool_name: Bash, tool_input: {command: git push origin}}, expect: allow}]}
  no-push: {tool: Bash, pattern: ^git push, message: No.}
`,
    );
    const { code, out, err } = await world.run(["test"]);
    expect(code).toBe(0);
    expect(out).toContain('  ✓ fine: Bash "git push origin" should allow');
    expect(err).toContain("toolgate trust toolgate.yaml");
  });

  it("finds the project from a folder inside it", async () => {
    world.file("toolgate.yaml", goodFile);
    world.file("src/deep/a.txt", "");
    const { code, out } = await world.run(["test"], { cwd: join(world.root, "src/deep") });
    expect(code).toBe(0);
    expect(out).toContain(`${join(world.root, "toolgate.yaml")}\n  ✓ no-force-push`);
  });

  it("says that there are no tests, which is not a failure", async () => {
    const file = world.file("a.yaml", "routes:\n  a: {tool: Bash, pattern: x, message: m}\n");
    for (const argv of [
      ["test", file],
      ["test", "--config", file],
    ]) {
      const { code, out } = await world.run(argv);
      expect(code).toBe(0);
      expect(out).toContain("There are no tests in a.yaml");
    }
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
    for (const argv of [
      ["test", "a.yaml"],
      ["test", "--config", "a.yaml"],
    ]) {
      const { code, out, err } = await world.run(argv);
      expect(code).toBe(1);
      expect(out).not.toContain("✓");
      expect(out + err).toMatch(place);
    }
  });

  it.each([
    ["nope.yaml", "There is no such file."],
    [".git", "not a regular file"],
    ["old.json", "toolgate convert"],
  ])("says what is wrong with %s", async (name, message) => {
    world.file("old.json", "{}");
    const { code, err } = await world.run(["test", name]);
    expect(code).toBe(1);
    expect(err).toContain(`${name}: `);
    expect(err).toContain(message);
  });

  it("prints the report as JSON, also when the configuration is broken", async () => {
    world.file("toolgate.yaml", failing);
    const failed = await world.run(["test", "--json", "toolgate.yaml"]);
    expect(failed.code).toBe(1);
    const report = JSON.parse(failed.out) as TestReport;
    expect(report).toMatchObject({ passed: 1, failed: 1 });
    expect(report.files[0]?.tests[1]).toMatchObject({ ok: false, expect: "block", verdict: "abstain" });
    world.file("toolgate.yaml", "routes: 7\n");
    const broken = await world.run(["test", "--json"]);
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.out)).toMatchObject({ passed: 0, problems: [{ line: 1 }] });
  });

  it("hides nothing that a file hides", async () => {
    world.file("a.yaml", goodFile.replace("a plain push should allow", '"a\\e[2J\\u202eb"'));
    const { out } = await world.run(["test", "a.yaml"]);
    expect(out).not.toContain("\u001b");
    expect(out).toContain("\\u{1B}[2J\\u{202E}b");
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
      /\d+ tests passed, \d+ failed/.exec(await nextRemark(/tests passed/))?.[0] ?? "";
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
    expect(await nextSum()).toBe("1 tests passed, 1 failed");
    writeFileSync(`${file}.tmp`, goodFile);
    renameSync(`${file}.tmp`, file);
    expect(await nextSum()).toBe("2 tests passed, 0 failed");
    rmSync(file);
    world.file("rules.yaml", failing);
    expect(await nextSum()).toBe("1 tests passed, 1 failed");
    const { code, err, all } = await end();
    expect(code).toBe(130);
    expect(err).toContain("Watching for changes");
    expect(all).not.toContain("\u001b");
  });

  it("sees a file and a folder appear that were not there at the start", async () => {
    const { nextSum, end } = watching(["test", "--watch"]);
    const shipped = Number(/^\d+/.exec(await nextSum())?.[0]);
    expect(shipped).toBeGreaterThan(0);
    world.file("toolgate.yaml", goodFile);
    expect(await nextSum()).toBe(`${shipped + 2} tests passed, 0 failed`);
    world.file(
      ".claude/tool-routes.yaml",
      goodFile.replace("no-force-push", "other").replace("git push.*", "git push +"),
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
