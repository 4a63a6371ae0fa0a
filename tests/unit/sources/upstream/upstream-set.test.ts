/** Several upstream servers in one gate: names, bad definitions, changes of the configuration, resources and prompts. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { textOf } from "../../../../src/core/call/content.ts";
import { defineTool } from "../../../../src/core/tool/tool.ts";
import { stopped } from "../stopped.ts";
import { echo, UpstreamWorld } from "./upstream-world.ts";

let world: UpstreamWorld;
beforeEach(() => {
  world = new UpstreamWorld();
});
afterEach(() => world.close());
const context = { signal: new AbortController().signal };

describe("upstream servers in a gate", () => {
  it("keep the names of their tools when another one comes", async () => {
    const long = { ...echo, name: `very_${"long_".repeat(20)}name` };
    world.script("one", [echo, long]);
    world.script("two", [echo, long]);
    const opened = await world.open([world.entry("one")]);
    const before = opened.names();
    await opened.configure([world.entry("two"), world.entry("one")]);
    await opened.open.look();
    expect(opened.names()).toEqual(expect.arrayContaining(before));
    expect(opened.names()).toHaveLength(4);
    expect(world.starts("one")).toBe(1);
    await opened.configure([world.entry("two")]);
    expect(opened.names().every((name) => name.startsWith("two__"))).toBe(true);
  });

  it("lose only the tool whose definition cannot be used", async () => {
    world.script("notes", [
      echo,
      { ...echo, name: "bad_schema", inputSchema: { type: "object", $schema: "urn:none" } },
      { ...echo, name: "not_an_object", inputSchema: { type: "array" } },
      { description: "has no name" },
      {
        ...echo,
        name: "draft7",
        inputSchema: { ...echo.inputSchema, $schema: "http://json-schema.org/draft-07/schema#" },
      },
    ]);
    const opened = await world.open([world.entry("notes")]);
    expect(opened.names()).toEqual(["notes__echo", "notes__draft7"]);
    const [status] = opened.open.upstreams.status();
    expect(status?.tools).toBe(2);
    expect(status?.refused.map(({ tool }) => tool).sort()).toEqual([
      "(no name)",
      "bad_schema",
      "not_an_object",
    ]);
    expect(await opened.call("notes__draft7", { text: 7 })).toMatchObject(stopped("invalid_input"));
  });

  it("never take the name of another tool, not even in other letters", async () => {
    world.script("notes", [echo]);
    const opened = await world.open([]);
    const own = defineTool({
      id: "Notes__Echo",
      description: "Ours.",
      permission: "read",
      input: { type: "object" },
      run: () => "ours",
    });
    opened.gate.tools.register(own);
    await opened.configure([world.entry("notes")]);
    await opened.open.look();
    expect(opened.names()).toEqual(["Notes__Echo"]);
    expect(opened.open.upstreams.status()[0]?.refused[0]?.message).toBe(
      "its name is taken by the library tool Notes__Echo, and no upstream may stand in its place.",
    );
  });

  it("have the permission that the configuration gives them, and leave out what it switches off", async () => {
    world.script("notes", [
      echo,
      { ...echo, name: "read", annotations: { readOnlyHint: true } },
      { ...echo, name: "off" },
    ]);
    const entry = world.entry("notes", {
      trustAnnotations: true,
      tools: { echo: { permission: "write" }, off: { enabled: false } },
    });
    const opened = await world.open([entry]);
    const permissions = opened.gate.tools.list().map(({ id, tool }) => [id, tool.permission]);
    expect(permissions).toEqual([
      ["notes__echo", "write"],
      ["notes__read", "read"],
    ]);
    expect(opened.gate.tools.get("notes__echo")).toMatchObject({
      category: "mcp",
      source: { kind: "upstream", name: "notes" },
    });
  });

  it("that cannot start say why, and harm no other", async () => {
    world.script("notes", [echo]);
    const broken = world.entry("broken", {
      transport: {
        kind: "stdio",
        command: "/no/such/program",
        args: [],
        env: {},
        envPass: [],
        sandbox: "off",
      },
    });
    const needs = world.entry("needs", {
      transport: { kind: "http", url: `http://127.0.0.1:9/\${TOOLGATE_TEST_NOT_SET}`, headers: {} },
    });
    const opened = await world.open([broken, needs, world.entry("notes")]);
    expect(opened.names()).toEqual(["notes__echo"]);
    const [first, second] = opened.open.upstreams.status();
    expect(first).toMatchObject({ state: "failed", problem: expect.stringContaining("/no/such/program") });
    expect(second).toMatchObject({
      state: "failed",
      problem: "the environment variable TOOLGATE_TEST_NOT_SET is not set, and its settings need it.",
    });
  });

  it("that are down do not have the model correct its input", async () => {
    world.script("notes", [echo]);
    await (await world.open([world.entry("notes")])).close();
    writeFileSync(join(world.folder, "notes.json"), "no script");
    const opened = await world.open([world.entry("notes")], "known");
    const outcome = await opened.call("notes__echo", { text: "hello" });
    expect(outcome).toMatchObject(stopped("tool_failed"));
    expect(textOf(outcome.result)).toMatch(/Hint: The server is down;.*`toolgate upstreams restart`/);
  });

  it("offer their resources and prompts together; the first in order owns a URI", async () => {
    const resources = [{ uri: "note://a", name: "a" }];
    world.script("one", [echo], { resources, prompts: [{ name: "greet" }] });
    world.script("two", [echo], { resources: [...resources, { uri: "note://b", name: "b" }] });
    const opened = await world.open([world.entry("one"), world.entry("two")]);
    const { upstreams } = opened.open;
    const listed = await upstreams.listResources({}, context);
    expect(listed.resources.map(({ server, uri }) => `${server} ${uri}`)).toEqual([
      "one note://a",
      "two note://a",
      "two note://b",
    ]);
    await upstreams.listResourceTemplates({}, context);
    expect(upstreams.serverOf("note://a")).toBe("one");
    expect(upstreams.serverOf("note://b")).toBe("two");
    expect(upstreams.serverOf("note://x/text")).toBe("one");
    expect(upstreams.serverOf("other://x")).toBeUndefined();
    expect(await upstreams.readResource({ server: "two", uri: "note://b" }, context)).toMatchObject({
      contents: [{ text: "text of note://b" }],
    });
    expect((await upstreams.listPrompts({}, context)).prompts).toEqual([{ server: "one", name: "greet" }]);
    expect(await upstreams.getPrompt({ server: "one", name: "greet" }, context)).toMatchObject({
      messages: [{ content: { text: "prompt greet" } }],
    });
    await expect(upstreams.readResource({ server: "three", uri: "x" }, context)).rejects.toThrow(
      'There is no upstream "three". Known: one, two.',
    );
  });

  it("are started anew where somebody asks for it in another process", async () => {
    world.script("notes", [echo]);
    const running = await world.open([world.entry("notes")], "live");
    await running.call("notes__echo", { text: "hi" });
    const before = running.open.upstreams.status()[0]?.pid;
    await running.pins.askRestart("notes");
    for (let tries = 0; tries < 300 && running.open.upstreams.status()[0]?.pid === before; tries++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const again = await running.call("notes__echo", { text: "hi" });
    expect(again.ok && textOf(again.result)).toBe('echo {"text":"hi"}');
    expect(running.open.upstreams.status()[0]?.pid).not.toBe(before);
  });
});
