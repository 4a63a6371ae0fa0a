import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { allowedToolNames, createGate, toMcpServerConfig } from "../../../../src/index.ts";
import { createTestGate } from "../../../../src/testing/test-gate.ts";
import { add, write } from "../../../tools.ts";

interface Instance {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
}

describe("a gate for the Claude Agent SDK", () => {
  it("is a server of the name toolgate that the SDK can connect in the same process", async () => {
    const { gate, ledger } = await createTestGate({ tools: [add, write], answers: ["approve"] });
    const config = toMcpServerConfig(gate, { caller: { id: "agent", capabilities: ["*"] }, sessionId: "s" });
    expect(config).toMatchObject({ type: "sdk", name: "toolgate" });
    const instance = config.instance as Instance;
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await instance.connect(ours);
    const client = new Client({ name: "c", version: "1" });
    await client.connect(theirs);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["math_add", "notes_write"]);
    const result = await client.callTool({
      name: "notes_write",
      arguments: { path: "a" },
      _meta: { "claudecode/toolUseId": "toolu_1" },
    });
    expect(result.content).toEqual([{ type: "text", text: "wrote 0 to a" }]);
    expect(ledger.records().at(-1)).toMatchObject({
      caller: "agent",
      sessionId: "s",
      toolUseId: "toolu_1",
      approval: { by: "scripted-approver" },
    });
    await client.close();
    await instance.close();
    await gate.close();
  });

  it("works with built-in tools and a rule file, and its own names of tools", async () => {
    const workspace = mkdtempSync(join(tmpdir(), "toolgate-sdk-"));
    onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
    writeFileSync(join(workspace, "a.txt"), "hello");
    writeFileSync(
      join(workspace, "toolgate.yaml"),
      "policies:\n  no: { tools: fs.list, action: deny, reason: No. }\n",
    );
    const gate = await createGate({
      builtin: { workspace, categories: ["filesystem"], stateFolder: join(workspace, "state") },
      rules: join(workspace, "toolgate.yaml"),
    });
    const instance = toMcpServerConfig(gate).instance as Instance;
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await instance.connect(ours);
    const client = new Client({ name: "c", version: "1" });
    await client.connect(theirs);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("fs_read");
    expect(names).not.toContain("fs_list");
    expect(allowedToolNames(gate)).toEqual(names.map((name) => `mcp__toolgate__${name}`));
    const result = await client.callTool({ name: "fs_read", arguments: { path: "a.txt" } });
    expect(JSON.stringify(result.content)).toContain("hello");
    await client.close();
    await instance.close();
    await gate.close();
  });

  it("names the tools as the SDK does, only those that can be called", async () => {
    const { gate } = await createTestGate({ tools: [add, write] });
    expect(allowedToolNames(gate)).toEqual(["mcp__toolgate__math_add", "mcp__toolgate__notes_write"]);
    expect(allowedToolNames(gate, { caller: { id: "x", capabilities: [] } })).toEqual([
      "mcp__toolgate__math_add",
    ]);
    await gate.close();
  });

  it("refuses an option that it does not have, with what was probably meant", async () => {
    const { gate } = await createTestGate({ tools: [add] });
    expect(() => toMcpServerConfig(gate, { approveByElicitatoin: true } as never)).toThrow(
      'toMcpServerConfig has no option "approveByElicitatoin"; did you mean "approveByElicitation"?',
    );
    await gate.close();
  });
});
