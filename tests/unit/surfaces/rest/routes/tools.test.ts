import { beforeAll, describe, expect, it } from "vitest";
import type { ToolList } from "../../../../../src/surfaces/rest/contract.ts";
import { allRoutes } from "../../../../../src/surfaces/serve/all-routes.ts";
import { principal, startTestServer, testTokens } from "../../../../http-server.ts";
import { add, read, write } from "../../../../tools.ts";
import { createApi, useServer } from "../../http/api.ts";

describe("the tools over HTTP", () => {
  const reloads: string[] = [];
  const { server, api } = useServer({
    gate: {
      tools: [add, read],
      policies: [{ name: "never", tools: "notes.read", action: "deny", tier: "admin" }],
    },
    plugins: {
      async reload() {
        reloads.push("reload");
        return {
          success: false,
          errors: [
            { source: "/plugins/broken.json", message: "line 3: a comma is missing" },
            { source: "/plugins/half.json", toolName: "bad tool", message: "its name has a blank" },
          ],
          warnings: [],
        };
      },
    },
  });
  beforeAll(async () => {
    server.parts.gate.tools.register(write, { kind: "plugin", name: "notes" });
  });

  it("are listed with where they come from, their schema, and whether this token could call them", async () => {
    const { status, body } = await api.get<ToolList>("/api/tools");
    expect(status).toBe(200);
    expect(body.counts).toEqual({ total: 3, callable: 2, builtin: 0, plugin: 1, upstream: 0, library: 2 });
    const [first] = body.tools;
    expect(first).toMatchObject({
      ...{ name: "math.add", wireName: "math_add", source: "library" },
      ...{ category: "custom", permission: "read", callable: true },
    });
    expect(first?.inputSchema).toMatchObject({ required: ["a", "b"] });
    const named = (wanted: string) => body.tools.find(({ name }) => name === wanted);
    expect(named("notes.write")).toMatchObject({ source: "plugin", pluginName: "notes" });
    expect(named("notes.read")).toMatchObject({ callable: false, why: { code: "policy_denied" } });
  });

  it("are filtered by category, source, and what can be called", async () => {
    const names = async (query: string) =>
      (await api.get<ToolList>(`/api/tools?${query}`)).body.tools.map(({ name }) => name);
    expect(await names("source=plugin")).toEqual(["notes.write"]);
    expect(await names("callable=false")).toEqual(["notes.read"]);
    expect(await names("category=shell")).toEqual([]);
    expect(await names("mode=plan&callable=true")).toEqual(["math.add"]);
  });

  it("refuse a query that nobody knows", async () => {
    const { status, body } = await api.get("/api/tools?colour=red");
    expect(status).toBe(400);
    expect(body.code).toBe("bad_request");
  });

  it("can be read by tokens that may call, and by those that may read, but not by an approver's", async () => {
    expect((await api.get("/api/tools", { token: "token-call" })).status).toBe(200);
    expect((await api.get("/api/tools", { token: "token-read" })).status).toBe(200);
    expect((await api.get("/api/tools", { token: "token-approve" })).status).toBe(403);
  });

  it("are found one by one under any of their names", async () => {
    expect((await api.get("/api/tools/math.add")).body.name).toBe("math.add");
    expect((await api.get("/api/tools/math_add")).body.name).toBe("math.add");
  });

  it("that do not exist answer 404 with the name that was probably meant", async () => {
    const { status, body } = await api.get("/api/tools/math.ad");
    expect(status).toBe(404);
    expect(body.detail).toBe('There is no tool "math.ad". Did you mean math.add?');
    expect((await api.get("/api/tools/__proto__")).status).toBe(404);
  });

  it("are read again by an administrator, with every error named and the rest still served", async () => {
    const { status, body } = await api.post("/api/tools/reload");
    expect(status).toBe(200);
    // All tools of the gate, not only those of plugins.
    expect(body).toMatchObject({ success: false, toolCount: 3 });
    expect(body.errors).toHaveLength(2);
    expect(reloads).toEqual(["reload"]);
    expect((await api.get<ToolList>("/api/tools")).body.counts.total).toBe(3);
    expect((await api.post("/api/tools/reload", undefined, { token: "token-call" })).status).toBe(403);
    expect(reloads).toHaveLength(1);
  });

  it("are read again also where a client sends an empty object, which every POST without a body takes", async () => {
    const before = reloads.length;
    expect(await api.post("/api/tools/reload", {})).toMatchObject({ status: 200, body: { toolCount: 3 } });
    expect(reloads).toHaveLength(before + 1);
    expect((await api.post("/api/categories/web/enable", {})).status).toBe(200);
    for (const something of [{ folder: "/" }, [], null, "all", 0]) {
      const { status, body } = await api.post("/api/tools/reload", something);
      expect({ status, detail: body.detail }).toEqual({
        status: 400,
        detail: "This route takes no body, or an empty object.",
      });
    }
    expect(reloads).toHaveLength(before + 1);
  });
});

describe("the categories over HTTP", () => {
  const { api } = useServer({ gate: { tools: [add] } });

  const stateOf = async (id: string) => {
    const { body } = await api.get("/api/categories");
    const { enabled, ceiling } = body.categories.find((one: { id: string }) => one.id === id);
    return { enabled, ceiling };
  };

  it("are listed with their tools counted and the names that stand for several", async () => {
    const { body } = await api.get("/api/categories");
    expect(body.categories.find(({ id }: { id: string }) => id === "custom")).toMatchObject({
      enabled: true,
      tools: 1,
    });
    expect(body.unions).toContainEqual({ name: "development", members: ["editing", "shell", "git"] });
  });

  it("are switched on and off, also several under one name, and their ceilings set", async () => {
    await api.post("/api/categories/web/enable");
    expect(await stateOf("web")).toEqual({ enabled: true, ceiling: "read" });
    await api.post("/api/categories/web/disable");
    expect((await stateOf("web")).enabled).toBe(false);
    await api.post("/api/categories/development/enable");
    expect(await stateOf("shell")).toEqual({ enabled: true, ceiling: "execute" });
    await api.put("/api/categories/git/ceiling", { ceiling: "execute" });
    expect((await stateOf("git")).ceiling).toBe("execute");
  });

  it("that are switched off stop their tools at once", async () => {
    await api.post("/api/categories/custom/disable");
    const { body } = await api.post("/api/tools/math.add/call", { input: { a: 1, b: 2 } });
    expect(body).toMatchObject({ ok: false, error: { code: "category_disabled" } });
    await api.post("/api/categories/custom/enable");
    expect((await api.post("/api/tools/math.add/call", { input: { a: 1, b: 2 } })).body.ok).toBe(true);
  });

  it("are switched all off and all on at once", async () => {
    const { status, body } = await api.put("/api/categories", { enableAll: false });
    expect(status).toBe(200);
    expect(body.categories.some(({ enabled }: { enabled: boolean }) => enabled)).toBe(false);
    expect((await api.get("/api/tools?callable=true")).body.tools).toEqual([]);
    await api.put("/api/categories", { enableAll: true });
    expect(await stateOf("shell")).toEqual({ enabled: true, ceiling: "execute" });
    expect((await api.put("/api/categories", { enableAll: "no" })).status).toBe(422);
    expect((await api.put("/api/categories", {})).status).toBe(422);
  });

  it("that do not exist answer 404 and change nothing; a ceiling that does not exist is refused", async () => {
    const { status, body } = await api.post("/api/categories/shel/enable");
    expect(status).toBe(404);
    expect(body.detail).toContain('did you mean "shell"');
    expect((await api.put("/api/categories/git/ceiling", { ceiling: "root" })).status).toBe(422);
  });

  it("are changed by administrators only", async () => {
    for (const token of ["token-call", "token-read", "token-approve"])
      expect([
        (await api.post("/api/categories/shell/enable", undefined, { token })).status,
        (await api.put("/api/categories", { enableAll: true }, { token })).status,
      ]).toEqual([403, 403]);
  });
});

describe("the list of tools, which is kept ready", () => {
  it("changes with every tool, category and rule, and differs by what a caller can do", async () => {
    const limited = principal("limited", ["call"], []);
    const server = await startTestServer({
      routes: allRoutes,
      gate: { tools: [add, read] },
      tokens: { find: (token) => (token === "limited" ? limited : testTokens.find(token)) },
    });
    const api = createApi(server);
    const callable = async (token?: string) => {
      const { body } = await api.get<ToolList>("/api/tools", token === undefined ? {} : { token });
      return body.tools.filter((tool) => tool.callable).map(({ name }) => name);
    };
    const { gate } = server.parts;
    expect(await callable()).toEqual(["math.add", "notes.read"]);
    expect(await callable("limited")).toEqual(["math.add"]);
    gate.tools.register(write);
    expect(await callable()).toEqual(["math.add", "notes.read", "notes.write"]);
    gate.tools.unregister("math.add");
    expect(await callable()).toEqual(["notes.read", "notes.write"]);
    await gate.setRules({ policies: [{ name: "never", tools: "notes.write", action: "deny" }] });
    expect(await callable()).toEqual(["notes.read"]);
    gate.categories.disable("custom");
    expect(await callable()).toEqual([]);
    await server.close();
  });
});
