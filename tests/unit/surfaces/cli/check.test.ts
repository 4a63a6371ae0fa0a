import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliWorld, call, createCliWorld, goodFile } from "./cli-world.ts";

let world: CliWorld;
beforeEach(() => {
  world = createCliWorld();
  world.file("toolgate.yaml", goodFile);
});
afterEach(() => world.close());

const check = (stdin: string, ...argv: string[]) => world.run(["check", ...argv], { stdin });
const push = call("Bash", { command: "git push --force" });
const status = call("Bash", { command: "git status" });

describe("toolgate check", () => {
  it("blocks with exit 2, says why and by which rule on standard error, and nothing on standard output", async () => {
    const { code, out, err } = await check(push);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Do not force-push; open a pull request.");
    expect(err).toContain("no-force-push");
  });

  it("lets pass with exit 0 and silence", async () => {
    expect(await check(status)).toEqual({ code: 0, out: "", err: "" });
    expect(await check(call("NobodysTool", { any: "thing" }))).toEqual({ code: 0, out: "", err: "" });
  });

  it("answers in the agent's own JSON with --agent", async () => {
    const { code, out, err } = await check(push, "--agent", "claude-code");
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    expect(err).toContain("open a pull request");
  });

  it("tells a person, and no agent, that agents with prompts of their own ask there", async () => {
    world.file("ask.yaml", "policies:\n  ask-all: {tools: Bash, action: ask}\n");
    const typed = await world.run(["check", "--config", "ask.yaml", "Bash", "git status"]);
    const sent = await check(status, "--config", "ask.yaml");
    expect([typed.code, sent.code]).toEqual([2, 2]);
    expect(typed.err).toMatch(/Nobody could be asked[\s\S]*One with prompts of its own asks there instead/);
    expect(sent.err).toContain("Nobody could be asked");
    expect(sent.err).not.toContain("prompts of its own");
  });

  it("tells a person at a terminal what to type here, and leaves alone what the call says", async () => {
    world.file("ask.yaml", "policies:\n  ask-all: {tools: Bash, action: ask}\n");
    const script = world.file("dist/cli.js", "");
    const argv = ["check", "--config", "ask.yaml", "Bash", "toolgate test"];
    const { err } = await world.run(argv, { script, isTerminal: true });
    expect(err).toContain(`while node ${script} serve runs: node ${script} approvals shows what waits.`);
    expect(err).toContain(`node ${script} explain says more.`);
    expect(err).toContain("(toolgate test)");
    // What is no terminal may be an agent's, whose model reads it.
    const piped = await world.run(argv, { script });
    expect(piped.err).toContain("while toolgate serve runs: toolgate approvals shows what waits.");
  });

  it("uses the file given by --config and no other, and sees when it changes", async () => {
    const rule = (message: string) =>
      `routes:\n  no-status: {tool: Bash, pattern: status, message: ${message}}\n`;
    world.file("other.yaml", rule("No."));
    expect((await check(push, "--config", "other.yaml")).code).toBe(0);
    expect((await check(status, "--config", "other.yaml")).err).toContain("No.");
    expect((await check(status)).code).toBe(0);
    world.file("other.yaml", rule("Still not."));
    const before = await world.run(["--config", "other.yaml", "check"], { stdin: status });
    expect(before.err).toContain("Still not.");
  });

  it.each([
    ["nothing", "", [], "empty"],
    ["no JSON", "git push", [], "not valid JSON"],
    ["no tool name", '{"tool_input":{}}', [], "tool_name"],
    ["no input", '{"tool_name":"Bash"}', [], "tool_input"],
    ["a list", "[]", [], "JSON object"],
    ["more than it reads", " ".repeat(16 * 1024 * 1024 + 1), [], "Standard input"],
    ["an agent that does not exist", status, ["--agent", "emacs"], "claude-code"],
    ["a configuration that does not exist", status, ["--config", "nope.yaml"], "nope.yaml"],
    ["a broken configuration", status, ["--config", "broken.yaml"], "broken.yaml:1:"],
  ])("blocks on %s, with a message and exit 2", async (_what, stdin, argv, message) => {
    world.file("broken.yaml", "routes: [");
    const { code, out, err } = await check(stdin, ...argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(err).not.toContain("    at ");
  });

  it("blocks in the agent's own JSON, too, when the call cannot be read", async () => {
    const { code, out } = await check("nonsense", "--agent", "claude-code");
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  });

  it("says what it waits for on a terminal", async () => {
    const { code, err } = await world.run(["check"], { stdin: status, stdinIsTerminal: true });
    expect(code).toBe(0);
    expect(err).toMatch(/^Waiting for one tool call as JSON on standard input/);
  });
});
