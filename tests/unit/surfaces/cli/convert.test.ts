import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useCliWorld } from "./cli-world.ts";
import { expectEnd, refuses, says } from "./expect-end.ts";

const world = useCliWorld();

const old = JSON.stringify({
  routes: {
    "no-curl": {
      tool: "Bash",
      pattern: "^curl ",
      message: "Use WebFetch.",
      tests: [
        { desc: "curl", input: { tool_name: "Bash", tool_input: { command: "curl x" } }, expect: "block" },
      ],
    },
  },
});

describe("toolgate convert", () => {
  it("prints YAML that passes its own tests", async () => {
    world.file("tool-routes.json", old);
    const { out } = await says(world.run("convert tool-routes.json"));
    world.file("new.yaml", out);
    expect((await world.run("test new.yaml")).out).toContain("1 test passed, 0 failed");
  });

  it("writes a file, but never over one that is there", async () => {
    world.file("tool-routes.json", old);
    const argv = ["convert", "tool-routes.json", "--out", "new.yaml"];
    await expectEnd(world.run(argv), { out: "", err: "Wrote new.yaml" });
    const text = readFileSync(join(world.root, "new.yaml"), "utf8");
    world.file("new.yaml", "mine\n");
    await refuses(world.run(argv), "--force");
    expect(readFileSync(join(world.root, "new.yaml"), "utf8")).toBe("mine\n");
    expect((await world.run([...argv, "--force"])).code).toBe(0);
    expect(readFileSync(join(world.root, "new.yaml"), "utf8")).toBe(text);
    expect(readdirSync(world.root).filter((name) => name.includes("tmp"))).toEqual([]);
  });

  it.each([
    ["nope.json", "There is no such file.", undefined],
    ["bad.json", "bad.json", "{nonsense"],
    ["list.json", "list.json", "[1]"],
    ["wrong.json", "wrong.json", '{"routes":{"a":{"tool":7}}}'],
  ])("says what is wrong with %s and writes nothing", async (name, message, text) => {
    if (text !== undefined) world.file(name, text);
    await refuses(world.run(["convert", name, "--out", "new.yaml"]), message);
    expect(existsSync(join(world.root, "new.yaml"))).toBe(false);
  });

  it.each([
    ["tool-routes.json", "it is the file to convert"],
    [".git", "is there already"],
  ])("refuses to write to %s", async (out, message) => {
    world.file("tool-routes.json", old);
    await refuses(world.run(["convert", "tool-routes.json", "--out", out]), message);
    expect(readFileSync(join(world.root, "tool-routes.json"), "utf8")).toBe(old);
  });

  it("makes the folder it writes into", async () => {
    world.file("tool-routes.json", old);
    await says(world.run("convert tool-routes.json --out .claude/tool-routes.yaml"));
    expect(existsSync(join(world.root, ".claude/tool-routes.yaml"))).toBe(true);
  });

  it("writes nothing when a pattern could not be used", async () => {
    world.file("tool-routes.json", '{"routes":{"x":{"pattern":"(a","message":"m"}}}');
    await refuses(world.run("convert tool-routes.json --out new.yaml"), 'route "x"');
    expect(existsSync(join(world.root, "new.yaml"))).toBe(false);
  });
});
