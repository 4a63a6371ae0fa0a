import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConfig } from "../../../src/open/open-config.ts";
import { openStore } from "../../../src/open/open-store.ts";
import { type ReadCall, readHistory } from "../../../src/replay/read-history.ts";
import { createRuleJudge } from "../../../src/replay/rule-judge.ts";
import { tallyShadows } from "../../../src/replay/shadow-tally.ts";
import type { Policy } from "../../../src/rules/policies.ts";
import { type FilledCall, fillStore } from "../../suggest/fill-store.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-read-history-")));
const workspace = join(folder, "project");
const env = { HOME: join(folder, "home") };
const stateFolder = join(folder, "home/.local/state/toolgate");
mkdirSync(join(workspace, ".git"), { recursive: true });
mkdirSync(stateFolder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const asks: Policy = { name: "ask-bash", tools: "Bash", action: "ask", priority: -10 };
const shadow: Policy = {
  name: "make-test",
  tools: "Bash",
  action: "approve",
  mode: "shadow",
  conditions: [
    { type: "command", operator: "startsWith", value: "make" },
    { type: "risk", operator: "lessThan", value: "opaque" },
  ],
};
const sh = (command: string): FilledCall => ({ tool: "Bash", input: { command } });
let read: readonly ReadCall[];

beforeAll(async () => {
  await fillStore({
    stateFolder,
    workspace,
    policies: [asks, shadow],
    days: [
      { daysAgo: 9, sessions: [[sh("make test"), sh("make deploy")], [sh("npm test")]] },
      { daysAgo: 2, sessions: [[sh("make test"), { tool: "Read", input: { file_path: "a.ts" } }]] },
    ],
    answer: ({ input }) =>
      input.command === "make deploy"
        ? { decision: "deny", reason: "Not on Friday." }
        : input.command === "npm test"
          ? { decision: "approve", input: { command: "pnpm test" } }
          : { decision: "approve" },
  });
  const config = await openConfig({ cwd: workspace, env });
  await using store = await openStore({ stateFolder });
  const now = Date.now();
  read = await readHistory(store, config, { since: now - 30 * 86_400_000, until: now });
});

describe("the past of a store", () => {
  it("is read oldest first, each call with the question that a person was asked", () => {
    const facts = read.map(({ call }) => [
      call.input.command ?? call.input.file_path,
      call.verdict,
      call.question?.state,
      call.ran,
    ]);
    expect(facts).toEqual([
      ["make test", "ask", "approved", true],
      ["make deploy", "ask", "denied", false],
      ["npm test", "ask", "approved", true],
      ["make test", "ask", "approved", true],
      ["a.ts", "abstain", undefined, true],
    ]);
  });

  it("says who answered, how fast, why not, and with which other input", () => {
    const [first, denied, edited] = read.map(({ call }) => call);
    expect(first).toMatchObject({
      tool: "shell.exec",
      askedFor: "Bash",
      kind: "check",
      workspace,
      cwd: workspace,
      session: "s-9-0",
      caller: "local",
      rule: { kind: "policy", name: "ask-bash" },
      definitionHash: expect.any(String),
      question: { by: "console:ann" },
    });
    expect(first?.question?.secondsToAnswer).toBeGreaterThanOrEqual(5);
    expect(denied).toMatchObject({ code: "approval_denied", question: { reason: "Not on Friday." } });
    expect(edited).toMatchObject({
      input: { command: "npm test" },
      question: { editedInput: { command: "pnpm test" } },
    });
    expect(first?.question).not.toHaveProperty("editedInput");
  });

  it("keeps what a policy in shadow mode would have answered, beside what people did", () => {
    const said = (read[0]?.entry.body.shadow ?? []) as readonly { readonly wording: string }[];
    const wording = said[0]?.wording ?? "";
    expect(tallyShadows(read, new Map([["make-test", wording]]))).toEqual([
      { rule: "make-test", answered: 3, agreed: 2, disagreed: 1, stopped: 0, stoppedApproved: 0, asked: 0 },
    ]);
    expect(tallyShadows(read, new Map([["make-test", "another wording"]]))).toMatchObject([
      { answered: 0, agreed: 0 },
    ]);
  });

  it("holds only the newest calls where somebody wants no more, and what was denied before", async () => {
    const config = await openConfig({ cwd: workspace, env });
    await using store = await openStore({ stateFolder });
    const now = Date.now();
    const some = await readHistory(store, config, { since: 0, until: now, most: 1 });
    const newest = read.map(({ call }) => call.seq).sort((one, other) => other - one);
    const denied = read.filter(({ call }) => call.question?.state === "denied").map(({ call }) => call.seq);
    expect(denied).toHaveLength(1);
    const wanted = new Set([...newest.slice(0, 1), ...denied]);
    expect(new Set(some.map(({ call }) => call.seq))).toEqual(wanted);
    expect(wanted.size).toBe(2);
  });
});

describe("the rules in force", () => {
  it("are asked about past calls, with others beside them and without some", async () => {
    const config = await openConfig({ cwd: workspace, env });
    await using judge = createRuleJudge({ ...config, rules: { ...config.rules, policies: [asks, shadow] } });
    const calls = read.map(({ call }) => call);
    const verdicts = async (...[change]: [Parameters<typeof judge.judge>[1]?]) =>
      (await judge.judge(calls, change)).map((one) => one?.verdict);
    expect(await verdicts()).toEqual(["ask", "ask", "ask", "ask", "abstain"]);
    const added: Policy = { ...shadow, name: "now-for-real", mode: "enforce" };
    expect(await verdicts({ added: { policies: [added] } })).toEqual([
      "allow",
      "allow",
      "ask",
      "allow",
      "abstain",
    ]);
    expect(await verdicts({ removed: ["ask-bash"] })).toEqual(Array(5).fill("abstain"));
    expect(await verdicts()).toEqual(["ask", "ask", "ask", "ask", "abstain"]);
  });

  it("are also those of other projects, which an approval made here could lift there", async () => {
    const other = join(folder, "other");
    mkdirSync(other);
    writeFileSync(
      join(other, "toolgate.yaml"),
      "version: 1\npolicies:\n  no-deploy: { tools: Bash, action: deny, priority: -20 }\n",
    );
    await using judge = createRuleJudge(await openConfig({ cwd: workspace, env }));
    const names = async (...folders: string[]) => (await judge.policiesIn(folders)).map(({ name }) => name);
    expect(await names(workspace)).not.toContain("no-deploy");
    expect(await names(workspace, other)).toContain("no-deploy");
  });
});
