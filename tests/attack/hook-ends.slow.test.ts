/** Tokens that tell how calls of others ended: their word must not stand in the record, and hooks must not see it. */
import { describe, expect, it } from "vitest";
import { createFileTokens } from "../../src/stores/files/file-tokens.ts";
import { createBegunCalls } from "../../src/surfaces/hook/served/begun-calls.ts";
import { giveToken } from "../../src/surfaces/http/tokens/give-token.ts";
import {
  bash,
  createFastHookWorld,
  type FastHookWorld,
  type RunningServer,
  rules,
} from "../fast-hook-world.ts";

async function world() {
  const made = createFastHookWorld();
  made.user(rules);
  const server = await made.serve();
  const rights = ["call", "read", "approve", "admin"] as const;
  const { token: eve } = await giveToken(createFileTokens(made.state), { name: "eve", rights });
  return { made, server, eve, agent: server.token };
}

async function tell(server: RunningServer, token: string, body: object): Promise<number> {
  const response = await fetch(`${server.http.url}/api/hook/claude-code`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  await response.text();
  return response.status;
}

const ends = (made: FastHookWorld) => made.spool().filter(({ event }) => event === "end");
const begin = (cwd: string, id: string, session = "s") =>
  bash("ls", { cwd, tool_use_id: id, session_id: session });
const end = (cwd: string, id: string, more: object = {}) => ({
  ...begin(cwd, id),
  hook_event_name: "PostToolUse",
  tool_response: "all went well",
  ...more,
});

describe("the end of a call over the hook's route", () => {
  it("is taken from whoever began it, once, in its name", async () => {
    const { made, server, agent } = await world();
    await tell(server, agent, begin(made.project, "t1"));
    await tell(server, agent, end(made.project, "t1"));
    await tell(server, agent, end(made.project, "t1", { tool_response: "or did it" }));
    expect(ends(made)).toMatchObject([{ caller: "agent", toolUseId: "t1", result: "all went well" }]);
  });

  it("is not taken from another token, whatever its rights, and the attempt is recorded in its name", async () => {
    const { made, server, agent, eve } = await world();
    await tell(server, agent, begin(made.project, "t1"));
    expect(await tell(server, eve, end(made.project, "t1", { tool_response: "forged" }))).toBe(200);
    expect(ends(made)).toEqual([]);
    expect(made.spool()).toMatchObject([{ event: "check", caller: "eve", code: "bad_call" }]);
    expect(JSON.stringify(ends(made))).not.toContain("forged");
    await tell(server, agent, end(made.project, "t1"));
    expect(ends(made)).toMatchObject([{ caller: "agent" }]);
  });

  it.each([
    ["of a call that nobody began", {}, "t9"],
    ["of another session", { session_id: "other" }, "t1"],
    ["of another tool", { tool_name: "Write", tool_input: { file_path: "a", content: "b" } }, "t1"],
    ["without an id", { tool_use_id: undefined }, "t1"],
    ["that failed", { hook_event_name: "PostToolUseFailure", error: "forged" }, "t9"],
  ])("is not taken from a token when it is one %s", async (_what, more, id) => {
    const { made, server, agent } = await world();
    await tell(server, agent, begin(made.project, "t1"));
    await tell(server, agent, end(made.project, id, more));
    expect(ends(made)).toEqual([]);
  });

  it("is not taken for a call that was denied", async () => {
    const { made, server, agent } = await world();
    const denied = { ...begin(made.project, "t1"), tool_input: { command: "git push --force" } };
    await tell(server, agent, denied);
    await tell(server, agent, { ...end(made.project, "t1"), tool_input: denied.tool_input });
    expect(ends(made)).toEqual([]);
  });

  it("of a token's call is not taken from the owner's script either, which may end calls of a process", async () => {
    const { made, server, agent } = await world();
    await tell(server, agent, begin(made.project, "t1"));
    await made.ask(end(made.project, "t1"));
    expect(ends(made)).toEqual([]);
    await made.ask(end(made.project, "from-a-process"));
    expect(ends(made)).toMatchObject([{ caller: "local", toolUseId: "from-a-process" }]);
  });

  it("and whatever is no call at all is recorded in the name of the token", async () => {
    const { made, server, eve } = await world();
    await tell(server, eve, { hook_event_name: "PreToolUse" });
    made.user("routes: [");
    const fresh = createFastHookWorld();
    fresh.user("routes: [");
    const other = await fresh.serve();
    await tell(other, other.token, begin(fresh.project, "t1"));
    expect(made.spool()).toMatchObject([{ event: "check", caller: "eve", code: "bad_call" }]);
    expect(fresh.spool()).toMatchObject([{ event: "check", caller: "agent", code: "internal_error" }]);
  });
});

describe("the calls that were begun", () => {
  const one = { tool: "Bash", sessionId: "s", toolUseId: "t" };

  it("are each caller's own, also under the same names", () => {
    const begun = createBegunCalls();
    begun.begin("ann", one);
    begun.begin("bob", one);
    expect([begun.end("eve", one), begun.end("ann", one), begun.end("ann", one)]).toEqual([
      "foreign",
      "own",
      "foreign",
    ]);
    expect([begun.end("bob", one), begun.end("bob", one)]).toEqual(["own", "unknown"]);
  });

  it("do not fill the memory", () => {
    const begun = createBegunCalls();
    for (let count = 0; count < 10_001; count++) begun.begin("ann", { ...one, toolUseId: String(count) });
    expect(begun.end("ann", { ...one, toolUseId: "0" })).toBe("unknown");
    expect(begun.end("ann", { ...one, toolUseId: "10000" })).toBe("own");
  });
});
