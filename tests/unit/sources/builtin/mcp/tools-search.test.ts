import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../../../../src/core/text/estimate-tokens.ts";
import { createGate } from "../../../../../src/index.ts";
import { splitWords } from "../../../../../src/sources/builtin/mcp/tool-words.ts";
import { createToolsSearch } from "../../../../../src/sources/builtin/mcp/tools-search.ts";
import { describeInput } from "../describe-input.ts";
import { mcpGate, upstreamTool } from "./mcp-gate.ts";

const issue = { repo: { type: "string", description: "owner/name" }, number: { type: "integer" } };

async function openGate(options: Parameters<typeof mcpGate>[1] = {}) {
  const opened = await mcpGate({}, options);
  const add = (server: string, name: string, description: string, parameters = {}) =>
    opened.gate.tools.register(upstreamTool(`${server}__${name}`, description, parameters), {
      kind: "upstream",
      name: server,
    });
  add("hub", "createPullRequest", "Opens a request to merge a branch. More about it.", issue);
  add("hub", "get_issue", "Reads an issue with its comments.", issue);
  add("hub", "delete_issue", "Removes an issue for ever.", issue);
  add("chat", "post-message", "Writes into a channel.", { channel: {}, text: {} });
  add("maps", "geocode", "Finds the coordinates of a street address.");
  add("db", "run_query", "Runs SQL.", { statement: { description: "The text of the SQL command." } });
  return { ...opened, add };
}

async function found(
  say: (tool: string, input: object, context?: object) => Promise<string>,
  query: string,
  context = {},
) {
  const text = await say("tools.search", { query }, context);
  return text.split("\n").map((line) => line.split(" ")[0]);
}

const { tools } = await createGate({ tools: [upstreamTool("hub__get_issue", "Reads an issue.")] });
const entries = tools.list().map((tool) => ({ tool, callable: true }));
describeInput("tools.search", () => createToolsSearch({ catalogue: { toolsFor: () => entries } }), {
  good: { query: "issue" },
  bad: [{ query: 7 }, { query: "x", limit: 0 }, { query: "x", limit: 26 }, { query: "x".repeat(4_001) }],
});

describe("tools.search", () => {
  it.each([
    ["open a pull request", "hub__createPullRequest"],
    ["pull_request", "hub__createPullRequest"],
    ["post messages", "chat__post-message"],
    ["what is the address of these coordinates?", "maps__geocode"],
    ["execute a SQL command", "db__run_query"],
    ["statement", "db__run_query"],
    ["chat", "chat__post-message"],
    ["remove an issue", "hub__delete_issue"],
    ["GEOCODE", "maps__geocode"],
    ["geocdoe", "maps__geocode"],
  ])("finds first for %j: %s", async (query, name) => {
    const { say } = await openGate();
    expect((await found(say, query))[0]).toBe(name);
  });

  it("finds what each step of a task needs, though one step has more of the words", async () => {
    const { say } = await openGate();
    const task =
      "Read the issue and its comments, then find the coordinates of the address and post a message";
    expect((await found(say, task)).slice(0, 4)).toEqual(
      expect.arrayContaining(["hub__get_issue", "maps__geocode", "chat__post-message"]),
    );
  });

  it("is not led astray by sentences that ask for nothing", async () => {
    const { say } = await openGate();
    const task = "Our team had a hard week and everybody is tired. Please remove the issue. Then be quick.";
    expect((await found(say, task))[0]).toBe("hub__delete_issue");
  });

  it.each([
    ["ticket in GitHub", "github__get_item"],
    ["ticket in github", "github__get_item"],
    ["ticket in GitLab", "gitlab__get_item"],
    ["picture of the e-mail", "mail__capture"],
  ])("knows names in any case and words of the same meaning: %j", async (query, name) => {
    const { say, add } = await openGate();
    add("github", "get_item", "Shows an issue.");
    add("gitlab", "get_item", "Shows an issue.");
    add("mail", "capture", "Takes a screenshot of an email.");
    expect((await found(say, query))[0]).toBe(name);
  });

  it("does not offer itself and those that only call others", async () => {
    const { say } = await openGate();
    const names = await found(say, "search, describe and call a tool of an MCP server by name");
    for (const name of ["tools_search", "tools_describe", "tools_call", "mcp_call"])
      expect(names).not.toContain(name);
  });

  it("shows name, group, purpose and parameters in one line each", async () => {
    const { say } = await openGate();
    expect((await say("tools.search", { query: "pull request", limit: 1 })).split("\n")).toEqual([
      "hub__createPullRequest [hub]: Opens a request to merge a branch. (repo?: string, number?: integer)",
    ]);
  });

  it("says when nothing fits, and what has no word in it finds nothing", async () => {
    const { say } = await openGate();
    for (const query of ["zzzzzzzz", "the of", "?!"])
      expect(await say("tools.search", { query })).toContain("[Nothing found");
  });

  it("shows only what this caller may call, in this mode, under these rules", async () => {
    const { say, gate } = await openGate({ policies: [{ name: "no", tools: "maps__*", action: "deny" }] });
    expect(await found(say, "geocode")).not.toContain("maps__geocode");
    expect(await say("tools.search", { query: "select:maps__geocode" })).toContain(
      "No tool that you may call: maps__geocode",
    );
    expect(await found(say, "issue")).toContain("hub__delete_issue");
    expect(await found(say, "issue", { mode: "plan" })).not.toContain("hub__delete_issue");
    expect(await found(say, "issue", { mode: "plan" })).toContain("hub__get_issue");
    gate.categories.setCeiling("mcp", "read");
    expect(await found(say, "issue")).not.toContain("hub__delete_issue");
  });

  it("keeps up with tools that come, change and go", async () => {
    const { say, gate, add } = await openGate();
    expect(await found(say, "weather")).not.toContain("sky__outlook");
    add("sky", "outlook", "Tells the weather.");
    expect((await found(say, "weather"))[0]).toBe("sky__outlook");
    gate.tools.replace(upstreamTool("sky__outlook", "Tells the tides."), { kind: "upstream", name: "sky" });
    expect(await found(say, "weather")).not.toContain("sky__outlook");
    expect((await found(say, "tide"))[0]).toBe("sky__outlook");
    gate.tools.unregister("sky__outlook");
    expect(await found(say, "tide")).not.toContain("sky__outlook");
  });

  it("shows whole schemas of tools by any of their names", async () => {
    const { say } = await openGate();
    const said = await say("ToolSearch", {
      query: "select:hub__get_issue, use_mcp_tool,nope",
      max_results: 5,
    });
    expect(said).toContain(
      'hub__get_issue: Reads an issue with its comments.\ninput: {"type":"object","properties":{"repo"',
    );
    expect(said).toContain("mcp_call: ");
    expect(said).toContain("[No tool that you may call: nope]");
  });

  it("names every group when nothing is asked for", async () => {
    const { say } = await openGate();
    const said = await say("load_mcp_documentation", {});
    expect(said).toContain("hub (3): hub__createPullRequest, hub__get_issue, hub__delete_issue");
    expect(said).toContain("mcp (8): ");
  });

  it("answers in at most 2,000 tokens, and what strangers wrote shows what is hidden in it", async () => {
    const { say, gate } = await openGate();
    for (let index = 0; index < 60; index++)
      gate.tools.register(
        upstreamTool(`big__thing_${index}`, `Does a thing\u202e ${"and more ".repeat(500)}`, {
          ["p".repeat(900)]: { description: "x".repeat(9_000) },
        }),
        { kind: "upstream", name: `big${index}` },
      );
    for (const query of ["thing", "", "select:big__thing_1,big__thing_2,big__thing_3"]) {
      const said = await say("tools.search", { query, limit: 25 });
      expect(estimateTokens(said), query).toBeLessThan(2_000);
      expect(said).not.toContain("\u202e");
    }
    expect(await say("tools.search", { query: "thing" })).toContain("\\u{202E}");
    expect(await say("tools.search", {})).toContain("big59 (1)");
  });

  it("says that there is nothing to search", async () => {
    const { say } = await mcpGate({ catalogue: { toolsFor: () => [] } });
    expect(await say("tools.search", { query: "x" })).toMatch(/^no_tools /);
  });
});

describe("the words of a tool", () => {
  it("are taken apart at case, dots, dashes and underscores, in their simplest form, without empty ones", () => {
    expect(splitWords("getHTTPUrls fs.read_file list-the-branches")).toEqual(
      expect.arrayContaining(
        ["get", "http", "url", "fs", "read", "file", "list", "branch"].map((word) => splitWords(word)[0]),
      ),
    );
    expect(splitWords("what is the tool for you")).toEqual([]);
  });
});
