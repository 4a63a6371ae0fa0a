import { beforeAll, describe, expect, it, vi } from "vitest";
import type { RankedScopes, SuggestionReport } from "../../../../../src/surfaces/rest/contract.ts";
import { allRoutes } from "../../../../../src/surfaces/serve/all-routes.ts";
import { startTestServer } from "../../../../http-server.ts";
import { createApi, useServer } from "../../http/api.ts";

describe("GET /api/suggestions", () => {
  const { server, api } = useServer();
  beforeAll(async () => {
    const { gate } = server.parts;
    for (const command of ["make test", "make lint"])
      await gate.check({ tool: "Bash", input: { command }, cwd: server.folder });
  });

  it("says how many calls and questions there were, and what it proposes", async () => {
    const { status, body } = await api.get<SuggestionReport>("/api/suggestions?days=7", {
      token: "token-read",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ calls: 2, questions: 0, suggestions: [], shadows: [], complete: true });
    expect(body.until - body.since).toBe(7 * 86_400_000);
  });

  it("needs the right to read", async () => {
    expect((await api.get("/api/suggestions", { token: "token-call" })).status).toBe(403);
  });

  it.each(["days=0", "days=366", "for=fun", "write=/etc/passwd"])("refuses ?%s", async (query) => {
    const { status } = await api.get(`/api/suggestions?${query}`, { token: "token-read" });
    expect(status).toBe(400);
  });
});

describe("GET /api/approvals/:id/scopes", () => {
  it("says what people said to the very same call", async () => {
    const server = await startTestServer({
      routes: allRoutes,
      gate: { approver: "desk", policies: [{ name: "ask", tools: "Bash", action: "ask" }] as never },
    });
    const api = createApi(server);
    const { gate, store } = server.parts;
    const call = { tool: "Bash", input: { command: "make test" }, cwd: server.folder };
    const waiting = async () => {
      const checked = gate.check(call);
      const record = await vi.waitFor(async () => {
        const [first] = await store.approvals.waiting();
        if (first === undefined) throw new Error("nobody asks");
        return first;
      }, 30_000);
      return { checked, id: record.request.id };
    };
    for (const decision of ["approve", "deny"] as const) {
      const { checked, id } = await waiting();
      await store.approvals.answer(id, { decision, by: "ann" });
      await checked;
    }
    const { checked, id } = await waiting();
    const { status, body } = await api.get<RankedScopes>(`/api/approvals/${id}/scopes`, {
      token: "token-read",
    });
    expect(status).toBe(200);
    expect(body.scopes[0]).toEqual({ scope: "exact", asked: 2, approved: 1, denied: 1 });
    expect((await api.get("/api/approvals/none/scopes")).status).toBe(404);
    await store.approvals.answer(id, { decision: "deny", by: "ann" });
    await checked;
    await server.close();
  });
});
