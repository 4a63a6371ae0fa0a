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
      expect(report.passed).toBe(examples === "active" ? 12 : 8);
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
    expect(started.routes).toEqual([]);
    expect(started.policies.map(({ name }) => name)).toEqual([
      "project-no-force-push",
      "project-secrets-stay-secret",
    ]);
    expect(narrow(started, "toolgate.yaml").ignored).toEqual([]);
  });

  it("shares no name with the one for all projects: of two files that do, none could be used", () => {
    const names = (where: "this project" | "all your projects") => {
      const { routes, policies, limits } = load(starterFile("active", where));
      return [...routes, ...policies, ...limits].map(({ name }) => name);
    };
    const [project, user] = [names("this project"), names("all your projects")];
    expect(project.length).toBe(8);
    expect(project.filter((name) => user.includes(name))).toEqual([]);
  });

  it("becomes the active one when an editor takes the comment marks away", () => {
    const active = starterFile("active").split("\n");
    const lines = starterFile().split("\n");
    expect(lines.length).toBe(active.length);
    for (const [index, line] of lines.entries()) {
      expect([line, line.replace("# ", "")]).toContain(active[index]);
    }
  });

  it("refuses a forced push however it is written, and no other push", async () => {
    const { policies } = load(starterFile());
    await using gate = await createGate({ policies });
    const verdicts = (commands: readonly string[]) =>
      Promise.all(
        commands.map(async (command) => {
          const { verdict } = await gate.check({ tool: "Bash", input: { command } }, { wait: false });
          return `${verdict}: ${command}`;
        }),
      );
    const forced = [
      "git push --force",
      "git push origin main --force",
      'git push "--force"',
      "git push --for'ce' origin",
      "git -C . push --force",
      "git -c user.name=x push -f",
      "git --no-pager push -uf origin main",
      "/usr/bin/git push -f",
      "sudo git push -f",
      "env X=1 git push --force",
      "bash -c 'git push --force'",
      'sh -c "cd sub && git push -f origin main"',
      "true && git push -f",
      "echo $(git push -f)",
      "timeout 5 git push -f",
      "git push origin +main",
      "git push origin +HEAD:main",
      "git push --mirror",
      "F=--force; git push $F",
    ];
    expect(await verdicts(forced)).toEqual(forced.map((command) => `deny: ${command}`));
    const careful = [
      "git push",
      "git push -u origin feature/force",
      "git push --force-with-lease",
      "git push --force-with-lease=main origin main",
      "git push --force-if-includes --force-with-lease",
      "git push --follow-tags origin v1.0",
      "git commit -m 'git push --force'",
      "git log --grep=force -f",
      "grep -rn 'git push -f' docs",
    ];
    expect(await verdicts(careful)).toEqual(careful.map((command) => `abstain: ${command}`));
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
