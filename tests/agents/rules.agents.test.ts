/** Rules in the client as only it has them: beside its own permissions, in one turn of many calls, behind its own sub-agents. */
import { expect, it } from "vitest";
import { shared } from "./real/agent-bench.ts";
import { bash, callOnce, describeClaudeCode, refused, runSession } from "./session.ts";
import { createWorkbench } from "./workbench.ts";

const rules = `
routes:
  no-secret: { tool: Bash, pattern: "secret", message: "Not this file." }
  other-name: { tool: Bash, pattern: "^touch before\\\\.txt$", action: rewrite, rewrite: { command: touch after.txt } }
policies:
  made-is-fine:
    tools: Bash
    action: approve
    conditions: [{ type: command, operator: startsWith, value: touch made.txt }]
  no-marker:
    tools: Write
    action: deny
    reason: The marker must not be written.
    conditions: [{ type: content, operator: contains, value: FORBIDDEN-MARKER }]
`;
const megabyte = "0123456789abcde\n".repeat(65_536);

describeClaudeCode("rules in a session of Claude Code", () => {
  /** All calls in one turn. */
  const sessionThatMayUse = (...allow: readonly string[]) =>
    shared(async (onEnd) => {
      const bench = createWorkbench({ onEnd });
      bench.writeRules(rules);
      const write = (name: string, content: string) => ({
        tool: "Write",
        input: { file_path: bench.path(`project/${name}.txt`), content },
        id: name,
      });
      const calls = [
        ...["secret-1", "plain", "secret-2", "made", "before"].map((name) => bash(`touch ${name}.txt`, name)),
        { tool: "WebFetch", input: { url: "https://github.com/a/b/pull/1", prompt: "?" }, id: "page" },
        write("large", megabyte),
        write("marked", `${megabyte}FORBIDDEN-MARKER`),
        write("huge", megabyte.repeat(6)),
      ];
      const { result } = await runSession(bench, [calls, "Done."], { allow });
      return {
        result,
        made: (...names: string[]) => names.filter((name) => bench.has(`project/${name}.txt`)),
      };
    });
  const free = sessionThatMayUse("Bash", "Write");
  const asking = sessionThatMayUse();

  it("block a page by a route that ships with toolgate: the model reads what to use instead", async () => {
    const { result } = await free();
    expect(result("page")).toMatchObject(refused("gh pr view"));
  });

  it("leave a call that none concerns to the client's own permissions", async () => {
    const { result, made } = await asking();
    expect(result("plain")).toMatchObject(refused("needs approval"));
    expect(made("plain")).toEqual([]);
  });

  it("approve by a policy what the client would have asked about", async () => {
    const { result, made } = await asking();
    expect(result("made").isError).toBe(false);
    expect(made("made")).toEqual(["made"]);
  });

  it("rewrite a command: what runs is the new one, and only if the client would run that", async () => {
    const [allowed, asked] = [await free(), await asking()];
    expect(allowed.result("before").isError).toBe(false);
    expect(allowed.made("before", "after")).toEqual(["after"]);
    expect(asked.result("before").text).toMatch(/after\.txt.*needs approval/);
    expect(asked.made("before", "after")).toEqual([]);
  });

  it("judge each of several calls of one turn by itself", async () => {
    const { result, made } = await free();
    for (const id of ["secret-1", "secret-2"]) expect(result(id)).toMatchObject(refused("Not this file."));
    expect(result("plain").isError).toBe(false);
    expect(made("secret-1", "plain", "secret-2")).toEqual(["plain"]);
  });

  it("judge a large call as a whole, and stop one that is too large to judge", async () => {
    const { result, made } = await free();
    expect(result("large").isError).toBe(false);
    expect(result("marked").text).toContain("The marker must not be written.");
    expect(result("huge").isError).toBe(true);
    expect(made("large", "marked", "huge")).toEqual(["large"]);
  });

  it("tighten the silence of the rules with hooks.default", async () => {
    const bench = createWorkbench();
    bench.writeRules("hooks: { default: deny }\n");
    expect((await callOnce(bench, bash("touch ran.txt"), { allow: ["Bash"] })).isError).toBe(true);
    expect(bench.has("project/ran.txt")).toBe(false);
  });

  it("hold for a sub-agent in the background", async () => {
    const bench = createWorkbench();
    bench.writeRules(rules);
    const start = {
      description: "make it",
      prompt: "SUB-AGENT-7: make the file.",
      subagent_type: "general-purpose",
      run_in_background: true,
    };
    const script = [bash("touch secret.txt", "toolu_inner"), "I could not."];
    const session = await runSession(bench, [{ tool: "Agent", input: start }, "Waiting.", "Done."], {
      allow: ["Bash"],
      conversations: [{ when: "SUB-AGENT-7", script }],
    });
    expect(session.result("toolu_inner")).toMatchObject(refused("Not this file."));
    expect(bench.has("project/secret.txt")).toBe(false);
  });
});
