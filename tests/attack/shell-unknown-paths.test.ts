import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createGate } from "../../src/index.ts";

const root = mkdtempSync(join(tmpdir(), "toolgate-unknown-"));
for (const name of ["a", "b", ".env"]) writeFileSync(join(root, name), "text");
afterAll(() => rmSync(root, { recursive: true }));

const gate = await createGate({
  roots: [root],
  policies: [
    {
      name: "readers",
      tools: "Bash",
      action: "approve",
      conditions: [{ type: "command", operator: "startsWith", value: ["cat", "ls", "echo", "wc"] }],
    },
  ],
});
const verdict = async (command: string) =>
  (await gate.explain({ tool: "Bash", input: { command } }, { as: "check" })).verdict;

describe("a program approved by name", () => {
  it.each([
    "cat $(echo .env)",
    `cat "$(echo /etc/passwd)"`,
    "cat $" + "{X:-.env}",
    "x=.env; cat $x",
    "for f in /etc/passwd; do cat $f; done",
    `for f in .env; do cat "$f"; done`,
    "cat .e*",
  ])("does not get by a detour what it does not get by name: %s", async (command) => {
    expect(await verdict(command)).not.toBe("allow");
  });

  it.each([
    "cat a",
    "for f in a b; do cat $f; done",
    `for f in *; do wc -l "$f"; done`,
    "ls $" + "{DIR:-.}",
    `ls "$DIR"`,
  ])("still does its work: %s", async (command) => {
    expect(await verdict(command)).toBe("allow");
  });
});
