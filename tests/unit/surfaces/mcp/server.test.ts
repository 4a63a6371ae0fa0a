import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { toolResult } from "../../../../src/core/call/content.ts";
import type { JsonObject } from "../../../../src/core/input/json.ts";
import { type AnyTool, defineTool } from "../../../../src/core/tool/tool.ts";
import { createMcpTools } from "../../../../src/sources/builtin/mcp/mcp-tools.ts";
import { listSkills } from "../../../../src/sources/builtin/task/skill/skill-folders.ts";
import { createSkillLoad } from "../../../../src/sources/builtin/task/skill-load.ts";
import { connect, connectLegacy, createMcpWorld, modern, turn } from "./mcp-world.ts";

const add = defineTool({
  id: "math.add",
  title: "Add",
  description: "Adds two numbers.",
  permission: "read",
  input: z.strictObject({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  annotations: { readOnlyHint: true },
  run: ({ a, b }) => ({ sum: a + b }),
});
const words = defineTool({
  id: "words.list",
  description: "A list.",
  permission: "read",
  input: { type: "object", additionalProperties: false },
  run: () => ["a", "b"],
});
const both = { tools: [add, words] };
const call = (name: string, args: JsonObject = {}, more: JsonObject = {}) => ({
  name,
  arguments: args,
  ...more,
});

describe("a connection", () => {
  it.for([
    ["2025-06-18", "2025-06-18"],
    ["2024-11-05", "2024-11-05"],
    ["2099-01-01", "2025-11-25"],
  ] as const)(
    "agrees on the version that the client asks for, or offers the newest that has sessions: %s: %s",
    async ([asked, protocolVersion]) => {
      const { server } = await createMcpWorld();
      const clientInfo = { name: "x", version: "1" };
      const params = { protocolVersion: asked, capabilities: {}, clientInfo };
      const { result } = await connect(server).ask("initialize", params);
      expect(result).toMatchObject({
        protocolVersion,
        serverInfo: { name: "toolgate", version: "1.2.3" },
        capabilities: { tools: { listChanged: true } },
      });
    },
  );

  it("answers nothing but ping before initialize", async () => {
    const { server } = await createMcpWorld(both);
    const client = connect(server);
    expect((await client.ask("tools/list")).error).toMatchObject({ code: -32600 });
    expect((await client.ask("tools/call", call("math_add"))).error.message).toContain("initialize");
    expect((await client.ask("ping")).result).toEqual({});
  });

  it("serves both eras on one pipe", async () => {
    const { server } = await createMcpWorld(both);
    const client = await connectLegacy(server);
    const old = await client.ask("tools/call", call("math_add", { a: 1, b: 2 }));
    const content = [{ type: "text", text: '{"sum":3}' }];
    expect(old.result).toEqual({ content, structuredContent: { sum: 3 } });
    const now = await client.ask("tools/call", modern(call("math_add", { a: 1, b: 2 })));
    expect(now.result).toMatchObject({
      resultType: "complete",
      structuredContent: { sum: 3 },
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "toolgate" } },
    });
  });

  it("tells a modern client what it is, and refuses what that era has no more", async () => {
    const { server } = await createMcpWorld();
    const client = connect(server);
    expect((await client.ask("server/discover", modern())).result).toMatchObject({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      cacheScope: "private",
    });
    for (const method of ["ping", "initialize", "resources/subscribe", "logging/setLevel"])
      expect((await client.ask(method, modern())).error).toMatchObject({ code: -32601 });
  });

  const again = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} };
  it.each([
    ["an unknown method", "tools/destroy", {}, -32601],
    ["a call without a name", "tools/call", {}, -32602],
    ["arguments that are a list", "tools/call", { name: "math_add", arguments: [1] }, -32602],
    ["a cursor of somebody else", "tools/list", { cursor: "zzzz" }, -32602],
    ["a cursor that is a number", "tools/list", { cursor: 5 }, -32602],
    ["a resource that is not there", "resources/read", { uri: "nope://x" }, -32602],
    ["a second initialize", "initialize", again, -32600],
  ] as [string, string, JsonObject, number][])("refuses %s", async (_what, method, params, code) => {
    const { server } = await createMcpWorld(both);
    const client = await connectLegacy(server);
    expect((await client.ask(method, params)).error).toMatchObject({ code });
  });
});

describe("tools/list", () => {
  it("shows names without dots, schemas, titles and hints, in the order of the names", async () => {
    const { server } = await createMcpWorld({ tools: [words, add] });
    const { result } = await (await connectLegacy(server)).ask("tools/list");
    expect(result.tools).toMatchObject([
      {
        name: "math_add",
        title: "Add",
        description: "Adds two numbers.",
        inputSchema: { type: "object", required: ["a", "b"] },
        outputSchema: { type: "object" },
        annotations: { readOnlyHint: true },
      },
      { name: "words_list", inputSchema: { type: "object" } },
    ]);
  });

  it("leaves out what this caller can never call", async () => {
    const secret = defineTool({ ...add, id: "secret.add", capabilities: ["secret:use"] } as never);
    const { server } = await createMcpWorld({ tools: [add, secret] });
    const names = async (capabilities: string[]) => {
      const client = await connectLegacy(server, {}, { caller: { id: "c", capabilities } });
      const { result } = await client.ask("tools/list");
      return (result.tools as { name: string }[]).map(({ name }) => name);
    };
    expect(await names([])).toEqual(["math_add"]);
    expect(await names(["secret:use"])).toEqual(["math_add", "secret_add"]);
  });

  it("comes in pages that hold each tool once, also when one goes in between", async () => {
    const tools = Array.from({ length: 25 }, (_, index) =>
      defineTool({ ...words, id: `list.t${String(index).padStart(2, "0")}` } as never),
    );
    const { server, gate } = await createMcpWorld({ tools }, { pageSize: 10 });
    const client = await connectLegacy(server);
    const names: string[] = [];
    let cursor: unknown;
    do {
      const params = cursor === undefined ? {} : { cursor: cursor as string };
      const { result } = await client.ask("tools/list", params);
      names.push(...(result.tools as { name: string }[]).map(({ name }) => name));
      if (names.length === 10) gate.tools.unregister("list.t05");
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    expect(names).toEqual(tools.map(({ id }) => id.replace(".", "_")));
  });

  it("waits two seconds for servers that nobody has seen, and tells when they come later", async () => {
    const never = new Promise<void>(() => {});
    const { server, gate, clock } = await createMcpWorld({ tools: [words] }, { ready: never });
    const client = await connectLegacy(server);
    const asked = client.send("tools/list");
    await clock.advance(1_900);
    expect(client.heard.some(({ id }) => id === asked)).toBe(false);
    await clock.advance(100);
    expect((await client.answerTo(asked)).result.tools).toHaveLength(1);
    gate.tools.register(add);
    await clock.advance(1_000);
    expect(client.heard.at(-1)).toMatchObject({ method: "notifications/tools/list_changed" });
    expect((await client.ask("tools/list")).result.tools).toHaveLength(2);
  });

  it("is told to have changed, many changes as one, and then is another one", async () => {
    const { server, gate, clock } = await createMcpWorld({ tools: [words] });
    const client = await connectLegacy(server);
    await client.ask("tools/list");
    gate.tools.register(add);
    gate.tools.alias("sum", "math.add");
    await gate.setRules({});
    await clock.advance(1_000);
    const told = client.heard.filter(({ method }) => method === "notifications/tools/list_changed");
    expect(told).toHaveLength(1);
    expect((await client.ask("tools/list")).result.tools).toHaveLength(2);
  });
});

describe("tools/call", () => {
  it("is a call of the gate: recorded with surface, session and the model's own id", async () => {
    const { server, ledger } = await createMcpWorld(both);
    const client = await connectLegacy(server, {}, { sessionId: "s1" });
    const _meta = { "claudecode/toolUseId": "toolu_7" };
    await client.ask("tools/call", call("math_add", { a: 1, b: 1 }, { _meta }));
    expect(ledger.records().at(-1)).toMatchObject({
      ...{ tool: "math.add", askedFor: "math_add", surface: "mcp" },
      ...{ sessionId: "s1", toolUseId: "toolu_7", caller: "local" },
    });
  });

  it("answers a wrong input and a failure as results that a model can read", async () => {
    const { server } = await createMcpWorld(both);
    const client = await connectLegacy(server);
    const { result } = await client.ask("tools/call", call("math_add", { a: "x" }));
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toContain("a");
  });

  it("says which rule refused, and where it stands", async () => {
    const source = { file: "/etc/rules.yaml", line: 12 };
    const input = { type: "object", properties: { text: { type: "string" } } };
    const say = defineTool({ ...words, id: "words.say", input } as never);
    const { server } = await createMcpWorld({
      tools: [words, say],
      policies: [{ name: "no-lists", tools: "words.list", action: "deny", source }],
      routes: [
        { name: "quiet", tool: "words.say", field: "text", pattern: "loud", message: "Be quiet.", source },
      ],
    });
    const client = await connectLegacy(server);
    const told = async (name: string, input: JsonObject) => {
      const { result } = await client.ask("tools/call", call(name, input));
      expect(result).toMatchObject({ isError: true, content: [{ type: "text" }] });
      return result.content[0]?.text.split("\n") ?? [];
    };
    const denied = await told("words_list", {});
    expect(denied[0]).toContain("This policy denies it.");
    expect(denied.at(-1)).toBe("(policy no-lists, /etc/rules.yaml:12)");
    const blocked = await told("words_say", { text: "loud" });
    expect(blocked[0]).toBe("Be quiet.");
    expect(blocked.at(-1)).toBe("(route quiet, /etc/rules.yaml:12)");
  });

  it("answers an unknown tool as an error, with what was probably meant", async () => {
    const { server, ledger } = await createMcpWorld(both);
    const { error } = await (await connectLegacy(server)).ask("tools/call", call("math_ad"));
    expect(error).toMatchObject({ code: -32602 });
    expect(error.message).toBe('There is no tool "math_ad". Did you mean "math_add"?');
    expect(ledger.records().at(-1)).toMatchObject({ ok: false, code: "unknown_tool" });
  });

  it("gives structured lists only to clients that know them", async () => {
    const { server } = await createMcpWorld(both);
    const client = await connectLegacy(server);
    expect((await client.ask("tools/call", call("words_list"))).result.structuredContent).toBeUndefined();
    const { result } = await client.ask("tools/call", modern(call("words_list")));
    expect(result.structuredContent).toEqual(["a", "b"]);
  });

  it("keeps the promised structured output where the text had to be cut", async () => {
    const output = z.object({ text: z.string() });
    const run = () => ({ text: "x".repeat(5_000) });
    const long = defineTool({ ...words, id: "long.text", output, run } as never);
    const spill = { save: async () => ({ path: "/tmp/x" }) };
    const { server } = await createMcpWorld({ tools: [long], maxOutputBytes: 1_000, spill });
    const { result } = await (await connectLegacy(server)).ask("tools/call", call("long_text"));
    expect(result.content[0]?.text.length).toBeLessThan(2_000);
    expect((result.structuredContent as { text: string }).text).toHaveLength(5_000);
  });

  it("passes images and links on as they are", async () => {
    const content = [
      { type: "image" as const, data: "aGk=", mimeType: "image/png" },
      { type: "resource_link" as const, uri: "x://y", name: "y" },
    ];
    const show = defineTool({ ...words, id: "show.it", run: () => toolResult({ content }) } as never);
    const { server } = await createMcpWorld({ tools: [show] });
    expect((await (await connectLegacy(server)).ask("tools/call", call("show_it"))).result.content).toEqual(
      content,
    );
  });

  it("tells progress, with numbers that only grow, if the client asked for it", async () => {
    const slow = defineTool({
      ...words,
      id: "slow.it",
      run: (_input: unknown, { progress }: { progress: (p: object) => void }) => {
        for (const done of [1, 2, 2, 1, 3]) progress({ done, total: 3, message: `step ${done}` });
        return "done";
      },
    } as never);
    const { server } = await createMcpWorld({ tools: [slow] });
    const client = await connectLegacy(server);
    await client.ask("tools/call", call("slow_it"));
    expect(client.heard.some(({ method }) => method === "notifications/progress")).toBe(false);
    await client.ask("tools/call", call("slow_it", {}, { _meta: { progressToken: "t" } }));
    const told = client.heard
      .filter(({ method }) => method === "notifications/progress")
      .map(({ params }) => params);
    expect(told).toMatchObject([1, 2, 3].map((progress) => ({ progressToken: "t", progress, total: 3 })));
  });

  it("stops when the client cancels, and when it is gone; neither gets an answer", async () => {
    const stopped: string[] = [];
    const wait = defineTool({
      ...words,
      id: "wait.it",
      run: (_input: unknown, { signal, callId }: { signal: AbortSignal; callId: string }) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => {
            stopped.push(callId);
            resolve("stopped");
          }),
        ),
    } as never);
    const { server, ledger } = await createMcpWorld({ tools: [wait] });
    const client = await connectLegacy(server);
    const id = client.send("tools/call", call("wait_it"));
    client.send("tools/call", call("wait_it"));
    await turn();
    client.notify("notifications/cancelled", { requestId: id, reason: "enough" });
    await turn();
    expect(stopped).toHaveLength(1);
    client.close();
    await turn();
    expect(stopped).toHaveLength(2);
    expect(client.heard).toHaveLength(1);
    expect(ledger.records().map(({ code }) => code)).toEqual(["cancelled", "cancelled"]);
  });
});

describe("subscriptions/listen", () => {
  it("tells only what was asked for, each with the request's id, and ends with an answer", async () => {
    const { server, gate, clock } = await createMcpWorld({ tools: [words] });
    const client = connect(server);
    const wanted = { toolsListChanged: true, resourceSubscriptions: ["toolgate://rules", "nope://x"] };
    const id = client.send("subscriptions/listen", modern({ notifications: wanted }));
    const ack = await client.next(({ method }) => method === "notifications/subscriptions/acknowledged");
    expect(ack.params).toEqual({
      _meta: { "io.modelcontextprotocol/subscriptionId": id },
      notifications: { toolsListChanged: true, resourceSubscriptions: ["toolgate://rules"] },
    });
    gate.tools.register(add);
    await clock.advance(1_000);
    await gate.setRules({});
    await clock.advance(1_000);
    expect(client.heard.slice(1)).toMatchObject([
      {
        method: "notifications/tools/list_changed",
        params: { _meta: { "io.modelcontextprotocol/subscriptionId": id } },
      },
      { method: "notifications/tools/list_changed" },
      { method: "notifications/resources/updated", params: { uri: "toolgate://rules" } },
    ]);
    await server.close({ drainMs: 1 });
    expect((await client.answerTo(id)).result).toMatchObject({ resultType: "complete" });
  });

  it("ends silently when the client cancels it", async () => {
    const { server, gate, clock } = await createMcpWorld({ tools: [words] });
    const client = connect(server);
    const id = client.send("subscriptions/listen", modern({ notifications: { toolsListChanged: true } }));
    await turn();
    client.notify("notifications/cancelled", { requestId: id });
    gate.tools.register(add);
    await clock.advance(1_000);
    await turn();
    expect(client.heard).toHaveLength(1);
  });
});

describe("the gate's own resources and prompts", () => {
  it("show tools and rules; rules only to those who may read", async () => {
    const { server } = await createMcpWorld(both);
    const client = await connectLegacy(server);
    const { result } = await client.ask("resources/list");
    const uris = (result.resources as { uri: string }[]).map(({ uri }) => uri);
    expect(uris).toEqual(["toolgate://tools", "toolgate://rules"]);
    const read = await client.ask("resources/read", { uri: "toolgate://tools" });
    const [content] = read.result.contents as { text: string }[];
    expect(JSON.parse(content?.text ?? "").tools).toMatchObject([{ name: "math_add", callable: true }, {}]);
    const blind = server.connect({ mayRead: false, send: (json) => heard.push(JSON.parse(json)) });
    const heard: { result?: { resources: unknown[] }; error?: object }[] = [];
    blind.receive({ jsonrpc: "2.0", id: 1, method: "resources/list", params: modern() });
    const rules = modern({ uri: "toolgate://rules" });
    blind.receive({ jsonrpc: "2.0", id: 2, method: "resources/read", params: rules });
    await turn();
    expect(heard.find(({ result }) => result !== undefined)?.result?.resources).toHaveLength(1);
    expect(heard.find(({ error }) => error !== undefined)?.error).toMatchObject({ code: -32602 });
  });

  it("offer skills as prompts, fetched by a recorded call", async () => {
    const skill = defineTool({
      ...words,
      id: "skill.load",
      input: z.object({ name: z.string(), args: z.string().optional() }),
      run: ({ name, args }: { name: string; args?: string }) => `# ${name} ${args}`,
    } as never);
    const skills = async () => [{ id: "review", description: "How to review." }];
    const { server, ledger } = await createMcpWorld({ tools: [skill] }, { skills });
    const client = await connectLegacy(server);
    expect((await client.ask("prompts/list")).result.prompts).toMatchObject([
      { name: "review", description: "How to review." },
    ]);
    const { result } = await client.ask("prompts/get", { name: "review", arguments: { args: "src" } });
    expect(result.messages).toEqual([{ role: "user", content: { type: "text", text: "# review src" } }]);
    expect(ledger.records().at(-1)).toMatchObject({ tool: "skill.load", surface: "mcp" });
  });
});

const page1 = toolResult({
  content: [{ type: "text", text: "1\thello" }],
  structured: { path: "a.txt", lines: 1 },
});
const reads = {
  description: "Reads.",
  permission: "read",
  input: { type: "object", additionalProperties: false },
} as const;
const page = defineTool({ ...reads, id: "page.read", run: () => page1 });
const facts = defineTool({ ...reads, id: "page.facts", run: () => ({ lines: 1 }) });
const promised = defineTool({
  ...reads,
  id: "page.promised",
  output: z.object({ path: z.string(), lines: z.number() }),
  run: () => page1,
});
const upstream = defineTool({ ...reads, id: "hub__read", run: () => page1 });

describe("the structured part of a result", () => {
  /** Claude Code shows a model that part alone: a file's text would be lost for its facts. */
  it("is left out where the text says more, so that a client that prefers it shows the text", async () => {
    const { server, gate } = await createMcpWorld({ tools: [page, facts, promised] });
    gate.tools.register(upstream, { kind: "upstream", name: "hub" });
    const client = connect(server);
    const structured = async (name: string) =>
      (await client.ask("tools/call", modern({ name, arguments: {} }))).result.structuredContent;
    expect(await structured("page_read")).toBeUndefined();
    expect(await structured("page_facts")).toEqual({ lines: 1 });
    // A client takes its absence for an error where a schema promised it; a server's own answer is not changed.
    expect(await structured("page_promised")).toEqual({ path: "a.txt", lines: 1 });
    expect(await structured("hub__read")).toEqual({ path: "a.txt", lines: 1 });
  });

  it("of a server is left out where it would flood the client", async () => {
    const flood = toolResult({
      content: [{ type: "text", text: "ok" }],
      structured: { a: "x".repeat(5_000_000) },
    });
    const { server, gate } = await createMcpWorld({ tools: [] });
    gate.tools.register(defineTool({ ...reads, id: "hub__flood", run: () => flood }), {
      kind: "upstream",
      name: "hub",
    });
    const { result } = await connect(server).ask("tools/call", modern({ name: "hub__flood", arguments: {} }));
    expect(result.content).toEqual([{ type: "text", text: "ok" }]);
    expect(result.structuredContent).toBeUndefined();
  });
});

function folderWith(...skills: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-prompts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const skill of skills) {
    mkdirSync(join(folder, skill));
    writeFileSync(join(folder, skill, "SKILL.md"), `---\nname: ${skill}\ndescription: One.\n---\nDo it.\n`);
  }
  return folder;
}

async function refusal(
  name: string,
  tools: readonly AnyTool[],
  skillFolders: string[] = [],
): Promise<string> {
  const skills = async (signal: AbortSignal) => (await listSkills(skillFolders, signal)).skills;
  const { server } = await createMcpWorld({ tools }, { skills });
  const { error } = await (await connectLegacy(server)).ask("prompts/get", { name });
  expect(error.code).toBe(-32602);
  return error.message;
}

describe("a prompt that is not there", () => {
  it("is called a prompt, whatever there is no folder, server or tool for", async () => {
    const none = [createSkillLoad({ skillFolders: [] }), ...createMcpTools({})];
    expect(await refusal("nope", none)).toBe('There is no prompt "nope".');
    expect(await refusal("nope", [createSkillLoad({ skillFolders: [folderWith()] })])).toBe(
      'There is no prompt "nope".',
    );
    expect(await refusal("nope", [])).toBe('There is no prompt "nope".');
    expect(await refusal("hub__nope", none)).toBe('There is no prompt "hub__nope".');
  });

  it("is refused with those that there are, ten at most", async () => {
    const refusalWith = (name: string, skills: readonly string[]) => {
      const skillFolders = [folderWith(...skills)];
      return refusal(name, [createSkillLoad({ skillFolders })], skillFolders);
    };
    expect(await refusalWith("nope", ["plan", "review"])).toBe(
      'There is no prompt "nope". Prompts here: plan, review.',
    );
    const twelve = Array.from({ length: 12 }, (_, index) => `s${index + 10}`);
    expect(await refusalWith("nope. Skills: x.", twelve)).toBe(
      'There is no prompt "nope. Skills: x.". Prompts here: s10, s11, s12, s13, s14, s15, s16, s17, s18, s19 and 2 more.',
    );
  });
});
