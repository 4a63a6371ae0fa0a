import { mkdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openConfig } from "../../src/open/open-config.ts";
import { openStore } from "../../src/open/open-store.ts";
import { suggestScopes } from "../../src/replay/suggest-rules.ts";
import type { Policy } from "../../src/rules/policies.ts";
import type { Suggestion, SuggestionReport } from "../../src/suggest/suggestion.ts";
import { type FilledCall, fillStore } from "../suggest/fill-store.ts";
import { expectEnd, says } from "../unit/surfaces/cli/expect-end.ts";
import { useCliWorld } from "./use-cli-world.ts";

const names = "cart order price stock user mail theme list".split(" ");
const sh = (command: string): FilledCall => ({ tool: "Bash", input: { command } });
const asks: Policy = { name: "ask-first", tools: ["Bash", "Edit", "WebFetch"], action: "ask", priority: -10 };
const rules = "policies:\n  ask-first: { tools: [Bash, Edit, WebFetch], action: ask, priority: -10 }\n";

const at = (turn: number) => names[turn % names.length];
const test = (turn: number) => sh(`npx vitest run tests/${at(turn)}.test.ts`);
const edit = (turn: number): FilledCall => ({
  tool: "Edit",
  input: { file_path: `src/${at(turn)}.ts`, old_string: "a", new_string: "b" },
});
let userFile: string;

const world = useCliWorld(async ({ configure, state: stateFolder }) => {
  userFile = configure(rules);
  mkdirSync(stateFolder, { recursive: true });
  const session = (turn: number): FilledCall[] => [
    ...[test(turn), test(turn + 3), sh("npm run lint"), sh("git push origin main"), sh("make deploy")],
    ...[edit(turn), edit(turn + 1), { tool: "Read", input: { file_path: "src/cart.ts" } }],
  ];
  await fillStore({
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
});

async function report(...more: readonly string[]): Promise<SuggestionReport> {
  const { out } = await expectEnd(world.run(["suggest", "--json", ...more]), { err: "" });
  return JSON.parse(out).report;
}

const ready = (found: SuggestionReport, kind: Suggestion["kind"]) =>
  found.suggestions.filter((one) => one.kind === kind && one.state === "ready");

describe("toolgate suggest after two weeks of answers", () => {
  it("says of a waiting call how far a yes could reach, the closest first", async () => {
    const config = await openConfig({ cwd: world.project, env: { HOME: world.home } });
    await using store = await openStore({ stateFolder: world.state });
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
    await expectEnd(world.run(["suggest", "--for", "allow", "--write", userFile, "--yes"]), {
      err: "",
    });
    expect(readFileSync(userFile, "utf8")).toContain("ask-first");
    await says(world.run(["test", userFile]), /[1-9]\d* tests passed, 0 failed/);
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
