import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TokenHolder } from "../../../../src/surfaces/http/rights.ts";
import type { TokenCheck } from "../../../../src/surfaces/http/server-parts.ts";
import { allRoutes } from "../../../../src/surfaces/serve/all-routes.ts";
import { principal, startTestServer, type TestServer } from "../../../http-server.ts";
import { write } from "../../../tools.ts";
import { initialize, modern } from "../mcp/http/mcp-endpoint.ts";

const agent = "Bearer token-of-agent";

/** Each gives the whole answer as text. */
const waysIn: Readonly<Record<string, (server: TestServer) => Promise<string>>> = {
  REST: (server) => post(server, "/api/tools/notes.write/call", { input }, {}),
  "REST with progress": (server) =>
    post(server, "/api/tools/notes.write/call", { input }, { accept: "text/event-stream" }),
  "a session of MCP": async (server) => {
    const begun = await ask(server, "/mcp", initialize("2025-11-25"), mcp);
    await begun.text();
    const session = { ...mcp, "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
    return post(server, "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: called }, session);
  },
  "MCP without a session": (server) => {
    const [message, headers] = modern(1, "tools/call", called);
    return post(server, "/mcp", message, { ...mcp, ...headers });
  },
};
const mcp = { accept: "application/json, text/event-stream" };
const input = { path: "a.txt", content: "1" };
const called = { name: "notes_write", arguments: input };

async function ask(server: TestServer, path: string, body: unknown, headers: Record<string, string>) {
  return server.ask(path, {
    method: "POST",
    headers: { authorization: agent, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

async function post(...asked: Parameters<typeof ask>): Promise<string> {
  return (await ask(...asked)).text();
}

describe("a call that waits for a person when its token changes", () => {
  let held: TokenHolder | undefined;
  let server: TestServer;
  const tokens: TokenCheck = {
    find: (token) => (token === "token-of-agent" ? held : principal("person", ["read", "approve"])),
  };
  beforeEach(async () => {
    held = principal("agent", ["call", "read"], ["fs:write", "net:read"]);
    server = await startTestServer({ routes: allRoutes, mcp: {}, tokens, gate: { tools: [write] } });
  });
  afterEach(() => server.close({ drainMs: 0 }));

  /** What the agent is told after a person has said yes. */
  async function approvedAfter(way: string, change: () => void): Promise<string> {
    const told = waysIn[way]?.(server);
    const { approvals } = server.parts.store;
    await expect.poll(() => approvals.waiting()).toHaveLength(1);
    const [waiting] = await approvals.waiting();
    change();
    const path = `/api/approvals/${waiting?.request.id}/answer`;
    const person = { authorization: "Bearer token-of-person" };
    const answered = await ask(server, path, { decision: "approve" }, person);
    expect(answered.status).toBe(200);
    return (await told) ?? "";
  }

  describe.each(Object.keys(waysIn))("over %s", (way) => {
    it("runs if nothing changed", async () => {
      const told = await approvedAfter(way, () => {
        held = principal("agent", ["call", "read"], ["fs:write", "net:read"]);
      });
      expect(told).toContain("wrote 1 to a.txt");
    });

    it.each([
      ["was taken back", () => undefined],
      ["may not call any more", () => principal("agent", ["read"], ["fs:write", "net:read"])],
      ["may do less", () => principal("agent", ["call", "read"], ["fs:write"])],
      ["is another's now", () => principal("other", ["call", "read"], ["fs:write", "net:read"])],
    ])("does not run if it %s", async (_, next) => {
      const told = await approvedAfter(way, () => {
        held = next();
      });
      expect(told).toContain("may not call it any more; the approval is void");
      expect(told).not.toContain("wrote");
      expect(await server.parts.store.approvals.waiting()).toEqual([]);
    });
  });
});
