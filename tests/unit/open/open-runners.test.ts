/** Runners as the configuration names them: what is made of it, and what is missing before a session starts. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRunners } from "../../../src/open/open-runners.ts";

describe("a runner of type acp", () => {
  const command = [process.execPath, "--version"] as const;
  const settings = { type: "acp", command, env: { KEY: `\${AGENT_KEY}` } } as const;

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

describe("a chat runner", () => {
  const only = (settings: object, env: Record<string, string> = {}) => {
    const [runner] = createRunners({ mine: { type: "chat", api: "openai", ...settings } }, env);
    if (runner === undefined) throw new Error("There is no runner.");
    return runner;
  };

  it("is at its maker's address unless another one is given", () => {
    const title = "gpt at api.openai.com (OpenAI chat completions)";
    expect(only({ model: "gpt" })).toMatchObject({ name: "mine", title });
    expect(only({ api: "anthropic", model: "haiku" }).title).toContain("api.anthropic.com");
    expect(only({ baseUrl: "http://127.0.0.1:11434/v1", title: "Local" }).title).toBe("Local");
  });

  it("says where its key is missing, and never what it is", async () => {
    const folder = mkdtempSync(join(tmpdir(), "chat-key-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    expect(await only({ keyEnv: "KEY" }).explainMissing?.()).toMatch(
      /The key of the runner mine .* the environment variable KEY is not set/,
    );
    expect(await only({ keyEnv: "KEY" }, { KEY: "sk-1" }).explainMissing?.()).toBeUndefined();
    const keyFile = join(folder, "key");
    const runner = only({ keyFile });
    expect(await runner.explainMissing?.()).toMatch(/cannot be read: .*there is no such file/);
    writeFileSync(keyFile, "sk-2\n");
    expect(await runner.explainMissing?.()).toBeUndefined();
    expect(await only({ keyFile: folder }).explainMissing?.()).toMatch(/no plain file/);
    expect(await only({}).explainMissing?.()).toBeUndefined();
  });

  it("names the variable whose address cannot be right, unless the configuration has another", () => {
    const env = { ANTHROPIC_API_KEY: "sk-1", ANTHROPIC_BASE_URL: "foo" };
    expect(() => createRunners({}, env)).toThrow(/ANTHROPIC_BASE_URL/);
    expect(createRunners({ chat: { type: "chat", api: "openai" } }, env)).toHaveLength(2);
  });
});

describe("the claude runner", () => {
  const env = { HOME: "/home/ann" };

  it("is there without a word in it, and says how to install the SDK", async () => {
    const runner = createRunners({}, env).find(({ name }) => name === "claude");
    expect(runner?.title).toBe("Claude Agent SDK");
    expect(await runner?.explainMissing?.()).toContain(
      "npm install --prefix /home/ann/.local/share/toolgate @anthropic-ai/claude-agent-sdk",
    );
  });

  it("takes what the configuration says, and says which variable is missing", async () => {
    const settings = { type: "claude", title: "Mine", env: { AWS_PROFILE: `\${PROFILE}` } } as const;
    const [one] = createRunners({ claude: settings }, env);
    expect([one?.name, one?.title]).toEqual(["claude", "Mine"]);
    const missing = "The runner claude needs variables that are not set: PROFILE.";
    expect(await one?.explainMissing?.()).toBe(missing);
  });
});
