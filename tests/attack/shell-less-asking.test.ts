/** A rule against one program leaves others alone, however dynamic their words are. */
import { describe, expect, it } from "vitest";
import { type Condition, createGate } from "../../src/index.ts";
import { all, deny, judgedBy, command as says } from "./command-policies.ts";

async function verdicts(condition: Condition, commands: readonly string[]) {
  const judged = judgedBy(await createGate({ policies: [deny(condition)] }));
  const found: Record<string, string> = {};
  for (const command of commands) found[command] = await judged(command);
  return found;
}

const matches = (value: string) => says(value, "matches");
const startsWith = (value: string) => says(value);

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
      expect(await verdicts(conditions, others)).toEqual(all(others, "abstain"));
  });

  it("still asks where the unknown word may make it the one that is meant", async () => {
    const unknown = ["git $x", "$x push", "git $(echo push)", "sudo $x"];
    for (const conditions of [matches("^git push"), matches("^git\\s+push\\b"), startsWith("git push")])
      expect(await verdicts(conditions, unknown)).toEqual(all(unknown, "ask"));
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
