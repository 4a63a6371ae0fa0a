/** Whoever tries a call leaves a record, by whichever way and however wrong the call is. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { LedgerEntry } from "../../src/core/ports/ledger-reader.ts";
import { runCheck } from "../../src/surfaces/cli/commands/check/check.ts";
import type { CliIo } from "../../src/surfaces/cli/terminal/io.ts";
import { createHookService } from "../../src/surfaces/hook/served/hook-service.ts";
import { createPermissionCheck } from "../../src/surfaces/mcp/handlers/permission-check.ts";
import type { PermissionCheck } from "../../src/surfaces/mcp/handlers/permission-prompt.ts";
import { type CliWorld, call, createCliWorld } from "../unit/surfaces/cli/cli-world.ts";
import { type Endpoint, openEndpoint } from "../unit/surfaces/mcp/http/mcp-endpoint.ts";

describe("a call at the command line", () => {
  let world: CliWorld;
  beforeAll(() => {
    world = createCliWorld();
  });
  afterAll(() => world.close());

  const last = async (): Promise<LedgerEntry | undefined> => {
    const { out } = await world.run(["audit", "query", "--limit", "1", "--ndjson"]);
    return out === "" ? undefined : (JSON.parse(out) as LedgerEntry);
  };

  const tools = ["tools", "call"];
  const file = '{"path":"x","content":"y"}';
  const pwd = call("Bash", { command: "pwd" });
  const broken = ["--config", "broken.yaml"];
  const agent = { env: { CLAUDECODE: "1" } };
  const ways: readonly [
    name: string,
    argv: readonly string[],
    asked: string,
    code: string,
    more?: { readonly stdin?: string; readonly env?: Record<string, string> },
  ][] = [
    ["of a tool that nobody has", [...tools, "nope"], "nope", "unknown_tool"],
    ["of a tool that nobody has, as JSON", [...tools, "nope", "{}", "--json"], "nope", "unknown_tool"],
    ["of an upstream's tool that nobody has", [...tools, "server__tool"], "server__tool", "unknown_tool"],
    ["with an input that is not JSON", [...tools, "fs.read", "{path"], "fs.read", "bad_call"],
    ["with an input that is no object", [...tools, "fs.read", "7"], "fs.read", "bad_call"],
    ["with an input that does not fit", [...tools, "fs.read", '{"path":7}'], "fs.read", "invalid_input"],
    ["with an empty standard input", [...tools, "fs.read", "-"], "fs.read", "bad_call"],
    ["of a category that is off", [...tools, "fs.write", file], "fs.write", "category_disabled"],
    [
      "that an agent approves itself",
      [...tools, "fs.delete", '{"path":"x"}', "--yes"],
      "fs.delete",
      "no_approver",
      agent,
    ],
    ["with a wrong option", [...tools, "fs.stat", "{}", "--wait", "soon"], "fs.stat", "bad_call"],
    ["under a broken configuration", [...tools, "fs.list", "{}", ...broken], "fs.list", "internal_error"],
    ["to check that is not JSON", ["check"], "(no name)", "bad_call", { stdin: "{" }],
    ["to check that is empty", ["check"], "(no name)", "bad_call"],
    ["to check without a tool", ["check"], "(no name)", "bad_call", { stdin: '{"tool_input":{}}' }],
    ["to check under a broken configuration", ["check", ...broken], "Bash", "internal_error", { stdin: pwd }],
  ];

  it.for(ways)("%s leaves a record", async ([, argv, asked, code, more]) => {
    world.file("broken.yaml", "policies: 7\n");
    const before = (await last())?.seq ?? 0;
    const ran = await world.run(argv, { stdin: "", ...more });
    expect(ran.code).not.toBe(0);
    const entry = await last();
    expect(entry?.seq).toBeGreaterThan(before);
    expect(entry?.body).toMatchObject({ askedFor: asked, code, ok: false, verdict: "deny" });
  });

  it("to check of an agent that is not known leaves a record, as its hook would start it", async () => {
    const io = {
      readStdin: async () => call("Bash", { command: "ls" }),
      env: { HOME: world.home },
      cwd: world.root,
      err: () => {},
    };
    expect(await runCheck({ agent: "other" }, io as unknown as CliIo)).toBe(2);
    expect((await last())?.body).toMatchObject({ askedFor: "Bash", code: "bad_call", verdict: "deny" });
  });

  it("to check of a tool that no rule knows leaves a record, too", async () => {
    const before = (await last())?.seq ?? 0;
    await world.run(["check"], { stdin: call("NeverHeardOf", { a: 1 }) });
    const entry = await last();
    expect(entry?.seq).toBeGreaterThan(before);
    expect(entry?.body).toMatchObject({ askedFor: "NeverHeardOf", kind: "check" });
  });
});

describe("a call over the network", () => {
  let endpoint: Endpoint;
  let closeMore: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closeMore) await close();
    closeMore = [];
    await endpoint.server.close();
  });

  async function open(limits: { readonly maxPerMinute?: number } = {}): Promise<void> {
    let check: PermissionCheck | undefined;
    const permissionPrompt: PermissionCheck = (asked, how) => check!(asked, how);
    endpoint = await openEndpoint({ mcp: { permissionPrompt }, limits });
    const { store, config } = endpoint.server.parts;
    const prompt = createPermissionCheck({ config: config.current, store, attended: true });
    check = prompt.check;
    const env = { HOME: endpoint.server.folder, XDG_STATE_HOME: `${endpoint.server.folder}/state` };
    const hooks = createHookService({ store, env, tell: () => {} });
    Object.assign(endpoint.server.parts, { hooks });
    closeMore = [() => prompt[Symbol.asyncDispose](), () => hooks.close()];
  }

  const newest = async () => {
    const { entries } = await endpoint.server.parts.store.ledger.query({}, { limit: 1 });
    return entries[0]?.body;
  };

  const post = (path: string, body: string, token = "token-all", type = "application/json") =>
    endpoint.server.ask(path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": type },
      body,
    });

  it.for([
    ["of a tool that nobody has", "nope", "{}", "token-call", "unknown_tool"],
    ["without the right", "math_add", "{}", "token-read", "missing_capability"],
    ["with a body that is not JSON", "math_add", "{", "token-call", "bad_call"],
    ["with unknown fields", "math_add", '{"x":1}', "token-call", "bad_call"],
    ["with an input that is a list", "math_add", '{"input":[]}', "token-call", expect.any(String)],
    ["with equal keys", "math_add", '{"input":{},"input":{}}', "token-call", expect.any(String)],
  ] as const)("by REST %s leaves a record with its caller", async ([, tool, body, token, code]) => {
    await open();
    await (await post(`/api/tools/${tool}/call`, body, token)).text();
    expect(await newest()).toMatchObject({ askedFor: tool, code, ok: false, caller: token, surface: "http" });
  });

  it("by REST with a query, or a body of another kind, leaves a record", async () => {
    await open();
    await (await post("/api/tools/one/call?x=1", "{}")).text();
    expect(await newest()).toMatchObject({ askedFor: "one", code: "bad_call" });
    await (await post("/api/tools/two/call", "x", "token-all", "text/plain")).text();
    expect(await newest()).toMatchObject({ askedFor: "two", code: "bad_call" });
  });

  it("without a token leaves none: strangers do not fill the disk", async () => {
    await open();
    await (await post("/api/tools/math_add/call", "{}", "nobody")).text();
    expect(await newest()).toBeUndefined();
  });

  it("of a token without the right leaves no more records than its limit of requests", async () => {
    // So few a minute that the limit is met however long the requests take.
    await open({ maxPerMinute: 30 });
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const answer = await post("/api/tools/math_add/call", "{}", "token-read");
        await answer.text();
        return answer.status;
      }),
    );
    const { calls } = await endpoint.server.parts.store.ledger.stats();
    expect(statuses).toContain(429);
    expect(calls).toBe(statuses.filter((status) => status === 403).length);
  });

  const nameless = { askedFor: "(no name)", code: "bad_call" };
  const adding = { askedFor: "math_add", code: "bad_call" };
  const prompt = "permission_prompt";
  it.for([
    [
      "of a tool that nobody has",
      { name: "nope", arguments: {} },
      { askedFor: "nope", code: "unknown_tool" },
    ],
    ["without a name", { arguments: {} }, nameless],
    ["whose name is a number", { name: 7 }, nameless],
    ["whose arguments are a list", { name: "math_add", arguments: [1] }, adding],
    ["whose arguments are a text", { name: "math_add", arguments: "x" }, adding],
    ["whose arguments are null", { name: "math_add", arguments: null }, adding],
    [
      "for permission without an input",
      { name: prompt, arguments: { tool_name: "Bash" } },
      { askedFor: "Bash", code: "bad_call", kind: "check" },
    ],
    ["for permission of nothing", { name: prompt, arguments: { input: {} } }, { ...nameless, kind: "check" }],
    [
      "for permission, whose arguments are none",
      { name: prompt, arguments: 7 },
      { ...nameless, kind: "check" },
    ],
  ] as const)("by MCP %s leaves a record with its caller", async ([, params, expected]) => {
    await open();
    const session = await endpoint.begin();
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const text = await (await endpoint.post(message, { "mcp-session-id": session })).text();
    expect(text).toContain('"error"');
    expect(await newest()).toMatchObject({ ...expected, ok: false, verdict: "deny", caller: "token-all" });
  });

  it.for([
    ["that is not JSON", "{", "token-call", "bad_call"],
    ["without a tool", "{}", "token-call", "bad_call"],
    ["without the right", "{}", "token-read", "missing_capability"],
  ] as const)("by the hook's route %s leaves a record with its caller", async ([, body, token, code]) => {
    await open();
    await (await post("/api/hook/claude-code", body, token)).text();
    expect(await newest()).toMatchObject({ askedFor: "(no name)", code, kind: "check", caller: token });
  });
});
