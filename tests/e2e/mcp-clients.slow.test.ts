import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliWorld, cli, createCliWorld, ended } from "./cli-process.ts";
import { clientKinds, connectClient, type Reached } from "./mcp-clients.ts";

const rules = `
mcp: {approve_by_elicitation: true}
policies:
  - {name: no-secrets, tools: fs.read, action: deny, reason: Secrets stay here., conditions: [{type: path, operator: matches, value: secret}]}
  - {name: ask-first, tools: fs.read, action: ask, conditions: [{type: path, operator: matches, value: careful}]}
`;

describe("official MCP clients", () => {
  let world: CliWorld;
  let serving: ReturnType<CliWorld["start"]>;
  let serve: (port: string) => Promise<{ url: string; tokenFile: string }>;
  const ways: Record<string, Reached> = {};

  beforeAll(async () => {
    world = createCliWorld();
    writeFileSync(join(world.project, "notes.txt"), "the text of the notes\n");
    writeFileSync(join(world.project, "careful.txt"), "handle with care\n");
    const config = join(world.folder, "rules.yaml");
    writeFileSync(config, rules);
    serve = async (port) => {
      serving = world.start(["serve", "--port", port, "--json", "--config", config]);
      const over = ended(serving);
      return new Promise<{ url: string; tokenFile: string }>((resolve, reject) => {
        serving.stdout?.once("data", (line: string) => resolve(JSON.parse(line)));
        void over.then(({ err }) => reject(new Error(err)));
      });
    };
    const { url, tokenFile } = await serve("0");
    ways.HTTP = { url: `${url}/mcp`, token: readFileSync(tokenFile, "utf8").trim() };
    ways["a pipe"] = {
      command: process.execPath,
      args: [cli, "mcp", "--config", config],
      cwd: world.project,
      env: { PATH: process.env.PATH ?? "", HOME: join(world.folder, "home") },
    };
  }, 30_000);

  afterAll(() => {
    serving.kill("SIGKILL");
    world.close();
  });

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
    const gone = ended(serving);
    serving.kill("SIGKILL");
    await gone;
    await serve(new URL(way.url).port);
    expect(await read()).toContain("the text of the notes");
    await client.close();
  });
});
