import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { createGate } from "../../src/index.ts";
import { approve, deny, judgedBy, command as says } from "./command-policies.ts";

const roots = [realpathSync(tmpdir())];
const policies = [approve(says("npm test")), deny(says("sudo"))];
const verdict = judgedBy(await createGate({ roots, policies }));

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

it.each([
  "cd vendor/evil && npm test",
  "pushd vendor/evil; npm test",
  "(cd vendor/evil && npm test)",
  "if true; then cd vendor/evil; fi; npm test",
  'cd "$D"; npm test',
])(
  "an approved command in a folder that somebody else filled is not approved by its usage: %s",
  async (command) => {
    const byUsage = judgedBy(await createGate({ roots, policies: [approve(says("npm test", "usage"))] }));
    expect(await byUsage(command)).not.toBe("allow");
    expect(await byUsage("npm test")).toBe("allow");
  },
);
