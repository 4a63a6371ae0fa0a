import { describe, expect, it } from "vitest";
import { describeConfigProblem } from "../../../../src/config/config-problem.ts";
import { type ParsedFile, parseConfigFile } from "../../../../src/config/file/parse-file.ts";
import { starterFile } from "../../../../src/config/file/starter-file.ts";
import { narrow } from "../../../../src/config/trust/narrow.ts";
import { createGate } from "../../../../src/gate/create-gate.ts";
import { runRuleTests } from "../../../../src/replay/run-rule-tests.ts";

function load(text: string): ParsedFile {
  const parsed = parseConfigFile(text, "toolgate.yaml", "config");
  if (!parsed.ok) throw new Error(parsed.problems.map(describeConfigProblem).join("\n"));
  return parsed.file;
}

describe("the starter file", () => {
  it.each(["commented", "active"] as const)(
    "loads, and its tests pass, with its examples %s",
    async (examples) => {
      const { routes, policies } = load(starterFile(examples));
      const report = await runRuleTests([{ file: "toolgate.yaml", rules: { routes, policies } }]);
      expect(
        report.files.flatMap(({ tests, problem }) => [
          ...tests.filter(({ ok }) => !ok),
          ...(problem ? [problem] : []),
        ]),
      ).toEqual([]);
      expect(report.passed).toBe(examples === "active" ? 10 : 6);
    },
  );

  it("shows every kind of rule, and switches on only what every project can have before it is trusted", () => {
    const all = load(starterFile("active"));
    expect(new Set(all.routes.map(({ action = "block" }) => action))).toEqual(
      new Set(["block", "allow", "rewrite"]),
    );
    expect(new Set(all.policies.map(({ action }) => action))).toEqual(new Set(["approve", "ask", "deny"]));
    expect([all.limits.length, all.settings.hooks?.default]).toEqual([1, "ask"]);
    const started = load(starterFile());
    expect(started.routes.map(({ name }) => name)).toEqual(["no-force-push"]);
    expect(started.policies.map(({ name }) => name)).toEqual(["secrets-stay-secret"]);
    expect(narrow(started, "toolgate.yaml").ignored).toEqual([]);
  });

  it("becomes the active one when an editor takes the comment marks away", () => {
    const active = starterFile("active").split("\n");
    const lines = starterFile().split("\n");
    expect(lines.length).toBe(active.length);
    for (const [index, line] of lines.entries()) {
      expect([line, line.replace("# ", "")]).toContain(active[index]);
    }
  });

  it("keeps what its comment promises about hidden ways to the file", async () => {
    const { policies } = load(starterFile());
    await using gate = await createGate({ policies });
    for (const command of [
      "cat .env",
      "sudo cat .env",
      "bash -c 'cat .env'",
      "cp .env.local /tmp/x",
      "echo A=1 >> .env",
    ]) {
      expect((await gate.check({ tool: "Bash", input: { command } })).verdict, command).toBe("deny");
    }
    expect((await gate.check({ tool: "Bash", input: { command: "cat .env.example" } })).verdict).not.toBe(
      "deny",
    );
  });

  it("has no line too long to read", () => {
    expect(
      starterFile()
        .split("\n")
        .filter((line) => line.length > 125),
    ).toEqual([]);
  });
});
