import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliWorld, createCliWorld } from "./cli-process.ts";

let world: CliWorld;
let server: Server;
let url: string;

beforeAll(async () => {
  world = createCliWorld();
  server = createServer((request, response) => response.end(`you asked for ${request.url}`));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  mkdirSync(folder(), { recursive: true });
  writeFileSync(join(folder(), "two.json"), JSON.stringify(twoTools, undefined, 2));
  mkdirSync(join(world.project, "src"));
  writeFileSync(join(world.project, "src/a.txt"), "one needle\n");
});
afterAll(() => {
  world.close();
  server.close();
});

const folder = () => join(world.folder, "home/.config/toolgate/tools");
const text = { type: "string" };
const twoTools = {
  name: "two",
  version: "1.0.0",
  allowPrivate: true,
  tools: [
    {
      name: "search_code",
      description: "Searches files for a pattern.",
      inputSchema: {
        type: "object",
        properties: { pattern: text, directory: text },
        required: ["pattern", "directory"],
      },
      handler: { type: "shell", command: "grep -rn '{{pattern}}' {{directory}} || true" },
    },
    {
      name: "check_health",
      description: "Asks a service how it is.",
      inputSchema: { type: "object", properties: { url: text }, required: ["url"] },
      handler: { type: "http", url: "{{url}}/health", method: "GET" },
    },
  ],
};

function call(tool: string, input: object) {
  return world.run(["tools", "call", tool, JSON.stringify(input), "--yes"]);
}

describe("a plugin file with a command and a request", () => {
  it("gives two tools that work", async () => {
    expect(await call("search_code", { pattern: "needle", directory: "src" })).toMatchObject({
      code: 0,
      out: "src/a.txt:1:one needle\n",
    });
    expect((await call("check_health", { url })).out).toContain("you asked for /health");
  });

  it.each(["'; touch PWNED; '", "$(touch PWNED)"])(
    "takes %j as text to look for and as nothing else",
    async (pattern) => {
      const { code, out } = await call("search_code", { pattern, directory: "src" });
      expect({ code, out }).toEqual({ code: 0, out: "(no output)\n" });
      expect(existsSync(join(world.project, "PWNED"))).toBe(false);
    },
  );
});

describe("a folder with one good file and four bad ones", () => {
  it("loads the good one, names each fault with its place, and exits with 1", async () => {
    const bad = join(world.project, "bad");
    mkdirSync(join(bad, "e.json"), { recursive: true });
    const tool = { ...twoTools.tools[0], name: "good_one" };
    const write = (name: string, content: unknown) =>
      writeFileSync(join(bad, name), typeof content === "string" ? content : JSON.stringify(content));
    write("a.json", { name: "a", tools: [tool] });
    write("b.json", '{"name": "b",\n "tools": [}');
    write("c.json", { name: "c", tools: [{ ...tool, name: "no good" }] });
    write("d.json", { name: "d", tools: [tool] });
    const config = join(world.project, "only.yaml");
    writeFileSync(config, "plugins: {folders: [bad]}\n");
    const { code, out, err } = await world.run(["tools", "reload", "--json", "--config", config]);
    expect(code).toBe(1);
    const report = JSON.parse(out) as { success: boolean; toolCount: number; errors: object[] };
    const listed = await world.run(["tools", "list", "--all", "--json", "--config", config]);
    const { tools } = JSON.parse(listed.out) as { tools: { source: { kind: string } }[] };
    expect(tools.filter(({ source }) => source.kind === "plugin")).toHaveLength(1);
    expect(report).toMatchObject({ success: false, toolCount: tools.length });
    expect(report.errors).toMatchObject([
      { source: join(bad, "b.json"), line: 2, column: 12 },
      { source: join(bad, "c.json"), toolName: "no good", field: "name", line: 1, column: 30 },
      { source: join(bad, "d.json"), toolName: "good_one", field: "name", line: 1, column: 30 },
      { source: join(bad, "e.json"), message: "It is not a regular file." },
    ]);
    expect(err.trim().split("\n")).toHaveLength(4);
  });
});
