import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliWorld, cli, createCliWorld, ended } from "../e2e/cli-process.ts";
import { inspector } from "./inspector.ts";

const program = inspector.find();
const run = promisify(execFile);

describe.skipIf(program === undefined)("the MCP Inspector's command line", () => {
  let world: CliWorld;
  let serving: ReturnType<CliWorld["start"]>;
  const ways: Record<string, readonly string[]> = {};

  beforeAll(async () => {
    world = createCliWorld();
    writeFileSync(join(world.project, "notes.txt"), "the text of the notes\n");
    mkdirSync(join(world.folder, "inspector"));
    serving = world.start(["serve", "--port", "0", "--json"]);
    const over = ended(serving);
    const { url, tokenFile } = await new Promise<{ url: string; tokenFile: string }>((resolve, reject) => {
      serving.stdout?.once("data", (line: string) => resolve(JSON.parse(line)));
      void over.then(({ err }) => reject(new Error(err)));
    });
    const token = readFileSync(tokenFile, "utf8").trim();
    ways.HTTP = [`${url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${token}`];
    ways["a pipe"] = [process.execPath, cli, "mcp", "--cwd", world.project];
  }, 60_000);

  afterAll(() => {
    serving.kill("SIGKILL");
    world.close();
  });

  async function inspect(way: string, ...args: readonly string[]): Promise<Record<string, unknown>> {
    const env = { PATH: process.env.PATH, HOME: join(world.folder, "home") };
    const all = [program ?? "", "--cli", ...(ways[way] ?? []), ...args];
    const { stdout } = await run(process.execPath, all, { cwd: world.project, env, timeout: 120_000 });
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  it.each(["HTTP", "a pipe"])("lists tools and calls one over %s", async (way) => {
    const { tools } = (await inspect(way, "--method", "tools/list")) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toContain("fs_read");
    const read = await inspect(
      way,
      "--method",
      "tools/call",
      "--tool-name",
      "fs_read",
      "--tool-arg",
      "path=notes.txt",
    );
    expect(JSON.stringify(read)).toContain("the text of the notes");
  });

  it.each(["HTTP", "a pipe"])("lists and reads resources, and lists prompts, over %s", async (way) => {
    const { resources } = (await inspect(way, "--method", "resources/list")) as {
      resources: { uri: string }[];
    };
    expect(resources.map(({ uri }) => uri)).toContain("toolgate://tools");
    const read = await inspect(way, "--method", "resources/read", "--uri", "toolgate://tools");
    expect(JSON.stringify(read)).toContain("fs.read");
    expect(await inspect(way, "--method", "prompts/list")).toHaveProperty("prompts");
  });

  it("finds nothing in our tools' schemas that a client could stumble over", async () => {
    expect(await inspect("HTTP", "--method", "tools/list", "--strict")).toHaveProperty("tools");
  });
});
