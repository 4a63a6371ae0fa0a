import { describe, expect, it } from "vitest";
import { createRunners } from "../../../src/open/open-runners.ts";

const settings = {
  type: "acp",
  command: [process.execPath, "--version"],
  env: { KEY: `\${AGENT_KEY}` },
} as const;

describe("a runner of type acp in the configuration", () => {
  it("is made with its command, title and variables", () => {
    const [runner] = createRunners({ agent: { ...settings, title: "An agent" } }, { AGENT_KEY: "x" });
    expect(runner).toMatchObject({ name: "agent", title: "An agent", offers: ["agent", "gate", "none"] });
    expect(runner?.explainMissing?.()).toBeUndefined();
  });

  it("says which variables are missing before a session starts", () => {
    const [runner] = createRunners({ agent: settings }, {});
    expect(runner?.explainMissing?.()).toBe("The runner agent needs variables that are not set: AGENT_KEY.");
  });
});
