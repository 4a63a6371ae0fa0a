import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConfig } from "../../src/open/open-config.ts";
import { openStore } from "../../src/open/open-store.ts";
import { suggestScopes } from "../../src/replay/suggest-rules.ts";
import type { Policy } from "../../src/rules/policies.ts";
import type { Suggestion, SuggestionReport } from "../../src/suggest/suggestion.ts";
import { type FilledCall, fillStore } from "../suggest/fill-store.ts";
import { type CliWorld, createCliWorld } from "./cli-process.ts";

const names = "cart order price stock user mail theme list".split(" ");
const sh = (command: string): FilledCall => ({ tool: "Bash", input: { command } });
const asks: Policy = { name: "ask-first", tools: ["Bash", "Edit", "WebFetch"], action: "ask", priority: -10 };
const rules = "policies:\n  ask-first: { tools: [Bash, Edit, WebFetch], action: ask, priority: -10 }\n";

let world: CliWorld;
let userFile: string;
let calls: number;

beforeAll(async () => {
  world = createCliWorld();
  const home = join(world.folder, "home");
  userFile = join(home, ".config/toolgate/config.yaml");
  mkdirSync(join(home, ".config/toolgate"), { recursive: true });
  writeFileSync(userFile, rules);
  const stateFolder = join(home, ".local/state/toolgate");
  mkdirSync(stateFolder, { recursive: true });
  const session = (turn: number): FilledCall[] => [
    sh(`npx vitest run tests/${names[turn % names.length]}.test.ts`),
    sh(`npx vitest run tests/${names[(turn + 3) % names.length]}.test.ts`),
    sh("npm run lint"),
    sh("git push origin main"),
    sh("make deploy"),
    {
      tool: "Edit",
      input: { file_path: `src/${names[turn % names.length]}.ts`, old_string: "a", new_string: "b" },
    },
    {
      tool: "Edit",
      input: { file_path: `src/${names[(turn + 1) % names.length]}.ts`, old_string: "a", new_string: "b" },
    },
    { tool: "Read", input: { file_path: "src/cart.ts" } },
  ];
  calls = await fillStore({
    stateFolder,
    workspace: world.project,
    policies: [asks],
    days: Array.from({ length: 12 }, (_, index) => ({
      daysAgo: 13 - index,
      sessions: [session(index), session(index + 4), session(index + 6)],
    })),
    answer: ({ input }) =>
      input.command === "make deploy"
        ? { decision: "deny", reason: "I deploy myself." }
        : { decision: "approve" },
  });
}, 120_000);
afterAll(() => world.close());

async function report(...more: readonly string[]): Promise<SuggestionReport> {
  const { code, out, err } = await world.run(["suggest", "--json", ...more]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out).report;
}

const ready = (found: SuggestionReport, kind: Suggestion["kind"]) =>
  found.suggestions.filter((one) => one.kind === kind && one.state === "ready");

describe("toolgate suggest after two weeks of answers", () => {
  it("proposes rules that save most questions, each proved, and never what was denied or is dangerous", async () => {
    const found = await report();
    expect(found).toMatchObject({ calls, questions: (calls * 7) / 8, answered: (calls * 7) / 8 });
    const allows = ready(found, "allow");
    expect(allows.length).toBeGreaterThanOrEqual(2);
    expect(found.savedQuestions).toBeGreaterThanOrEqual(found.questions / 2);
    for (const { attacks, changes, evidence } of allows) {
      expect(attacks.tried).toBeGreaterThan(0);
      expect([attacks.passed, evidence.denied]).toEqual([0, 0]);
      expect(changes.calls.every(({ before, after }) => before === "ask" && after === "allow")).toBe(true);
    }
    const text = JSON.stringify(
      allows.map(({ rules: proposed }) => proposed.policies?.map(({ tests: _, ...one }) => one)),
    );
    expect(text).not.toMatch(/git push|make deploy/);
  });

  it("gives the same answer twice", async () => {
    const [one, other] = [await report(), await report()];
    const without = ({ suggestions, savedQuestions }: SuggestionReport) => [
      savedQuestions,
      suggestions.map(({ id, yaml, savedQuestions: saved }) => [id, saved, yaml.length]),
    ];
    expect(without(one)).toEqual(without(other));
  });

  it("says of a waiting call how far a yes could reach, the closest first", async () => {
    const env = { HOME: join(world.folder, "home") };
    const config = await openConfig({ cwd: world.project, env });
    await using store = await openStore({ stateFolder: join(env.HOME, ".local/state/toolgate") });
    const scopesOf = async (toolId: string, like: string) => {
      const past = await store.approvals.past({ tool: toolId, limit: 500 });
      const asked = past.find(({ request }) => JSON.stringify(request.input).includes(like))?.request;
      if (asked === undefined) throw new Error(`nobody asked about ${like}`);
      return await suggestScopes(store, config, { asked, now: Date.now(), days: 30 });
    };
    const run = await scopesOf("shell.exec", "vitest run tests/cart");
    expect(run.map(({ scope }) => scope)).toEqual(["exact", "shape"]);
    expect(run[0]).toMatchObject({ denied: 0 });
    expect(run[1]?.asked).toBeGreaterThan(run[0]?.asked ?? 0);
    expect(run[1]?.suggestion?.yaml).toContain("npx vitest run");
    expect((await scopesOf("fs.edit", "src/cart.ts")).map(({ scope }) => scope)).toEqual(["exact", "folder"]);
    expect(await scopesOf("shell.exec", "git push")).toMatchObject([
      { scope: "exact", asked: 36, approved: 36 },
    ]);
  });

  it("writes what a person wants; its tests pass, and exactly the calls change that it named", async () => {
    const found = await report("--for", "allow");
    const allows = ready(found, "allow");
    const written = await world.run(["suggest", "--for", "allow", "--write", userFile, "--yes"]);
    expect([written.code, written.err]).toEqual([0, ""]);
    expect(readFileSync(userFile, "utf8")).toContain("ask-first");
    const tested = await world.run(["test", userFile]);
    expect([tested.code, tested.out]).toEqual([0, expect.stringMatching(/[1-9]\d* tests passed, 0 failed/)]);
    const replayed = JSON.parse((await world.run(["replay", "--since", "30d", "--json"])).out);
    const kinds = new Set(
      replayed.changes.map(
        (one: { before: string; now: { verdict: string } }) => `${one.before}>${one.now.verdict}`,
      ),
    );
    expect([...kinds]).toEqual(["ask>allow"]);
    expect(replayed.changes).toHaveLength(found.savedQuestions);
    expect(allows.reduce((sum, { savedQuestions }) => sum + savedQuestions, 0)).toBeGreaterThanOrEqual(
      found.savedQuestions,
    );
    // What is written is not proposed again.
    const again = await report("--for", "allow");
    expect(ready(again, "allow").map(({ id }) => id)).toEqual([]);
  });
});
