/** A rule against one program leaves others alone, however dynamic their words are. */
import { describe, expect, it } from "vitest";
import { createGate, type Policy } from "../../src/index.ts";

async function verdicts(conditions: Policy["conditions"], commands: readonly string[]) {
  const gate = await createGate({
    policies: [{ name: "stop", tools: "Bash", action: "deny", ...(conditions && { conditions }) }],
  });
  const found: Record<string, string> = {};
  for (const command of commands)
    found[command] = (await gate.explain({ tool: "Bash", input: { command } }, { as: "check" })).verdict;
  return found;
}

const matches = (value: string) => [{ type: "command", operator: "matches", value }] as const;
const startsWith = (value: string) => [{ type: "command", operator: "startsWith", value }] as const;

describe("a deny on one program", () => {
  it("does not ask about another whose words are not known", async () => {
    const others = ["ls $x", "ls *.txt", "echo $?", 'git log -- "$x"', "cat $(ls)", "wc -l *.ts"];
    for (const conditions of [
      matches("^git push"),
      matches("^git\\s+push\\b.*--force"),
      matches("(?:^|\\s)git push"),
      matches("rm\\s+-rf"),
      startsWith("git push"),
    ])
      expect(await verdicts(conditions, others)).toEqual(
        Object.fromEntries(others.map((command) => [command, "abstain"])),
      );
  });

  it("still asks where the unknown word may make it the one that is meant", async () => {
    for (const conditions of [matches("^git push"), matches("^git\\s+push\\b"), startsWith("git push")])
      expect(await verdicts(conditions, ["git $x", "$x push", "git $(echo push)", "sudo $x"])).toEqual({
        "git $x": "ask",
        "$x push": "ask",
        "git $(echo push)": "ask",
        "sudo $x": "ask",
      });
    // Which program a pattern speaks of is not plain here, or the program may run what it is given.
    expect(await verdicts(matches("git push|hg push"), ["ls $x"])).toEqual({ "ls $x": "ask" });
    expect(await verdicts(matches("prod"), ["psql $x"])).toEqual({ "psql $x": "ask" });
    expect(await verdicts(matches("rm -rf"), ["wrapper $x"])).toEqual({ "wrapper $x": "ask" });
    expect(await verdicts(matches("^g?it push"), ["it $x"])).toEqual({ "it $x": "ask" });
    expect(await verdicts(matches("^git (-C x )?push"), ["git -C $x push"])).toEqual({
      "git -C $x push": "deny",
    });
  });

  it("knows that nothing behind -- is an option of rm", async () => {
    expect(
      await verdicts(startsWith("rm -rf"), ["rm -- -rf", "rm -rf -- x", "rm -r -f x", "rm $x -- -rf"]),
    ).toEqual({
      "rm -- -rf": "abstain",
      "rm -rf -- x": "deny",
      "rm -r -f x": "deny",
      "rm $x -- -rf": "deny",
    });
    // What a program hands on, it may hand on as an option; and `--` may be the value of another.
    expect(await verdicts(startsWith("npm run deploy --force"), ["npm run deploy -- --force"])).toEqual({
      "npm run deploy -- --force": "deny",
    });
    expect(await verdicts(startsWith("git push --force"), ["git push -o -- --force"])).toEqual({
      "git push -o -- --force": "deny",
    });
  });
});
