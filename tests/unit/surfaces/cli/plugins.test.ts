import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plugin, shellTool } from "../../sources/plugins/plugin-world.ts";
import { useCliWorld } from "./cli-world.ts";
import { expectEnd, fails, refuses, says } from "./expect-end.ts";

const world = useCliWorld();

const userFolder = () => join(world.home, ".config/toolgate/tools");

const userFile = (name: string, content: unknown) =>
  world.inHome(
    `.config/toolgate/tools/${name}`,
    typeof content === "string" ? content : JSON.stringify(content),
  );

describe("toolgate tools new", () => {
  it.each(["shell", "http", "file-read"])(
    "writes a %s plugin that loads and whose tests pass",
    async (type) => {
      const made = await world.run(["tools", "new", "my_own", "--type", type]);
      expect(made).toMatchObject({ code: 0, err: "" });
      const file = join(userFolder(), "my_own.json");
      expect(made.out).toContain(`Wrote ${file}`);
      expect(await world.run(["tools", "validate", file])).toMatchObject({
        code: 0,
        out: "1 file is fine: 1 tool\n",
      });
      await says(world.run("test"), /✓ my_own: .*\n\n\d+ tests? passed, 0 failed\n$/s);
      expect((await world.run("tools list")).out).toContain("my_own (plugin my_own)");
      const { $schema } = JSON.parse(readFileSync(file, "utf8")) as { $schema: string };
      expect(existsSync(new URL($schema))).toBe(true);
    },
  );

  it("puts it where it is told, and says when it takes more for it to be loaded", async () => {
    await says(world.run("tools new here --dir .toolgate/tools"), "toolgate trust .toolgate/tools/here.json");
    await says(world.run("tools new there --dir elsewhere"), "plugins.folders");
  });

  it("leaves a file alone that is there, and refuses names that are taken or cannot be", async () => {
    await world.run("tools new twice --dir x");
    writeFileSync(join(world.root, "x/twice.json"), "mine");
    const again = await world.run("tools new twice --dir x");
    expect(again).toMatchObject({
      code: 1,
      err: "x/twice.json: There is a file already; nothing was changed.\n",
    });
    expect(readFileSync(join(world.root, "x/twice.json"), "utf8")).toBe("mine");
    expect((await world.run("tools new Bash")).err).toContain("taken by the builtin tool shell.exec");
    expect((await world.run("tools new a.b")).err).toContain("cannot be a tool's name");
    expect((await world.run("tools new x --type ftp")).code).toBe(1);
  });
});

describe("toolgate tools validate", () => {
  it("gives every error of every file, and exits with 1", async () => {
    world.file("a.json", '{"name": "a", "tools": [');
    world.file("b.yaml", "name: b\ntools:\n  - {name: 'b b', description: x, inputSchema: {}}\n");
    const { err } = await refuses(world.run("tools validate a.json b.yaml none.json"));
    expect(err.split("\n")).toEqual([
      'a.json:1:25: The file is not valid JSON: the text ends before a "[" is closed.',
      'b.yaml:3:5: tool "b b": needs handler.',
      expect.stringMatching(/^b\.yaml:3:12: tool "b b": name: "b b" is not a tool's name/),
      "none.json: There is no such file.",
      "",
    ]);
    expect(await world.json("tools validate a.json", { code: 1 })).toMatchObject({
      success: false,
      toolCount: 0,
      errors: [{ source: join(world.root, "a.json"), line: 1, column: 25 }],
    });
  });

  it("says so where a file is fine but has a name that no folder loads", async () => {
    for (const name of ["fine.json", "fine.json.bak", ".fine.json"])
      world.file(name, JSON.stringify(plugin("fine")));
    const said = async (name: string) => (await world.run(["tools", "validate", name])).err;
    expect(await said("fine.json")).toBe("");
    expect(await said("fine.json.bak")).toContain("fine.json.bak: note: by this name no folder loads it");
    expect(await said(".fine.json")).toContain("no folder loads it");
  });
});

describe("toolgate tools reload", () => {
  it("loads every folder and prints success, count and errors", async () => {
    userFile("a.json", plugin("a"));
    const bad = userFile("b.json", "{}");
    expect(await world.json("tools reload", { code: 1 })).toEqual({
      success: false,
      toolCount: (await world.json("tools list --all")).tools.length,
      errors: [{ source: bad, line: 1, column: 1, message: "needs name and tools." }],
      warnings: [],
      skipped: [],
    });
    rmSync(bad);
    expect(await world.run("tools reload")).toMatchObject({
      code: 0,
      out: `1 plugin tool is loaded\n  1 from ${userFolder()}\n`,
    });
  });
});

describe("tools list, show and call", () => {
  it("know plugin tools, with their source, and say what is wrong with files", async () => {
    const file = userFile("a.json", plugin("hello", "hello"));
    userFile("b.json", "{}");
    const { out, err } = await says(world.run("tools list --json --category custom"));
    expect(JSON.parse(out)).toMatchObject({
      tools: [{ id: "hello", source: { kind: "plugin", name: "p-hello", file } }],
      errors: [{ message: "needs name and tools." }],
    });
    expect(err).toContain("b.json:1:1: needs name and tools.");
    expect((await world.run("tools show hello")).out).toContain(`source      plugin p-hello (${file})`);
    expect((await world.run("tools call hello --yes")).out).toBe("hello\n");
  });

  it("call with only the errors that concern the tool", async () => {
    userFile("a.json", plugin("hello", "hello"));
    userFile("b.json", "{}");
    userFile("c.json", { name: "c", tools: [shellTool("other", "x", { permission: "root" })] });
    userFile("d.json", { name: "d", tools: [shellTool("wrong", "x", { permission: "root" })] });
    expect(await world.run("tools call hello --yes")).toMatchObject({ out: "hello\n", err: "" });
    const { code, err } = await world.run("tools call wrong");
    expect(code).toBe(1);
    expect(err).toMatch(/d\.json:\d+:\d+: tool "wrong": permission:/);
    // It might have had the tool.
    expect(err).toContain("b.json:1:1: needs name and tools.");
    expect(err).not.toContain("other");
  });

  it("call tools whose names begin with _ or -", async () => {
    userFile("a.json", { name: "a", tools: [shellTool("_x", "under"), shellTool("-x", "dash")] });
    expect((await world.run("tools call _x --yes")).out).toBe("under\n");
    expect((await world.run("tools call --yes -- -x")).out).toBe("dash\n");
  });

  it("load a file with a key that nobody knows, and warn of it", async () => {
    const file = userFile("a.json", { ...plugin("hello", "hello"), author: "me" });
    const { out, err, code } = await world.run("tools reload");
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^1 plugin tool is loaded\n/),
    });
    expect(err).toMatch(/^warning: .*a\.json:1:\d+: author: unknown key/);
    const said = JSON.parse((await world.run(["tools", "validate", "--json", file])).out) as object;
    expect(said).toMatchObject({ success: true, errors: [], warnings: [{ source: file, field: "author" }] });
    expect(await world.run("tools call hello --yes")).toMatchObject({ out: "hello\n", err: "" });
  });
});

describe("toolgate trust and plugins", () => {
  it("shows what a project's plugins run, and loads them from then on", async () => {
    world.file(".toolgate/tools/a.json", JSON.stringify(plugin("a", "hello")));
    await expectEnd(world.run("tools list"), { err: "toolgate trust):\n  .toolgate/tools/a.json\n" });
    await says(world.run("trust --yes"), 'tool "a": runs echo hello (.toolgate/tools/a.json:1)');
    expect((await world.run("tools call a --yes")).out).toBe("hello\n");
    expect((await world.run("trust --list")).out).toContain("a.json");
    world.file(".toolgate/tools/a.json", JSON.stringify(plugin("a", "changed")));
    expect((await world.run("tools call a --yes")).err).toContain("There is no tool");
    expect((await world.run("trust .toolgate/tools/a.json")).out).toContain("has changed since");
    expect((await world.run("trust --revoke .toolgate")).code).toBe(0);
    expect((await world.run("tools list")).err).toContain("need your trust");
  });

  it("does not trust a plugin that cannot be loaded", async () => {
    world.file(".toolgate/tools/a.json", "{}");
    await refuses(world.run("trust"), ".toolgate/tools/a.json:1:1: needs name and tools.");
  });
});

describe("toolgate test and plugins", () => {
  const tests = [
    { desc: "it says it", input: {}, expect: "hello" },
    { input: {}, contains: "nothing of the sort" },
    { desc: "it fails", input: {}, error: "boom" },
  ];
  const tool = shellTool("say", "hello", { tests });

  it("makes the calls and shows what came instead of what was expected", async () => {
    const file = world.file("p.json", JSON.stringify({ name: "p", tools: [tool] }, undefined, 1));
    const { out } = await fails(world.run("test p.json"));
    expect(out.split("\n")).toEqual([
      "p.json",
      "  ✓ say: it says it",
      '  ✗ say: {} should answer with "nothing of the sort"',
      '      contains: "nothing of the sort"',
      '      got: "hello"',
      "      tool: p.json:5",
      "  ✗ say: it fails",
      '      error: "boom"',
      '      got: "hello"',
      "      tool: p.json:5",
      "",
      "1 test passed, 2 failed",
      "",
    ]);
    expect(await world.json("test p.json", { code: 1 })).toMatchObject({
      passed: 1,
      failed: 2,
      files: [{ file, tests: [{ tool: "say", ok: true }, { ok: false, got: "hello" }, { ok: false }] }],
    });
  });

  it("counts a plugin file that cannot be loaded as a failure", async () => {
    userFile("a.json", { name: "a", tools: [{ ...tool, tests: [tests[0]] }] });
    userFile("b.json", "{}");
    await fails(world.run("test"), "  ✗ b.json:1:1: needs name and tools.\n", /\d+ tests? passed, 1 failed/);
  });

  it("never runs what nobody trusts, unless it is named", async () => {
    const marker = join(world.root, "ran");
    const touch = shellTool("touch", "x", {
      handler: { type: "shell", command: `touch ${marker}` },
      tests: [{ input: {}, contains: "no output" }],
    });
    const file = JSON.stringify({ name: "p", tools: [touch] });
    world.file(".toolgate/tools/a.json", file);
    world.file("env/b.json", file.replace('"touch"', '"touch2"'));
    await expectEnd(world.run("test", { env: { TOOLGATE_TOOLS_DIR: "env" } }), {
      err: ["need your trust", "Not tested"],
    });
    expect(existsSync(marker)).toBe(false);
    expect((await world.run("test env/b.json")).code).toBe(0);
    expect(existsSync(marker)).toBe(true);
  });
});
