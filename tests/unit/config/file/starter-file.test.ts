import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { starterFile } from "../../../../src/config/file/starter-file.ts";
import { narrow } from "../../../../src/config/trust/narrow.ts";
import type { Json } from "../../../../src/core/input/json.ts";
import { createGate } from "../../../../src/gate/create-gate.ts";
import { runRuleTests } from "../../../../src/replay/run-rule-tests.ts";
import { parsedFile as load, names } from "../world.ts";

function project(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "starter-")));
  for (const name of ["toolgate.yaml", ".claude/tool-routes.yaml", "a.yaml"]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), "version: 1\n");
  }
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

type Call = readonly [tool: string, input: Record<string, Json>];
const bash = (...commands: string[]): Call[] => commands.map((command) => ["Bash", { command }]);

/** What the rules of a new project say to each of these calls. */
async function expectVerdict(verdict: string, calls: readonly Call[], roots?: string[]): Promise<void> {
  const { policies } = load(starterFile());
  await using gate = await createGate({ policies, ...(roots && { roots }) });
  const found = calls.map(async ([tool, input]) => {
    const { verdict: said } = await gate.check({ tool, input }, { wait: false });
    return [said, input];
  });
  expect(await Promise.all(found)).toEqual(calls.map(([, input]) => [verdict, input]));
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
      expect(report.passed).toBe(examples === "active" ? 19 : 15);
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
    expect(names(started.policies)).toEqual([
      "project-no-force-push",
      "project-secrets-stay-secret",
      "project-env-file-in-use",
      "project-no-mounted-secrets",
      "project-rules-stay",
    ]);
    expect(narrow(started, "toolgate.yaml").ignored).toEqual([]);
  });

  it("shares no name with the one for all projects: of two files that do, none could be used", () => {
    const [ofProject, ofUser] = (["this project", "all your projects"] as const).map((where) => {
      const { routes, policies, limits } = load(starterFile("active", where));
      return [...routes, ...policies, ...limits].map(({ name }) => name);
    });
    expect(ofProject).toHaveLength(11);
    expect(ofProject?.filter((name) => ofUser?.includes(name))).toEqual([]);
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
    await expectVerdict("deny", bash(...forced));
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
    await expectVerdict("abstain", bash(...careful));
  });

  it("keeps what its comment promises about hidden ways to the file", async () => {
    const shown = ["cat .env", "sudo cat .env", "bash -c 'cat .env'"];
    await expectVerdict("deny", bash(...shown, "cp .env.local /tmp/x", "echo A=1 >> .env"));
    await expectVerdict("abstain", bash("cat .env.example"));
  });

  it("asks where .env is made from the example or given to a container, and denies what could show or copy it", async () => {
    const roots = [project()];
    const ordinary = [
      "cp .env.example .env",
      "cp -n .env.example .env",
      "cp apps/web/.env.example apps/web/.env",
      "docker run --env-file .env app",
      "docker run --env-file=.env app",
      "docker run --rm -it -p 127.0.0.1:80:3000 --env-file .env --name web ghcr.io/a/app:1.2 npm start",
      // The container can show what it is given: a person decides, whatever it runs.
      "docker run --env-file .env alpine env",
    ];
    await expectVerdict("ask", bash(...ordinary), roots);
    const leaks = [
      "cp .env /tmp/x",
      "cp .env .env.example",
      "cp .env.example .env /tmp",
      "cp -t /tmp .env.example .env",
      "cp --target-directory=/tmp/.env.example .env",
      "cp -t/tmp/.env.example .env",
      "cp .env.example .env $x",
      "cp .env.example .env && cat .env",
      "cp .env.example .env; grep TOKEN .env",
      "echo /tmp | xargs cp .env.example .env",
      String.raw`find . -maxdepth 0 -exec cp .env.example .env {} \;`,
      "ln -f .env.example .env",
      "mv .env.example .env",
      "docker run -v $PWD/.env:/x app",
      "docker run -v ./.env.local:/x app",
      "docker run --mount type=bind,src=.env,dst=/x app",
      "docker run --env-file .env -v $PWD/.env:/x app",
      "docker run --env-file .env -v /tmp:/tmp app",
      "docker run --env-file .env --env-file .env.production app",
      "docker run --env-file .env $IMAGE",
      "docker cp .env web:/x",
    ];
    await expectVerdict("deny", bash(...leaks), roots);
    const others = ["docker run -v $PWD:/app app", "docker run --rm app npm test", "cp a.yaml b.yaml"];
    await expectVerdict("abstain", bash(...others), roots);
  });

  it("asks before an agent changes the project's rule files, by whatever tool, and lets it read them", async () => {
    const roots = [project()];
    const changes: Call[] = [
      ["Write", { file_path: "toolgate.yaml", content: "" }],
      ["Edit", { file_path: "toolgate.yml", old_string: "deny", new_string: "approve" }],
      ["Write", { file_path: ".claude/tool-routes.yaml", content: "" }],
      ["Edit", { file_path: ".claude/tool-routes.yml", old_string: "a", new_string: "b" }],
      ["Write", { file_path: "packages/a/toolgate.yaml", content: "" }],
      ...bash(
        "sed -i s/deny/approve/ toolgate.yaml",
        "cat a.yaml > toolgate.yaml",
        "true >> .claude/tool-routes.yaml",
        "tee toolgate.yaml < a.yaml",
        "cp a.yaml toolgate.yaml",
        "mv toolgate.yaml old.yaml",
        "rm -f toolgate.yaml",
        "rm -rf .claude",
        "git checkout HEAD~1 -- toolgate.yaml",
        "bash -c 'truncate -s 0 ./toolgate.yaml'",
        "ln -sf a.yaml toolgate.yaml",
      ),
    ];
    await expectVerdict("ask", changes, roots);
    const reads: Call[] = [
      ["Read", { file_path: "toolgate.yaml" }],
      ["Grep", { pattern: "deny", path: "toolgate.yaml" }],
      ["Write", { file_path: "src/toolgate.ts", content: "" }],
      ["Write", { file_path: "docs/my-toolgate.yaml", content: "" }],
      ...bash(
        "cat toolgate.yaml",
        "sed -n 1,20p toolgate.yaml",
        "grep -n deny toolgate.yaml .claude/tool-routes.yaml",
        "git diff toolgate.yaml",
        "git add . && git commit -m rules",
        "toolgate test",
      ),
    ];
    await expectVerdict("abstain", reads, roots);
  });
});
