import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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
import { createDatabase } from "./start-postgres.ts";

const upstream = fileURLToPath(new URL("../scripted-mcp-server.ts", import.meta.url));
const ticking = fileURLToPath(new URL("../e2e/ticking-model.ts", import.meta.url));
const echo = (description: string) => ({
  name: "echo",
  description,
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
});

describePostgres("what happens on one replica and is seen on another", () => {
  let database: string;
  let one: Machine;
  let two: Machine;
  let token: string;
  let rules: string;
  const definitions = join(mkdtempSync(join(tmpdir(), "toolgate-definitions-")), "tools.json");
  beforeAll(async () => {
    database = await createDatabase();
    writeFileSync(definitions, JSON.stringify({ tools: [echo("Says it again.")] }));
    const model = spawn(process.execPath, [ticking, "2000", "20", "1"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onFinish.push(() => void model.kill());
    const [line] = await once(model.stdout, "data");
    rules = `
tools: { enabled_categories: [editing, shell, ${"mcp"}] }
policies:
  ask: { tools: fs.write, action: ask, priority: 1 }
  yes: { tools: '*', action: approve }
upstreams:
  notes: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(upstream)}, ${JSON.stringify(definitions)}] }
sessions:
  runners:
    ticking: { type: chat, api: anthropic, base_url: "http://127.0.0.1:${Number(line)}", model: ticking, key_env: MODEL_KEY }
`;
    const shared = sharedRulesFile();
    [one, two] = [await startMachine(database, shared, rules), await startMachine(database, shared, rules)];
    token = await makeToken(two, "agent", "call,read");
  }, 120_000);
  const onFinish: (() => void)[] = [];
  afterAll(async () => {
    closeMachines([one, two]);
    for (const finish of onFinish) finish();
  }, 60_000);
  const call = async (machine: Machine, tool: string, input: object) =>
    (await askMachine(machine, token, `/api/tools/${tool}/call`, { body: { input, sessionId: "s" } })).json;
  const toolgate = async ({ world }: Machine, ...argv: readonly string[]) => {
    const { out, err, code } = await world.run(argv);
    expect(code, err).toBe(0);
    return out;
  };
  /** Everything that a machine's clients hear, as one text that grows. */
  const hear = (machine: Machine) => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const heard = { text: "" };
    const listening = (async () => {
      const { body } = await fetch(`${machine.url}/api/events`, {
        headers: { authorization: `Bearer ${token}` },
        signal: stop.signal,
      });
      for await (const chunk of body ?? []) heard.text += Buffer.from(chunk).toString();
    })();
    listening.catch(() => {});
    return heard;
  };
  const waitingId = async (machine: Machine, tool: string): Promise<string> => {
    let id = "";
    await expect
      .poll(
        async () => {
          const { json } = await askMachine(machine, token, "/api/approvals");
          const items = (json.approvals ?? json.items ?? json) as { id: string; tool?: string }[];
          id = items.find((item) => JSON.stringify(item).includes(tool))?.id ?? "";
          return id !== "";
        },
        { timeout: 20_000 },
      )
      .toBe(true);
    return id;
  };

  it("are events of calls and of questions", async () => {
    const heard = hear(two);
    await expect.poll(() => heard.text.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await call(one, "fs.list", { path: "." })).toMatchObject({ ok: true });
    await expect.poll(() => heard.text, { timeout: 10_000 }).toMatch(/event: call-end\ndata: .*fs\.list/);
    const asking = call(one, "fs.write", { path: "a.txt", content: "x" });
    await expect
      .poll(() => heard.text, { timeout: 10_000 })
      .toMatch(/event: approval-request\ndata: .*fs\.write/);
    await toolgate(two, "approvals", "deny", await waitingId(two, "fs.write"));
    expect(await asking).toMatchObject({ error: { code: "approval_denied" } });
  });

  it("are grants, until they are revoked", async () => {
    const write = (machine: Machine) => call(machine, "fs.write", { path: "b.txt", content: "x" });
    const asking = write(one);
    await toolgate(two, "approvals", "approve", await waitingId(one, "fs.write"), "--scope", "user");
    expect(await asking).toMatchObject({ ok: true });
    expect(await write(one)).toMatchObject({ ok: true, approval: { kind: "grant" } });
    const [{ id }] = JSON.parse(await toolgate(two, "grants", "list", "--json")) as [{ id: string }];
    await toolgate(two, "grants", "revoke", id);
    const again = write(one);
    await toolgate(two, "approvals", "deny", await waitingId(one, "fs.write"));
    expect(await again).toMatchObject({ error: { code: "approval_denied" } });
  });

  it("are definitions of upstream tools that a person accepted", { timeout: 120_000 }, async () => {
    const say = () => call(one, "notes__echo", { text: "hi" });
    await expect.poll(async () => (await say()).ok, { timeout: 30_000, interval: 500 }).toBe(true);
    writeFileSync(definitions, JSON.stringify({ tools: [echo("Says it again, and more.")] }));
    await toolgate(two, "upstreams", "restart", "notes");
    await expect
      .poll(async () => (await say()).error?.code ?? (await say()).code, { timeout: 30_000, interval: 500 })
      .toMatch(/not_accepted|unknown_tool/);
    await toolgate(two, "upstreams", "accept", "notes", "--yes");
    await expect.poll(async () => (await say()).ok, { timeout: 30_000, interval: 500 }).toBe(true);
  });

  it("are messages for a session and its cancelling", { timeout: 120_000 }, async () => {
    const session = (machine: Machine, path = "", body?: object) =>
      askMachine(machine, token, `/api/sessions${path}`, body === undefined ? {} : { body });
    const { json: made, status } = await session(one, "", {
      prompt: "go",
      runner: "ticking",
      mode: "plan",
    });
    expect(status, JSON.stringify(made)).toBe(201);
    const state = async (machine: Machine) => (await session(machine, `/${made.id}`)).json.session?.state;
    await expect.poll(() => state(two), { timeout: 20_000 }).toBe("running");
    expect((await session(two, `/${made.id}/messages`, { text: "and then" })).status).toBeLessThan(300);
    const queued = async () => JSON.stringify((await session(one, `/${made.id}`)).json.prompts);
    await expect.poll(queued, { timeout: 10_000 }).toContain("and then");
    expect((await session(two, `/${made.id}/cancel`, {})).status).toBeLessThan(300);
    await expect.poll(() => state(one), { timeout: 20_000 }).not.toBe("running");
  });

  it("are the rules by which each decides: both say when they differ", { timeout: 120_000 }, async () => {
    const ready = async (machine: Machine) =>
      (await askMachine(machine, token, "/api/health/ready")).json.rules;
    expect(await toolgate(one, "store", "status")).not.toContain("rules differ");
    expect(await ready(one)).toBeUndefined();
    const file = sharedRulesFile();
    const other = await startMachine(
      database,
      file,
      `${rules}\nlimits:\n  few: { tools: fs.list, max: 5, windowMs: 1m }\n`,
    );
    onTestFinished(() => closeMachines([other]));
    await expect.poll(() => ready(one), { timeout: 30_000, interval: 1_000 }).toBe("differ");
    const status = await toolgate(one, "store", "status");
    expect(status).toContain("rules differ");
    expect(new Set(status.match(/rules [0-9a-f]{12}/g)).size).toBe(2);
    const changeTo = (more: string) => writeFileSync(file, `store: ${database}\n${rules}${more}`);
    changeTo("");
    await expect.poll(() => ready(one), { timeout: 30_000, interval: 1_000 }).toBeUndefined();
    changeTo("\nlimits:\n  fewer: { tools: fs.list, max: 4, windowMs: 1m }\n");
    await expect.poll(() => ready(one), { timeout: 30_000, interval: 1_000 }).toBe("differ");
    other.server.kill("SIGTERM");
    await expect.poll(() => ready(one), { timeout: 30_000, interval: 1_000 }).toBeUndefined();
  });
});
