import { describe, expect, it } from "vitest";
import { agentEnvironment, withoutOwn } from "../../../../../src/sessions/runners/claude/environment.ts";

describe("the environment of the agent's process", () => {
  it("has how the model is reached and what is configured, and nothing else of ours", () => {
    const source = {
      ANTHROPIC_API_KEY: "key",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
      CLAUDE_CODE_USE_BEDROCK: "1",
      HTTPS_PROXY: "http://proxy",
      AWS_SECRET_ACCESS_KEY: "not named",
      CLAUDE_CODE_SSE_PORT: "1",
      NODE_OPTIONS: "--require ./evil.js",
      TOOLGATE_TOKEN: "secret",
    };
    const env = agentEnvironment({ AWS_PROFILE: "work", DISABLE_AUTOUPDATER: "0", TOOLGATE_X: "no" }, source);
    expect(env).toEqual({
      ANTHROPIC_API_KEY: "key",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
      CLAUDE_CODE_USE_BEDROCK: "1",
      HTTPS_PROXY: "http://proxy",
      AWS_PROFILE: "work",
      DISABLE_AUTOUPDATER: "0",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      ENABLE_TOOL_SEARCH: "false",
    });
  });

  it("loses what the SDK puts in and is no variable, or ours", () => {
    expect(withoutOwn({ A: "1", B: undefined, "BASH_FUNC_x%%": "()", toolgate_token: "x" })).toEqual({
      A: "1",
    });
  });
});
