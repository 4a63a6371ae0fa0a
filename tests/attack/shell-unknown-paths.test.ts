import { describe, expect, it } from "vitest";
import { createGate, type Policy } from "../../src/index.ts";
import { approve, folderWith, judgedBy, reading, command as says } from "./command-policies.ts";

const root = folderWith("a", "b", ".env", "sub/");
const judging = async (policy: Policy) => judgedBy(await createGate({ roots: [root], policies: [policy] }));

const READERS = "pwd cat ls echo wc cd pushd popd grep awk find sort xargs head".split(" ");
const verdict = await judging(approve(says(READERS)));
/** The same programs, said to be approved as far as they read. */
const careful = await judging(approve([says(READERS), reading]));

describe("a program approved by name", () => {
  it.each([
    "cat $(echo .env)",
    `cat "$(echo /etc/passwd)"`,
    "cat $" + "{X:-.env}",
    "x=.env; cat $x",
    "for f in /etc/passwd; do cat $f; done",
    `for f in .env; do cat "$f"; done`,
    "cat .e*",
    // No word of these is dynamic, and yet nobody knows which file is read.
    "cd sub && cd - && cat a",
    "cd -P sub/.. && cat a",
    "pushd sub && popd && cat a",
    "cd ~- && cat a",
    `awk 'BEGIN{ARGV[1]=".env";ARGC=2}{print}'`,
    "grep -R x .",
    "find . -exec cat {} +",
    "ls | xargs cat",
    `cat "$FILE"`,
    "cat $FILE",
    "cat $" + "{FILE:-a}",
    "cd $DIR && cat a",
    "cd - && cat $(pwd)/a",
    "cat $(pwd)/.env",
    "cat $(pwd -P)/a",
    "pwd() { echo /etc; }; cat $(pwd)/hostname",
    "for d in *; do cd $d; cat a; done",
  ])("does not get by a detour what it does not get by name: %s", async (command) => {
    expect(await verdict(command)).not.toBe("allow");
    expect(await careful(command)).not.toBe("allow");
  });

  it.each([
    "cat a",
    "for f in a b; do cat $f; done",
    `for f in *; do wc -l "$f"; done`,
    "cd sub && ls",
    "cd sub && cd .. && cat a",
    `ls "$PWD"`,
    "ls $(pwd)",
    'cat "$(pwd)/a"',
    "cd sub && ls $(pwd)",
    "ls $" + "{DIR:-.}",
    `ls "$DIR"`,
    "cat a | head -1",
    "wc -l < a",
    "while cat; do echo x; done < a",
    "echo $?",
    "ls *",
  ])("still does its work: %s", async (command) => {
    expect(await verdict(command)).toBe("allow");
    expect(await careful(command)).toBe("allow");
  });

  it.each(["cat < .env", "wc -l < /etc/hostname", "while cat; do echo x; done < .env", "< .env cat"])(
    "reads by a redirect only what it could read by name: %s",
    async (command) => {
      expect(await verdict(command)).not.toBe("allow");
    },
  );

  it("covers what nobody can read in advance where the rule says that it means that, too", async () => {
    const value = ["read", "write", "execute", "opaque"];
    const everything = await judging(approve({ type: "risk", operator: "equals", value }));
    expect(await everything(`cat "$FILE"`)).toBe("allow");
  });
});
