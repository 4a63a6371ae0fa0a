/** A line that the parser is not even given: what protects files holds for the words in it all the same. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createGate, type Policy } from "../../src/index.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-unread-")));
afterAll(() => rmSync(root, { recursive: true }));
for (const name of [".env", "id_rsa", "plans", "a.txt"]) writeFileSync(join(root, name), `text of ${name}`);

const closed: Policy = {
  name: "closed",
  tools: "*",
  action: "deny",
  conditions: [{ type: "path", operator: "matches", value: "(^|/)(\\.env|id_rsa|plans)$" }],
};
const gate = await createGate({ roots: [root], policies: [closed] });
const verdict = async (command: string) =>
  (await gate.explain({ tool: "Bash", input: { command }, cwd: root }, { as: "check" })).verdict;

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
    expect(stdout).toBe("text of .env");
  });
});
