import { describe, expect, it } from "vitest";
import { allRoutes } from "../../../../../src/surfaces/serve/all-routes.ts";
import { startTestServer } from "../../../../http-server.ts";
import { add, write } from "../../../../tools.ts";
import { createApi, useServer } from "../../http/api.ts";

const source = { file: "/etc/toolgate/rules.yaml", line: 12 };
const useGh = {
  name: "use-gh",
  pattern: "curl .*github",
  message: "Use gh.",
  tier: "admin",
  source,
} as const;

describe("the rules over HTTP", () => {
  let looks = 0;
  const { server, api } = useServer({
    gate: {
      tools: [add, write],
      routes: [{ ...useGh, tool: ["Bash"] }],
      policies: [
        {
          name: "frozen",
          tools: "notes.*",
          action: "deny",
          priority: 5,
          conditions: [{ type: "argument", field: "path", operator: "startsWith", value: "/frozen" }],
          source,
        },
        { name: "notes", tools: "notes.*", action: "approve" },
      ],
      limits: [{ name: "few", tools: "math.*", max: 100, windowMs: 60_000, source }],
      hooks: [
        {
          name: "watch",
          type: "PreToolUse",
          toolPatterns: "math.*",
          failMode: "open",
          source,
          run: () => {
            looks++;
          },
        },
      ],
    },
  });

  it("show each route, policy, limit and hook with the place where it is written", async () => {
    const { body: routes } = await api.get("/api/routes");
    expect(routes.routes).toEqual([{ ...useGh, tools: ["Bash"], action: "block", tests: 0 }]);
    const { body: policies } = await api.get("/api/policies");
    expect(policies.policies.map(({ name }: { name: string }) => name)).toEqual(["frozen", "notes"]);
    expect(policies.policies[0]).toMatchObject({ tools: ["notes.*"], priority: 5, source });
    const { body: limits } = await api.get("/api/limits");
    expect(limits.limits).toEqual([
      { name: "few", tools: ["math.*"], per: "tool", max: 100, windowMs: 60_000, source },
    ]);
    const { body: hooks } = await api.get("/api/hooks");
    expect(hooks.hooks).toEqual([
      { name: "watch", type: "PreToolUse", tools: ["math.*"], failMode: "open", isCancellable: true, source },
    ]);
  });

  it("show those in force: a change is seen at once, under a new version", async () => {
    const before = await api.get("/api/limits");
    const { rules } = server.parts.gate;
    await server.parts.gate.setRules({ ...rules, limits: [] });
    const { body } = await api.get("/api/limits");
    expect(body.limits).toEqual([]);
    expect(body.version).toBe(before.body.version + 1);
    await server.parts.gate.setRules(rules);
    expect((await api.get("/api/limits")).body.limits).toHaveLength(1);
  });

  it("explain one call stage by stage, and nothing runs or is recorded", async () => {
    const call = { tool: "notes.write", input: { path: "/frozen/a" } };
    const { status, body } = await api.post("/api/explain", call);
    expect(status).toBe(200);
    expect(body).toMatchObject({ verdict: "deny", stage: "permit", rule: { name: "frozen", source } });
    expect(body.walk.map(({ stage }: { stage: string }) => stage)).toContain("route");
    expect((await api.get("/api/ledger")).body.entries).toEqual([]);
  });

  it("explain what an agent's own tool would meet", async () => {
    const call = { tool: "Bash", input: { command: "curl https://github.com/x" } };
    const { body } = await api.post("/api/explain", { ...call, as: "check" });
    expect(body).toMatchObject({ verdict: "deny", rule: { kind: "route", name: "use-gh" } });
    const run = (await api.post("/api/explain", call)).body;
    expect(run).toMatchObject({ verdict: "deny", code: "unknown_tool" });
  });

  it("explain with the hooks looking on", async () => {
    const before = looks;
    const { body } = await api.post("/api/explain", { tool: "math.add", input: { a: 1, b: 2 } });
    expect(body.verdict).toBe("allow");
    expect(looks).toBe(before + 1);
  });

  it("refuse an explanation of nothing", async () => {
    expect((await api.post("/api/explain", {})).status).toBe(422);
    expect((await api.post("/api/explain", { tool: "" })).status).toBe(422);
  });
});

describe("the server about itself", () => {
  const { api } = useServer({ gate: { tools: [add] } });

  it("says whose token it was given and what that may do", async () => {
    const { body } = await api.get("/api/me", { token: "token-read-call" });
    expect(body).toEqual({
      caller: "token-read-call",
      rights: ["call", "read"],
      capabilities: ["*"],
      version: "0.0.0-test",
      time: expect.any(Number),
    });
  });

  it("says how it stands and which files its rules come from", async () => {
    const { body } = await api.get("/api/status");
    expect(body).toMatchObject({ tools: 1, approvalsWaiting: 0, eventClients: 0, version: "0.0.0-test" });
    expect(body.config.sources.some(({ origin }: { origin: string }) => origin === "shipped")).toBe(true);
    expect((await api.get("/api/status", { token: "token-call" })).status).toBe(403);
  });

  it("says to anybody that it is alive and ready, and no more", async () => {
    const anybody = { token: "nonsense" };
    expect((await api.get("/api/health/live", anybody)).body).toEqual({ status: "ok" });
    expect((await api.get("/api/health/ready", anybody)).body).toEqual({ status: "ready" });
  });

  it("is not ready when its store does not answer", async () => {
    const broken = await startTestServer({ routes: allRoutes });
    await broken.parts.store.close();
    const { status, body } = await createApi(broken).get("/api/health/ready");
    expect(status).toBe(503);
    expect(body).toEqual({ status: "not_ready", store: "failing" });
    await broken.close().catch(() => {});
  });
});
