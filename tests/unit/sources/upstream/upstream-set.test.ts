/** Several upstream servers in one gate: names, bad definitions, changes of the configuration, resources and prompts. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { textOf } from "../../../../src/core/call/content.ts";
import { defineTool } from "../../../../src/core/tool/tool.ts";
import { stopped } from "../stopped.ts";
import { echo, eventually, program, useWorld } from "./upstream-world.ts";

const here = useWorld();
const context = { signal: new AbortController().signal };

describe("upstream servers in a gate", () => {
  it("keep the names of their tools when another one comes", async () => {
    const long = { ...echo, name: `very_${"long_".repeat(20)}name` };
    here.world.script("one", [echo, long]);
    here.world.script("two", [echo, long]);
    const opened = await here.world.open([here.world.entry("one")]);
    const before = opened.names();
    await opened.configure([here.world.entry("two"), here.world.entry("one")]);
    await opened.open.look();
    expect(opened.names()).toEqual(expect.arrayContaining(before));
    expect(opened.names()).toHaveLength(4);
    expect(here.world.starts("one")).toBe(1);
    await opened.configure([here.world.entry("two")]);
    expect(opened.names().every((name) => name.startsWith("two__"))).toBe(true);
  });

  it("lose only the tool whose definition cannot be used", async () => {
    here.world.script("notes", [
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
    const opened = await here.world.open([here.world.entry("notes")]);
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
    here.world.script("notes", [echo]);
    const opened = await here.world.open([]);
    const own = defineTool({
      id: "Notes__Echo",
      description: "Ours.",
      permission: "read",
      input: { type: "object" },
      run: () => "ours",
    });
    opened.gate.tools.register(own);
    await opened.configure([here.world.entry("notes")]);
    await opened.open.look();
    expect(opened.names()).toEqual(["Notes__Echo"]);
    expect(opened.open.upstreams.status()[0]?.refused[0]?.message).toBe(
      "its name is taken by the library tool Notes__Echo, and no upstream may stand in its place.",
    );
  });

  it("have the permission that the configuration gives them, and leave out what it switches off", async () => {
    here.world.script("notes", [
      echo,
      { ...echo, name: "read", annotations: { readOnlyHint: true } },
      { ...echo, name: "off" },
    ]);
    const entry = here.world.entry("notes", {
      trustAnnotations: true,
      tools: { echo: { permission: "write" }, off: { enabled: false } },
    });
    const opened = await here.world.open([entry]);
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
    here.world.script("notes", [echo]);
    const broken = here.world.entry("broken", { transport: program("/no/such/program") });
    const needs = here.world.entry("needs", {
      transport: { kind: "http", url: `http://127.0.0.1:9/\${TOOLGATE_TEST_NOT_SET}`, headers: {} },
    });
    const opened = await here.world.open([broken, needs, here.world.entry("notes")]);
    expect(opened.names()).toEqual(["notes__echo"]);
    const [first, second] = opened.open.upstreams.status();
    expect(first).toMatchObject({ state: "failed", problem: expect.stringContaining("/no/such/program") });
    expect(second).toMatchObject({
      state: "failed",
      problem: "the environment variable TOOLGATE_TEST_NOT_SET is not set, and its settings need it.",
    });
  });

  it("that are down do not have the model correct its input", async () => {
    here.world.script("notes", [echo]);
    await (await here.world.open([here.world.entry("notes")])).close();
    writeFileSync(join(here.world.folder, "notes.json"), "no script");
    const opened = await here.world.open([here.world.entry("notes")], "known");
    const outcome = await opened.call("notes__echo", { text: "hello" });
    expect(outcome).toMatchObject(stopped("tool_failed"));
    expect(textOf(outcome.result)).toMatch(/Hint: The server is down;.*`toolgate upstreams restart`/);
  });

  it("offer their resources and prompts together; the first in order owns a URI", async () => {
    const resources = [{ uri: "note://a", name: "a" }];
    here.world.script("one", [echo], { resources, prompts: [{ name: "greet" }] });
    here.world.script("two", [echo], { resources: [...resources, { uri: "note://b", name: "b" }] });
    const opened = await here.world.open([here.world.entry("one"), here.world.entry("two")]);
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
    here.world.script("notes", [echo]);
    const running = await here.world.open([here.world.entry("notes")], "live");
    await running.call("notes__echo", { text: "hi" });
    const before = running.open.upstreams.status()[0]?.pid;
    await running.pins.askRestart("notes");
    await eventually(() => running.open.upstreams.status()[0]?.pid !== before);
    const again = await running.call("notes__echo", { text: "hi" });
    expect(again.ok && textOf(again.result)).toBe('echo {"text":"hi"}');
    expect(running.open.upstreams.status()[0]?.pid).not.toBe(before);
  });

  it("that start slowly are waited for by a look until they have started, by a call for its own time only", async () => {
    const server = fileURLToPath(new URL("./scripted-server.mjs", import.meta.url));
    const entry = (...flags: string[]) =>
      here.world.entry("slow", {
        transport: program(process.execPath, [server, ...flags]),
        timeoutMs: 1_000,
      });
    await (await here.world.open([entry()])).close();
    const opened = await here.world.open([entry("--slow=3000")], "known");
    const status = () => opened.open.upstreams.status()[0];
    const looking = opened.open.look();
    expect(await opened.call("slow__echo")).toMatchObject({ ok: false });
    expect(status()?.state).toBe("starting");
    await looking;
    expect([status()?.state, status()?.problem]).toEqual(["ready", undefined]);
    expect(await opened.call("slow__echo")).toMatchObject({ ok: true });
  });

  it("that cannot be started, or miss a variable, are told once for each reason to who runs a gate for long", async () => {
    here.world.script("notes", [echo]);
    const told: string[] = [];
    const unset = program("/no/such/server", [], { KEY: ["$", "{NOT_SET_ANYWHERE_X}"].join("") });
    const entries = [
      here.world.entry("notes"),
      here.world.entry("gone", { transport: program("/no/such/server") }),
      here.world.entry("keyless", { transport: unset }),
    ];
    const opened = await here.world.open(entries, "live", (text) => told.push(text));
    await eventually(() => told.length === 2);
    expect(told.join("\n")).toMatch(/Upstream keyless: .*NOT_SET_ANYWHERE_X/);
    expect(told.join("\n")).toMatch(/Upstream gone: .*no\/such\/server/);
    await opened.open.look();
    expect(told).toHaveLength(2);
  });

  it("that cannot be started are no news in a command that ends soon: it says so by itself", async () => {
    const told: string[] = [];
    const gone = here.world.entry("gone", { transport: program("/no/such/server") });
    await here.world.open([gone], "first-sight", (text) => told.push(text));
    expect(told).toEqual([]);
  });
});
