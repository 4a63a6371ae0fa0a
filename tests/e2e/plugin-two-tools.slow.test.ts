import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, serveHttp } from "../unit/safe/net/safe-fetch-servers.ts";
import { type CliWorld, createCliWorld } from "./cli-process.ts";

const plugin = (allowPrivate: boolean) => ({
  name: "two",
  allowPrivate,
  tools: [
    {
      name: "search",
      description: "Searches files.",
      inputSchema: {
        type: "object",
        properties: { pattern: { type: "string" }, directory: { type: "string", default: "." } },
        required: ["pattern"],
      },
      handler: { type: "shell", command: "grep -rn '{{pattern}}' {{directory}} || true" },
    },
    {
      name: "health",
      description: "Asks a service how it is.",
      inputSchema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
      handler: { type: "http", url: "{{url}}/health", method: "GET" },
    },
  ],
});

let world: CliWorld;
let server: RunningServer;
const call = (tool: string, input: object, ...more: string[]) =>
  world.run(["tools", "call", tool, JSON.stringify(input), ...more]);

function install(allowPrivate: boolean): void {
  const folder = join(world.folder, "home", ".config", "toolgate", "tools");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "two.json"), JSON.stringify(plugin(allowPrivate)));
}

beforeAll(async () => {
  world = createCliWorld();
  server = await serveHttp((request, response) => response.end(`fine ${request.url}`));
  mkdirSync(join(world.project, "src"));
  writeFileSync(join(world.project, "src", "a.txt"), "a needle\n");
  install(true);
});
afterAll(async () => {
  world.close();
  await server.close();
});

describe("a plugin file with a shell tool and an http tool, through the command line", () => {
  it("searches for real, without a question inside the workspace", async () => {
    const [found, nothing, absent] = await Promise.all([
      call("search", { pattern: "needle" }),
      call("search", { pattern: "no such text", directory: "src" }),
      call("search", { pattern: "x", directory: "nowhere" }),
    ]);
    expect(found).toMatchObject({ code: 0, out: "./src/a.txt:1:a needle\n" });
    expect(nothing).toMatchObject({ code: 0, out: "(no output)\n" });
    expect(absent).toMatchObject({ code: 0, out: expect.stringContaining("No such file") });
  });

  it("asks about what lies outside, and there is nobody to ask", async () => {
    const { code, err } = await call("search", { pattern: "x", directory: "/nowhere" });
    expect([code, err]).toEqual([1, expect.stringContaining("outside-workspace")]);
  });

  it("runs nothing of its values", async () => {
    const before = readdirSync(world.project);
    const values = ["'; touch PWNED; '", "$(touch PWNED)", "-rf"];
    const ends = await Promise.all(values.map((pattern) => call("search", { pattern })));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 1]);
    expect(readdirSync(world.project)).toEqual(before);
  });

  it("asks the service for real, and only where the file allows private addresses", async () => {
    const input = { url: `http://127.0.0.1:${server.port}` };
    expect(await call("health", input, "--yes")).toMatchObject({ code: 0, out: "fine /health\n" });
    expect((await call("health", input)).code).toBe(1);
    install(false);
    const { code, err } = await call("health", input, "--yes");
    expect([code, err]).toEqual([1, expect.stringContaining("allowPrivate")]);
  });
});
