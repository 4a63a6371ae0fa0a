import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, serveHttp } from "../unit/safe/net/safe-fetch-servers.ts";
import { expectEnd, fails, refuses, says } from "../unit/surfaces/cli/expect-end.ts";
import { useCliWorld } from "./use-cli-world.ts";

const text = { type: "string" };
const search = {
  name: "search",
  description: "Searches files.",
  inputSchema: {
    type: "object",
    properties: { pattern: text, directory: { ...text, default: "." } },
    required: ["pattern"],
  },
  handler: { type: "shell", command: "grep -rn '{{pattern}}' {{directory}} || true" },
};
const health = {
  name: "health",
  description: "Asks a service how it is.",
  inputSchema: { type: "object", properties: { url: text }, required: ["url"] },
  handler: { type: "http", url: "{{url}}/health", method: "GET" },
};

function install(allowPrivate: boolean): void {
  const folder = join(world.home, ".config/toolgate/tools");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "two.json"),
    JSON.stringify({ name: "two", allowPrivate, tools: [search, health] }),
  );
}

const world = useCliWorld(({ file }) => {
  file("src/a.txt", "a needle\n");
  install(true);
});
let server: RunningServer;
beforeAll(async () => {
  server = await serveHttp((request, response) => response.end(`fine ${request.url}`));
});
afterAll(() => server.close());

const call = (tool: string, input: object, ...more: string[]) =>
  world.run(["tools", "call", tool, JSON.stringify(input), ...more]);

describe("a plugin file with a shell tool and an http tool, through the command line", () => {
  it.for([
    [{ pattern: "needle" }, /^\.\/src\/a\.txt:1:a needle\n$/],
    [{ pattern: "no such text", directory: "src" }, /^\(no output\)\n$/],
    [{ pattern: "x", directory: "nowhere" }, /No such file/],
  ] as const)("searches for real, without a question inside the workspace: %j", async ([input, found]) => {
    await says(call("search", input), found);
  });

  it("asks about what lies outside, and there is nobody to ask", async () => {
    await refuses(call("search", { pattern: "x", directory: "/nowhere" }), "outside-workspace");
  });

  it.for([
    ["'; touch PWNED; '", 0],
    ["$(touch PWNED)", 0],
    ["-rf", 1],
  ] as const)("takes %j as text to look for and runs nothing of it", async ([pattern, code]) => {
    const before = readdirSync(world.project);
    await expectEnd(call("search", { pattern }), { code, ...(code === 0 && { out: /^\(no output\)\n$/ }) });
    expect(readdirSync(world.project)).toEqual(before);
  });

  it("asks the service for real, and only where the file allows private addresses", async () => {
    const input = { url: `http://127.0.0.1:${server.port}` };
    await says(call("health", input, "--yes"), /^fine \/health\n$/);
    expect((await call("health", input)).code).toBe(1);
    install(false);
    await refuses(call("health", input, "--yes"), "allowPrivate");
  });
});

describe("a folder with one good file and four bad ones", () => {
  it("loads the good one, names each fault with its place, and exits with 1", async () => {
    const bad = join(world.project, "bad");
    mkdirSync(join(bad, "e.json"), { recursive: true });
    const tool = { ...search, name: "good_one" };
    world.file("bad/a.json", JSON.stringify({ name: "a", tools: [tool] }));
    world.file("bad/b.json", '{"name": "b",\n "tools": [}');
    world.file("bad/c.json", JSON.stringify({ name: "c", tools: [{ ...tool, name: "no good" }] }));
    world.file("bad/d.json", JSON.stringify({ name: "d", tools: [tool] }));
    const config = world.file("only.yaml", "plugins: {folders: [bad]}\n");
    const reload = ["tools", "reload", "--json", "--config", config];
    const { out, err } = await fails(world.run(reload));
    const listed = await world.run(["tools", "list", "--all", "--json", "--config", config]);
    const { tools } = JSON.parse(listed.out) as { tools: { source: { kind: string } }[] };
    expect(tools.filter(({ source }) => source.kind === "plugin")).toHaveLength(1);
    expect(JSON.parse(out)).toMatchObject({
      success: false,
      toolCount: tools.length,
      errors: [
        { source: join(bad, "b.json"), line: 2, column: 12 },
        { source: join(bad, "c.json"), toolName: "no good", field: "name", line: 1, column: 30 },
        { source: join(bad, "d.json"), toolName: "good_one", field: "name", line: 1, column: 30 },
        { source: join(bad, "e.json"), message: "It is not a regular file." },
      ],
    });
    expect(err.trim().split("\n")).toHaveLength(4);
  });
});
