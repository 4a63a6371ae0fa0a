import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/input/json.ts";
import { defineTool } from "../../src/index.ts";
import { isIncomplete } from "../../src/replay/recorded-call.ts";
import type { HistoryCall } from "../../src/suggest/history.ts";
import { suggest } from "../../src/suggest/suggest.ts";
import { createGateJudge } from "../suggest/gate-judge.ts";
import { historyRules } from "../suggest/make-history.ts";
import { createShop, day, now } from "../suggest/shop.ts";

const workspace = createShop();
const names = "cart order price stock user mail".split(" ");
const query = defineTool({
  id: "db.query",
  description: "Reads a table.",
  permission: "read",
  capabilities: ["net:db"],
  input: { type: "object" },
  run: () => "",
});

const toolIds: Readonly<Record<string, string>> = { Bash: "shell.exec", Write: "fs.write" };

function call(
  askedFor: string,
  input: JsonObject,
  index: number,
  more: Partial<HistoryCall> = {},
): HistoryCall {
  return {
    seq: index + 1,
    callId: `c${index}`,
    at: now - day * (1 + (index % 20)) + index * 1_000,
    tool: toolIds[askedFor] ?? askedFor,
    askedFor,
    kind: askedFor === query.id ? "call" : "check",
    input,
    cwd: workspace,
    workspace,
    caller: "local",
    session: `s${index % 20}`,
    verdict: "ask",
    ran: true,
    question: { state: "approved", by: "ann", secondsToAnswer: 8 },
    ...(isIncomplete({ input }) && { incomplete: true as const }),
    ...more,
  };
}

const approved = (askedFor: string, inputs: readonly JsonObject[]) =>
  Array.from({ length: 60 }, (_, index) => call(askedFor, inputs[index % inputs.length] ?? {}, index));
const denied = (askedFor: string, input: JsonObject) =>
  call(askedFor, input, 70, { ran: false, question: { state: "denied", by: "ann", secondsToAnswer: 8 } });

/** What of `wanted` passes by the rules that this past yields. */
async function passing(calls: readonly HistoryCall[], wanted: readonly JsonObject[]) {
  await using judge = createGateJudge(historyRules, "1", [query]);
  const [seen] = await judge.look(calls.slice(0, 1));
  const definitionHash = seen?.definitionHash;
  const past = calls.map((one) => ({ ...one, ...(definitionHash !== undefined && { definitionHash }) }));
  const { suggestions } = await suggest(past, { judge, now, days: 30, kinds: ["allow"] });
  const policies = suggestions.flatMap(({ rules, state }) =>
    state === "ready" ? (rules.policies ?? []) : [],
  );
  const asked = wanted.map((input) => ({ ...(past[0] as HistoryCall), input }));
  const judged = await judge.judge(asked, { added: { policies } });
  return wanted.filter((_, index) => judged[index]?.verdict === "allow");
}

describe("a no counts also where a part of the call was not recorded", () => {
  const tests = names.map((name) => ({ command: `cargo test ${name}` }));
  it.each([
    ["a text that looks as if it had been cut", { command: "cargo test prod", description: "[cut]" }],
    ["a secret in a text", { command: "cargo test prod", description: "token [redacted:token]" }],
    ["a comment", { command: "cargo test prod # [redacted]" }],
    ["the value itself", { command: "cargo test [redacted:token]" }],
  ])("%s", async (_, input) => {
    const calls = [...approved("Bash", tests), denied("Bash", input)];
    expect(await passing(calls, [{ command: "cargo test prod" }, { command: "cargo test other" }])).toEqual(
      [],
    );
    expect(await passing(calls, tests)).toEqual(tests);
  });

  it("a file whose new text holds a secret", async () => {
    const write = (name: string, content = "x") => ({ file_path: `src/${name}.ts`, content });
    const calls = [
      ...approved(
        "Write",
        names.map((name) => write(name)),
      ),
      denied("Write", write("auth", 'const password = "[redacted:password]";')),
    ];
    expect(await passing(calls, [write("auth"), write("cart")])).toEqual([write("cart")]);
  });

  it("and says nothing of other commands", async () => {
    const calls = [...approved("Bash", tests), denied("Bash", { command: "npm run [redacted:token]" })];
    const other = { command: "cargo test other" };
    expect(await passing(calls, [other])).toEqual([other]);
  });
});

it("arguments that were not approved together are not approved together", async () => {
  const seen = [
    { operation: "read", table: "prod" },
    { operation: "read", table: "prod" },
    { operation: "drop", table: "scratch" },
  ];
  const wanted = [
    ...seen.slice(1),
    { operation: "drop", table: "prod" },
    { operation: "read", table: "scratch" },
  ];
  expect(await passing(approved(query.id, seen), wanted)).toEqual(seen.slice(0, 1));
  const three = names.map((table) => ({ operation: "read", table }));
  const others = [...approved(query.id, three), ...approved(query.id, seen.slice(2))];
  expect(await passing(others, [{ operation: "drop", table: "cart" }])).toEqual([]);
});

it("a heap of questions that was clicked away counts half, however long they had waited", async () => {
  const heap = (apart: number) =>
    Array.from({ length: 24 }, (_, index) => {
      const first = now - day * (index < 12 ? 5 : 3);
      const at = first + (index % 12);
      const question = { state: "approved", by: "ann", secondsToAnswer: 60 } as const;
      const answeredAt = first + 60_000 + (index % 12) * apart;
      return call("Bash", { command: "make deploy" }, index, { at, question: { ...question, answeredAt } });
    });
  const wanted = [{ command: "make deploy" }];
  expect(await passing(heap(1_100), wanted)).toEqual([]);
  expect(await passing(heap(20_000), wanted)).toEqual(wanted);
});

it("no approval of texts and sources holds for what tools load by their names", async () => {
  const write = (file_path: string) => ({ file_path, content: "x" });
  const wanted: Readonly<Record<string, readonly string[]>> = {
    js: [
      "knexfile.js",
      "gatsby-node.js",
      "truffle-config.js",
      "src/setupTests.js",
      "playwright.global-setup.js",
    ],
    py: ["conanfile.py", "manage.py", "toxfile.py"],
    rb: ["spec_helper.rb", "extconf.rb"],
    txt: ["CMakeLists.txt", "requirements.txt", "requirements-dev.txt"],
  };
  for (const [ending, files] of Object.entries(wanted)) {
    const calls = approved(
      "Write",
      names.map((name) => write(`web/${name}/${name}.${ending}`)),
    );
    const paths = files.map((name) => write(`web/${name}`));
    expect(await passing(calls, [...paths, write(`web/other.${ending}`)])).toEqual([
      write(`web/other.${ending}`),
    ]);
  }
});
