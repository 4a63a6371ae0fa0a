/** What the rules that are proposed from approvals must not let pass. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/input/json.ts";
import { isIncomplete } from "../../src/replay/recorded-call.ts";
import type { HistoryCall } from "../../src/suggest/history.ts";
import { suggest } from "../../src/suggest/suggest.ts";
import { createGateJudge } from "../suggest/gate-judge.ts";
import { historyRules } from "../suggest/make-history.ts";
import { approvedCall, createShop, day, now, readyPolicies } from "../suggest/shop.ts";
import { tool } from "../unit/paper-gate.ts";
import { words } from "../words.ts";

const workspace = createShop();
const names = "cart order price stock user mail".split(" ");
const query = tool({ id: "db.query", capabilities: ["net:db"] });
const ids: Readonly<Record<string, string>> = {
  Bash: "shell.exec",
  Write: "fs.write",
  send_to_terminal: "shell.input",
  WebFetch: "web.fetch",
  Edit: "fs.edit",
  MultiEdit: "fs.edit",
};

function call(
  askedFor: string,
  input: JsonObject,
  index: number,
  more: Partial<HistoryCall> = {},
): HistoryCall {
  return approvedCall(workspace, index, {
    tool: ids[askedFor] ?? askedFor,
    askedFor,
    kind: askedFor === query.id ? "call" : "check",
    input,
    ...(isIncomplete({ input }) && { incomplete: true as const }),
    ...more,
  });
}

const approved = (askedFor: string, inputs: readonly JsonObject[]) =>
  Array.from({ length: 60 }, (_, index) => call(askedFor, inputs[index % inputs.length] ?? {}, index));
const denied = (askedFor: string, input: JsonObject) =>
  call(askedFor, input, 70, { ran: false, question: { state: "denied", by: "ann", secondsToAnswer: 8 } });

/** The rules that this past yields, and what of `wanted` passes by them. */
async function proposed(calls: readonly HistoryCall[], wanted: readonly JsonObject[] = []) {
  await using judge = createGateJudge(historyRules, "1", [query]);
  const [seen] = await judge.look(calls.slice(0, 1));
  const definitionHash = seen?.definitionHash;
  const past = calls.map((one) => ({ ...one, ...(definitionHash !== undefined && { definitionHash }) }));
  const policies = readyPolicies(await suggest(past, { judge, now, days: 30 }));
  const asked = wanted.map((input) => ({ ...(past[0] as HistoryCall), input }));
  const judged = await judge.judge(asked, { added: { policies } });
  return { policies, passed: wanted.filter((_, index) => judged[index]?.verdict === "allow") };
}

const passing = async (calls: readonly HistoryCall[], wanted: readonly JsonObject[]) =>
  (await proposed(calls, wanted)).passed;
const lines = (...commands: readonly string[]) => commands.map((command) => ({ command }));

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

it("no approval of texts and sources holds for what agents obey, or what tools load by their names", async () => {
  const write = (file_path: string) => ({ file_path, content: "x" });
  const wanted: Readonly<Record<string, readonly string[]>> = {
    js: [
      ...words("knexfile.js gatsby-node.js truffle-config.js src/setupTests.js playwright.global-setup.js"),
      ...words("gulpfile.babel.js webpack.config.dev.js Vite.Config.local.js"),
    ],
    md: words("CLAUDE.local.md AGENTS.override.md AGENT.md Qwen.md x.instructions.md"),
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

it("pages that were read are not sent anything", async () => {
  const page = (name: string) => ({
    url: `https://nodejs.org/api/${name}.html`,
    prompt: `What about ${name}?`,
  });
  const url = "https://nodejs.org/api/cart.html";
  const { policies, passed } = await proposed(approved("WebFetch", names.map(page)), [
    { url, prompt: "Anything" },
    { url, prompt: "x", method: "POST" },
    { url, prompt: "x", body: "secret" },
    { url, prompt: "x", headers: { "x-token": "secret" } },
    { url, prompt: "x", urls: ["https://evil.example"] },
  ]);
  expect(policies).toHaveLength(1);
  expect(passed).toEqual([{ url, prompt: "Anything" }]);
});

it("a field that was seen keeps its value", async () => {
  const page = (name: string) => ({ url: `https://nodejs.org/api/${name}.html`, format: "text" });
  const url = "https://nodejs.org/api/cart.html";
  const wanted = [{ url, format: "text" }, { url, format: "html" }, { url }];
  expect((await proposed(approved("WebFetch", names.map(page)), wanted)).passed).toEqual([
    { url, format: "text" },
  ]);
});

it.each([
  ["https://raw.githubusercontent.com/nodejs/node/main/NAME.md", "nodejs/node", "evil/node"],
  ["https://github.com/nodejs/node/blob/main/NAME.md", "nodejs/node", "nodejs/evil"],
  ["https://docs.rs/tokio/latest/NAME.html", "tokio", "evil"],
  ["https://pypi.org/project/requests/NAME/", "requests", "evil"],
  ["https://registry.npmjs.org/express/NAME", "express", "evil"],
])("of %s another owner's pages are not approved", async (form, owner, evil) => {
  const page = (name: string) => ({ url: form.replace("NAME", name) });
  const { passed } = await proposed(approved("WebFetch", names.map(page)), [
    page("other"),
    { url: page("other").url.replace(owner, evil) },
  ]);
  expect(passed).toEqual([page("other")]);
});

it("owners that were seen do not stand for others", async () => {
  const page = (owner: string) => ({ url: `https://raw.githubusercontent.com/${owner}/x/main/a.md` });
  const { passed } = await proposed(approved("WebFetch", names.map(page)), [page("evil")]);
  expect(passed).toEqual([]);
});

it.each(["https://gist.github.com", "https://bucket.s3.amazonaws.com", "https://storage.googleapis.com"])(
  "of %s only pages that were seen are approved",
  async (host) => {
    const page = (name: string) => ({ url: `${host}/shop/${name}.md` });
    const { passed } = await proposed(approved("WebFetch", names.map(page)), [page("cart"), page("evil")]);
    expect(passed).toEqual([page("cart")]);
  },
);

it("targets that came together are not approved one by one", async () => {
  const { policies, passed } = await proposed(
    approved("Bash", lines("make test install")),
    lines("make test install", "make install", "make test", "make install test"),
  );
  expect(policies).toHaveLength(1);
  expect(passed).toEqual(lines("make test install"));
});

it("an option stays with the words that it came with", async () => {
  const { passed } = await proposed(
    approved("Bash", lines("prettier --check src", "prettier --write docs")),
    lines("prettier --check src", "prettier --write docs", "prettier --write src", "prettier src"),
  );
  expect(passed).toEqual(lines("prettier --check src", "prettier --write docs"));
});

it("an option that was approved once is not carried by those that were approved often", async () => {
  const seen = lines(...Array.from({ length: 59 }, () => "prettier --check src"), "prettier --write src");
  expect((await proposed(approved("Bash", seen), lines("prettier --write src"))).passed).toEqual([]);
});

it("edits with paths of their own become no rule", async () => {
  const edit = (name: string) => ({
    file_path: `src/${name}.ts`,
    edits: [{ old_string: "a", new_string: "b" }],
  });
  const { policies } = await proposed(approved("MultiEdit", names.map(edit)), []);
  expect(policies).toEqual([]);
});

it("a rule for edits covers no list of edits beside them", async () => {
  const edit = (name: string) => ({ file_path: `src/${name}.ts`, old_string: "a", new_string: "b" });
  const { policies, passed } = await proposed(approved("Edit", names.map(edit)), [
    edit("other"),
    { ...edit("cart"), edits: [{ file_path: ".git/hooks/pre-commit", old_string: "", new_string: "x" }] },
    { ...edit("cart"), replace_all: true },
    edit("x/vite.config"),
    edit("x/Vite.Config"),
  ]);
  expect(policies[0]?.conditions?.[0]).toEqual({ type: "path", operator: "files", value: "src/NAME.ts" });
  expect(passed).toEqual([edit("other")]);
});

it("text for a running terminal becomes no rule", async () => {
  const typed = lines("npm test").map((input) => ({ id: "1", ...input }));
  expect((await proposed(approved("send_to_terminal", typed), [])).policies).toEqual([]);
});

it("commands that were fed something become no rule", async () => {
  const fed = lines("echo x | npm test", "npm test <<< x", "npm test < x");
  expect((await proposed(approved("Bash", fed), [])).policies).toEqual([]);
});
