/** An agent that speaks the Agent Client Protocol and does what its prompt says: a list of steps as JSON. Flags make it misbehave. */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const flags = new Set(process.argv.slice(2));
const version = flags.has("v2") ? 2 : flags.has("v7") ? 7 : 1;
const seen = process.env.SEEN ?? "";
const waiting = new Map();
let lastId = 0;
let cancel;

if (flags.has("banner")) console.log("Welcome to the agent!");
if (flags.has("dies")) {
  console.error("no licence found");
  process.exit(3);
}
if (flags.has("stubborn")) process.on("SIGTERM", () => {});

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const ask = (method, params) =>
  new Promise((resolve) => {
    waiting.set(++lastId, resolve);
    send({ id: lastId, method, params });
  });
const update = (body) => send({ method: "session/update", params: { sessionId: "agent-1", update: body } });
const say = (text) =>
  update({ sessionUpdate: "agent_message_chunk", messageId: `m${lastId}`, content: { type: "text", text } });
const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

const does = {
  say: async (text) => say(text),
  update: async (body) => update(body),
  ask: async (toolCall, given = options) => {
    const { outcome } = await ask("session/request_permission", {
      sessionId: "agent-1",
      toolCall,
      options: given,
    });
    say(`[${toolCall.toolCallId}: ${outcome.outcome} ${outcome.optionId ?? ""}]`);
  },
  asks: (...calls) => Promise.all(calls.map((call) => does.ask(call))),
  subject: async (subject) => {
    const { outcome } = await ask("session/request_permission", {
      sessionId: "agent-1",
      title: "May I?",
      subject,
      options,
    });
    say(`[${outcome.outcome} ${outcome.optionId ?? ""}]`);
  },
  request: async (method, params) =>
    say(`[${method}: ${JSON.stringify(await ask(method, { sessionId: "agent-1", ...params }))}]`),
  terminal: async (command, args = []) => {
    const { terminalId } = await ask("terminal/create", { sessionId: "agent-1", command, args });
    const exit = await ask("terminal/wait_for_exit", { sessionId: "agent-1", terminalId });
    const { output } = await ask("terminal/output", { sessionId: "agent-1", terminalId });
    say(`[terminal ${exit.exitCode}: ${output}]`);
  },
  mcp: async (tool, input) => {
    const [server] = servers;
    const env = { ...process.env, ...Object.fromEntries(server.env.map(({ name, value }) => [name, value])) };
    const child = spawn(server.command, server.args, { env, stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const call = async (id, method, params) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return JSON.parse((await lines.next()).value);
    };
    await call(1, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "a", version: "1" },
    });
    const { result: listed } = await call(2, "tools/list", {});
    const { result } = await call(3, "tools/call", { name: tool, arguments: input });
    say(`[${listed.tools.length} tools; ${JSON.stringify(result)}]`);
    child.kill();
  },
  child: async (seconds) => {
    const child = spawn("sleep", [String(seconds)], { detached: true, stdio: "ignore" });
    appendFileSync(seen, `child ${child.pid}\n`);
  },
  garbage: async (text) => void process.stdout.write(text.repeat(1)),
  many: async (count, text) => {
    for (let index = 0; index < count; index++) process.stdout.write(`${text}\n`);
  },
  huge: async (bytes) => say("x".repeat(bytes)),
  die: async (code) => process.exit(code),
  wait: () => new Promise((resolve) => (cancel = resolve)),
  hang: () => new Promise(() => {}),
};

let servers = [];
const answers = {
  initialize: () =>
    flags.has("mute")
      ? new Promise(() => {})
      : version === 2
        ? { protocolVersion: 2, info: { name: "scripted", version: "2.0" }, capabilities: { session: {} } }
        : {
            protocolVersion: version,
            agentInfo: { name: "scripted", version: "1.0" },
            agentCapabilities: { loadSession: !flags.has("forgets") },
            authMethods: [{ id: "key", name: "A key" }],
          },
  authenticate: ({ methodId }) => {
    flags.delete("auth");
    appendFileSync(seen, `login ${methodId}\n`);
    return {};
  },
  "session/new": ({ mcpServers }) => {
    if (flags.has("auth")) throw { code: -32000, message: "Authentication required" };
    servers = mcpServers;
    appendFileSync(seen, "new\n");
    return { sessionId: "agent-1" };
  },
  "session/load": ({ sessionId, mcpServers }) => {
    if (sessionId !== "agent-1") throw { code: -32602, message: `Unknown session ${sessionId}` };
    servers = mcpServers;
    appendFileSync(seen, `load ${sessionId}\n`);
    say("This was said before.");
    return {};
  },
  "session/resume": () => {
    appendFileSync(seen, "resume\n");
    return {};
  },
  "session/prompt": async ({ prompt }) => {
    const text = prompt.at(-1).text;
    appendFileSync(seen, `prompt ${prompt.map((block) => block.text).join(" | ")}\n`);
    const run = async () => {
      let isCancelled = false;
      for (const [what, ...rest] of text.startsWith("[") ? JSON.parse(text) : [["say", `you said ${text}`]]) {
        if ((await does[what](...rest)) === "cancelled") isCancelled = true;
      }
      return isCancelled ? "cancelled" : "end_turn";
    };
    if (version === 1) return { stopReason: await run(), usage: { inputTokens: 3, outputTokens: 4 } };
    run().then((stopReason) => update({ sessionUpdate: "state_update", state: "idle", stopReason }));
    return { messageId: "u1" };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {}, result, error } = JSON.parse(line);
  if (method === undefined) {
    waiting.get(id)?.(result ?? { error });
    waiting.delete(id);
  } else if (method === "session/cancel") {
    appendFileSync(seen, "cancel\n");
    cancel?.("cancelled");
  } else if (id !== undefined) {
    Promise.resolve()
      .then(() => answers[method]?.(params) ?? Promise.reject({ code: -32601, message: `no ${method}` }))
      .then((value) => send({ id, result: value }))
      .catch((problem) =>
        send({ id, error: { code: problem.code ?? -32603, message: String(problem.message ?? problem) } }),
      );
  }
}
if (flags.has("stubborn")) setInterval(() => {}, 1000);
