/** Three MCP servers behind one gate: the official client calls them, policies look at the arguments, a person is asked, a definition changes. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const config = join(here, "toolgate.yaml");
const home = mkdtempSync(join(tmpdir(), "toolgate-upstreams-"));
const env = {
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  HOME: home,
  TICKETS_TOKEN: "t-12345",
};

const tickets = spawn(process.execPath, [join(here, "servers/tickets.ts")], {
  env,
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const [ticketsUrl] = (await once(createInterface({ input: tickets.stdout }), "line")) as [string];
  const world = { ...env, TICKETS_URL: ticketsUrl };
  const toolgate = (edition: string, ...args: string[]) =>
    execFileSync(process.execPath, [cli, ...args, "--config", config], {
      cwd: here,
      env: { ...world, MAIL_EDITION: edition },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });

  // 1. What there is. One tool is left out by the configuration.
  const first = await openGate("1", world);
  const { tools } = await first.client.listTools();
  const foreign = tools.map(({ name }) => name).filter((name) => name.includes("__"));
  console.log(`Behind the gate: ${foreign.join(", ")}.`);
  assert.deepEqual(foreign, [
    "mail__send",
    "orders__refund",
    "orders__status",
    "tickets__close",
    "tickets__find",
  ]);

  // 2. What only reads passes, policies look at the arguments, and a person is asked about the rest.
  const { call } = first;
  assert.equal(await call("orders__status", { order: "A1" }), "Order A1 is on its way.");
  assert.equal(await call("tickets__find", { words: "late parcel" }), "1 ticket about late parcel: #7");
  assert.equal(await call("orders__refund", { order: "A1", amount: 20 }), "Paid 20 back for order A1.");
  assert.match(await call("orders__refund", { order: "A1", amount: 5000 }), /made by accounting/);
  assert.match(
    await call("mail__send", { to: "ann@example.com", text: "Card 4111 1111 1111 1111" }),
    /Card numbers/,
  );
  assert.match(
    await call("mail__send", { to: "ann@example.com", text: "Hello" }),
    /^Sent 5 characters from support/,
  );
  assert.match(await call("tickets__delete_all", {}), /delete_all/);
  assert.equal(first.asked.length, 0);

  first.person.says = "approve";
  assert.equal(await call("orders__refund", { order: "A1", amount: 200 }), "Paid 200 back for order A1.");
  first.person.says = "deny";
  assert.match(await call("mail__send", { to: "eve@else.example", text: "Hello" }), /denied/);
  assert.match(await call("tickets__close", { id: 7 }), /denied/);
  assert.equal(first.asked.length, 3);
  console.log(`The person was asked: ${first.asked.map((text) => text.split("\n")[0]).join(" ")}`);
  await first.client.close();

  // 3. The mail server is "updated". Its tool is hidden until a person has read what is new in it.
  const second = await openGate("2", world);
  const refused = await second.call("mail__send", { to: "ann@example.com", text: "Hello" });
  console.log(`\nAfter the update: ${refused}`);
  assert.match(refused, /toolgate upstreams review mail/);
  const names = (await second.client.listTools()).tools.map(({ name }) => name);
  assert.ok(!names.includes("mail__send") && names.includes("orders__refund"));

  const review = toolgate("2", "upstreams", "review", "mail");
  console.log(review);
  assert.ok(review.includes("\\u{200B}"));
  // Read it before you do this; here it is part of the show. The session that runs is told.
  const told = second.listed("mail__send");
  toolgate("2", "upstreams", "accept", "mail", "--yes");
  await told;
  assert.match(await second.call("mail__send", { to: "ann@example.com", text: "Hello" }), /^Sent 5/);
  await second.client.close();
} finally {
  tickets.kill();
  rmSync(home, { recursive: true, force: true });
}

/** What an agent does: start the gate over pipes, and show its person the questions that it asks. */
async function openGate(edition: string, world: Record<string, string>) {
  const person: { says: "approve" | "deny" } = { says: "deny" };
  const asked: string[] = [];
  const client = new Client({ name: "example", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { decision: person.says } };
  });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli, "mcp", "--config", config],
      cwd: here,
      env: { ...world, MAIL_EDITION: edition },
      stderr: "ignore",
    }),
  );
  const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
    try {
      const { content } = await client.callTool({ name, arguments: args });
      return (content as { text: string }[]).map(({ text }) => text).join("\n");
    } catch (error) {
      // What is unknown here is an error of the protocol.
      return String(error);
    }
  };
  /** Resolves when the gate says that its list has changed, and this tool is in it. */
  const listed = (wanted: string) =>
    new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, async () => {
        const { tools } = await client.listTools();
        if (tools.some(({ name }) => name === wanted)) resolve();
      });
    });
  return { client, person, asked, call, listed };
}
