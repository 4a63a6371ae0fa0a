/** Clients count their requests from 1, all of them: no answer may ever reach another client, or another request. */
import { readFileSync, writeFileSync } from "node:fs";
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { metaKeys } from "../../src/mcp/messages.ts";
import { type CliWorld, createCliWorld, ended } from "../e2e/cli-process.ts";

const clients = 500;
const callsOfEach = 100;
/** Of one client at the same time. */
const atOnce = 4;

const config = (upstream: string) => `
server:
  limits: {max_in_flight: 5000, max_per_minute: 10000000, max_streams: 2000, max_sessions: 2000}
upstreams:
  echo: {command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(upstream)}], permission: read, max_concurrent: 5000}
policies:
  - {name: echo is free, tools: echo__say, action: approve}
`;

describe("500 clients with the same ids at once", () => {
  let world: CliWorld;
  let serving: ReturnType<CliWorld["start"]>;
  let url: URL;
  let token: string;
  const agent = new Agent({ keepAlive: true, maxSockets: clients });

  beforeAll(async () => {
    world = createCliWorld();
    const file = join(world.folder, "many.yaml");
    writeFileSync(file, config(fileURLToPath(new URL("echo-upstream.mjs", import.meta.url))));
    serving = world.start(["serve", "--port", "0", "--json", "--config", file]);
    const over = ended(serving);
    const said = await new Promise<{ url: string; tokenFile: string }>((resolve, reject) => {
      serving.stdout?.once("data", (line: string) => resolve(JSON.parse(line)));
      void over.then(({ err }) => reject(new Error(err)));
    });
    url = new URL("/mcp", said.url);
    token = readFileSync(said.tokenFile, "utf8").trim();
  }, 60_000);

  afterAll(() => {
    agent.destroy();
    serving.kill("SIGKILL");
    world.close();
  });

  it("gives each of 50,000 answers to whoever asked", async () => {
    await vi.waitUntil(async () => (await callOnce("modern", undefined, 1, "ready?")).text === "ready?", {
      timeout: 30_000,
      interval: 200,
    });
    const wrong: string[] = [];
    let answered = 0;
    const live = async (client: number) => {
      const era = client % 2 === 0 ? "modern" : "legacy";
      const session = era === "legacy" ? await begin() : undefined;
      let next = 0;
      const work = async () => {
        while (next < callsOfEach) {
          const id = ++next;
          const words = `client ${client} call ${id}`;
          const answer = await callOnce(era, session, id, words);
          answered++;
          if (answer.id !== id || answer.text !== words)
            wrong.push(`${words}: got ${answer.id} ${answer.text}`);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => live(client)));
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(answered).toBe(clients * callsOfEach);
  });

  async function begin(): Promise<string> {
    const clientInfo = { name: "many", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const { headers } = await post({ jsonrpc: "2.0", id: 1, method: "initialize", params }, {});
    return String(headers["mcp-session-id"]);
  }

  async function callOnce(era: "legacy" | "modern", session: string | undefined, id: number, text: string) {
    const meta = { [metaKeys.protocolVersion]: "2026-07-28", [metaKeys.clientCapabilities]: {} };
    const params = { name: "echo__say", arguments: { text }, ...(era === "modern" && { _meta: meta }) };
    const headers: Record<string, string> =
      era === "modern"
        ? { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "echo__say" }
        : { "mcp-session-id": session ?? "" };
    const { body } = await post({ jsonrpc: "2.0", id, method: "tools/call", params }, headers);
    const { id: answered, result } = JSON.parse(body) as {
      id: unknown;
      result?: { content: { text: string }[] };
    };
    return { id: answered, text: result?.content[0]?.text ?? body };
  }

  function post(
    message: object,
    headers: Record<string, string>,
  ): Promise<{ body: string; headers: IncomingHttpHeaders }> {
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        {
          method: "POST",
          agent,
          headers: {
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            ...headers,
          },
        },
        (answer) => {
          let body = "";
          answer.setEncoding("utf8").on("data", (piece: string) => {
            body += piece;
          });
          answer.once("end", () => resolve({ body: jsonOf(body), headers: answer.headers }));
          answer.once("error", reject);
        },
      );
      sent.once("error", reject);
      sent.end(JSON.stringify(message));
    });
  }
});

/** Of plain JSON, or of the last event of a stream. */
function jsonOf(body: string): string {
  if (body.startsWith("{")) return body;
  return [...body.matchAll(/^data: (.+)$/gm)].at(-1)?.[1] ?? "{}";
}
