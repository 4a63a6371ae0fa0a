/** Real MCP servers from npm, installed when they are first needed, each behind a connection of its own. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/input/json.ts";
import {
  connectUpstream,
  type UpstreamConnection,
} from "../../src/sources/upstream/talk/connect-upstream.ts";
import type { UpstreamSettings } from "../../src/sources/upstream/talk/connection.ts";
import { isRunning } from "../unit/sources/upstream/scripted-upstream.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
/** Out of the reach of everything that looks through the sources. */
const installed = fileURLToPath(new URL("../../.cache/upstreams/", import.meta.url));

function installServers(): void {
  fs.mkdirSync(installed, { recursive: true });
  const lock = fs.readFileSync(join(here, "package-lock.json"), "utf8");
  const stamp = join(installed, "installed-lock.json");
  if (!fs.existsSync(stamp) || fs.readFileSync(stamp, "utf8") !== lock) {
    for (const file of ["package.json", "package-lock.json"])
      fs.copyFileSync(join(here, file), join(installed, file));
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: installed,
      stdio: "pipe",
    });
    fs.writeFileSync(stamp, lock);
  }
  fs.copyFileSync(join(here, "modern-server.mjs"), join(installed, "modern-server.mjs"));
}

const scripts = {
  everything: "node_modules/@modelcontextprotocol/server-everything/dist/index.js",
  filesystem: "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js",
  memory: "node_modules/@modelcontextprotocol/server-memory/dist/index.js",
  thinking: "node_modules/@modelcontextprotocol/server-sequential-thinking/dist/index.js",
  time: "node_modules/time-mcp/dist/index.js",
  modern: "modern-server.mjs",
} as const;

type RealServer = keyof typeof scripts;

type RealWorld = ReturnType<typeof createRealWorld>;

function createRealWorld() {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "real-upstreams-")));
  const opened: UpstreamConnection[] = [];
  const running: ChildProcess[] = [];
  const connect = (settings: UpstreamSettings): UpstreamConnection => {
    const connection = connectUpstream(settings, {
      client: { name: "toolgate", version: "0.0.0" },
      note: () => {},
    });
    opened.push(connection);
    return connection;
  };
  return {
    folder,
    open: (server: RealServer) =>
      connect({
        name: server,
        transport: {
          kind: "stdio",
          command: process.execPath,
          args: [join(installed, scripts[server]), ...(server === "filesystem" ? [folder] : [])],
          cwd: folder,
          ...(server === "memory" && { env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") } }),
        },
      }),
    async overHttp(server: "everything" | "modern") {
      const port = await freePort();
      const argument = server === "everything" ? "streamableHttp" : String(port);
      const child = spawn(process.execPath, [join(installed, scripts[server]), argument], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, PORT: String(port) },
        stdio: "ignore",
      });
      running.push(child);
      await untilListening(port);
      const transport = { kind: "http" as const, url: `http://127.0.0.1:${port}/mcp` };
      return connect({ name: `${server}-http`, transport });
    },
    async close() {
      await Promise.all(opened.map((connection) => connection.close()));
      for (const child of running) await ended(child);
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    if (answered !== undefined) return;
    await sleep(50);
  }
  throw new Error(`Nobody listens on ${port}.`);
}

let world: RealWorld;
beforeAll(installServers, 300_000);
beforeEach(() => {
  world = createRealWorld();
});
afterEach(() => world.close());

const textOf = (result: JsonObject): string =>
  (result.content as unknown as { text: string }[])[0]?.text ?? "";
const names = (list: readonly JsonObject[]): unknown[] => list.map(({ name }) => name);

/** One call of each that shows that it works. */
const works: Record<string, (upstream: UpstreamConnection) => Promise<void>> = {
  async everything(upstream) {
    expect(textOf(await upstream.callTool("echo", { message: "hi" }))).toBe("Echo: hi");
  },
  async filesystem(upstream) {
    const path = join(world.folder, "note.txt");
    fs.writeFileSync(path, "written outside");
    expect(textOf(await upstream.callTool("read_text_file", { path }))).toBe("written outside");
  },
  async memory(upstream) {
    const entities = [{ name: "Ada", entityType: "person", observations: ["likes figs"] }];
    await upstream.callTool("create_entities", { entities });
    expect(JSON.stringify(await upstream.callTool("search_nodes", { query: "figs" }))).toContain("Ada");
  },
  async thinking(upstream) {
    const thought = { thought: "1", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    expect(textOf(await upstream.callTool("sequentialthinking", thought))).toContain("thoughtHistoryLength");
  },
  async time(upstream) {
    expect(textOf(await upstream.callTool("days_in_month", { date: "2024-02-01" }))).toContain("29");
  },
  async modern(upstream) {
    expect(textOf(await upstream.callTool("echo", { message: "hi" }))).toBe("hi");
  },
};

const all = ["everything", "filesystem", "memory", "thinking", "time", "modern"] as const;

describe("real servers", () => {
  it("all work at once, list their tools, and leave no process behind", async () => {
    const upstreams = all.map((name) => world.open(name));
    await Promise.all(upstreams.map((upstream) => works[upstream.name]?.(upstream)));
    const lists = await Promise.all(upstreams.map((upstream) => upstream.listTools()));
    expect(lists.map((list) => list.length > 0)).toEqual(all.map(() => true));
    const pids = upstreams.map((upstream) => upstream.health().pid as number);
    expect(pids.map(isRunning)).toEqual(all.map(() => true));
    expect(upstreams.map((upstream) => upstream.health().era)).toEqual([
      ...["legacy", "legacy", "legacy", "legacy", "legacy"],
      "modern",
    ]);
    await Promise.all(upstreams.map((upstream) => upstream.close()));
    expect(pids.map(isRunning)).toEqual(all.map(() => false));
  });

  it.each(["everything", "modern"] as const)(
    "%s shows resources, prompts, progress, cancel and questions",
    async (name) => {
      for (const upstream of [world.open(name), await world.overHttp(name)]) {
        const isModern = name === "modern";
        const resources = await upstream.listResources();
        const first = resources[0]?.uri as string;
        expect(await upstream.readResource(first)).toMatchObject({ contents: [{ uri: first }] });
        expect(names(await upstream.listPrompts())).toContain(isModern ? "greet" : "simple-prompt");
        const [prompt, args] = isModern ? ["greet", { who: "Ada" }] : ["args-prompt", { city: "Paris" }];
        expect(JSON.stringify(await upstream.getPrompt(prompt as string, args as never))).toContain(
          isModern ? "Ada" : "Paris",
        );

        const steps: number[] = [];
        const onProgress = ({ progress }: { progress: number }) => steps.push(progress);
        const [tool, input] = isModern
          ? ["steps", {}]
          : ["trigger-long-running-operation", { duration: 0.3, steps: 3 }];
        await upstream.callTool(tool as string, input as JsonObject, { onProgress });
        expect(steps).toEqual([1, 2, 3]);

        const ending = new AbortController();
        const [long, forLong] = isModern
          ? ["hang", {}]
          : ["trigger-long-running-operation", { duration: 60, steps: 1 }];
        const cancelled = upstream.callTool(long as string, forLong as JsonObject, { signal: ending.signal });
        setTimeout(() => ending.abort(), 100);
        await expect(cancelled).rejects.toMatchObject({ code: "aborted" });

        const asked: unknown[] = [];
        const content = isModern ? { confirm: true } : { name: "Ada" };
        const [asks, forAsking] = isModern
          ? ["deploy", { env: "staging" }]
          : ["trigger-elicitation-request", {}];
        const answer = await upstream.callTool(asks as string, forAsking as JsonObject, {
          elicit: async (request) => {
            asked.push(request.params.message);
            return { action: "accept", content };
          },
        });
        expect(asked).toHaveLength(1);
        expect(JSON.stringify(answer)).toContain(isModern ? "deployed to staging" : "Ada");
        await works[name]?.(upstream);
      }
    },
  );

  it("everything: completions, changes of a subscribed resource", async () => {
    for (const upstream of [world.open("everything"), await world.overHttp("everything")]) {
      const ref = { type: "ref/prompt", name: "completable-prompt" };
      const { completion } = await upstream.complete({ ref, argument: { name: "department", value: "E" } });
      expect((completion as JsonObject).values).toContain("Engineering");
      const updated: string[] = [];
      upstream.onChange((change) => change.what === "resource-updated" && updated.push(change.uri));
      const uri = "demo://resource/dynamic/text/1";
      await upstream.subscribe(uri);
      await upstream.callTool("toggle-subscriber-updates", {});
      await expect.poll(() => updated).toContain(uri);
    }
  });
});
