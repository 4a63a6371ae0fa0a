/** Where `--out` of several commands leads. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliWorld, createCliWorld } from "./cli-world.ts";

let world: CliWorld;
beforeAll(() => {
  world = createCliWorld();
});
afterAll(() => world.close());

describe("toolgate tokens create", () => {
  it.each(["--out", "--output", "-o"])(
    "makes the folder of %s if it is missing, and says so",
    async (option) => {
      const file = `new${option}/folder/a.token`;
      const argv = ["tokens", "create", `a${option}`, "--rights", "call", option, file];
      const { code, out, err } = await world.run(argv);
      expect([code, out]).toEqual([0, ""]);
      expect(err).toMatch(/^Made the folder new\S+\/folder, which was not there\.\n/);
      expect(readFileSync(join(world.root, file), "utf8")).toMatch(/^\S+\n$/);
      const again = await world.run([...argv, "--replace"]);
      expect([again.code, again.err]).toEqual([0, expect.not.stringContaining("Made the folder")]);
    },
  );

  it("gives out nothing where the file cannot be written", async () => {
    world.file("plain", "");
    const { code, err } = await world.run(["tokens", "create", "none", "--rights", "call", "-o", "plain/x"]);
    expect(code).toBe(1);
    expect(err).toMatch(/^toolgate: plain\/x was not written: its folder is not there and cannot be made: /);
    expect((await world.run(["tokens", "list"])).out).not.toContain("none");
  });
});

describe("toolgate audit export and convert", () => {
  it("make the folder of --out or --output if it is missing, and say so", async () => {
    world.file("old.json", '{"routes":{"a":{"tool":"Bash","pattern":"^a","message":"m"}}}');
    for (const option of ["--out", "--output"]) {
      const exported = await world.run(["audit", "export", option, `audit${option}/l.jsonl`]);
      expect([exported.code, exported.err]).toEqual([
        0,
        expect.stringContaining(`Made the folder audit${option},`),
      ]);
      const converted = await world.run(["convert", "old.json", option, `yaml${option}/r.yaml`]);
      expect([converted.code, converted.err]).toEqual([
        0,
        expect.stringContaining(`Made the folder yaml${option},`),
      ]);
    }
  });
});
