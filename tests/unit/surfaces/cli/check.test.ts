import { describe, expect, it } from "vitest";
import { call, goodFile, useCliWorld } from "./cli-world.ts";
import { expectEnd } from "./expect-end.ts";

const world = useCliWorld((world) => {
  world.file("toolgate.yaml", goodFile);
});

const check = (stdin: string, ...argv: string[]) => world.run(["check", ...argv], { stdin });
const push = call("Bash", { command: "git push --force" });
const status = call("Bash", { command: "git status" });

describe("toolgate check", () => {
  it("blocks with exit 2, says why and by which rule on standard error, and nothing on standard output", async () => {
    await expectEnd(check(push), {
      code: 2,
      out: "",
      err: ["Do not force-push; open a pull request.", "no-force-push"],
    });
  });

  it("lets pass with exit 0 and silence", async () => {
    await expectEnd(check(status), { out: "", err: "" });
    await expectEnd(check(call("NobodysTool", { any: "thing" })), { out: "", err: "" });
  });

  it("answers in the agent's own JSON with --agent", async () => {
    const { out, err } = await expectEnd(check(push, "--agent", "claude-code"), { code: 2 });
    expect(JSON.parse(out)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    expect(err).toContain("open a pull request");
  });

  it("tells a person, and no agent, that agents with prompts of their own ask there", async () => {
    world.file("ask.yaml", "policies:\n  ask-all: {tools: Bash, action: ask}\n");
    const typed = await world.run("check --config ask.yaml Bash 'git status'");
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
    await expectEnd(world.run(argv, { script, isTerminal: true }), {
      code: 2,
      err: [
        `while node ${script} serve runs: node ${script} approvals shows what waits.`,
        `node ${script} explain says more.`,
        "(toolgate test)",
      ],
    });
    // What is no terminal may be an agent's, whose model reads it.
    await expectEnd(world.run(argv, { script }), {
      code: 2,
      err: "while toolgate serve runs: toolgate approvals shows what waits.",
    });
  });

  it("uses the file given by --config and no other, and sees when it changes", async () => {
    const rule = (message: string) =>
      `routes:\n  no-status: {tool: Bash, pattern: status, message: ${message}}\n`;
    world.file("other.yaml", rule("No."));
    expect((await check(push, "--config", "other.yaml")).code).toBe(0);
    expect((await check(status, "--config", "other.yaml")).err).toContain("No.");
    expect((await check(status)).code).toBe(0);
    world.file("other.yaml", rule("Still not."));
    await expectEnd(world.run("--config other.yaml check", { stdin: status }), {
      code: 2,
      err: "Still not.",
    });
  });

  it.each([
    ["nothing", "", [], "empty"],
    ["more than it reads", " ".repeat(16 * 1024 * 1024 + 1), [], "Standard input"],
    ["an agent that does not exist", status, ["--agent", "emacs"], "claude-code"],
    ["a configuration that does not exist", status, ["--config", "nope.yaml"], "nope.yaml"],
    ["a broken configuration", status, ["--config", "broken.yaml"], "broken.yaml:1:"],
  ])("blocks on %s, with a message and exit 2", async (_what, stdin, argv, message) => {
    world.file("broken.yaml", "routes: [");
    await expectEnd(check(stdin, ...argv), { code: 2, out: "", err: message, never: "    at " });
  });

  it("blocks in the agent's own JSON, too, when the call cannot be read", async () => {
    const { out } = await expectEnd(check("nonsense", "--agent", "claude-code"), { code: 2 });
    expect(JSON.parse(out)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  });

  it("says what it waits for on a terminal", async () => {
    await expectEnd(world.run("check", { stdin: status, stdinIsTerminal: true }), {
      err: /^Waiting for one tool call as JSON on standard input/,
    });
  });
});
