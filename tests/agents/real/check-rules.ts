/** One session in which the model tries everything: what a rule forbids, changes and remarks on, and what none concerns. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAgentBench, filesBelow, shared } from "./agent-bench.ts";
import { runAgent, type Step } from "./agent-session.ts";
import type { RealAgent } from "./real-agent.ts";
import type { Checked } from "./shared-checks.ts";

const subPrompt = "Subordinate task: look around.";

/** Says something about every call whose input holds a word for it. */
const remarking = `
const asked = JSON.parse(require("fs").readFileSync(0, "utf8"));
const { parameters } = asked.preToolUse ?? asked.postToolUse;
const [word] = /remark-\\w+/.exec(JSON.stringify(parameters)) ?? [];
if (word) console.log(JSON.stringify({ contextModification: (asked.preToolUse ? "BEFORE " : "AFTER ") + word.toUpperCase() }));
`;

/** The same for all agents. What differs is how each of them writes a command down. */
function rulesFor(script: string, rewritten: Readonly<Record<string, unknown>>): string {
  const command = JSON.stringify(["node", script]);
  return `
hooks:
  commands:
    before: { type: PreToolUse, command: ${command} }
    after: { type: PostToolUse, command: ${command} }
routes:
  no-shell: { tool: Bash, pattern: "forbidden-shell", message: "GATE-SHELL: take another command." }
  no-page: { tool: WebFetch, pattern: "forbidden\\\\.example", message: "GATE-PAGE: ask for the archive." }
  other-name: { tool: Bash, pattern: "^touch before\\\\.txt$", action: rewrite, rewrite: ${JSON.stringify(rewritten)} }
policies:
  no-secret: { tools: "*", action: deny, reason: "GATE-FILE: that file is not for you.", conditions: [{ type: path, operator: equals, value: secret.txt }] }
  no-drop: { tools: mcp__store__drop, action: deny, reason: "GATE-MCP: nothing is dropped." }
`;
}

/** Never two refusals in a row: an agent may end a run in which everything fails. */
function stepsFor({ calls }: RealAgent, project: string): Step[] {
  const step = (name: string, call: Step["call"] | undefined) => (call === undefined ? [] : [{ name, call }]);
  return [
    ...step("forbidden shell", calls.shell("touch ran.txt forbidden-shell")),
    ...step("free shell", calls.shell("touch free.txt && echo SHELL-SAID-SO")),
    ...step("forbidden write", calls.write?.(join(project, "secret.txt"), "hidden\n")),
    ...step("free write", calls.write?.(join(project, "open.txt"), "for all\n")),
    ...step("forbidden mcp", calls.mcp?.("store", "drop")),
    ...step("free mcp", calls.mcp?.("store", "look")),
    ...step("rewritten", calls.shell("touch before.txt")),
    ...step("remarked", calls.shell("touch remark-shell.txt")),
    ...step("forbidden page", calls.fetch?.("https://forbidden.example/page")),
    ...step("sub-agent", calls.subAgent?.(subPrompt)),
    ...step("sub-agent's end", calls.waitForSubAgent),
    ...step("last", calls.shell("touch last.txt")),
  ];
}

export function checkRules({ agent, abilities }: Checked): void {
  const { calls } = agent;
  const session = shared(async (onEnd) => {
    const bench = createAgentBench(agent, onEnd);
    const rewritten = calls.rewriteShell?.("touch after.txt") ?? { command: "touch after.txt" };
    bench.writeRules(rulesFor(bench.write("remark.cjs", remarking), rewritten));
    const log = bench.path("project/log.txt");
    const server = { command: process.execPath, args: [join(import.meta.dirname, "../mcp-server.mjs"), log] };
    const mcpServers = calls.mcp === undefined ? {} : { store: server };
    const ran = await runAgent(agent, bench, {
      steps: stepsFor(agent, bench.project),
      subAgent: {
        prompt: subPrompt,
        steps: [{ name: "sub shell", call: calls.shell("touch sub.txt forbidden-shell") }],
      },
      mcpServers,
    });
    return {
      ...ran,
      has: (file: string) => bench.has(`project/${file}`),
      records: () => recordsIn(bench.path(".local/state/toolgate/spool")),
      log: () => (bench.has("project/log.txt") ? bench.read("project/log.txt") : ""),
    };
  });

  describe("rules in a session", () => {
    it("block a shell command: it did nothing, and the model reads the message", async () => {
      const { told, has } = await session();
      if (abilities.deny === "told")
        expect(told("forbidden shell")).toContain("GATE-SHELL: take another command.");
      expect(has("ran.txt")).toBe(false);
    });

    it("let a command run that none of them concerns", async () => {
      const { told, has } = await session();
      expect(told("free shell")).toContain("SHELL-SAID-SO");
      expect(has("free.txt")).toBe(true);
    });

    if (calls.write !== undefined)
      it("block the file that a policy names, and no other", async () => {
        const { told, has } = await session();
        if (abilities.deny === "told")
          expect(told("forbidden write")).toContain("GATE-FILE: that file is not for you.");
        expect([has("secret.txt"), has("open.txt")]).toEqual([false, true]);
      });

    if (calls.mcp !== undefined)
      it("block an MCP server's tool by its name mcp__server__tool, and no other tool of it", async () => {
        const { told, log } = await session();
        if (abilities.deny === "told")
          expect(told("forbidden mcp")).toContain("GATE-MCP: nothing is dropped.");
        expect(log()).toBe("look\n");
        expect(told("free mcp")).toContain("look ran");
      });

    if (calls.fetch !== undefined)
      it("block a page: the model reads what to do instead", async () => {
        const { told } = await session();
        expect(told("forbidden page")).toContain("GATE-PAGE: ask for the archive.");
      });

    it(
      abilities.rewrite
        ? "change a command: the new one runs, the old one does not"
        : "refuse a command that they would change, and say what to run instead",
      async () => {
        const { told, has } = await session();
        expect([has("before.txt"), has("after.txt")]).toEqual([false, abilities.rewrite]);
        if (!abilities.rewrite) expect(told("rewritten")).toMatch(/run this instead: .*touch after\.txt/);
      },
    );

    it(`${abilities.contextBefore ? "tell" : "cannot tell"} the model what a hook says before a call`, async () => {
      const { heard, has } = await session();
      expect(has("remark-shell.txt")).toBe(true);
      expect(heard.includes("BEFORE REMARK-SHELL")).toBe(abilities.contextBefore);
    });

    it(`${abilities.contextAfter ? "tell" : "cannot tell"} the model what a hook says after a call`, async () => {
      const { heard } = await session();
      expect(heard.includes("AFTER REMARK-SHELL")).toBe(abilities.contextAfter);
    });

    if (calls.subAgent !== undefined)
      it(`${abilities.subAgents === "hooked" ? "hold" : "do not hold"} for what a sub-agent does`, async () => {
        const { told, has } = await session();
        expect(told("sub shell")).not.toBe("");
        expect(has("sub.txt") ? "not hooked" : "hooked").toBe(abilities.subAgents);
        if (abilities.subAgents === "hooked") expect(told("sub shell")).toContain("GATE-SHELL");
      });
    else
      it("say nothing of sub-agents that nobody has tried", () => {
        expect(["none", "not tried"]).toContain(abilities.subAgents);
      });

    it(`are in the record with the agent's name${abilities.callId ? " and the model's id of each call" : ""}`, async () => {
      const { records } = await session();
      const denials = records().filter(({ event, rule }) => event === "check" && rule?.name === "no-shell");
      expect(denials).not.toEqual([]);
      for (const one of denials) expect(one).toMatchObject({ agent: agent.name, verdict: "deny" });
      expect(denials.some(({ toolUseId }) => toolUseId === "call_forbidden_shell")).toBe(abilities.callId);
    });

    it("leave the session alive to its end", async () => {
      const { told, has } = await session();
      expect(told("last")).toBeDefined();
      expect(has("last.txt")).toBe(true);
    });
  });
}

interface CheckRecord {
  readonly event: string;
  readonly agent?: string;
  readonly verdict?: string;
  readonly toolUseId?: string;
  readonly rule?: { readonly name: string };
}

/** What hooks wrote down, not yet taken into the ledger. */
function recordsIn(spool: string): CheckRecord[] {
  return [...filesBelow(spool, () => false).values()]
    .flatMap((text) => text.split("\n"))
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as CheckRecord);
}
