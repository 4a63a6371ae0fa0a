import { describe, it } from "vitest";
import { useCliWorld } from "./cli-world.ts";
import { refuses, says } from "./expect-end.ts";

const world = useCliWorld(() => {}, "file");

describe("toolgate tokens inside an agent", () => {
  it.each(["CLAUDECODE", "GEMINI_CLI", "TOOLGATE_CALL"])(
    "gives out and takes back nothing where %s is set, and still lists",
    async (name) => {
      const env = { [name]: "1" };
      await world.run("tokens create mine --rights call --replace");
      for (const words of [
        ["tokens", "create", "theirs", "--rights", "call,approve"],
        ["tokens", "revoke", "mine"],
      ]) {
        await refuses(world.run(words, { env }), "a person's decision");
      }
      await says(world.run("tokens list", { env }), /^mine: call.*\n$/);
    },
  );

  it("works for a person at a terminal that the agent has opened", async () => {
    await says(
      world.run("tokens create at-terminal --rights call", {
        env: { CLAUDECODE: "1" },
        isTerminal: true,
        stdinIsTerminal: true,
      }),
      /^\S+\n$/,
    );
  });
});
