// Search mode over a catalogue of real tools: what a model is told at the start, how long a question takes, and whether its tools are among the answers.

import { readFileSync } from "node:fs";
import { quantile, round3 } from "../measure.mjs";

const maxStartTokens = 1_500;
const maxAnswerTokens = 2_000;
const maxQueryMs = 5;
/** Each with a new gate; of a question the fastest counts, since what else the machine does only ever adds. */
const rounds = 7;

/** Each catalogue is a JSON list of `{ server, name, description, inputSchema }`. */
export async function run(files) {
  const count = await tokenizer();
  const rows = [];
  const bars = [];
  for (const file of files) {
    const tools = readCatalogue(file);
    const measured = await measureCatalogue(tools, count);
    rows.push({ file, ...measured.row }, ...measured.answers);
    bars.push(...measured.bars);
    print(measured);
  }
  return { rows, bars };
}

async function measureCatalogue(tools, count) {
  const questions = knownQuestions(tools);
  const times = new Map();
  let last;
  const indexMs = [];
  for (let round = 0; round < rounds; round++) {
    await last?.gate.close();
    last = await openGate(tools);
    const startedAt = performance.now();
    await search(last.gate, "a first question");
    indexMs.push(performance.now() - startedAt);
    for (const { question } of questions) {
      const { ms } = await search(last.gate, question);
      times.set(question, Math.min(ms, times.get(question) ?? Number.POSITIVE_INFINITY));
    }
  }
  const { gate, registered } = last;
  const answers = [];
  for (const asked of questions) {
    const { text } = await search(gate, asked.question);
    answers.push({ ...rated(asked, namesIn(text)), tokens: count(text) });
  }
  const overview = count((await search(gate, "")).text);
  const start = await atStart(gate, count);
  await gate.close();
  const first = [...times.values()];
  const row = {
    tools: tools.length,
    registered,
    tokensBefore: count(JSON.stringify(tools.map(forModel))),
    tokensAtStart: start.tokens,
    listed: start.names,
    indexMs: round3(Math.min(...indexMs)),
    queryP50Ms: round3(quantile(first, 0.5)),
    queryP99Ms: round3(quantile(first, 0.99)),
    answerTokensP50: quantile(
      answers.map(({ tokens }) => tokens),
      0.5,
    ),
    answerTokensMax: Math.max(...answers.map(({ tokens }) => tokens)),
    overviewTokens: overview,
  };
  const atMost = (name, value, max) => ({ bar: name, value, max, ok: value <= max });
  const bars = [
    atMost("tokens at the start", row.tokensAtStart, maxStartTokens),
    atMost("tokens of an answer", Math.max(row.answerTokensMax, overview), maxAnswerTokens),
    atMost("a query, p99 in ms", row.queryP99Ms, maxQueryMs),
  ];
  return { row, answers, bars };
}

/** What an MCP client passes on to its model: the instructions of the server and the tools of `tools/list`. */
async function atStart(gate, count) {
  const [{ createMcpServer }, { createSystemClock }] = await Promise.all([
    import("../../dist/surfaces/mcp/create-mcp-server.js"),
    import("../../dist/gate/system.js"),
  ]);
  const server = createMcpServer({
    gate,
    clock: createSystemClock(),
    version: "0.0.0",
    tools: "search",
  });
  const answers = new Map();
  let arrived = () => {};
  const connection = server.connect({
    send: (json) => {
      const message = JSON.parse(json);
      if (message.id !== undefined) answers.set(message.id, message.result);
      arrived();
    },
  });
  const ask = async (id, method, params) => {
    const came = new Promise((resolve) => {
      arrived = () => answers.has(id) && resolve();
    });
    connection.receive({ jsonrpc: "2.0", id, method, params });
    if (!answers.has(id)) await came;
    return answers.get(id);
  };
  const clientInfo = { name: "bench", version: "0" };
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const { instructions = "" } = await ask(1, "initialize", hello);
  connection.receive({ jsonrpc: "2.0", method: "notifications/initialized" });
  const { tools } = await ask(2, "tools/list", {});
  server.close();
  return {
    tokens: count(instructions) + count(JSON.stringify(tools.map(forModel))),
    names: tools.map(({ name }) => name),
  };
}

const forModel = ({ name, description, inputSchema }) => ({ name, description, inputSchema });

async function openGate(tools) {
  const [{ createGate, defineTool }, { createMcpTools }, { portsOfGate }, { upstreamToolId }] =
    await Promise.all([
      import("../../dist/index.js"),
      import("../../dist/sources/builtin/mcp/mcp-tools.js"),
      import("../../dist/sources/builtin/gate-ports.js"),
      import("../../dist/sources/upstream/tools/naming.js"),
    ]);
  const holder = {};
  const { catalogue } = portsOfGate(() => holder.gate);
  const gate = await createGate({ tools: createMcpTools({ catalogue }) });
  holder.gate = gate;
  let registered = 0;
  for (const { server, name, description, inputSchema } of tools) {
    const tool = {
      id: upstreamToolId(server, name),
      description: description || name,
      category: "mcp",
      permission: "execute",
      input: inputSchema,
      run: () => "",
    };
    try {
      gate.tools.register(defineTool(tool), { kind: "upstream", name: server });
      registered++;
    } catch (error) {
      console.log(`Left out: ${error.message}`);
    }
  }
  return { gate, registered };
}

/** Through the whole gate, as a model asks. */
async function search(gate, query) {
  const startedAt = performance.now();
  const outcome = await gate.dispatch({ tool: "tools_search", input: { query } });
  const ms = performance.now() - startedAt;
  if (!outcome.ok) throw new Error(`tools.search failed: ${outcome.error.message}`);
  return { ms, text: outcome.result.content[0].text };
}

const namesIn = (text) => text.split("\n").map((line) => line.split(" ")[0]);

/** A wanted tool may be one of several that do the same. */
function rated({ question, tools, kind }, found) {
  const ranks = tools.map((wanted) => {
    const at = [wanted].flat().flatMap((name) => (found.includes(name) ? [found.indexOf(name) + 1] : []));
    return at.length === 0 ? null : Math.min(...at);
  });
  const recallAt = (most) => ranks.filter((rank) => rank !== null && rank <= most).length / ranks.length;
  const recall = { 1: recallAt(1), 5: recallAt(5), 10: recallAt(10) };
  return { question, kind, ranks, recall, top: found.slice(0, 3) };
}

/** Those whose tools are all in this catalogue. */
function knownQuestions(tools) {
  const ids = new Set(tools.map(({ server, name }) => `${server}__${name}`));
  const all = JSON.parse(readFileSync(new URL("../search-questions.json", import.meta.url), "utf8"));
  const listed = Object.entries(all).flatMap(([kind, list]) => list.map((one) => ({ kind, ...one })));
  const known = listed.filter(({ tools: wanted }) =>
    wanted.every((one) => [one].flat().some((id) => ids.has(id))),
  );
  if (known.length < listed.length)
    console.log(`${listed.length - known.length} questions are about tools that are not in this catalogue.`);
  return known;
}

function readCatalogue(file) {
  let list;
  try {
    list = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw wrongUse(`${file} cannot be read as JSON: ${error.message}`);
  }
  const isTool = (one) => typeof one?.server === "string" && typeof one.name === "string";
  if (!Array.isArray(list) || !list.every(isTool))
    throw wrongUse(`${file} must be a list of tools: { server, name, description, inputSchema }.`);
  return list.map((tool) => ({ ...tool, server: shortName(tool.server) }));
}

function wrongUse(message) {
  return Object.assign(new Error(message), { code: "WRONG_USE" });
}

/** As a person would call the server in a configuration: `@modelcontextprotocol/server-github` is `github`. */
function shortName(server) {
  const words = server.toLowerCase().split(/[^a-z0-9]+/);
  return [...new Set(words)].filter((word) => word !== "" && !saysNothing.has(word)).join("-") || "server";
}

const saysNothing = new Set(["mcp", "server", "modelcontextprotocol"]);

async function tokenizer() {
  const [{ Tiktoken }, { default: ranks }] = await Promise.all([
    import("js-tiktoken/lite"),
    import("js-tiktoken/ranks/o200k_base"),
  ]);
  const encoder = new Tiktoken(ranks);
  return (text) => encoder.encode(text, [], []).length;
}

function print({ row, answers, bars }) {
  const missing = answers.filter(({ ranks }) => ranks.some((rank) => rank === null)).length;
  for (const { question, ranks, tokens, top } of answers) {
    console.log(
      `${question}\n    ranks ${ranks.map((rank) => rank ?? "-").join(" ")}, ${tokens} tokens: ${top.join(" ")}`,
    );
  }
  console.log("");
  for (const kind of ["single", "several"]) {
    const of = answers.filter((answer) => answer.kind === kind);
    if (of.length === 0) continue;
    const mean = (most) => (of.reduce((sum, { recall }) => sum + recall[most], 0) / of.length).toFixed(3);
    console.log(`${of.length} ${kind}: recall@1 ${mean(1)}, @5 ${mean(5)}, @10 ${mean(10)}`);
  }
  console.log(`${missing} of ${answers.length} questions lack a tool among the first ten.`);
  console.log(`Tools: ${row.tools}, ${row.registered} of them registered.`);
  console.log(
    `Tokens: ${row.tokensBefore} for all, ${row.tokensAtStart} in search mode (${row.listed.join(", ")}).`,
  );
  console.log(`Index: ${row.indexMs} ms. Query: p50 ${row.queryP50Ms} ms, p99 ${row.queryP99Ms} ms.`);
  console.log(
    `Answer: p50 ${row.answerTokensP50}, at most ${row.answerTokensMax} tokens; groups ${row.overviewTokens}.`,
  );
  for (const { bar: name, value, max, ok } of bars)
    console.log(`${ok ? "ok  " : "MISS"} ${name}: ${value} (at most ${max})`);
}
