import { expect, it } from "vitest";
import type { JsonObject } from "../../src/core/input/json.ts";
import type { HistoryCall } from "../../src/suggest/history.ts";
import { suggest } from "../../src/suggest/suggest.ts";
import { createGateJudge } from "../suggest/gate-judge.ts";
import { historyRules } from "../suggest/make-history.ts";
import { createShop, day, now } from "../suggest/shop.ts";

const workspace = createShop();
const ids: Readonly<Record<string, string>> = {
  Bash: "shell.exec",
  send_to_terminal: "shell.input",
  WebFetch: "web.fetch",
  Edit: "fs.edit",
  MultiEdit: "fs.edit",
};

/** Approved with care in twenty sessions on twenty days. */
function approved(askedFor: string, inputs: readonly JsonObject[], times = 60): HistoryCall[] {
  return Array.from({ length: times }, (_, index) => ({
    seq: index + 1,
    callId: `c${index}`,
    at: now - day * (1 + (index % 20)) + index * 1_000,
    tool: ids[askedFor] ?? askedFor,
    askedFor,
    kind: "check",
    input: inputs[index % inputs.length] ?? {},
    cwd: workspace,
    workspace,
    caller: "local",
    session: `s${index % 20}`,
    verdict: "ask",
    ran: true,
    question: { state: "approved", by: "ann", secondsToAnswer: 8 },
  }));
}

/** What of `wanted` passes by the rules that these approvals yield. */
async function passing(askedFor: string, seen: readonly JsonObject[], wanted: readonly JsonObject[]) {
  await using judge = createGateJudge(historyRules);
  const calls = approved(askedFor, seen);
  const { suggestions } = await suggest(calls, { judge, now, days: 30 });
  const policies = suggestions.flatMap(({ rules, state }) =>
    state === "ready" ? (rules.policies ?? []) : [],
  );
  const judged = await judge.judge(
    wanted.map((input) => ({ ...(calls[0] as HistoryCall), input })),
    { added: { policies } },
  );
  return { policies, passed: wanted.filter((_, index) => judged[index]?.verdict === "allow") };
}

const lines = (...commands: readonly string[]) => commands.map((command) => ({ command }));
const names = "cart order price stock user".split(" ");

it("pages that were read are not sent anything", async () => {
  const page = (name: string) => ({
    url: `https://nodejs.org/api/${name}.html`,
    prompt: `What about ${name}?`,
  });
  const url = "https://nodejs.org/api/cart.html";
  const { policies, passed } = await passing("WebFetch", names.map(page), [
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
  expect((await passing("WebFetch", names.map(page), wanted)).passed).toEqual([{ url, format: "text" }]);
});

it.each([
  ["https://raw.githubusercontent.com/nodejs/node/main/NAME.md", "nodejs/node", "evil/node"],
  ["https://github.com/nodejs/node/blob/main/NAME.md", "nodejs/node", "nodejs/evil"],
  ["https://docs.rs/tokio/latest/NAME.html", "tokio", "evil"],
  ["https://pypi.org/project/requests/NAME/", "requests", "evil"],
  ["https://registry.npmjs.org/express/NAME", "express", "evil"],
])("of %s another owner's pages are not approved", async (form, owner, evil) => {
  const page = (name: string) => ({ url: form.replace("NAME", name) });
  const { passed } = await passing("WebFetch", names.map(page), [
    page("other"),
    { url: page("other").url.replace(owner, evil) },
  ]);
  expect(passed).toEqual([page("other")]);
});

it("owners that were seen do not stand for others", async () => {
  const page = (owner: string) => ({ url: `https://raw.githubusercontent.com/${owner}/x/main/a.md` });
  const { passed } = await passing("WebFetch", names.map(page), [page("evil")]);
  expect(passed).toEqual([]);
});

it.each(["https://gist.github.com", "https://bucket.s3.amazonaws.com", "https://storage.googleapis.com"])(
  "of %s only pages that were seen are approved",
  async (host) => {
    const page = (name: string) => ({ url: `${host}/shop/${name}.md` });
    const { passed } = await passing("WebFetch", names.map(page), [page("cart"), page("evil")]);
    expect(passed).toEqual([page("cart")]);
  },
);

it("targets that came together are not approved one by one", async () => {
  const { policies, passed } = await passing(
    "Bash",
    lines("make test install"),
    lines("make test install", "make install", "make test", "make install test"),
  );
  expect(policies).toHaveLength(1);
  expect(passed).toEqual(lines("make test install"));
});

it("an option stays with the words that it came with", async () => {
  const { passed } = await passing(
    "Bash",
    lines("prettier --check src", "prettier --write docs"),
    lines("prettier --check src", "prettier --write docs", "prettier --write src", "prettier src"),
  );
  expect(passed).toEqual(lines("prettier --check src", "prettier --write docs"));
});

it("an option that was approved once is not carried by those that were approved often", async () => {
  const seen = lines(...Array.from({ length: 59 }, () => "prettier --check src"), "prettier --write src");
  expect((await passing("Bash", seen, lines("prettier --write src"))).passed).toEqual([]);
});

it("edits with paths of their own become no rule", async () => {
  const edit = (name: string) => ({
    file_path: `src/${name}.ts`,
    edits: [{ old_string: "a", new_string: "b" }],
  });
  const { policies } = await passing("MultiEdit", names.map(edit), []);
  expect(policies).toEqual([]);
});

it("a rule for edits covers no list of edits beside them", async () => {
  const edit = (name: string) => ({ file_path: `src/${name}.ts`, old_string: "a", new_string: "b" });
  const { policies, passed } = await passing("Edit", names.map(edit), [
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
  expect((await passing("send_to_terminal", typed, [])).policies).toEqual([]);
});

it("commands that were fed something become no rule", async () => {
  const fed = lines("echo x | npm test", "npm test <<< x", "npm test < x");
  expect((await passing("Bash", fed, [])).policies).toEqual([]);
});
