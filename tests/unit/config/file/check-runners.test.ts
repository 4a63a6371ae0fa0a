import { describe, expect, it } from "vitest";
import { problemsIn } from "../world.ts";

const problems = (runner: string) => problemsIn(`sessions: { runners: { ${runner} } }\n`);

describe("runners of a configuration file", () => {
  it.each([
    "a: { type: chat, api: openai, base_url: 'http://127.0.0.1:1/v1', model: m, key_env: K }",
    "a: { type: claude, model: sonnet }",
    `a: { type: acp, command: [gemini, --acp], env: { KEY: "\${KEY}" } }`,
  ])("are taken: %s", (runner) => {
    expect(problems(runner)).toEqual([]);
  });

  it.each([
    ["a: { api: openai }", "type"],
    ["a: { type: parrot }", "type"],
    ["a: { type: chat }", 'needs "api"'],
    ["a: { type: chat, api: other }", "api"],
    ["a: { type: chat, api: openai, base_url: 'ftp://x' }", "no http or https address"],
    ["a: { type: chat, api: openai, key_env: A, key_file: b }", "not both"],
    ["a: { type: chat, api: openai, command: [x] }", 'does not go with type "chat"'],
    ["a: { type: acp }", 'needs "command"'],
    ["a: { type: acp, command: [] }", "command"],
    [`a: { type: acp, command: [x], env: { K: "\${1}" } }`, "not the name of an environment variable"],
    ["a: { type: claude, api: openai }", 'does not go with type "claude"'],
    ["a: { type: claude, modle: x }", "modle"],
    ["'A B': { type: claude }", "a runner's name"],
  ])("are refused: %s", (runner, why) => {
    expect(problems(runner).join("\n")).toContain(why);
  });
});
