import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { promptVariables } from "../../../../../src/agents/all-agents.ts";
import { trackEnvironment } from "../../../../../src/config/rule-cache/tracked-environment.ts";
import { openConfig } from "../../../../../src/open/open-config.ts";
import { createFileTokens } from "../../../../../src/stores/files/file-tokens.ts";
import { placeVariables } from "../../../../../src/surfaces/hook/process/find-place.ts";
import { giveToken } from "../../../../../src/surfaces/http/tokens/give-token.ts";
import {
  bash,
  createFastHookWorld,
  type FastHookWorld,
  type RunningServer,
  rules,
} from "../../../../fast-hook-world.ts";

function withRules(): FastHookWorld {
  const world = createFastHookWorld();
  world.user(rules);
  return world;
}

async function post(server: RunningServer, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.http.url}/api/hook/claude-code`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${server.token}`, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function questionOf(server: RunningServer) {
  for (;;) {
    const [question] = await server.store.approvals.pending();
    if (question !== undefined) return question;
    await sleep(20);
  }
}

describe("a hook that asks the server", () => {
  it("gets what a process would say, and no process is started", async () => {
    const world = withRules();
    await world.serve();
    const denied = await world.ask(bash("git push --force"));
    expect(denied.code).toBe(2);
    expect(denied.err).toContain("Do not use --force; open a pull request.\n(route no-force, ");
    expect(JSON.parse(denied.out)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: denied.err.trimEnd(),
      },
    });
    expect(JSON.parse((await world.ask(bash("git log"))).out)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        updatedInput: { command: "git --no-pager log -n 20" },
      },
    });
    expect(await world.ask(bash("echo hello"))).toEqual({ code: 0, out: "", err: "" });
    expect(world.fallback()).toBeUndefined();
  });

  it("is recorded in the ledger, as a hook's check by the same caller as from a process", async () => {
    const world = withRules();
    const { store } = await world.serve();
    await world.ask(bash("git push --force", { tool_use_id: "toolu_1", session_id: "s1" }));
    const { entries } = await store.ledger.query({});
    const found = entries.map(({ body }) => body).filter(({ toolUseId }) => toolUseId === "toolu_1");
    expect(found).toEqual([
      expect.objectContaining({ surface: "hook", caller: "local", verdict: "deny", sessionId: "s1" }),
    ]);
  });

  it("waits for a person, and runs on when another process says yes", async () => {
    const world = withRules();
    const server = await world.serve();
    const asked = world.ask(bash("deploy prod"));
    const question = await questionOf(server);
    expect(question).toMatchObject({
      toolId: "shell.exec",
      caller: "local",
      input: { command: "deploy prod" },
    });
    expect(await server.store.approvals.answer(question.id, { decision: "approve", by: "ann" })).toEqual({
      ok: true,
    });
    const { code, out } = await asked;
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } },
    ]);
    expect(world.fallback()).toBeUndefined();
  });

  it("is told who said no, and why", async () => {
    const world = withRules();
    const server = await world.serve();
    const asked = world.ask(bash("deploy prod"));
    const question = await questionOf(server);
    await server.store.approvals.answer(question.id, {
      decision: "deny",
      by: "ann",
      reason: "not on Fridays",
    });
    const { code, err } = await asked;
    expect(code).toBe(2);
    expect(err).toContain("ann denied shell.exec: not on Fridays");
  });

  it("is denied in time when nobody answers, and says how to approve", async () => {
    const world = withRules();
    const server = await world.serve({ maxWaitMs: 300 });
    const { code, err } = await world.ask(bash("deploy prod"));
    expect(code).toBe(2);
    expect(err).toContain("Nobody answered within");
    expect(err).toContain("toolgate approvals approve");
    expect(await server.store.approvals.pending()).toEqual([]);
  });

  it("that goes away takes its question with it", async () => {
    const world = withRules();
    const server = await world.serve();
    const gone = new AbortController();
    const asked = fetch(`${server.http.url}/api/hook/claude-code`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${server.token}` },
      body: JSON.stringify(bash("deploy prod", { cwd: world.project })),
      signal: gone.signal,
    }).catch(() => undefined);
    await questionOf(server);
    gone.abort();
    await asked;
    for (let tries = 0; (await server.store.approvals.pending()).length > 0 && tries < 100; tries++)
      await sleep(20);
    expect(await server.store.approvals.pending()).toEqual([]);
  });

  it("finds its questions ended when the server ends, and asks the process", async () => {
    const world = withRules();
    const server = await world.serve();
    const asked = world.ask(bash("deploy prod"));
    await questionOf(server);
    await server.close();
    expect((await asked).code).toBe(2);
  });

  it("counts for limits, which a process cannot", async () => {
    const world = createFastHookWorld();
    world.user("limits:\n  few: {tools: Bash, per: session, max: 2, windowMs: 3600000}\n");
    await world.serve();
    const codes = [];
    for (let count = 0; count < 3; count++)
      codes.push((await world.ask(bash("echo hello", { session_id: "s" }))).code);
    expect([codes, world.fallback()]).toEqual([[0, 0, 2], undefined]);
  });

  it("closes the record of a call that has run, in silence", async () => {
    const world = withRules();
    await world.serve();
    const end = await world.ask({
      ...bash("ls"),
      hook_event_name: "PostToolUse",
      tool_response: "x",
      tool_use_id: "toolu_9",
    });
    expect(end).toEqual({ code: 0, out: "", err: "" });
    const day = new Date().toISOString().slice(0, 10);
    expect(readFileSync(join(world.state, "spool", `${day}.jsonl`), "utf8")).toContain('"toolu_9"');
  });
});

describe("the rules of a hook that asks the server", () => {
  it("are those of its project", async () => {
    const world = withRules();
    const other = join(world.base, "other");
    world.write(join(other, ".git/HEAD"), "");
    world.write(
      join(other, "toolgate.yaml"),
      "policies:\n  none: {tools: Bash, action: deny, reason: Not in here.}\n",
    );
    await world.serve();
    const inOther = { cwd: other, env: { CLAUDE_PROJECT_DIR: other } };
    expect((await world.ask(bash("ls"))).code).toBe(0);
    expect((await world.ask(bash("ls"), inOther)).err).toContain("Not in here.");
    expect((await world.ask(bash("ls"))).code).toBe(0);
  });

  it("change with their file, from one call to the next", async () => {
    const world = withRules();
    await world.serve();
    expect((await world.ask(bash("ls"))).code).toBe(0);
    world.user("policies:\n  none: {tools: Bash, action: deny, reason: Closed today.}\n");
    expect((await world.ask(bash("ls"))).err).toContain("Closed today.");
    world.user(rules);
    expect((await world.ask(bash("ls"))).code).toBe(0);
    world.write("toolgate.yaml", "policies:\n  none: {tools: Bash, action: deny, reason: A new file.}\n");
    expect((await world.ask(bash("ls"))).err).toContain("A new file.");
  });

  it("stay the last good ones when a file is broken, and it is said", async () => {
    const world = withRules();
    await world.serve();
    expect((await world.ask(bash("git push --force"))).code).toBe(2);
    world.user("routes: [");
    const end = await world.ask(bash("git push --force"));
    expect([end.code, world.fallback()]).toEqual([2, undefined]);
    expect(end.err).toContain("the last rules that worked still hold");
  });

  it("are left to the process where none have worked yet", async () => {
    const world = createFastHookWorld();
    world.user("routes: [");
    await world.serve();
    expect((await world.ask(bash("ls"))).err).toBe("by a process\n");
  });

  it("hold for a call that waits as they are when a person says yes", async () => {
    const world = withRules();
    const server = await world.serve();
    const asked = world.ask(bash("deploy prod"));
    const question = await questionOf(server);
    world.user("policies:\n  none: {tools: Bash, action: deny, reason: Closed today.}\n");
    expect((await world.ask(bash("ls"))).err).toContain("Closed today.");
    await server.store.approvals.answer(question.id, { decision: "approve", by: "ann" });
    const { code, err } = await asked;
    expect(code).toBe(2);
    expect(err).toContain("Closed today.");
  });

  it("depend on no variable that the script does not send", async () => {
    const world = withRules();
    const { env, read } = trackEnvironment({ HOME: world.home });
    await openConfig({ cwd: world.project, env });
    // Where things are cached changes no rule.
    const needed = read()
      .map(([name]) => name)
      .filter((name) => name !== "XDG_CACHE_HOME");
    expect(placeVariables).toEqual(expect.arrayContaining(needed));
    const script = readFileSync(
      new URL("../../../../../src/surfaces/hook/process/hook.sh", import.meta.url),
      "utf8",
    );
    const listed = /for tg_name in ([^;]+);/.exec(script)?.[1]?.split(/[\s\\]+/);
    expect(listed).toEqual(["PWD", ...placeVariables, ...promptVariables]);
  });
});

describe("an agent that asks by itself", () => {
  it("gets its own JSON, and an empty object where no rule speaks", async () => {
    const world = withRules();
    const server = await world.serve();
    const cwd = world.project;
    expect(await post(server, bash("git push --force", { cwd }))).toMatchObject({
      status: 200,
      body: { hookSpecificOutput: { permissionDecision: "deny" } },
    });
    expect(await post(server, bash("echo hello", { cwd }))).toEqual({ status: 200, body: {} });
  });

  it("gets a denial where the configuration cannot be used", async () => {
    const world = createFastHookWorld();
    world.user("routes: [");
    const server = await world.serve();
    const { status, body } = await post(server, bash("ls", { cwd: world.project }));
    expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining("every call is denied")]);
  });

  it("keeps the rules of the folder in which its session began, or of the project that it names", async () => {
    const world = withRules();
    const inner = join(world.base, "elsewhere");
    world.write(join(inner, ".git/HEAD"), "");
    world.write("toolgate.yaml", "policies:\n  none: {tools: Bash, action: deny, reason: Not in here.}\n");
    const server = await world.serve();
    const at = (cwd: string, session: string) => bash("ls", { cwd, session_id: session });
    const told = async (body: object, headers = {}) =>
      JSON.stringify((await post(server, body, headers)).body);
    expect(await told(at(world.project, "one"))).toContain("Not in here.");
    expect(await told(at(inner, "one"))).toContain("Not in here.");
    expect(await told(at(inner, "two"))).not.toContain("Not in here.");
    expect(await told(at(inner, "three"), { "toolgate-project": world.project })).toContain("Not in here.");
  });

  it("keeps the rules of its own folder when another caller was first with the session's name", async () => {
    const world = withRules();
    const inner = join(world.base, "elsewhere");
    world.write(join(inner, ".git/HEAD"), "");
    world.write("toolgate.yaml", "policies:\n  none: {tools: Bash, action: deny, reason: Not in here.}\n");
    const server = await world.serve();
    const eve = await giveToken(createFileTokens(world.state), { name: "eve", rights: ["call"] });
    const at = (cwd: string) => bash("ls", { cwd, session_id: "one" });
    await post(server, at(inner), { authorization: `Bearer ${eve.token}` });
    expect(JSON.stringify((await post(server, at(world.project))).body)).toContain("Not in here.");
  });

  it("of another kind is not known", async () => {
    const server = await withRules().serve();
    const response = await fetch(`${server.http.url}/api/hook/other`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${server.token}` },
      body: "{}",
    });
    expect(response.status).toBe(404);
  });
});
