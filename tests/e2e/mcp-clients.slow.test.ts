import { afterAll, describe, expect, it } from "vitest";
import { cli, type Serving } from "./cli-process.ts";
import { clientKinds, connectClient, type Reached } from "./mcp-clients.ts";
import { useCliWorld } from "./use-cli-world.ts";

const rules = `
mcp: {approve_by_elicitation: true}
policies:
  - {name: no-secrets, tools: fs.read, action: deny, reason: Secrets stay here., conditions: [{type: path, operator: matches, value: secret}]}
  - {name: ask-first, tools: fs.read, action: ask, conditions: [{type: path, operator: matches, value: careful}]}
`;

describe("official MCP clients", () => {
  const ways: Record<string, Reached> = {};
  let serving: Serving;
  const world = useCliWorld(async ({ file, serve, project, home }) => {
    file("notes.txt", "the text of the notes\n");
    file("careful.txt", "handle with care\n");
    const config = file("rules.yaml", rules);
    serving = await serve(["--config", config]);
    ways.HTTP = { url: `${serving.url}/mcp`, token: serving.token };
    ways["a pipe"] = {
      command: process.execPath,
      args: [cli, "mcp", "--config", config],
      cwd: project,
      env: { PATH: process.env.PATH ?? "", HOME: home },
    };
  });
  afterAll(() => serving.kill());

  describe.each(["HTTP", "a pipe"])("over %s", (way) => {
    it.each(clientKinds)("%s: lists tools, calls one, is refused, and is asked", async (kind) => {
      const questions: string[] = [];
      const client = await connectClient(kind, ways[way] as Reached, (message) => {
        questions.push(message);
        return { action: "accept", content: { decision: "approve" } };
      });
      try {
        expect(await client.toolNames()).toContain("fs_read");
        const read = (path: string) => client.call("fs_read", { path });
        expect(await read("notes.txt")).toMatchObject({ isError: false });
        expect((await read("notes.txt")).text).toContain("the text of the notes");
        const refused = await read("secret.txt");
        expect(refused.isError).toBe(true);
        expect(refused.text).toContain("Secrets stay here.");
        expect(questions).toEqual([]);
        expect((await read("careful.txt")).text).toContain("handle with care");
        expect(questions).toHaveLength(1);
        expect(questions[0]).toContain("careful.txt");
      } finally {
        await client.close();
      }
    });
  });

  it.each(clientKinds)("%s goes on after the server was killed and started again", async (kind) => {
    const way = ways.HTTP as { url: string; token: string };
    const client = await connectClient(kind, way);
    const read = async () => (await client.call("fs_read", { path: "notes.txt" })).text;
    expect(await read()).toContain("the text of the notes");
    await serving.kill();
    serving = await world.serve(["--port", new URL(way.url).port, "--config", "rules.yaml"]);
    expect(await read()).toContain("the text of the notes");
    await client.close();
  });
});
