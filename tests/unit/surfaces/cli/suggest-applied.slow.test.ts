import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type FilledCall, fillStore } from "../../../suggest/fill-store.ts";
import { createCliWorld } from "./cli-world.ts";

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
  const { out } = await world.run(["suggest", "--json"]);
  const { report } = JSON.parse(out) as {
    report: { suggestions: readonly { title: string; changes: { count: number } }[] };
  };
  expect(report).toMatchObject({ questions: 50, savedQuestions: 20 });
  expect(report.suggestions.map(({ title, changes }) => `${title} (${changes.count})`)).toEqual([
    "Approve npm test for local in project (20)",
    'Deny shred: No: "CI" does. (10)',
    'Deny npm publish: No: "CI" does. (10)',
  ]);
  const unread = await world.run(["suggest", "--write", join(world.home, "unread.yaml"), "--yes"]);
  expect([unread.code, unread.err]).toEqual([0, expect.stringContaining("its rules are not in force")]);
  const read = await world.run(["suggest", "--write", userFile, "--yes"]);
  expect([read.code, read.err]).toEqual([0, ""]);
  expect(readFileSync(userFile, "utf8")).toContain("value: 'npm test'");
  expect(readFileSync(userFile, "utf8")).toMatch(/until: '?\d{4}-\d\d-\d\d'?\n/);
  const tested = await world.run(["test"]);
  expect([tested.code, tested.out]).toEqual([0, expect.stringContaining("tests passed, 0 failed")]);
  const again = await world.run(["suggest"]);
  expect(again.out).toContain("No rule is proposed for the 50 questions");
  expect(again.out).toContain("git push");
  world.close();
}, 120_000);
