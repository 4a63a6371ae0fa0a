/** A project's own rules: they narrow at once, and widen only for somebody who trusts them. */
import { expect, it } from "vitest";
import { bash, describeClaudeCode, runSession } from "./session.ts";
import { createWorkbench, type Workbench } from "./workbench.ts";

const projectRules = `
routes:
  no-secret: { tool: Bash, pattern: "secret", message: "Not this file." }
  other-name:
    tool: Bash
    pattern: "^touch before\\\\.txt$"
    action: rewrite
    rewrite: { command: touch after.txt }
policies:
  touch-is-fine:
    tools: Bash
    action: approve
    conditions: [{ type: command, operator: startsWith, value: touch }]
`;

describeClaudeCode("the rules of a project", () => {
  it("only narrow until they are trusted, widen after, and lose it when the file changes", async () => {
    const bench = createWorkbench();
    const file = bench.write("project/toolgate.yaml", projectRules);
    const narrow = { blocked: true, approved: false, rewritten: false, told: true };
    const full = { blocked: true, approved: true, rewritten: true, told: false };
    expect(await effects(bench)).toEqual(narrow);

    expect((await bench.toolgate(["trust", "--yes"])).code).toBe(0);
    expect(await effects(bench)).toEqual(full);

    bench.write("project/toolgate.yaml", `${projectRules}# touched\n`);
    expect(await effects(bench)).toEqual(narrow);

    expect((await bench.toolgate(["trust", "--yes"])).code).toBe(0);
    expect((await bench.toolgate(["trust", "--revoke", file])).code).toBe(0);
    expect(await effects(bench)).toEqual(narrow);
  });
});

async function effects(bench: Workbench) {
  const names = ["approved", "before", "after", "secret"];
  const touch = (name: string) => bash(`touch ${name}.txt`, `toolu_${name}`);
  // Nothing is allowed by the client itself: what runs was approved by the rules.
  const session = await runSession(bench, [[touch("secret"), touch("approved"), touch("before")], "Done."]);
  const made = names.filter((name) => bench.has(`project/${name}.txt`));
  for (const name of made) bench.remove(`project/${name}.txt`);
  return {
    blocked: session.result("toolu_secret").text.includes("Not this file.") && !made.includes("secret"),
    approved: made.includes("approved"),
    rewritten: made.includes("after") && !session.result("toolu_before").text.includes("before.txt"),
    told: /toolgate\.yaml:\d+: .* is ignored/.test(session.notices),
  };
}
