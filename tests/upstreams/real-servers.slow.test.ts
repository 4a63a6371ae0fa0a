import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/input/json.ts";
import type { UpstreamConnection } from "../../src/sources/upstream/talk/connect-upstream.ts";
import { isRunning, scripted } from "../unit/sources/upstream/scripted-upstream.ts";
import { createRealWorld, installServers, type RealWorld } from "./real-servers.ts";

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
    writeFileSync(path, "written outside");
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
      await expect.poll(() => updated, { timeout: 20_000 }).toContain(uri);
    }
  });

  it.each(["everything", "modern"] as const)(
    "%s over HTTP: replaced by a new process, the next call works",
    async (name) => {
      const upstream = await world.overHttp(name);
      await works[name]?.(upstream);
      await world.replaceHttpServers();
      await works[name]?.(upstream);
      expect(upstream.health().state).toBe("ready");
    },
  );
});

describe("one bad server among good ones", () => {
  it.each(["killed", "frozen", "garbage", "huge", "slow", "crashing"])(
    "%s: the others answer as before, its calls fail in time",
    async (kind) => {
      const good = all.slice(0, 5).map((name) => world.open(name));
      await Promise.all(good.map((upstream) => works[upstream.name]?.(upstream)));
      const pids = good.map((upstream) => upstream.health().pid);
      const bad = scripted(kind === "slow" ? ["mute"] : kind === "crashing" ? ["crash"] : [], {
        name: "bad",
        timeoutMs: 1_000,
        startTimeoutMs: 1_000,
      });
      const tool = { killed: "die", frozen: "freeze", garbage: "garbage", huge: "huge" }[kind] ?? "echo";
      const args: JsonObject = kind === "huge" ? { bytes: 11_000_000 } : { lines: 100_000 };
      const startedAt = performance.now();
      const failing = Array.from({ length: 5 }, () =>
        bad.callTool(tool, args).catch((error: Error) => error),
      );
      for (let round = 0; round < 20; round++)
        await Promise.all(good.map((upstream) => works[upstream.name]?.(upstream)));
      for (const end of await Promise.all(failing))
        expect(end).toMatchObject({ name: "UpstreamError", message: expect.stringContaining('"bad"') });
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      expect(good.map((upstream) => upstream.health().pid)).toEqual(pids);
      expect(good.map((upstream) => upstream.health().restarts)).toEqual([0, 0, 0, 0, 0]);
      if (kind !== "frozen") return;
      // Found out by a ping, ended, and started again for the next call.
      await expect.poll(() => bad.health().state, { timeout: 15_000 }).toBe("failing");
      expect(bad.health().lastError).toContain("no longer answers");
      expect(textOf(await bad.callTool("echo", { a: 1 }, { timeoutMs: 5_000 }))).toBe('{"a":1}');
    },
  );

  it("a real one that is killed is started again with the next call, its data still there", async () => {
    const upstream = world.open("memory");
    await works.memory?.(upstream);
    process.kill(upstream.health().pid as number, "SIGKILL");
    await expect.poll(() => upstream.health().state).toBe("failing");
    expect(JSON.stringify(await upstream.callTool("read_graph", {}))).toContain("Ada");
    expect(readFileSync(join(world.folder, "memory.jsonl"), "utf8")).toContain("Ada");
    expect(upstream.health()).toMatchObject({ state: "ready", restarts: 1 });
  });
});
