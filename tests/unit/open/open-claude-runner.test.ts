import { describe, expect, it } from "vitest";
import { createRunners } from "../../../src/open/open-runners.ts";

const named = (name: string, runners: ReturnType<typeof createRunners>) =>
  runners.find((runner) => runner.name === name);

describe("the claude runner of the configuration", () => {
  it("is there without a word in it, and says how to install the SDK", async () => {
    const runner = named("claude", createRunners({}, { HOME: "/home/ann" }));
    expect(runner?.title).toBe("Claude Agent SDK");
    expect(await runner?.explainMissing?.()).toContain(
      "npm install --prefix /home/ann/.local/share/toolgate @anthropic-ai/claude-agent-sdk",
    );
  });

  it("takes what the configuration says, and says which variable is missing", async () => {
    const settings = { type: "claude", title: "Mine", env: { AWS_PROFILE: `\${PROFILE}` } } as const;
    const [one] = createRunners({ claude: settings }, { HOME: "/home/ann" });
    expect([one?.name, one?.title]).toEqual(["claude", "Mine"]);
    expect(await one?.explainMissing?.()).toBe(
      "The runner claude needs variables that are not set: PROFILE.",
    );
  });
});
