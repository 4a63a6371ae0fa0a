/** The built-in tools and a rule file of a program's gate, used by the real Agent SDK in the same process. */
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { allowedToolNames, createGate, toMcpServerConfig } from "../../src/index.ts";
import { createScriptedModel } from "../../src/testing/index.ts";
import { agentSdk } from "./agent-sdk.ts";
import { passed, refused } from "./session.ts";
import { client, createWorkbench } from "./workbench.ts";

const sdk = agentSdk.find();
const describeSdk = describe.skipIf(client === undefined || sdk === undefined);

interface Sdk {
  query(request: { prompt: string; options: object }): AsyncIterable<{ type: string; subtype?: string }>;
}

describeSdk("the Claude Agent SDK with a gate as its only executor", () => {
  it("works with the built-in tools, by the rules of a file", async () => {
    const bench = createWorkbench();
    bench.write("project/notes.txt", "buy milk\n");
    const rules = bench.write(
      "rules.yaml",
      `policies:
  no-drafts:
    tools: fs.read
    action: deny
    conditions: [{ type: path, operator: matches, value: 'draft' }]
    reason: Drafts are for people.
`,
    );
    bench.write("project/draft.txt", "not yet\n");
    const gate = await createGate({
      builtin: { workspace: bench.project, categories: ["filesystem"], stateFolder: bench.path("state") },
      rules,
    });
    const read = (id: string, path: string) => ({ id, tool: "mcp__toolgate__fs_read", input: { path } });
    await using model = await createScriptedModel({
      script: [read("toolu_notes", "notes.txt"), read("toolu_draft", "draft.txt"), "Done."],
    });
    const { query } = (await import(pathToFileURL(sdk as string).href)) as Sdk;
    const ends: string[] = [];
    for await (const message of query({
      prompt: "Read both.",
      options: {
        cwd: bench.project,
        env: { ...bench.env, ANTHROPIC_BASE_URL: model.url },
        pathToClaudeCodeExecutable: client,
        settingSources: [],
        tools: [],
        mcpServers: { toolgate: toMcpServerConfig(gate) },
        allowedTools: allowedToolNames(gate),
      },
    }))
      if (message.type === "result") ends.push(message.subtype ?? "");
    await gate.close();

    expect(model.errors).toEqual([]);
    expect(ends).toEqual(["success"]);
    const told = new Map(model.toolResults().map((result) => [result.id, result]));
    expect(told.get("toolu_notes")).toMatchObject(passed("buy milk"));
    expect(told.get("toolu_draft")).toMatchObject(refused("Drafts are for people."));
  });
});
