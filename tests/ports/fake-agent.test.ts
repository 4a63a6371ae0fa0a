/** An agent is added from outside of src through the port, and a whole call goes through the hook with it. */
import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openAgent } from "../../src/agents/all-agents.ts";
import { openStore } from "../../src/open/open-store.ts";
import { checkHook } from "../../src/surfaces/hook/served/check-hook.ts";
import { createHookService } from "../../src/surfaces/hook/served/hook-service.ts";
import { createHookWorld, type HookWorld, rules } from "../unit/surfaces/hook/hook-world.ts";
import { fakeAgent } from "./fake-agent/agent.ts";

interface Sent {
  readonly do?: string;
  readonly with?: object;
  readonly interactive?: boolean;
  readonly event?: string;
}

const command = (line: string, more: Sent = {}): Sent => ({ do: "Bash", with: { command: line }, ...more });

async function ask(world: HookWorld, sent: Sent | string): Promise<Record<string, unknown>> {
  const agent = await openAgent(fakeAgent);
  const stdin = typeof sent === "string" ? sent : JSON.stringify({ where: world.project, ...sent });
  const env = { FAKE_PROJECT: world.project };
  const { stdout, stderr, exitCode } = await world.run(stdin, { agent, env });
  expect([stderr, exitCode]).toEqual(["", 0]);
  return stdout === "" ? {} : JSON.parse(stdout);
}

function worldWithRules(): HookWorld {
  const world = createHookWorld();
  world.user(rules);
  return world;
}

describe("an agent from outside", () => {
  it("is told no, yes, nothing or a new input, each in its own words", async () => {
    const world = worldWithRules();
    expect(await ask(world, command("ssh host"))).toEqual({
      no: expect.stringContaining("Servers are not yours."),
    });
    expect(await ask(world, command("ls"))).toEqual({ yes: true });
    expect(await ask(world, command("date"))).toEqual({});
    expect(await ask(world, command("git log"))).toEqual({ with: { command: "git --no-pager log -n 20" } });
    expect(world.spool().map(({ agent, verdict }) => [agent, verdict])).toEqual([
      ["fake", "deny"],
      ["fake", "allow"],
      ["fake", "abstain"],
      ["fake", "abstain"],
    ]);
  });

  it("asks a person itself only where it says that it can", async () => {
    const world = worldWithRules();
    const asked = await ask(world, command("deploy now", { interactive: true }));
    expect(asked).toEqual({ ask: expect.stringContaining("Deploying needs Ann.") });
    expect(asked.ask).not.toContain("Nobody could be asked");
    expect(await ask(world, command("deploy now"))).toEqual({
      no: expect.stringContaining("Nobody could be asked, so the call is denied."),
    });
  });

  it("gets its own denial for what is no call", async () => {
    const world = worldWithRules();
    expect(await ask(world, "{nonsense")).toEqual({ no: "The fake agent sent no JSON. The call is denied." });
    expect(await ask(world, { with: {} })).toEqual({
      no: "The fake agent names no tool. The call is denied.",
    });
    expect(world.spool()).toMatchObject([{ agent: "fake" }, { agent: "fake" }]);
  });

  it("has the rules of the project that it names", async () => {
    const world = worldWithRules();
    world.write("toolgate.yaml", "routes:\n  here: {tool: Bash, pattern: '^date$', message: Not here.}\n");
    expect(await ask(world, command("date", { where: "/" } as Sent))).toEqual({
      no: expect.stringContaining("Not here."),
    });
  });

  it("is answered by a server, which asks its own people", async () => {
    const world = worldWithRules();
    const store = await openStore({ stateFolder: join(world.base, "store") });
    const service = createHookService({ store, env: world.env });
    try {
      const served = async (sent: Sent) => {
        const call = { where: world.project, ...sent };
        const [agent, text, cwd] = [await openAgent(fakeAgent), JSON.stringify(call), world.project];
        const env = { ...world.env, FAKE_PROJECT: world.project };
        const caller = { id: "local", capabilities: ["*"] };
        const owner = { caller, isOwner: true, isStillAllowed: async () => true };
        const { signal } = new AbortController();
        const checked = await checkHook({ agent, text, cwd, env, ...owner, signal, waitMs: 60_000 }, service);
        return checked.ok ? JSON.parse(checked.answer.stdout) : checked;
      };
      expect(await served(command("ssh host"))).toEqual({ no: expect.stringContaining("Servers") });
      const asking = served(command("deploy now"));
      await expect.poll(async () => (await store.approvals.pending()).length).toBe(1);
      const [question] = await store.approvals.pending();
      await store.approvals.answer(question?.id ?? "", { decision: "approve", by: "ann" });
      expect(await asking).toEqual({ yes: true });
    } finally {
      await service.close();
      await store.close();
    }
  });

  it("is answered by a process of its own, from standard input to the exit code", async () => {
    const world = worldWithRules();
    const program = fileURLToPath(new URL("./fake-agent/hook-process.ts", import.meta.url));
    const start = async (stdin: string) => {
      const child = spawn(process.execPath, [program, resolve("routes/shipped.yaml")], {
        cwd: world.project,
        env: { HOME: world.home, PATH: process.env.PATH, FAKE_PROJECT: world.project },
      });
      child.stdin.end(stdin);
      const closed = new Promise((done) => child.once("close", done));
      const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
      return { out, err, code };
    };
    const [denied, empty] = await Promise.all([start(JSON.stringify(command("ssh host"))), start("")]);
    const out = expect.stringContaining("Servers are not yours.");
    expect(denied).toEqual({ out, err: "", code: 0 });
    expect(empty).toEqual({ out: expect.stringMatching(/^\{"no":/), err: "", code: 0 });
  }, 90_000);
});
