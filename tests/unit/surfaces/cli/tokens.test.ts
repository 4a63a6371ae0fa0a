import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliWorld, createCliWorld } from "./cli-world.ts";

let world: CliWorld;
beforeAll(() => {
  world = createCliWorld();
});
afterAll(() => world.close());

describe("toolgate tokens inside an agent", () => {
  it.each(["CLAUDECODE", "GEMINI_CLI", "TOOLGATE_CALL"])(
    "gives out and takes back nothing where %s is set, and still lists",
    async (name) => {
      const env = { [name]: "1" };
      await world.run(["tokens", "create", "mine", "--rights", "call", "--replace"]);
      for (const words of [
        ["tokens", "create", "theirs", "--rights", "call,approve"],
        ["tokens", "revoke", "mine"],
      ]) {
        const { code, out, err } = await world.run(words, { env });
        expect([code, out, err]).toEqual([1, "", expect.stringContaining("a person's decision")]);
      }
      const { code, out } = await world.run(["tokens", "list"], { env });
      expect([code, out]).toEqual([0, expect.stringMatching(/^mine: call.*\n$/)]);
    },
  );

  it("works for a person at a terminal that the agent has opened", async () => {
    const { code, out } = await world.run(["tokens", "create", "at-terminal", "--rights", "call"], {
      env: { CLAUDECODE: "1" },
      isTerminal: true,
      stdinIsTerminal: true,
    });
    expect([code, out]).toEqual([0, expect.stringMatching(/^\S+\n$/)]);
  });
});
