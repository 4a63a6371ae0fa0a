import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { createGate } from "../../src/index.ts";

const gate = await createGate({
  roots: [realpathSync(tmpdir())],
  policies: [
    {
      name: "tests",
      tools: "Bash",
      action: "approve",
      conditions: [{ type: "command", operator: "startsWith", value: "npm test" }],
    },
    {
      name: "no-root",
      tools: "Bash",
      action: "deny",
      conditions: [{ type: "command", operator: "startsWith", value: "sudo" }],
    },
  ],
});
const verdict = async (command: string) =>
  (await gate.explain({ tool: "Bash", input: { command } }, { as: "check" })).verdict;

describe("a wrapper that is another program of the same name", () => {
  it.each([
    "./timeout 5 npm test",
    "./x/timeout 5 npm test",
    "/tmp/timeout 5 npm test",
    "/tmp/nice npm test",
    "timeout 5 ./nohup npm test",
    "../stdbuf -o0 npm test",
  ])("is not approved with what it wraps: %s", async (line) => {
    expect(await verdict(line)).not.toBe("allow");
  });

  it("is approved by its plain name, and a denial means it wherever it lies", async () => {
    expect(await verdict("timeout 5 npm test")).toBe("allow");
    expect(await verdict("/usr/bin/sudo npm test")).toBe("deny");
    expect(await verdict("/usr/bin/timeout 5 sudo npm test")).toBe("deny");
  });
});

describe("an approved command in a folder that somebody else filled", () => {
  it.each([
    "cd vendor/evil && npm test",
    "pushd vendor/evil; npm test",
    "(cd vendor/evil && npm test)",
    "if true; then cd vendor/evil; fi; npm test",
    'cd "$D"; npm test',
  ])("is not approved by its usage: %s", async (command) => {
    const byUsage = await createGate({
      roots: [realpathSync(tmpdir())],
      policies: [
        {
          name: "tests",
          tools: "Bash",
          action: "approve",
          conditions: [{ type: "command", operator: "usage", value: "npm test" }],
        },
      ],
    });
    const explain = (line: string) =>
      byUsage.explain({ tool: "Bash", input: { command: line } }, { as: "check" });
    expect((await explain(command)).verdict).not.toBe("allow");
    expect((await explain("npm test")).verdict).toBe("allow");
  });
});
