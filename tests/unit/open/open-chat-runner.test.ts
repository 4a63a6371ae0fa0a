import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRunners } from "../../../src/open/open-runners.ts";

const folder = mkdtempSync(join(tmpdir(), "chat-key-"));
const only = (settings: object, env: Record<string, string> = {}) => {
  const [runner] = createRunners({ mine: { type: "chat", api: "openai", ...settings } }, env);
  if (runner === undefined) throw new Error("There is no runner.");
  return runner;
};

describe("a chat runner of the configuration", () => {
  it("is at its maker's address unless another one is given", () => {
    expect(only({ model: "gpt" })).toMatchObject({
      name: "mine",
      title: "gpt at api.openai.com (OpenAI chat completions)",
    });
    expect(only({ api: "anthropic", model: "haiku" }).title).toContain("api.anthropic.com");
    expect(only({ baseUrl: "http://127.0.0.1:11434/v1", title: "Local" }).title).toBe("Local");
  });

  it("says where its key is missing, and never what it is", async () => {
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
