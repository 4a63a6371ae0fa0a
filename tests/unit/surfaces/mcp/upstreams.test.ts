import { describe, expect, it } from "vitest";
import type { UpstreamChange, Upstreams } from "../../../../src/core/ports/upstream.ts";
import { promptsOf, resourcesOf } from "../../../../src/open/open-upstreams.ts";
import { createMcpTools } from "../../../../src/sources/builtin/mcp/mcp-tools.ts";
import { connect, connectLegacy, createMcpWorld, modern, turn } from "./mcp-world.ts";

/** One server, `hub`, on paper. */
function createHub() {
  const listeners = new Set<(change: UpstreamChange) => void>();
  const watched: string[] = [];
  const upstreams: Upstreams = {
    status: () => [
      {
        ...{ server: "hub", transport: "stdio", state: "ready", tools: 0, calls: 0, running: 0 },
        ...{ pending: [], refused: [], misnamed: [], capabilities: { resources: {}, prompts: {} } },
      },
    ],
    listResources: async ({ cursor }) =>
      cursor === undefined
        ? { resources: [{ server: "hub", uri: "hub://a" }], nextCursor: "2" }
        : { resources: [{ server: "hub", uri: "hub://b", name: "b", mimeType: "image/png" }] },
    listResourceTemplates: async () => ({
      resourceTemplates: [{ server: "hub", uriTemplate: "hub://{x}", name: "any" }],
    }),
    readResource: async ({ uri }) => {
      if (uri === "hub://gone") throw new Error("hub has lost it.");
      return { contents: [{ uri, mimeType: "text/plain", text: "x".repeat(100_000) }] };
    },
    listPrompts: async () => ({
      prompts: [
        { server: "hub", name: "greet", description: "Hello.", arguments: [{ name: "who", required: true }] },
      ],
    }),
    getPrompt: async ({ name, arguments: given }) => ({
      description: "Hello.",
      messages: [{ role: "assistant", content: { type: "text", text: `${name} ${given?.who}` } }],
    }),
    complete: async ({ ref, argument }) => ({
      values: Array.from({ length: 150 }, (_, index) => `${ref.type}:${argument.value}${index}`),
      total: 150,
    }),
    subscribe: async ({ uri }) => void watched.push(uri),
    unsubscribe: async ({ uri }) => void watched.splice(watched.indexOf(uri), 1),
    serverOf: (uri) => (/^hub:\/\/\w+$/.test(uri) ? "hub" : undefined),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    restart: () => Promise.reject(new Error("not here")),
  };
  return {
    upstreams,
    watched,
    tell: (change: UpstreamChange) => {
      for (const listener of listeners) listener(change);
    },
  };
}

const approveAll = { name: "yes", tools: "*", action: "approve" } as const;

async function world() {
  const hub = createHub();
  const { upstreams } = hub;
  const ports = { resources: resourcesOf(() => upstreams), prompts: promptsOf(() => upstreams) };
  const made = await createMcpWorld(
    { tools: [...createMcpTools(ports)], policies: [approveAll] },
    { upstreams },
  );
  return { ...hub, ...made };
}

describe("what upstream servers have", () => {
  it("is listed after the gate's own, page by page, without saying which server", async () => {
    const { server } = await world();
    const client = await connectLegacy(server);
    const first = await client.ask("resources/list");
    const own = [{ uri: "toolgate://tools" }, { uri: "toolgate://rules" }];
    const resources = [...own, { uri: "hub://a", name: "hub://a" }];
    expect(first.result).toMatchObject({ resources, nextCursor: "2" });
    const second = await client.ask("resources/list", { cursor: "2" });
    expect(second.result).toEqual({ resources: [{ uri: "hub://b", name: "b", mimeType: "image/png" }] });
    expect((await client.ask("resources/templates/list")).result.resourceTemplates).toEqual([
      { uriTemplate: "hub://{x}", name: "any" },
    ]);
    expect((await client.ask("prompts/list")).result.prompts).toEqual([
      { name: "hub__greet", description: "Hello.", arguments: [{ name: "who", required: true }] },
    ]);
  });

  it("is read through the gate, recorded and uncut", async () => {
    const { server, ledger } = await world();
    const client = await connectLegacy(server, {}, { sessionId: "s" });
    const { result } = await client.ask("resources/read", { uri: "hub://a" });
    expect(result.contents).toEqual([{ uri: "hub://a", mimeType: "text/plain", text: "x".repeat(100_000) }]);
    const record = { tool: "mcp.resource_read", surface: "mcp", sessionId: "s" };
    expect(ledger.records().at(-1)).toMatchObject(record);
    const prompt = await client.ask("prompts/get", { name: "hub__greet", arguments: { who: "Ann" } });
    expect(prompt.result).toEqual({
      description: "Hello.",
      messages: [{ role: "assistant", content: { type: "text", text: "greet Ann" } }],
    });
    expect(ledger.records().at(-1)).toMatchObject({ tool: "mcp.prompt_get" });
  });

  it("is read without a question where the configuration says that the server only reads", async () => {
    const hub = createHub();
    const [status] = hub.upstreams.status();
    for (const permission of ["read", "execute"] as const) {
      const upstreams = { ...hub.upstreams, status: () => (status ? [{ ...status, permission }] : []) };
      const ports = { resources: resourcesOf(() => upstreams), prompts: promptsOf(() => upstreams) };
      const { server } = await createMcpWorld({ tools: [...createMcpTools(ports)] }, { upstreams });
      const client = await connectLegacy(server);
      const read = await client.ask("resources/read", { uri: "hub://a" });
      if (permission === "read") expect(read.result.contents).toHaveLength(1);
      else expect(read.error).toMatchObject({ data: { code: "no_approver" } });
      const prompt = await client.ask("prompts/get", { name: "hub__greet", arguments: { who: "Ann" } });
      expect(prompt.result.messages).toHaveLength(1);
    }
  });

  it("is refused by the same rules as a call", async () => {
    const { server, gate } = await world();
    const conditions = [{ type: "argument", field: "uri", operator: "equals", value: "hub://b" }] as const;
    const noB = { name: "no-b", tools: "mcp.resource_read", action: "deny", conditions } as const;
    await gate.setRules({ policies: [approveAll, { ...noB, reason: "b is private" }] });
    const client = await connectLegacy(server);
    const { error } = await client.ask("resources/read", { uri: "hub://b" });
    expect(error).toMatchObject({ code: -32602, data: { uri: "hub://b", code: "policy_denied" } });
    expect(error.message).toContain("b is private");
    expect((await client.ask("resources/read", { uri: "hub://a" })).result.contents).toHaveLength(1);
  });

  it("is not listed for those who may not read it", async () => {
    const { server, gate } = await world();
    await gate.setRules({ policies: [{ name: "none", tools: ["mcp.*"], action: "deny" }] });
    const client = await connectLegacy(server);
    expect((await client.ask("resources/list")).result.resources).toHaveLength(2);
    expect((await client.ask("prompts/list")).result.prompts).toEqual([]);
  });

  it("says what the server says when it fails", async () => {
    const { server } = await world();
    const { error } = await (await connectLegacy(server)).ask("resources/read", { uri: "hub://gone" });
    expect(error.message).toContain("hub has lost it");
  });

  it("is completed by its server, at most a hundred values", async () => {
    const { server } = await world();
    const client = await connectLegacy(server);
    const ask = async (ref: { type: string; name?: string; uri?: string }) => {
      const { result } = await client.ask("completion/complete", {
        ref: { ...ref },
        argument: { name: "who", value: "A" },
      });
      return result.completion as { values: string[]; hasMore: boolean; total?: number };
    };
    const prompt = await ask({ type: "ref/prompt", name: "hub__greet" });
    const { values, hasMore, total } = prompt;
    expect([values.length, values[0], hasMore, total]).toEqual([100, "ref/prompt:A0", true, 150]);
    expect((await ask({ type: "ref/resource", uri: "hub://{x}" })).values[0]).toBe("ref/resource:A0");
    expect((await ask({ type: "ref/prompt", name: "own" })).values).toEqual([]);
  });

  it("is watched as long as the client is there, and told only to those who watch", async () => {
    const { server, watched, tell, clock } = await world();
    const client = await connectLegacy(server);
    const other = await connectLegacy(server);
    await client.ask("resources/subscribe", { uri: "hub://a" });
    await client.ask("resources/subscribe", { uri: "hub://b" });
    const { error } = await client.ask("resources/subscribe", { uri: "else://x" });
    expect(error).toMatchObject({ code: -32602 });
    await client.ask("resources/unsubscribe", { uri: "hub://b" });
    expect(watched).toEqual(["hub://a"]);
    tell({ server: "hub", what: "resource-updated", uri: "hub://a" });
    tell({ server: "hub", what: "resource-updated", uri: "hub://b" });
    tell({ server: "hub", what: "prompts" });
    await clock.advance(1_000);
    const told = ({ heard }: typeof client) =>
      heard.flatMap(({ method, params }) => (method ? [[method, params]] : []));
    expect(told(client)).toEqual([
      ["notifications/resources/updated", { uri: "hub://a" }],
      ["notifications/prompts/list_changed", undefined],
    ]);
    expect(told(other)).toEqual([["notifications/prompts/list_changed", undefined]]);
    client.close();
    await turn();
    expect(watched).toEqual([]);
  });

  it("is watched by a modern client through its open request", async () => {
    const { server, watched, tell, clock } = await world();
    const client = connect(server);
    const notifications = { resourceSubscriptions: ["hub://a"] };
    const id = client.send("subscriptions/listen", modern({ notifications }));
    await client.next(({ method }) => method === "notifications/subscriptions/acknowledged");
    tell({ server: "hub", what: "resource-updated", uri: "hub://a" });
    await clock.advance(1_000);
    expect(client.heard.at(-1)).toMatchObject({
      method: "notifications/resources/updated",
      params: { uri: "hub://a" },
    });
    client.notify("notifications/cancelled", { requestId: id });
    await turn();
    expect(watched).toEqual([]);
  });
});
