import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describePluginError } from "../../../../src/sources/plugins/plugin-error.ts";
import { isPluginName } from "../../../../src/sources/plugins/plugin-folders.ts";
import { words } from "../../../words.ts";
import { createPluginWorld, type PluginWorld, plugin, shellTool } from "./plugin-world.ts";

/** Every error as one line, the folder left out. */
async function errorsOf({ plugins, folder }: PluginWorld): Promise<string[]> {
  const { errors } = await plugins.reload();
  return errors.map((error) => describePluginError(error).replaceAll(`${folder}/`, ""));
}

describe("loading a folder of plugins", () => {
  it("loads what is good and gives one precise error for each file that is not", async () => {
    const world = await createPluginWorld();
    world.write("a-good.json", { name: "good", tools: [shellTool("one"), shellTool("two")] });
    world.write("b-broken.json", '{\n  "name": "broken",\n  "tools": [\n');
    world.write(
      "c-name.yaml",
      "name: c\ntools:\n  - name: fs.read\n    description: No.\n    inputSchema: {}\n    handler: {type: shell, command: ls}\n",
    );
    world.write("d-again.json", { name: "again", tools: [shellTool("two"), shellTool("three")] });
    // A folder cannot be read as a file by anybody, root included.
    mkdirSync(join(world.folder, "e-unreadable.json"));
    const { success, toolCount, errors } = await world.plugins.reload();
    expect({ success, toolCount }).toEqual({ success: false, toolCount: 3 });
    expect(world.names()).toEqual(["one", "two", "three"]);
    expect(errors.map(({ message, ...where }) => where)).toEqual([
      { source: join(world.folder, "b-broken.json"), line: 4, column: 1 },
      { source: join(world.folder, "c-name.yaml"), toolName: "fs.read", field: "name", line: 3, column: 11 },
      { source: join(world.folder, "d-again.json"), toolName: "two", field: "name", line: 5, column: 15 },
      { source: join(world.folder, "e-unreadable.json") },
    ]);
    expect(errors.map(({ message }) => message)).toEqual([
      'The file is not valid JSON: the text ends before a "[" is closed.',
      '"fs.read" is not a tool\'s name: it may hold letters, digits, "_" and "-", and nothing else.',
      `The name is taken by the plugin file ${join(world.folder, "a-good.json")}:17; choose another one.`,
      "It is not a regular file.",
    ]);
  });

  it("says why a file cannot be read: a link that leads nowhere, a loop, a file that is no text or too large", async () => {
    const world = await createPluginWorld();
    symlinkSync("nowhere.json", join(world.folder, "a.json"));
    symlinkSync("b.json", join(world.folder, "b.json"));
    world.write("c.json", "\u0000\u0001");
    world.write("d.json", `{"name": "${"x".repeat(1024 * 1024)}", "tools": []}`);
    expect(await errorsOf(world)).toEqual([
      "a.json: It is a link that leads nowhere.",
      expect.stringMatching(/^b\.json: It cannot be read: ELOOP/),
      "c.json:1:1: The file holds a NUL byte; it is not a text file, or it was saved as UTF-16.",
      expect.stringMatching(/^d\.json: It is \d+ bytes long; it may have 1048576\.$/),
    ]);
  });

  it.runIf(process.getuid?.() !== 0)("says so when it may not read a file", async () => {
    const world = await createPluginWorld();
    chmodSync(world.write("a.json", plugin("a")), 0);
    expect(await errorsOf(world)).toEqual([expect.stringMatching(/^a\.json: It cannot be read: EACCES/)]);
  });

  it("follows a link to a file, and takes no notice of hidden files, editors' files and folders", async () => {
    const world = await createPluginWorld();
    world.write("../elsewhere.json", plugin("linked"));
    symlinkSync("../elsewhere.json", join(world.folder, "link.json"));
    for (const name of words(".hidden.json x.json~ #x.json# .x.json.swp x.json.tmp x.txt sub/x.json"))
      world.write(name, plugin("no"));
    expect(await errorsOf(world)).toEqual([]);
    expect(world.names()).toEqual(["linked"]);
  });

  it.each(["a.json", "a.yaml", "a.yml", "A.JSON"])("counts %s as a plugin file", (name) => {
    expect(isPluginName(name)).toBe(true);
  });

  it("refuses the names of other tools, their aliases and names on the wire", async () => {
    const world = await createPluginWorld();
    world.gate.tools.alias("sum", "math.add");
    world.write("a.json", { name: "a", tools: ["sum", "math_add", "mine"].map((name) => shellTool(name)) });
    expect(await errorsOf(world)).toEqual([
      'a.json:5:15: tool "sum": name: The name is taken by the tool math.add; choose another one.',
      'a.json:17:15: tool "math_add": name: The name is taken by the tool math.add; choose another one.',
    ]);
    expect(world.names()).toEqual(["mine"]);
  });

  it("gives a tool the lock that its file names, and refuses one that is none", async () => {
    const world = await createPluginWorld();
    const tools = [
      shellTool("usual"),
      shellTool("alone", "x", { lock: "gate" }),
      shellTool("free", "x", { lock: "none" }),
    ];
    world.write("a.json", { name: "a", tools });
    world.write("b.json", { name: "b", tools: [shellTool("odd", "x", { lock: "everybody" })] });
    expect(await errorsOf(world)).toEqual([
      expect.stringMatching(/^b\.json:15:15: .*lock: expected one of session, gate, none/),
    ]);
    const locks = ["usual", "alone", "free"].map((name) => world.gate.tools.get(name)?.lock);
    expect(locks).toEqual(["write", "gate", "none"]);
  });

  it("refuses schemas, templates, permissions and categories that cannot be, with their line", async () => {
    const world = await createPluginWorld();
    const [schema, list] = [{ type: "object", properties: { a: { type: "txt" } } }, { type: "array" }];
    const code = { type: "shell", command: "sh -c 'echo {{x}}'" };
    const cases: readonly [name: string, more: object, error: RegExp][] = [
      ["schema", { inputSchema: schema }, /inputSchema: It cannot be used: .*"type" must be one of/],
      ["list", { inputSchema: list }, /inputSchema: The input of a tool is an object/],
      [
        "code",
        { inputSchema: { properties: { x: { type: "string" } } }, handler: code },
        /handler\.command: /,
      ],
      ["less", { permission: "read" }, /permission: "read" is less than what this shell handler does/],
      ["again", { maxRetries: 2 }, /maxRetries: Only tools that may safely run twice/],
      ["__proto__", {}, /name: A tool's name starts with a letter or a digit\.$/],
      ["lost", { category: "nowhere" }, /category: .*"nowhere", which is not defined/],
    ];
    const lines = cases.map(([name, more]) => JSON.stringify(shellTool(name, "x", more)));
    world.write("a.json", `{"name": "a", "tools": [\n${lines.join(",\n")}]}`);
    const errors = await errorsOf(world);
    expect(errors).toHaveLength(cases.length);
    for (const [at, [name, , error]] of cases.entries()) {
      expect(errors[at]).toMatch(new RegExp(`^a\\.json:${at + 2}:\\d+: tool "${name}": `));
      expect(errors[at]).toMatch(error);
    }
    expect(world.names()).toEqual([]);
  });

  it("takes the permission, category and time-out that a file states", async () => {
    const world = await createPluginWorld();
    const url = "https://example.com/";
    const stated = { permission: "write", category: "web", capabilities: ["pager:use"], timeoutMs: 1234 };
    const inputSchema = { properties: { path: { type: "string" } } };
    const tools = [
      shellTool("plain"),
      shellTool("get", "x", { handler: { type: "http", url, method: "GET" }, ...stated }),
      shellTool("post", "x", { handler: { type: "http", url, timeout: 2000 } }),
      shellTool("read", "x", { inputSchema, handler: { type: "file-read", basePath: "." } }),
    ];
    world.write("a.json", { name: "a", tools });
    expect(await errorsOf(world)).toEqual([]);
    const facts = world.names().map((name) => {
      const registered = world.gate.tools.get(name);
      const { permission, timeoutMs } = registered?.tool ?? {};
      return [name, permission, registered?.category, timeoutMs, registered?.capabilities.join()];
    });
    expect(facts).toEqual([
      ["plain", "execute", "custom", 35_000, "shell:run"],
      ["get", "write", "web", 1234, "net:fetch,pager:use"],
      ["post", "write", "custom", 7000, "net:fetch"],
      ["read", "read", "custom", 35_000, "fs:read"],
    ]);
  });

  it("stops telling after a hundred errors of one file", async () => {
    const world = await createPluginWorld();
    const tools = Array.from({ length: 300 }, (_, index) => ({ name: `t${index}` }));
    world.write("a.json", { name: "a", tools: [...tools, shellTool("good")] });
    const errors = await errorsOf(world);
    expect(errors).toHaveLength(101);
    expect(errors.at(-1)).toBe("a.json: There are 200 more errors; mend these first.");
    expect(world.names()).toEqual(["good"]);
  });

  it("names a folder that is wanted and not there", async () => {
    const world = await createPluginWorld({
      folders: () => [
        { path: "/nowhere/optional", gradeOf: () => "trusted" },
        { path: "/nowhere/wanted", required: true, gradeOf: () => "trusted" },
        { path: "/dev/null", gradeOf: () => "trusted" },
      ],
    });
    expect(await errorsOf(world)).toEqual([
      "/nowhere/wanted: There is no such folder.",
      "/dev/null: It is not a folder.",
    ]);
  });
});

describe("plugin files in places that are not trusted", () => {
  it("are not even parsed where they are refused", async () => {
    const world = await createPluginWorld({ grade: () => "refused" });
    const file = world.write("a.json", "root:x:0:0 this would be quoted");
    const report = await world.plugins.reload();
    expect(report).toMatchObject({ success: true, toolCount: 0, errors: [], skipped: [{ file }] });
  });

  it("get no variables, no read-only tools and no private addresses where they are limited", async () => {
    const world = await createPluginWorld({ grade: () => "limited", env: { TOKEN: "secret" } });
    const handler = { type: "http", url: "http://127.0.0.1:1/", method: "GET" };
    world.write("a.json", { name: "a", env: ["TOKEN"], tools: [shellTool("a", "x", { handler })] });
    world.write("b.json", { name: "b", allowPrivate: true, tools: [shellTool("b", "x", { handler })] });
    expect(await errorsOf(world)).toEqual([
      expect.stringMatching(/^a\.json: env: Only a trusted file gets variables/),
    ]);
    expect(world.gate.tools.get("b")?.tool.permission).toBe("write");
    const outcome = await world.gate.dispatch({ tool: "b", input: {} });
    expect(outcome).toMatchObject({ ok: false, error: { message: expect.stringContaining("loopback") } });
  });
});
