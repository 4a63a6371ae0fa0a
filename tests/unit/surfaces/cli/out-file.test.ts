/** Where `--out` of several commands leads. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useCliWorld } from "./cli-world.ts";
import { expectEnd, refuses } from "./expect-end.ts";

const world = useCliWorld(() => {}, "file");

describe("toolgate tokens create", () => {
  it.each(["--out", "--output", "-o"])(
    "makes the folder of %s if it is missing, and says so",
    async (option) => {
      const file = `new${option}/folder/a.token`;
      const argv = ["tokens", "create", `a${option}`, "--rights", "call", option, file];
      await expectEnd(world.run(argv), {
        out: "",
        err: /^Made the folder new\S+\/folder, which was not there\.\n/,
      });
      expect(readFileSync(join(world.root, file), "utf8")).toMatch(/^\S+\n$/);
      await expectEnd(world.run([...argv, "--replace"]), { never: "Made the folder" });
    },
  );

  it("gives out nothing where the file cannot be written", async () => {
    world.file("plain", "");
    await refuses(
      world.run("tokens create none --rights call -o plain/x"),
      /^toolgate: plain\/x was not written: its folder is not there and cannot be made: /,
    );
    expect((await world.run("tokens list")).out).not.toContain("none");
  });
});

describe("toolgate audit export and convert", () => {
  it("make the folder of --out or --output if it is missing, and say so", async () => {
    world.file("old.json", '{"routes":{"a":{"tool":"Bash","pattern":"^a","message":"m"}}}');
    for (const option of ["--out", "--output"]) {
      await expectEnd(world.run(["audit", "export", option, `audit${option}/l.jsonl`]), {
        err: `Made the folder audit${option},`,
      });
      await expectEnd(world.run(["convert", "old.json", option, `yaml${option}/r.yaml`]), {
        err: `Made the folder yaml${option},`,
      });
    }
  });
});
