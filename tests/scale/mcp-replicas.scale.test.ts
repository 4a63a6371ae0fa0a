import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { describePostgres } from "./describe-postgres.ts";
import {
  askMachine,
  closeMachines,
  type Machine,
  makeToken,
  sharedRulesFile,
  startMachine,
} from "./machine.ts";
import { ask, createDatabase } from "./start-postgres.ts";

const rules = `
tools: { enabled_categories: [editing] }
mcp: { approve_by_elicitation: true }
policies:
  ask: { tools: fs.write, action: ask, priority: 1 }
  yes: { tools: '*', action: approve }
`;
const modern = "2026-07-28";
const legacy = "2025-11-25";

describePostgres("clients of MCP that come to another replica", () => {
  let database: string;
  let one: Machine;
  let two: Machine;
  let token: string;
  let shared: string;
  beforeAll(async () => {
    database = await createDatabase();
    shared = sharedRulesFile();
    [one, two] = [await startMachine(database, shared, rules), await startMachine(database, shared, rules)];
    token = await makeToken(one, "agent", "call,read,approve");
  }, 120_000);
  afterAll(async () => {
    closeMachines([one, two]);
  });
  const call = async (machine: Machine, input: object, more: object = {}) => {
    const { json } = await askMachine(machine, token, "/mcp", {
      body: {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "fs_write",
          arguments: input,
          ...more,
          _meta: {
            "io.modelcontextprotocol/protocolVersion": modern,
            "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
            "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
          },
        },
      },
      headers: {
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": modern,
        "mcp-method": "tools/call",
        "mcp-name": "fs_write",
      },
    });
    return json as { result?: Record<string, unknown>; error?: { message: string } };
  };
  /** Asks on a machine; what the client sends back with the person's answer. */
  const begin = async (machine: Machine, input: object, decision = "approve") => {
    const { result } = await call(machine, input);
    expect(result).toMatchObject({ resultType: "input_required" });
    const { requestState, inputRequests } = result as { requestState: string; inputRequests: object };
    const [key = ""] = Object.keys(inputRequests);
    return { requestState, inputResponses: { [key]: { action: "accept", content: { decision } } } };
  };
  const wrote = (machine: Machine, name: string) => existsSync(join(machine.world.project, name));

  it("have their question answered there, and the call goes on where it waits", async () => {
    const input = { path: "a.txt", content: "x" };
    const answer = await begin(one, input);
    const { result } = await call(two, input, answer);
    expect(JSON.stringify(result)).toContain("a.txt");
    expect(result?.isError).toBeUndefined();
    expect([wrote(one, "a.txt"), wrote(two, "a.txt")]).toEqual([true, false]);
    // An answer is used once, wherever it is brought.
    for (const machine of [one, two])
      expect((await call(machine, input, answer)).error?.message).toContain("cannot be used");
    const [row] = await ask(database, "SELECT came, answer FROM toolgate.parked_calls");
    expect(row === undefined || (row.came === null && row.answer === null)).toBe(true);
  });

  it("are refused there what the person denied, and what is not the request that asked", async () => {
    const input = { path: "b.txt", content: "x" };
    const denied = await call(two, input, await begin(one, input, "deny"));
    expect(denied.result).toMatchObject({ isError: true });
    const other = await call(two, { path: "other.txt", content: "x" }, await begin(one, input));
    expect(other.error?.message).toContain("cannot be used");
    expect([wrote(one, "b.txt"), wrote(two, "b.txt"), wrote(two, "other.txt")]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("go on with their session there, without a new initialize", async () => {
    const post = (machine: Machine, body: object, session?: string) =>
      askMachine(machine, token, "/mcp", {
        body: { jsonrpc: "2.0", ...body },
        headers: {
          accept: "application/json, text/event-stream",
          ...(session !== undefined && { "mcp-session-id": session, "mcp-protocol-version": legacy }),
        },
      });
    const begun = await post(one, {
      id: 1,
      method: "initialize",
      params: { protocolVersion: legacy, capabilities: {}, clientInfo: { name: "old", version: "1" } },
    });
    const session = String(begun.headers["mcp-session-id"]);
    const listed = await post(two, { id: 2, method: "tools/list" }, session);
    expect(listed.json.result.tools.map(({ name }: { name: string }) => name)).toContain("fs_write");
    expect((await post(two, { id: 3, method: "tools/list" }, `x${session}`)).status).toBe(404);
  });

  it("find their session ended everywhere when they ended it on one machine", async () => {
    const headers = { accept: "application/json, text/event-stream" };
    const inSession = (session: string) => ({
      ...headers,
      "mcp-session-id": session,
      "mcp-protocol-version": legacy,
    });
    const begin = async () => {
      const params = {
        protocolVersion: legacy,
        capabilities: {},
        clientInfo: { name: "old", version: "1" },
      };
      const body = { jsonrpc: "2.0", id: 1, method: "initialize", params };
      const begun = await askMachine(one, token, "/mcp", { body, headers });
      return String(begun.headers["mcp-session-id"]);
    };
    const list = async (machine: Machine, session: string) => {
      const body = { jsonrpc: "2.0", id: 2, method: "tools/list" };
      return (await askMachine(machine, token, "/mcp", { body, headers: inSession(session) })).status;
    };
    const end = async (session: string) =>
      (await askMachine(one, token, "/mcp", { method: "DELETE", headers: inSession(session) })).status;
    // The second machine never saw this one, so it asks; it holds the other one, and is told.
    const [unseen, held] = [await begin(), await begin()];
    expect(await list(two, held)).toBe(200);
    expect([await end(unseen), await list(two, unseen), await list(one, unseen)]).toEqual([200, 404, 404]);
    expect(await end(held)).toBe(200);
    await expect.poll(() => list(two, held), { interval: 20 }).toBe(404);
    expect(await end(held)).toBe(404);
    const rows = await ask(database, "SELECT name FROM toolgate.ended_clients");
    expect(rows).toHaveLength(2);
    for (const { name } of rows) expect([unseen, held].some((id) => id.includes(String(name)))).toBe(false);
  });

  it("lose nothing when the replica that asked is killed: the answer counts for the same call, once", {
    timeout: 120_000,
  }, async () => {
    const input = { path: "c.txt", content: "after" };
    // Where the same path means another file, the person is asked again.
    const elsewhere = await begin(one, { path: "d.txt", content: "x" });
    const answer = await begin(one, input);
    const alike = await startMachine(database, shared, rules, { project: one.world.project });
    onTestFinished(() => closeMachines([alike]));
    one.server.kill("SIGKILL");
    const { result, error } = await call(alike, input, answer);
    expect(error).toBeUndefined();
    expect(result).not.toMatchObject({ resultType: "input_required" });
    expect(readFileSync(join(one.world.project, "c.txt"), "utf8")).toBe("after");
    expect((await call(alike, input, answer)).error?.message).toContain("cannot be used");
    expect((await call(two, { path: "d.txt", content: "x" }, elsewhere)).result).toMatchObject({
      resultType: "input_required",
    });
    expect((await two.world.run(["audit", "verify"])).code).toBe(0);
  });
});
