import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type FilledCall, fillStore } from "../../../suggest/fill-store.ts";
import { createCliWorld } from "./cli-world.ts";
import { expectEnd, says } from "./expect-end.ts";

const sh = (command: string): FilledCall => ({ tool: "Bash", input: { command } });

it("toolgate suggest makes rules of real answers, writes them, and has nothing more to say", async () => {
  const world = createCliWorld();
  const userFile = join(world.home, ".config/toolgate/config.yaml");
  const stateFolder = join(world.home, ".local/state/toolgate");
  for (const folder of [join(world.home, ".config/toolgate"), stateFolder])
    mkdirSync(folder, { recursive: true });
  writeFileSync(userFile, "policies:\n  ask-bash: { tools: Bash, action: ask, priority: -10 }\n");
  const session = (index: number) => [
    sh("npm test"),
    sh("git push"),
    sh(`npm publish${index % 2 === 0 ? "" : " --tag x"}`),
    sh(`shred "src/é: ${index}"`),
  ];
  await fillStore({
    stateFolder,
    workspace: world.root,
    policies: [{ name: "ask-bash", tools: "Bash", action: "ask", priority: -10 }],
    days: Array.from({ length: 10 }, (_, index) => ({
      daysAgo: 12 - index,
      sessions: [session(index), [sh("npm test")]],
    })),
    answer: ({ input }) =>
      /^(?:npm publish|shred)/.test(String(input.command))
        ? { decision: "deny", reason: 'No: "CI" does.' }
        : { decision: "approve" },
  });
  const { report } = (await world.json("suggest")) as {
    report: { suggestions: readonly { title: string; changes: { count: number } }[] };
  };
  expect(report).toMatchObject({ questions: 50, savedQuestions: 20 });
  expect(report.suggestions.map(({ title, changes }) => `${title} (${changes.count})`)).toEqual([
    "Approve npm test for local in project (20)",
    'Deny shred: No: "CI" does. (10)',
    'Deny npm publish: No: "CI" does. (10)',
  ]);
  await expectEnd(world.run(["suggest", "--write", join(world.home, "unread.yaml"), "--yes"]), {
    err: "its rules are not in force",
  });
  await expectEnd(world.run(["suggest", "--write", userFile, "--yes"]), { err: "" });
  expect(readFileSync(userFile, "utf8")).toContain("value: 'npm test'");
  expect(readFileSync(userFile, "utf8")).toMatch(/until: '?\d{4}-\d\d-\d\d'?\n/);
  await says(world.run("test"), "tests passed, 0 failed");
  await says(world.run("suggest"), "No rule is proposed for the 50 questions", "git push");
  world.close();
});
