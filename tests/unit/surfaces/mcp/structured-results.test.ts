import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toolResult } from "../../../../src/core/call/content.ts";
import { defineTool } from "../../../../src/core/tool/tool.ts";
import { connect, createMcpWorld, modern } from "./mcp-world.ts";

const input = { type: "object", additionalProperties: false } as const;
const answer = toolResult({
  content: [{ type: "text", text: "1\thello" }],
  structured: { path: "a.txt", lines: 1 },
});
const read = { description: "Reads.", permission: "read", input } as const;
const page = defineTool({ ...read, id: "page.read", run: () => answer });
const facts = defineTool({ ...read, id: "page.facts", run: () => ({ lines: 1 }) });
const promised = defineTool({
  ...read,
  id: "page.promised",
  output: z.object({ path: z.string(), lines: z.number() }),
  run: () => answer,
});
const upstream = defineTool({ ...read, id: "hub__read", run: () => answer });

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
    gate.tools.register(defineTool({ ...read, id: "hub__flood", run: () => flood }), {
      kind: "upstream",
      name: "hub",
    });
    const { result } = await connect(server).ask("tools/call", modern({ name: "hub__flood", arguments: {} }));
    expect(result.content).toEqual([{ type: "text", text: "ok" }]);
    expect(result.structuredContent).toBeUndefined();
  });
});
