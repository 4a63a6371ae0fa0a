/** A token with every right wants to answer its own question, by every way there is; and a token that was taken back still waits for a yes. */
import { afterEach, describe, expect, it } from "vitest";
import { metaKeys } from "../../src/mcp/messages.ts";
import { createHookService } from "../../src/surfaces/hook/served/hook-service.ts";
import type { TokenHolder } from "../../src/surfaces/http/rights.ts";
import type { TokenCheck } from "../../src/surfaces/http/server-parts.ts";
import { createPermissionCheck } from "../../src/surfaces/mcp/handlers/permission-check.ts";
import type { PermissionCheck } from "../../src/surfaces/mcp/handlers/permission-prompt.ts";
import { principal, testTokens } from "../http-server.ts";
import { write } from "../tools.ts";
import {
  call,
  type Endpoint,
  initialize,
  modern,
  openEndpoint,
} from "../unit/surfaces/mcp/http/mcp-endpoint.ts";

const forms = { elicitation: { form: {} } };
const bash = { tool_name: "Bash", input: { command: "make deploy" }, tool_use_id: "toolu_1" };
const authorization = (token: string) => ({ authorization: `Bearer ${token}` });

/** Ways to make a call about which a person is asked. Each answers what it was told in the end. */
const ways: Readonly<Record<string, (endpoint: Endpoint, token: string) => Promise<string>>> = {
  REST: async ({ server }, token) =>
    (await postJson(server, "/api/tools/notes_write/call", { input: { path: "a" } }, token)).text(),
  "MCP 2026-07-28": async ({ post }, token) =>
    (await post(...ofModern({ name: "notes_write", arguments: { path: "a" } }, token))).text(),
  "MCP 2025-11-25": (endpoint, token) => legacy(endpoint, call(1, "notes_write", { path: "a" }), token),
  "permission_prompt 2026-07-28": async ({ post }, token) =>
    (await post(...ofModern({ name: "permission_prompt", arguments: bash }, token))).text(),
  "permission_prompt 2025-11-25": (endpoint, token) =>
    legacy(endpoint, call(1, "permission_prompt", bash), token),
  "the hook's route": async ({ server }, token) => {
    const asked = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "deploy" } };
    return (await postJson(server, "/api/hook/claude-code", { ...asked, cwd: server.folder }, token)).text();
  },
};

const refused = /approval is void|approval_stale|"behavior\\?":\\?"deny|"permissionDecision":"deny/;

describe("nobody answers their own question", () => {
  let endpoint: Endpoint;
  let closeMore: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closeMore) await close();
    closeMore = [];
    await endpoint.server.close();
  });

  async function open(options: { tokens?: TokenCheck; approveByElicitation?: boolean } = {}) {
    let check: PermissionCheck | undefined;
    const { tokens = testTokens, ...settings } = options;
    const permissionPrompt: PermissionCheck = (asked, how) => check!(asked, how);
    const rules = { policies: [{ name: "ask", tools: "notes.write", action: "ask" as const }] };
    endpoint = await openEndpoint({ tokens, gate: rules, mcp: { ...settings, permissionPrompt } }, [write]);
    const { store, config } = endpoint.server.parts;
    const prompt = createPermissionCheck({ config: config.current, store, attended: true });
    check = prompt.check;
    const env = { HOME: endpoint.server.folder, XDG_STATE_HOME: `${endpoint.server.folder}/state` };
    const hooks = createHookService({ store, env });
    // No rule speaks of Bash here: the hook's gates ask as the prompt's do.
    const asking = createHooksThatAsk(hooks, endpoint);
    Object.assign(endpoint.server.parts, { hooks: asking });
    closeMore.push(
      () => hooks.close(),
      async () => prompt[Symbol.asyncDispose](),
    );
    return endpoint;
  }

  const question = async () => {
    const { approvals } = endpoint.server.parts.store;
    await expect.poll(() => approvals.pending()).toHaveLength(1);
    const [request] = await approvals.pending();
    return request!;
  };
  const answer = async (id: string, token: string) =>
    postJson(endpoint.server, `/api/approvals/${id}/answer`, { decision: "approve" }, token);

  describe.each(Object.keys(ways))("asked by %s", (way) => {
    it("not even with every right, by REST; somebody else can", async () => {
      await open();
      const told = ways[way]!(endpoint, "token-all");
      const { id, caller: asker } = await question();
      expect(asker).toBe("token-all");
      const own = await answer(id, "token-all");
      expect([own.status, await own.text()]).toEqual([403, expect.stringContaining("cannot answer it")]);
      expect((await answer(id, "token-approve")).status).toBe(200);
      expect(await told).not.toMatch(refused);
      const { entries } = await endpoint.server.parts.store.ledger.query({});
      expect(entries[0]?.body).toMatchObject({
        caller: "token-all",
        approval: { kind: "approval", id, by: "token-approve" },
      });
    });

    it("gets no yes with a token that was taken back, or may do less, while it waited", async () => {
      let held: TokenHolder | undefined;
      const tokens: TokenCheck = { find: (token) => (token === "token-all" ? held : testTokens.find(token)) };
      await open({ tokens });
      for (const later of [
        undefined,
        principal("token-all", ["read", "approve"]),
        principal("token-all", ["call", "read"], ["fs:read"]),
        principal("bob", ["call", "read", "approve"]),
      ]) {
        held = principal("token-all", ["call", "read", "approve", "admin"]);
        const told = ways[way]!(endpoint, "token-all");
        const { id } = await question();
        held = later;
        expect((await answer(id, "token-approve")).status).toBe(200);
        expect(await told).toMatch(refused);
        const { entries } = await endpoint.server.parts.store.ledger.query({});
        expect(entries[0]?.body).toMatchObject({ caller: "token-all", ok: false, code: "approval_stale" });
      }
    });
  });

  it("by an elicitation: a client is not asked, and what it says unasked counts for nothing", async () => {
    await open();
    const headers = await beginLegacy(endpoint, "token-all");
    const older = endpoint.post(call(1, "notes_write", { path: "a" }), headers).then((said) => said.text());
    const first = await question();
    const yes = { action: "accept", content: { decision: "approve" } };
    for (const id of [0, 1, 2, 3, "q", first.id])
      await endpoint.post({ jsonrpc: "2.0", id, result: yes }, headers);
    expect((await question()).id).toBe(first.id);
    await answer(first.id, "token-approve");
    expect(await older).not.toContain("elicitation");

    const inputResponses = { q: yes, [first.id]: yes };
    const params = { name: "notes_write", arguments: { path: "b" }, inputResponses };
    const newer = endpoint.post(...ofModern(params, "token-all")).then((said) => said.text());
    const second = await question();
    await answer(second.id, "token-approve");
    expect(await newer).not.toContain("input_required");
  });

  it("where clients are trusted the record says that the client answered for itself", async () => {
    await open({ approveByElicitation: true });
    const params = { name: "notes_write", arguments: { path: "a" } };
    const asked = await endpoint.post(...ofModern(params, "token-all"));
    const { result } = (await asked.json()) as {
      result: { requestState: string; inputRequests: Record<string, object> };
    };
    const yes = { action: "accept", content: { decision: "approve", via: "desk", by: "ann", scope: "user" } };
    const inputResponses = Object.fromEntries(Object.keys(result.inputRequests).map((key) => [key, yes]));
    const { requestState } = result;
    await endpoint.post(...ofModern({ ...params, requestState, inputResponses }, "token-all"));
    const { store } = endpoint.server.parts;
    const { entries } = await store.ledger.query({});
    expect(entries[0]?.body).toMatchObject({
      caller: "token-all",
      approval: { kind: "approval", by: "client:a client", via: "elicitation" },
    });
    expect(await store.grants.list()).toEqual([]);
  });

  it("cannot be made to look like an elicitation over REST", async () => {
    await open();
    const told = ways.REST!(endpoint, "token-all");
    const { id } = await question();
    const body = { decision: "approve", via: "elicitation", by: "client:x" };
    const forged = await postJson(endpoint.server, `/api/approvals/${id}/answer`, body, "token-all");
    expect(forged.status).toBe(422);
    await answer(id, "token-approve");
    await told;
  });
});

function postJson(server: Endpoint["server"], path: string, body: object, token: string): Promise<Response> {
  return server.ask(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...authorization(token) },
    body: JSON.stringify(body),
  });
}

function ofModern(params: object, token: string): [object, Record<string, string>] {
  const _meta = {
    [metaKeys.clientCapabilities]: forms,
    [metaKeys.clientInfo]: { name: "a client", version: "1" },
  };
  const [message, headers] = modern(1, "tools/call", { ...params, _meta });
  return [message, { ...headers, ...authorization(token) }];
}

async function beginLegacy(endpoint: Endpoint, token: string) {
  const begun = await endpoint.post(initialize("2025-11-25", forms), authorization(token));
  return { ...authorization(token), "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
}

async function legacy(endpoint: Endpoint, message: object, token: string): Promise<string> {
  return (await endpoint.post(message, await beginLegacy(endpoint, token))).text();
}

/** The gates of projects, each with a rule that asks about every command. */
function createHooksThatAsk(hooks: ReturnType<typeof createHookService>, { server }: Endpoint) {
  const find: typeof hooks.gates.find = async (place) => {
    const found = await hooks.gates.find(place);
    if (found.ok) await found.gate.setRules({ policies: [{ name: "ask", tools: "Bash", action: "ask" }] });
    return found;
  };
  return { ...hooks, gates: { ...hooks.gates, find }, env: { ...hooks.env, HOME: server.folder } };
}
