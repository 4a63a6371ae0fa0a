/** What holds for the answers to every agent, each in its own form; the forms are in the tests of the agents. */
import { describe, expect, it } from "vitest";
import type { AgentAdapter } from "../../../src/agents/agent.ts";
import { allAgents, findAgent, openAgent } from "../../../src/agents/all-agents.ts";
import { denial, silence, talkingTo } from "./talking.ts";

const agents = await Promise.all(allAgents.map(openAgent));
const asked = { command: "x" };

describe.for(agents.map((agent) => [agent.name, agent] as const))("the answer to %s", ([name, agent]) => {
  const { answer, taken } = talkingTo(agent);
  const adapter = findAgent(name) as AgentAdapter;

  it("denies with a text even if no reason was given: without one, some run the call", () => {
    const denied = answer({ verdict: "deny", reason: "Blocked by toolgate." }, asked);
    expect(denied).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Blocked by toolgate.") });
    for (const reason of [undefined, "", " \n"])
      expect(answer({ verdict: "deny", ...(reason !== undefined && { reason }) }, asked)).toEqual(denied);
  });

  it("is a denial where nobody can be asked, and for a verdict that nobody knows", () => {
    const verdicts = name === "claude-code" ? ["perhaps"] : ["ask", "perhaps"];
    for (const verdict of verdicts as "ask"[])
      expect(answer({ verdict, reason: "Ann decides." }, asked)).toEqual(
        answer({ verdict: "deny", reason: "Ann decides." }, asked),
      );
  });

  it("never carries a new input beside a denial", () => {
    const denied = { verdict: "deny", reason: "No." } as const;
    expect(answer({ ...denied, input: { command: "y" } }, asked)).toEqual(answer(denied, asked));
  });

  it("stays one line of JSON whatever the texts hold", () => {
    const reason = 'a "quoted"\nline\u2028\ud800 and {"decision":"allow"}';
    const { stdout } = answer({ verdict: "deny", reason }, asked);
    // Windsurf alone reads text.
    if (name === "windsurf") return expect(stdout).toBe(`${reason}\n`);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(reason));
  });

  it("never speaks of permissions after a call", () => {
    for (const verdict of ["allow", "deny", "ask"] as const)
      expect(answer({ verdict, input: { a: 1 } }, asked, "PostToolUse")).toEqual(silence);
  });

  it("is known by doctor's trial of the hook, whose call the hook reads", async () => {
    const { call, refusalIn } = (await adapter.loadSetup()).hookTrial;
    const tried = taken(call("bash", { command: "ls" }, "/work"));
    // Windsurf alone says no folder, and reads text.
    const isJson = name !== "windsurf";
    expect(tried).toMatchObject({ event: "PreToolUse", ...(isJson && { cwd: "/work" }) });
    const { stdout } = answer({ verdict: "deny", reason: "No." }, asked);
    expect(refusalIn(stdout)?.trim()).toBe("No.");
    expect(refusalIn("")).toBeUndefined();
    if (!isJson) return;
    const allowed = stdout.replace(/"deny"(?!:)/, '"allow"');
    for (const other of ["{}", "{", ...(allowed === stdout ? [] : [allowed])])
      expect(refusalIn(other), other).toBeUndefined();
  });

  // The build asks each adapter once what a broken hook says, and the entry puts the reason in its place.
  it("tells any reason of a broken hook by one text with a place for it", () => {
    const reason = 'It "broke":\n$& {}';
    const kept = adapter.lastWords("@reason@").replaceAll('"@reason@"', () => JSON.stringify(reason));
    expect(kept).toBe(adapter.lastWords(reason));
    expect(kept).not.toContain("@reason@");
  });
});

const own = { decision: "deny", reason: "Broken." };
const kimi = { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "Broken." } };

it.for<readonly [agent: string, said: object]>([
  ["codex", denial("Broken.")],
  ["droid", denial("Broken.")],
  ["vscode", denial("Broken.")],
  ["qoder", denial("Broken.")],
  ["qwen", { continue: false, stopReason: "Broken.", ...denial("Broken.") }],
  ["kimi", kimi],
  ["gemini", own],
  ["grok", own],
  ["crush", own],
  ["copilot", { permissionDecision: "deny", permissionDecisionReason: "Broken." }],
  ["cursor", { permission: "deny", user_message: "Broken.", agent_message: "Broken." }],
])("a broken hook denies in the words of %s", ([name, said]) => {
  expect(findAgent(name)?.lastWords("Broken.")).toBe(`${JSON.stringify(said)}\n`);
});

it("a broken hook says to windsurf why by its entry, on standard error", () => {
  expect(findAgent("windsurf")?.lastWords("Broken.")).toBe("");
});
