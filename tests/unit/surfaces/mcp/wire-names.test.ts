import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/core/input/json.ts";
import { schemaWithWireNames, withWireNames } from "../../../../src/core/tool/wire-names.ts";
import { defineTool, type ToolSource, toolResult } from "../../../../src/index.ts";
import { portsOfGate } from "../../../../src/sources/builtin/gate-ports.ts";
import { createMcpTools } from "../../../../src/sources/builtin/mcp/mcp-tools.ts";
import { connectLegacy, createMcpWorld } from "./mcp-world.ts";

const known = new Set(["fs.read", "deep.er.tool"]);

describe("a text with the names that clients know", () => {
  it.each([
    ["Use fs.read.", "Use fs_read."],
    ["(fs.read, `deep.er.tool`)", "(fs_read, `deep_er_tool`)"],
    ['fs.read {"path": "a"}', 'fs_read {"path": "a"}'],
    ["fs.write is not known, deep.er neither", "fs.write is not known, deep.er neither"],
    ["src/fs.read, fs.read/a, fs.read.ts, x.fs.read, fs.read-only", undefined],
  ])("%s", (text, named = text) => {
    expect(withWireNames(text, known)).toBe(named);
  });

  it("has them in the descriptions of a schema and nowhere else", () => {
    const about = { type: "string", description: "As fs.read.", default: "fs.read", enum: ["fs.read"] };
    const schema = { properties: { "fs.read": about, description: { anyOf: [about] } }, title: "fs.read" };
    const named = { ...about, description: "As fs_read." };
    expect(schemaWithWireNames(schema, known)).toEqual({
      properties: { "fs.read": named, description: { anyOf: [named] } },
      title: "fs.read",
    });
  });
});

const words = "Goes on with own.next, or with own.closed.";

function tool(id: string, category: string) {
  return defineTool({
    id,
    description: `This one does something. ${words}`,
    category,
    permission: "read",
    input: {
      type: "object",
      properties: { id: { type: "string", description: "What own.next gave." } },
      additionalProperties: false,
    },
    validate: ({ id: given }) => (given === "bad" ? words : undefined),
    run: () => words,
  });
}

/** Tools of the gate, one of them switched off, and one of a server that says the same. */
async function world() {
  const { gate, server } = await createMcpWorld();
  const builtin: ToolSource = { kind: "builtin" };
  for (const one of createMcpTools(portsOfGate(() => gate))) gate.tools.register(one, builtin);
  for (const id of ["own.next", "own.more"]) gate.tools.register(tool(id, "filesystem"), builtin);
  gate.tools.register(tool("own.closed", "editing"), builtin);
  gate.tools.register(tool("hub__more", "mcp"), { kind: "upstream", name: "hub" });
  const client = await connectLegacy(server);
  const call = async (name: string, input: JsonObject) => {
    const { result } = await client.ask("tools/call", { name, arguments: input });
    return result.content[0]?.text ?? "";
  };
  return { client, call };
}

const named = "Goes on with own_next, or with own.closed.";

describe("tools over MCP", () => {
  it("are described in the list with the names of the list, their parameters too", async () => {
    const { client } = await world();
    const { result } = await client.ask("tools/list");
    const shown = (name: string) => {
      const one = (result.tools as JsonObject[]).find((listed) => listed.name === name);
      return JSON.stringify([one?.description, one?.inputSchema]);
    };
    expect(shown("own_more")).toContain(named);
    expect(shown("own_more")).toContain("What own_next gave.");
    expect(shown("hub__more")).toContain(words);
    expect(shown("hub__more")).toContain("What own.next gave.");
  });

  it("are described and found with them, except in what a server says of its own", async () => {
    const { call } = await world();
    const described = await call("tools_describe", { names: ["own_more", "hub__more", "own.next"] });
    const lines = described.split("\n");
    expect(lines).toHaveLength(6);
    for (const index of [0, 4]) {
      expect(lines[index]).toContain(named);
      expect(lines[index + 1]).toContain("What own_next gave.");
    }
    expect(lines[2]).toContain(words);
    expect(lines[3]).toContain("What own.next gave.");
    expect(await call("tools_search", { query: "select:tools_search" })).toContain("with tools_call;");
  });

  it("are refused with them, where the words are the gate's", async () => {
    const { call } = await world();
    expect(await call("own_more", { id: "bad" })).toContain(`The input of own_more is not valid: ${named}`);
    expect(await call("hub__more", { id: "bad" })).toContain(words);
    expect(await call("own_closed", {})).toMatch(/^own_closed is in the category "editing"/);
  });

  it("are next steps by them once a command runs in the background, but not in what a command writes", async () => {
    const start = "Started in the background as p1. Go on with own.next.";
    const { gate, server } = await createMcpWorld({ enable: { enableAll: true } });
    gate.tools.register(tool("own.next", "filesystem"), { kind: "builtin" });
    const exec = defineTool({
      id: "shell.exec",
      description: "Runs.",
      permission: "read",
      input: { type: "object", properties: { background: { type: "boolean" } } },
      run: ({ background }) =>
        toolResult({
          content: [{ type: "text", text: start }],
          structured: background === true ? { id: "p1", pid: 7 } : { exitCode: 0 },
        }),
    });
    gate.tools.register(exec, { kind: "builtin" });
    const client = await connectLegacy(server);
    const said = async (background: boolean) =>
      (await client.ask("tools/call", { name: "shell_exec", arguments: { background } })).result.content;
    expect(await said(true)).toEqual([
      { type: "text", text: "Started in the background as p1. Go on with own_next." },
    ]);
    expect(await said(false)).toEqual([{ type: "text", text: start }]);
  });

  it("answer with what they found, word by word", async () => {
    const { call } = await world();
    expect(await call("own_more", {})).toBe(words);
  });
});
