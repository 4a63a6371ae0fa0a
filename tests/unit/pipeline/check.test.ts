import { describe, expect, it } from "vitest";
import type { Rules } from "../../../src/index.ts";
import { paperGate, settle, throws, tool } from "../paper-gate.ts";

const bash = (command: string) => ({ tool: "Bash", input: { command } });
const deny: Rules = {
  policies: [
    {
      name: "no-rm",
      tools: "Bash",
      action: "deny",
      reason: "No removing.",
      conditions: [{ type: "command", operator: "startsWith", value: "rm" }],
      source: { file: "p.yaml", line: 5 },
    },
  ],
};
const ask: Rules = { policies: [{ name: "ask", tools: "Bash", action: "ask", reason: "Sure?" }] };

describe("checking a call that another agent runs", () => {
  it("abstains where no rule speaks, for tools we know and tools we do not", async () => {
    const { gate } = await paperGate(deny);
    for (const request of [
      bash("ls"),
      { tool: "Read", input: { file_path: "/etc/passwd" } },
      { tool: "mcp__github__get", input: {} },
      { tool: "constructor" },
    ]) {
      expect(await gate.check(request)).toMatchObject({ verdict: "abstain", contexts: [] });
    }
  });

  it("walks routes, hooks and policies for tools we do not know", async () => {
    const routes = [{ name: "r", tool: "mcp__*", field: "q", pattern: "x", message: "Use y." }];
    const hooks = [
      { name: "h", type: "PreToolUse" as const, toolPatterns: "hooked", run: () => ({ cancel: true }) },
    ];
    const { gate } = await paperGate({
      routes,
      hooks,
      policies: [{ name: "p", tools: "strange*", action: "deny" }],
    });
    for (const [request, end] of [
      [
        { tool: "mcp__a__b", input: { q: "x" } },
        { stage: "route", message: "Use y.", rule: { name: "r" } },
      ],
      [{ tool: "hooked" }, { stage: "before-hooks" }],
      [{ tool: "strange-tool" }, { stage: "permit", rule: { name: "p" } }],
    ] as const)
      expect(await gate.check(request)).toMatchObject({ verdict: "deny", ...end });
  });

  it("holds rules for writing and editing against a patch, which does both", async () => {
    const patch = (path: string) => ({
      tool: "apply_patch",
      input: { command: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\n` },
    });
    const conditions = [{ type: "path", operator: "equals", value: "key.txt" } as const];
    for (const tools of ["Write", "Edit", "fs.write", "write_file", "apply_patch", "fs.apply_patch"]) {
      const { gate } = await paperGate({ policies: [{ name: "no", tools, action: "deny", conditions }] });
      expect((await gate.check(patch("key.txt"))).verdict, tools).toBe("deny");
      expect((await gate.check(patch("open.txt"))).verdict, tools).toBe("abstain");
    }
    // It is still no other tool: a rule for it does not concern those.
    const { gate } = await paperGate({ policies: [{ name: "no", tools: "apply_patch", action: "deny" }] });
    expect((await gate.check({ tool: "Write", input: { file_path: "key.txt" } })).verdict).toBe("abstain");
    const { gate: other } = await paperGate({ policies: [{ name: "no", tools: "Read", action: "deny" }] });
    expect((await other.check(patch("key.txt"))).verdict).toBe("abstain");
  });

  it("says what was refused, why, by which rule and where it is written", async () => {
    const { gate } = await paperGate(deny);
    expect(await gate.check(bash("ls && rm a"))).toMatchObject({
      verdict: "deny",
      tool: "shell.exec",
      stage: "permit",
      message: "No removing. (rm a)",
      rule: { name: "no-rm", source: { file: "p.yaml", line: 5 } },
      error: { code: "policy_denied" },
    });
  });

  it("allows what a policy approves", async () => {
    const { gate } = await paperGate({ policies: [{ name: "yes", tools: "Bash", action: "approve" }] });
    expect(await gate.check(bash("ls"))).toMatchObject({ verdict: "allow", rule: { name: "yes" } });
    expect((await gate.check(bash("eval x"), { wait: false })).verdict).toBe("ask");
    expect((await gate.check(bash("cat /etc/hosts"), { wait: false })).verdict).toBe("ask");
    expect((await gate.check(bash("cat .env"))).verdict).toBe("deny");
  });

  it.each([
    ["abstain", "abstain"],
    ["ask", "ask"],
    ["deny", "deny"],
  ] as const)("answers silence with checkDefault %s: %s", async (checkDefault, verdict) => {
    const { gate } = await paperGate({ checkDefault });
    expect((await gate.check({ tool: "Read", input: { path: "a" } }, { wait: false })).verdict).toBe(verdict);
  });

  it("waits for a person where a rule asks", async () => {
    const yes = await paperGate({ ...ask, answers: ["approve"] });
    expect(await yes.gate.check(bash("ls"))).toMatchObject({
      verdict: "allow",
      approval: { by: "scripted-approver" },
    });
    const no = await paperGate({ ...ask, answers: [{ decision: "deny", reason: "Later." }] });
    expect(await no.gate.check(bash("ls"))).toMatchObject({
      verdict: "deny",
      stage: "approve",
      message: expect.stringContaining("Later."),
    });
    const nobody = await paperGate(ask);
    expect(await nobody.gate.check(bash("ls"))).toMatchObject({
      verdict: "deny",
      error: { code: "no_approver" },
    });
  });

  it("with wait false reports the question and asks nobody", async () => {
    const { gate, approver } = await paperGate({ ...ask, answers: ["approve"] });
    expect(await gate.check(bash("ls"), { wait: false })).toMatchObject({
      verdict: "ask",
      stage: "approve",
      message: expect.stringContaining("Sure?"),
      rule: { name: "ask" },
    });
    await settle();
    expect(approver.asked).toEqual([]);
  });

  it("lets a grant answer, also with wait false", async () => {
    const { gate } = await paperGate({ ...ask, answers: [{ decision: "approve", scope: "session" }] });
    await gate.check({ ...bash("ls"), sessionId: "s" });
    expect((await gate.check({ ...bash("ls"), sessionId: "s" }, { wait: false })).verdict).toBe("allow");
    expect((await gate.check({ ...bash("pwd"), sessionId: "s" }, { wait: false })).verdict).toBe("ask");
  });

  it("hands back an input that a route, a hook or a person changed, and none that nobody did", async () => {
    const routed = await paperGate({
      routes: [
        { name: "r", tool: "Bash", pattern: "^npm (.*)", action: "rewrite", rewrite: { command: "pnpm $1" } },
      ],
    });
    expect((await routed.gate.check(bash("npm ci"))).input).toEqual({ command: "pnpm ci" });
    expect(await routed.gate.check(bash("ls"))).not.toHaveProperty("input");
    const hooked = await paperGate({
      hooks: [{ name: "h", type: "PreToolUse", run: () => ({ modifiedParams: { command: "ls" } }) }],
    });
    expect((await hooked.gate.check(bash("pwd"))).input).toEqual({ command: "ls" });
    expect(await hooked.gate.check(bash("ls"))).not.toHaveProperty("input");
    const edited = await paperGate({
      ...ask,
      answers: [{ decision: "approve", input: { command: "ls -l" } }],
    });
    expect((await edited.gate.check(bash("ls"))).input).toEqual({ command: "ls -l" });
  });

  it("skips our input schema, the category's state and the caller's capabilities", async () => {
    const ours = tool({
      id: "shell.exec",
      category: "shell",
      permission: "execute",
      capabilities: ["shell:run"],
      input: { type: "object", required: ["other"] },
      aliases: ["Bash"],
    });
    const { gate } = await paperGate({ tools: [ours] });
    expect((await gate.check({ ...bash("ls"), caller: { id: "a", capabilities: [] } })).verdict).toBe(
      "abstain",
    );
  });

  it("runs nothing", async () => {
    const ours = tool({ run: throws(new Error("ran")) });
    const { gate } = await paperGate({
      tools: [ours],
      policies: [{ name: "yes", tools: "*", action: "approve" }],
    });
    expect((await gate.check({ tool: "x.run" })).verdict).toBe("allow");
  });

  it("holds to plan mode", async () => {
    const { gate } = await paperGate();
    const verdict = async (request: object) =>
      (await gate.check({ ...request, mode: "plan" } as never)).verdict;
    const requests = [bash("ls"), bash("rm a"), { tool: "Read", input: { path: "a" } }, { tool: "strange" }];
    expect(await Promise.all(requests.map(verdict))).toEqual(["abstain", "deny", "abstain", "deny"]);
  });

  it("counts windows, so that a flood is held back", async () => {
    const { gate } = await paperGate({ limits: [{ name: "l", tools: "Bash", max: 2, windowMs: 1_000 }] });
    const verdicts = [];
    for (let index = 0; index < 3; index++)
      verdicts.push((await gate.check(bash("ls"))).error?.code ?? "passed");
    expect(verdicts).toEqual(["passed", "passed", "rate_limited"]);
  });
});
