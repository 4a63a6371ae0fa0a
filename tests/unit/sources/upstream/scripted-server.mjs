/** A server of few lines that behaves, or misbehaves, as its arguments and calls tell it. */
import { spawn } from "node:child_process";
import { appendFileSync, closeSync } from "node:fs";
import { createInterface } from "node:readline";

const flags = new Map(process.argv.slice(2).map((flag) => flag.replace(/^--/, "").split("=")));
const modern = flags.has("modern");
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (value) => ({
  ...(modern && { resultType: "complete" }),
  content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
});
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const cancelled = [];
const asked = new Map();
const subscribed = new Set();
let lastId = 0;
let maxAtOnce = 0;
let atOnce = 0;
let listen;

if (flags.has("log")) appendFileSync(flags.get("log"), `${process.pid}\n`);
if (flags.has("stderr")) process.stderr.write(`${flags.get("stderr")}\n`);
if (flags.has("ignore-term")) process.on("SIGTERM", () => {});
if (flags.has("crash")) process.exit(3);
if (flags.has("banner")) process.stdout.write("Starting the server...\n{not json}\n\n[1, 2]\n");
if (flags.has("slow")) await sleep(Number(flags.get("slow")));

function ask(method, params) {
  const id = `ask-${++lastId}`;
  say({ id, method, params });
  return new Promise((resolve) => asked.set(id, resolve));
}

const tools = {
  echo: (args) => text(args),
  pid: () => text(String(process.pid)),
  env: () => text(process.env),
  cwd: () => text(process.cwd()),
  cancelled: () => text(cancelled),
  busiest: () => text(String(maxAtOnce)),
  meta: (_args, _id, params) => text(params._meta ?? null),
  hang: () => new Promise(() => {}),
  freeze: () => {
    for (;;);
  },
  die: () => process.kill(process.pid, "SIGKILL"),
  exit: ({ code }) => process.exit(code),
  refuse: () => Promise.reject(Object.assign(new Error("no such fruit"), { code: -32602 })),
  wrong: () => 7,
  async slow({ ms }) {
    maxAtOnce = Math.max(maxAtOnce, ++atOnce);
    await sleep(ms);
    atOnce--;
    return text("done");
  },
  async steps({ steps }, _id, params) {
    const { progressToken } = params._meta ?? {};
    for (let progress = 1; progress <= steps; progress++) {
      say({
        method: "notifications/progress",
        params: { progressToken, progress, total: steps, message: `step ${progress}` },
      });
      await sleep(2);
    }
    return text("done");
  },
  huge: ({ bytes }) => text("x".repeat(bytes)),
  endless: () => {
    const more = () => process.stdout.write("y".repeat(65_536), more);
    more();
    return new Promise(() => {});
  },
  flood: () => {
    const line = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: 1 } })}\n`;
    const more = () => process.stdout.write(line.repeat(500), more);
    more();
    return new Promise(() => {});
  },
  async garbage({ lines }) {
    for (let at = 0; at < lines; at++) process.stdout.write(`log line ${at}\n`);
    return text("after the garbage");
  },
  async ask(args, _id, params) {
    if (args.after !== undefined) await sleep(args.after);
    if (!modern)
      return text(
        await ask("elicitation/create", {
          message: args.question,
          requestedSchema: args.schema ?? { type: "object", properties: {} },
        }),
      );
    if (params.inputResponses) return text({ responses: params.inputResponses, state: params.requestState });
    return {
      resultType: "input_required",
      requestState: "state-1",
      inputRequests: {
        first: {
          method: "elicitation/create",
          params: { message: args.question, requestedSchema: { type: "object", properties: {} } },
        },
      },
    };
  },
  sample: async () => text(await ask("sampling/createMessage", { messages: [], maxTokens: 5 })),
  roots: async () => text(await ask("roots/list", {})),
  ping: async () => text(await ask("ping", {})),
  deaf: () => {
    closeSync(0);
    setInterval(() => {}, 1000);
    return text("deaf");
  },
  child: () => {
    const child = spawn(
      process.execPath,
      ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"],
      {
        stdio: "ignore",
        detached: true,
      },
    );
    return text(String(child.pid));
  },
  change: ({ uri }) => {
    const meta =
      listen === undefined ? {} : { _meta: { "io.modelcontextprotocol/subscriptionId": listen.id } };
    say({ method: "notifications/tools/list_changed", params: meta });
    say({ method: "notifications/resources/list_changed", params: meta });
    say({ method: "notifications/prompts/list_changed", params: meta });
    if (uri !== undefined) say({ method: "notifications/resources/updated", params: { uri, ...meta } });
    return text([...subscribed]);
  },
};

const page = (field, all, cursor = "0") => {
  if (flags.has("circle")) return { [field]: all.slice(0, 1), nextCursor: "1" };
  const at = Number(cursor);
  const size = Number(flags.get("page") ?? 1_000);
  return {
    ...(modern && { resultType: "complete", ttlMs: 0, cacheScope: "private" }),
    [field]: all.slice(at, at + size),
    ...(at + size < all.length && { nextCursor: String(at + size) }),
  };
};
const capabilities = flags.has("bare")
  ? {}
  : {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
    };

const methods = {
  initialize: ({ protocolVersion }) => {
    if (modern) throw Object.assign(new Error("initialize is of the past"), { code: -32601 });
    return {
      protocolVersion: flags.get("version") ?? protocolVersion,
      capabilities,
      serverInfo: { name: "scripted", version: "1.0.0" },
      instructions: "Be gentle.",
    };
  },
  "server/discover": () => {
    if (!modern) throw Object.assign(new Error("Method not found"), { code: -32601 });
    return {
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities,
      ttlMs: 0,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "scripted", version: "1.0.0" } },
    };
  },
  ping: () => ({}),
  "tools/list": ({ cursor }) =>
    page(
      "tools",
      Object.keys(tools).map((name) => ({ name, inputSchema: { type: "object" } })),
      cursor,
    ),
  "tools/call": (params, id) => tools[params.name](params.arguments, id, params),
  "resources/list": ({ cursor }) =>
    page(
      "resources",
      [
        { uri: "note://a", name: "a" },
        { uri: "note://b", name: "b" },
      ],
      cursor,
    ),
  "resources/read": ({ uri }) => ({
    ...(modern && { resultType: "complete" }),
    contents: [{ uri, text: `text of ${uri}` }],
  }),
  "resources/subscribe": ({ uri }) => {
    subscribed.add(uri);
    return {};
  },
  "resources/unsubscribe": ({ uri }) => {
    subscribed.delete(uri);
    return {};
  },
  "subscriptions/listen": ({ notifications }, id) => {
    listen = { id };
    for (const uri of notifications.resourceSubscriptions ?? []) subscribed.add(uri);
    say({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications, _meta: { "io.modelcontextprotocol/subscriptionId": id } },
    });
    return new Promise(() => {});
  },
  "prompts/list": ({ cursor }) => page("prompts", [{ name: "greet", arguments: [{ name: "who" }] }], cursor),
  "prompts/get": ({ name, arguments: args }) => ({
    ...(modern && { resultType: "complete" }),
    messages: [{ role: "user", content: { type: "text", text: `${name} ${args.who}` } }],
  }),
  "completion/complete": ({ argument }) => ({ completion: { values: [`${argument.value}!`] } }),
};

if (!flags.has("mute")) {
  createInterface({ input: process.stdin }).on("line", async (line) => {
    const { id, method, params = {}, result, error } = JSON.parse(line);
    if (method === undefined) return asked.get(id)?.(result ?? { error });
    if (method === "notifications/cancelled") return cancelled.push(params.requestId);
    if (id === undefined || flags.get("silent-on") === method) return;
    try {
      if (methods[method] === undefined) throw Object.assign(new Error("Method not found"), { code: -32601 });
      say({ id, result: await methods[method](params, id) });
    } catch (failure) {
      say({ id, error: { code: failure.code ?? -32603, message: failure.message } });
    }
  });
} else setInterval(() => {}, 1000);
