import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Grant } from "../../src/core/call/approval.ts";
import type { JsonObject } from "../../src/core/input/json.ts";
import { defineTool } from "../../src/index.ts";
import type { Rules } from "../../src/rules/rule-set.ts";
import type { HistoryCall, HistoryQuestion } from "../../src/suggest/history.ts";
import { type SuggestOptions, suggest } from "../../src/suggest/suggest.ts";
import { createGateJudge } from "./gate-judge.ts";
import { historyRules } from "./make-history.ts";
import { approvedCall, createShop, day, now } from "./shop.ts";

const workspace = createShop();

/** In so many sessions, one a day. */
function asked(
  command: string | ((index: number) => string),
  times: number,
  question: Partial<HistoryQuestion> | "none" = {},
  facts: Partial<HistoryCall> = {},
): HistoryCall[] {
  return Array.from({ length: times }, (_, index) => {
    const input = { command: typeof command === "string" ? command : command(index) };
    const { question: approved, ...call } = approvedCall(workspace, index, { input });
    const all = { ...call, ...(question !== "none" && { question: { ...approved, ...question } }), ...facts };
    return all as HistoryCall;
  });
}

async function suggested(
  calls: readonly HistoryCall[],
  more: Partial<SuggestOptions> = {},
  rules: Rules = historyRules,
) {
  await using judge = createGateJudge(rules);
  const numbered = calls.map((call, index) => ({ ...call, seq: index + 1, callId: `c${index}` }));
  return (await suggest(numbered, { judge, now, days: 30, ...more })).suggestions;
}

const titles = (list: readonly { readonly title: string; readonly state: string }[]) =>
  list.map(({ title, state }) => `${state} ${title}`);

describe("approvals", () => {
  it("wait for enough answers, and say how many are missing", async () => {
    const found = await suggested(asked("npm test", 12));
    expect(found).toMatchObject([{ state: "not-enough", notes: ["not enough yet (12/19)"] }]);
    expect(titles(await suggested(asked("npm test", 20)))).toEqual([
      "ready Approve npm test for local in shop",
    ]);
  });

  it("leave out an option that was denied, and name the denial", async () => {
    const calls = [
      ...asked((index) => (index % 2 === 0 ? "eslint src" : "eslint --fix src"), 60),
      ...asked("eslint --fix src", 1, { state: "denied", reason: "Not by itself." }),
    ];
    expect(titles(await suggested(calls)).filter((title) => title.includes("eslint"))).toEqual([
      "ready Approve eslint src for local in shop",
    ]);
  });

  it("hold for two commands that only ever come together", async () => {
    const calls = asked((index) => `git add src/a${index % 5}.ts && touch src/b${index % 2}.ts`, 40);
    const [found, ...others] = await suggested(calls);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ state: "ready", savedQuestions: 40 });
    expect(found?.title).toBe("Approve git add src/NAME.ts and touch src/b0.ts|src/b1.ts for local in shop");
    expect(found?.rules.policies?.[0]?.conditions?.[0]).toEqual({
      type: "command",
      operator: "usage",
      value: ["git add src/NAME.ts", "touch src/b0.ts|src/b1.ts"],
    });
  });

  it("hold in the folder that the calls started in, and in no other", async () => {
    const calls = asked("npm test", 30);
    await using judge = createGateJudge(historyRules);
    const [found] = (await suggest(calls, { judge, now, days: 30 })).suggestions;
    expect(found?.rules.policies?.[0]?.conditions).toContainEqual({
      type: "folder",
      operator: "equals",
      value: ".",
    });
    const call = calls[0] as HistoryCall;
    const elsewhere = [
      { ...call, cwd: join(workspace, "vendor/x") },
      { ...call, input: { command: "npm test", cwd: "vendor/x" } },
      { ...call, input: { command: "npm test", workdir: join(workspace, "vendor/x") } },
    ];
    const verdicts = await judge.judge([call, ...elsewhere], { added: found?.rules ?? {} });
    expect(verdicts.map((judged) => judged?.verdict)).toEqual(["allow", "ask", "ask", "ask"]);
  });

  it("are none where the very call was denied", async () => {
    const calls = [...asked("npm test", 60), ...asked("npm test", 1, { state: "denied" })];
    expect(titles(await suggested(calls))).toEqual([]);
  });

  it("are an exception to a policy that asks by a higher priority", async () => {
    const rules: Rules = { policies: [{ name: "ask-first", tools: "Bash", action: "ask", priority: 5 }] };
    const calls = asked("npm test", 30, {}, { rule: { kind: "policy", name: "ask-first" } });
    const [found] = await suggested(calls, {}, rules);
    expect(found).toMatchObject({
      state: "ready",
      savedQuestions: 30,
      rules: { policies: [{ priority: 6 }] },
    });
  });

  it("open nothing that a rule denies", async () => {
    const rules: Rules = {
      policies: [
        ...(historyRules.policies ?? []),
        {
          name: "no-npm",
          tools: "Bash",
          action: "deny",
          conditions: [{ type: "command", operator: "startsWith", value: "npm" }],
        },
      ],
    };
    expect(await suggested(asked("npm test", 30), {}, rules)).toEqual([]);
  });
});

describe("approvals of tools that read elsewhere", () => {
  const issue = defineTool({
    id: "tracker.get_issue",
    description: "Reads an issue.",
    permission: "read",
    capabilities: ["net:tracker"],
    input: z.looseObject({ id: z.string(), project: z.string() }),
    run: () => "",
  });
  const made = async (hash: string | undefined, input: (index: number) => JsonObject) => {
    await using judge = createGateJudge({}, "1", [issue]);
    const calls = asked("", 30).map(
      (call, index): HistoryCall => ({
        ...call,
        tool: issue.id,
        askedFor: issue.id,
        kind: "call",
        input: input(index),
        ...(hash !== undefined && { definitionHash: hash }),
      }),
    );
    const [seen] = await judge.look(calls);
    const now = calls.map((call) => ({
      ...call,
      ...(hash === "same" && { definitionHash: seen?.definitionHash ?? "" }),
    }));
    return (await suggest(now, { judge, now: end, days: 30 })).suggestions;
  };
  const end = now;

  it("are closed: the same keys, what was constant, and names where many were seen", async () => {
    const [found] = await made("same", (index) => ({ id: `SHOP-${index % 9}`, project: "shop" }));
    expect(found).toMatchObject({
      state: "ready",
      title: "Approve tracker.get_issue with id, project for local in shop",
    });
    expect(found?.rules.policies?.[0]?.conditions).toMatchObject([
      { field: ".", operator: "keys", value: "id project" },
      { field: "id", operator: "matches" },
      { field: "project", operator: "equals", value: ["shop"] },
      { type: "workspace" },
    ]);
    expect(found?.attacks.tried).toBeGreaterThan(30);
    expect(found?.tests.map(({ expect: wanted }) => wanted)).toContain("approved");
  });

  it("are none where the definition has changed, is not known, or texts are sent", async () => {
    const plain = (index: number) => ({ id: `SHOP-${index % 9}`, project: "shop" });
    expect(await made("another", plain)).toEqual([]);
    expect(await made(undefined, plain)).toEqual([]);
    expect(await made("same", (index) => ({ id: `what about ${index}`, project: "shop" }))).toEqual([]);
  });
});

describe("what an agent slips in", () => {
  const usagesOf = async (command: (index: number) => string) =>
    (await suggested(asked(command, 60))).flatMap(({ rules }) =>
      (rules.policies ?? []).flatMap(({ conditions = [] }) =>
        conditions.flatMap(({ operator, value }) => (operator === "usage" ? [String(value)] : [])),
      ),
    );

  it("as a word for a script becomes no script", async () => {
    const usages = await usagesOf((index) => (index % 30 === 0 ? "npm run lint deploy" : "npm run lint"));
    expect(usages).toEqual(["npm run lint"]);
  });

  it("is not covered without the option that held it back", async () => {
    expect(await usagesOf(() => "ruff format --check src")).toEqual(["ruff format (--check) src"]);
  });
});

describe("denials", () => {
  it("take the reason that was given most, and spare what was approved", async () => {
    const denied = { state: "denied", reason: "Use the pipeline." } as const;
    const calls = [
      ...asked((index) => `kubectl apply -f a${index}.yml`, 5, denied),
      ...asked("kubectl get pods", 5),
    ];
    const [found] = (await suggested(calls)).filter(({ kind }) => kind === "deny");
    expect(found?.title).toBe("Deny kubectl apply -f: Use the pipeline.");
    expect(found?.rules.policies).toMatchObject([
      { action: "deny", reason: "Use the pipeline.", tests: [{ expect: "block" }, {}, {}] },
    ]);
    expect(found?.evidence).toMatchObject({ denied: 5, approved: 0, people: 1, days: 4 });
  });

  it("reach no further than what was denied", async () => {
    const titles = async (line: (index: number) => string) =>
      (await suggested(asked(line, 9, { state: "denied" }))).map(({ title }) => title);
    expect(await titles(() => "make deploy")).toEqual(["Deny make deploy"]);
    expect(await titles((index) => `make deploy-${["a", "b", "c"][index % 3]}`)).toEqual(["Deny make"]);
    expect(await titles(() => "git push --force origin main")).toEqual(["Deny git push --force"]);
    expect(await titles(() => "terraform ./one.tf")).toEqual([]);
  });

  it("need several, on several days", async () => {
    const two = asked((index) => `kubectl apply -f a${index}.yml`, 2, { state: "denied" });
    expect(await suggested(two)).toEqual([]);
  });
});

describe("routes", () => {
  it("make the change that people make", async () => {
    const edit = (command: string) => ({
      editedInput: { command: command.replace("--force", "--force-with-lease") },
    });
    const line = "git push --force origin main";
    const [found] = await suggested(asked(line, 6, edit(line)));
    expect(found).toMatchObject({ kind: "route", title: "Rewrite git push --force -> --force-with-lease" });
    expect(found?.rules.routes).toMatchObject([
      { action: "rewrite", rewrite: { command: "$1 --force-with-lease$2" } },
    ]);
    const [{ pattern = "" } = {}] = found?.rules.routes ?? [];
    expect(line.replace(new RegExp(pattern), "$1 --force-with-lease$2")).toBe(
      "git push --force-with-lease origin main",
    );
    expect(new RegExp(pattern).test(`${line}; rm -rf x`)).toBe(false);
  });

  it("are none where people as often leave it", async () => {
    const edited = asked("npm test", 5, { editedInput: { command: "pnpm test" } });
    const found = await suggested([...edited, ...asked("npm test", 5)]);
    expect(found.filter(({ kind }) => kind === "route")).toEqual([]);
  });
});

it("limits stop what one session did far more often than any other", async () => {
  const usual = asked("ls", 40, "none", { verdict: "allow" });
  const burst = asked("ls", 200, "none", { verdict: "allow", session: "loop" }).map((call, index) => ({
    ...call,
    at: now - day + index * 100,
  }));
  const [found] = await suggested([...usual, ...burst], { kinds: ["limit"] });
  expect(found?.rules.limits).toMatchObject([
    { tools: "shell.exec", per: "session", max: 10, windowMs: 60_000 },
  ]);
  expect(found?.changes.count).toBe(190);
  expect(await suggested(usual, { kinds: ["limit"] })).toEqual([]);
});

describe("the cleanup", () => {
  const approve = (name: string, value: string, more: object = {}) =>
    ({
      name,
      tools: "Bash",
      action: "approve",
      conditions: [{ type: "command", operator: "startsWith", value }],
      ...more,
    }) as const;
  const ran = (command: (index: number) => string, name: string, times = 120) =>
    asked(command, times, "none", { verdict: "allow", rule: { kind: "policy", name } });

  it("finds approvals that were never used, that others make needless, and that are too wide", async () => {
    const rules: Rules = {
      policies: [
        ...(historyRules.policies ?? []),
        approve("git", "git"),
        approve("npm", "npm test"),
        approve("npm-again", "npm test"),
        approve("old", "make"),
      ],
    };
    const calls = [
      ...ran((index) => (index % 2 === 0 ? "git add src" : "git stash"), "git"),
      ...ran(() => "npm test", "npm"),
    ];
    const found = await suggested(calls, { kinds: ["cleanup"] }, rules);
    expect(
      found.flatMap(({ removes }) => removes.map(({ rule, why }) => `${rule.name} ${why}`)).sort(),
    ).toEqual(["git wider", "npm shadowed", "npm-again unused", "old unused"]);
    const narrowed = found.find(({ removes }) => removes[0]?.why === "wider");
    expect(narrowed?.rules.policies?.[0]?.conditions).toEqual([
      { type: "command", operator: "startsWith", value: ["git add", "git stash"] },
    ]);
  });

  it("keeps a rule that was written after the calls that it would have approved", async () => {
    const rules: Rules = { policies: [...(historyRules.policies ?? []), approve("young", "npm run build")] };
    const calls = asked("npm run build", 120);
    expect(await suggested(calls, { kinds: ["cleanup"] }, rules)).toEqual([]);
  });

  it("takes back grants that nobody used, and says nothing from a few calls", async () => {
    const grant = {
      id: "g1",
      scope: "user",
      toolId: "shell.exec",
      by: "ann",
      createdAt: now - 90 * day,
    } as Grant;
    const used = { ...grant, id: "g2" };
    const calls = [...ran(() => "npm test", "x"), ...asked("ls", 1, { byGrant: true, grantId: "g2" })];
    const found = await suggested(calls, { kinds: ["cleanup"], grants: [grant, used] });
    expect(found.map(({ removes }) => removes)).toEqual([
      [{ rule: { kind: "grant", name: "g1" }, grantId: "g1", why: "unused" }],
    ]);
    expect(await suggested(calls.slice(0, 50), { kinds: ["cleanup"], grants: [grant] })).toEqual([]);
  });
});
