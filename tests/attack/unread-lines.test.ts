/** A line that the parser is not even given: what protects files holds for the words in it all the same. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { createGate } from "../../src/index.ts";
import { deny, folderWith, judgedBy } from "./command-policies.ts";

const root = folderWith(".env", "id_rsa", "plans", "a.txt");
const names = "(^|/)(\\.env|id_rsa|plans)$";
const closed = deny({ type: "path", operator: "matches", value: names }, { tools: "*" });
const verdict = judgedBy(await createGate({ roots: [root], policies: [closed] }), root);

const manyWords = Array.from({ length: 400 }, (_, i) => `w${i}`).join(" ");

describe("a line that cannot be read", () => {
  it.each([
    "cat .env \\",
    "cat .env;\\",
    "cat .env \ud800",
    "cat .env\0",
    "cat .e\0nv",
    "cat .env \v",
    "cat id_rsa \\",
    "cat plans \u200b",
    "cat<.env \\",
    "cat '.env' \\",
    "cat .e\\nv \\",
    'cat ".e"nv \\',
    "cat a.txt >plans \\",
    "ls; bash -c 'cat .env \\'",
    "ls && eval 'cat plans \u2028'",
    `cat plans #${"x".repeat(70_000)}`,
  ])("does not open what a policy closes: %j", async (line) => {
    expect(await verdict(line)).toBe("deny");
  });

  it("asks where it holds more words than are looked at", async () => {
    expect(await verdict(`: ${manyWords}; cat pla* \\`)).toBe("ask");
    expect(await verdict(`cat plans; : ${manyWords} \\`)).toBe("deny");
  });

  it("is left to the agent where no word of it is closed", async () => {
    expect(await verdict("cat a.txt \\")).toBe("abstain");
    expect(await verdict("npm test \u00a0")).toBe("abstain");
  });

  it("does run in a shell", () => {
    const { stdout } = spawnSync("/bin/bash", ["-c", "cat .env \\"], { cwd: root, encoding: "utf8" });
    expect(stdout).toBe("text");
  });
});
