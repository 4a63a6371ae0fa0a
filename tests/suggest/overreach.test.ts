import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/core/input/json.ts";
import type { Policy } from "../../src/rules/policies.ts";
import type { Rules } from "../../src/rules/rule-set.ts";
import { clustersOf } from "../../src/suggest/candidates.ts";
import type { HistoryCall } from "../../src/suggest/history.ts";
import { suggest } from "../../src/suggest/suggest.ts";
import { createGateJudge } from "./gate-judge.ts";
import { historyRules } from "./make-history.ts";
import { approvedCall, createShop, now, readyPolicies } from "./shop.ts";

const shop = createShop();
const root = dirname(shop);
for (const project of ["api", "desk", "infra"]) mkdirSync(join(root, project));

const words = "cart order price stock user mail theme list".split(" ");

type Facts = Partial<HistoryCall> & { readonly input: JsonObject };

const sh = (command: string): Facts => ({ input: { command } });
const edit = (path: string): Facts => ({
  tool: "fs.edit",
  askedFor: "Edit",
  input: { file_path: path, old_string: "a", new_string: "b" },
});
const page = (url: string): Facts => ({ tool: "web.fetch", askedFor: "WebFetch", input: { url } });

const call = (facts: Facts) => ({
  tool: "shell.exec",
  askedFor: "Bash",
  kind: "check" as const,
  cwd: facts.workspace ?? shop,
  workspace: shop,
  caller: "local",
  ...facts,
});

/** Sixty times, on twenty days, by a person who took the time. */
function approved(facts: (word: string, index: number) => Facts, rule?: string): HistoryCall[] {
  return Array.from({ length: 60 }, (_, index) =>
    approvedCall(shop, index, {
      ...(rule !== undefined && { rule: { kind: "policy", name: rule } }),
      ...call(facts(words[index % words.length] as string, index)),
    }),
  );
}

/** What passes of these, once everything that is proposed is in force. */
async function passing(calls: readonly HistoryCall[], wants: readonly Facts[], rules: Rules = historyRules) {
  await using judge = createGateJudge(rules);
  const policies = readyPolicies(await suggest(calls, { judge, now, days: 30, kinds: ["allow"] }));
  expect(policies).not.toEqual([]);
  const verdicts = await judge.judge(wants.map(call), { added: { policies } });
  return wants.filter((_, index) => verdicts[index]?.verdict === "allow").map(({ input }) => input);
}

const asks: Policy = { name: "asks", tools: "*", action: "ask" };
const denies = (...conditions: NonNullable<Policy["conditions"]>): Rules => ({
  policies: [asks, { name: "denies", tools: "*", action: "deny", conditions }],
});

it.each([
  ["path", "inside", "src/payments", (word: string) => edit(`src/${word}/x.ts`), edit("src/payments/x.ts")],
  ["command", "contains", "deploy", (word: string) => sh(`cargo test ${word}`), sh("cargo test deploy")],
  [
    "url",
    "contains",
    "/private",
    (word: string) => page(`https://docs.python.org/3/${word}`),
    page("https://docs.python.org/3/private"),
  ],
] as const)(
  "no approval lifts a deny that no call has met: %s %s %s",
  async (...[type, operator, value, seen, want]) => {
    const rules = denies({ type, operator, value });
    expect(await passing(approved(seen, "asks"), [want], rules)).toEqual([]);
    expect(await passing(approved(seen, "asks"), [seen("cart")], rules)).toEqual([seen("cart").input]);
  },
);

it("an approval speaks of values that nobody has seen where what is denied is another command", async () => {
  const rules = denies({ type: "command", operator: "startsWith", value: ["rm -rf", "cargo publish"] });
  const calls = approved((word) => sh(`cargo test ${word}`), "asks");
  expect(await passing(calls, [sh("cargo test other")], rules)).toEqual([{ command: "cargo test other" }]);
});

it("no approval lifts a question that nobody has answered", async () => {
  const asksMore: Policy = {
    name: "asks-more",
    tools: "Edit",
    action: "ask",
    conditions: [{ type: "path", operator: "inside", value: "src/payments" }],
  };
  const calls = approved((word) => edit(`src/${word}/x.ts`), "asks");
  expect(await passing(calls, [edit("src/payments/x.ts")], { policies: [asks, asksMore] })).toEqual([]);
});

it("who was trusted says nothing of somebody else, however many there were", async () => {
  const calls = approved((_, index) => ({ ...sh("npm test"), caller: `agent-${index % 4}` }));
  expect(await passing(calls, [{ ...sh("npm test"), caller: "stranger" }])).toEqual([]);
});

it.each(["rm -rf build", "git commit -m x", "git switch -c x"])(
  "what three projects have approved is not approved in a fourth: %s",
  async (command) => {
    const projects = ["shop", "api", "desk"].map((name) => join(root, name));
    const calls = approved((_, index) => ({ ...sh(command), workspace: projects[index % 3] as string }));
    expect(await passing(calls, [{ ...sh(command), workspace: join(root, "infra") }])).toEqual([]);
  },
);

it.each([
  [
    "a place to take other files from",
    (word: string) => `git switch -c feat/${word}`,
    "git switch -c feat/x feat/y",
  ],
  ["another project's settings", (word: string) => `tsc -p packages/${word}`, "tsc -p evil/tsconfig.json"],
] as const)("no approval of a command grows by %s", async (_, seen, want) => {
  const calls = approved((word) => sh(seen(word)));
  expect(await passing(calls, [sh(want)])).toEqual([]);
});

it("the first word for a runner may be a subcommand, and is not proposed", async () => {
  await using judge = createGateJudge(historyRules);
  const calls = approved((word) => sh(`npx vitest ${word}`));
  const { suggestions } = await suggest(calls, { judge, now, days: 30 });
  expect(suggestions).toEqual([]);
});

it("no approval of tests holds for what they load", async () => {
  const wants = ["x/evil.ts", "global-setup.ts", "__mocks__/fs.ts"].map((name) => edit(`tests/${name}`));
  const calls = approved((word) => edit(`tests/${word}/a.test.ts`));
  expect(await passing(calls, wants)).toEqual([]);
  expect(await passing(calls, [edit("tests/new/b.test.ts")])).toHaveLength(1);
});

it("no approval of pages holds for what anybody can put beside them", async () => {
  const raw = "https://raw.githubusercontent.com/o/r";
  const branches = approved((word, index) => page(`${raw}/${["main", "dev", "v1"][index % 3]}/${word}.md`));
  expect(await passing(branches, [page(`${raw}/0123456789abcdef0123456789abcdef01234567/x.md`)])).toEqual([]);
  const kinds = approved((word, index) =>
    page(`https://github.com/o/r/${["issues", "blob/main", "wiki"][index % 3]}/${word}`),
  );
  const wants = ["pull/9/files", "issues/new", "commit/0123"].map((path) =>
    page(`https://github.com/o/r/${path}`),
  );
  expect(await passing(kinds, wants)).toEqual([]);
});

it("texts of a megabyte become no tests of a rule", async () => {
  await using judge = createGateJudge(historyRules);
  const content = "x".repeat(1_000_000);
  const calls = approved((word) => ({
    tool: "fs.write",
    askedFor: "Write",
    input: { file_path: `src/${word}.ts`, content },
  }));
  const { suggestions } = await suggest(calls, { judge, now, days: 30 });
  expect(suggestions).toMatchObject([{ state: "ready" }]);
  expect(suggestions[0]?.yaml.length).toBeLessThan(10_000);
});

it.each([
  ["make test && make deploy", "make deploy"],
  ["npm test && git commit -m x", "git commit -m x"],
  ["npm run lint; npm run release", "npm run release"],
])("what only ever came behind a check is not approved without it: %s", async (line, part) => {
  // The check itself was approved often enough.
  const [check = ""] = line.split(/ &&|;/);
  const calls = [...approved(() => sh(check)), ...approved(() => sh(line))];
  expect(await passing(calls, [sh(part), sh(`${check} || ${part}`)])).toEqual([]);
  const both = [...calls, ...approved(() => sh(part))];
  expect(await passing(both, [sh(part)])).toEqual([{ command: part }]);
});

it("thousands of kinds of lines cost no more than the most frequent of them", async () => {
  const kinds = Array.from({ length: 3_000 }, (_, index) => ({
    call: {} as HistoryCall,
    calls: approved(() => sh("x")).slice(0, index === 2_999 ? 3 : 1),
    seen: undefined,
    read: {
      tool: "t",
      parts: [{ kind: "arguments" as const, key: `k${String(index).padStart(4, "0")}`, input: {} }],
    },
  }));
  const found = clustersOf(kinds).map(({ keys }) => keys[0] ?? "");
  expect(found).toHaveLength(400);
  expect([...found].sort()).toEqual(found);
  expect(found).toContain("k2999");
});
