/** The gate as an MCP server of the real client: over a pipe, and over HTTP with a token. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { serve } from "./serve.ts";
import type { SessionOptions } from "./session.ts";
import { root, type Workbench } from "./workbench.ts";

export const ways = ["a pipe", "HTTP"] as const;

/** How a session reaches the gate, and no other server; the client leaves the decision about our tools to us. */
export async function gatewaySession(
  bench: Workbench,
  way: (typeof ways)[number],
  more: { readonly mcpArgs?: readonly string[]; readonly args?: readonly string[] } = {},
): Promise<SessionOptions> {
  const { mcpArgs = [], args = [] } = more;
  const session = (server: object, env = {}): SessionOptions => ({
    plugin: false,
    allow: ["mcp__toolgate"],
    args: [
      ...["--strict-mcp-config", "--mcp-config", JSON.stringify({ mcpServers: { toolgate: server } })],
      ...args,
    ],
    env,
  });
  if (way === "a pipe")
    return session({ command: process.execPath, args: [join(root, "dist/cli.js"), "mcp", ...mcpArgs] });
  const { url } = await serve(bench, { cwd: bench.project });
  const { code, stdout } = await bench.toolgate(["tokens", "create", "claude", "--rights", "call"]);
  expect(code).toBe(0);
  const headers = { Authorization: `Bearer \${TOOLGATE_TOKEN}` };
  return session({ type: "http", url: `${url}/mcp`, headers }, { TOOLGATE_TOKEN: stdout.trim() });
}

/** Two tools, `look` and `drop`, of a server behind the gate; both write what they were told into `log`. */
export function upstreamRules(bench: Workbench): string {
  const command = [join(import.meta.dirname, "mcp-server.mjs"), bench.path("project/log.txt")];
  return `
upstreams:
  store: { command: ${JSON.stringify(process.execPath)}, args: ${JSON.stringify(command)} }
`;
}

/** Answers the next question as a person does, in a process of its own. */
export async function answerNext(bench: Workbench, ...answer: readonly string[]): Promise<Question> {
  for (;;) {
    const { stdout } = await bench.toolgate(["approvals", "list", "--ndjson"]);
    const [line = ""] = stdout.split("\n");
    if (line !== "") {
      const question = JSON.parse(line) as Question;
      const [verb = "", ...options] = answer;
      const { code, stderr } = await bench.toolgate(["approvals", verb, question.id, ...options]);
      expect([code, stderr]).toEqual([0, ""]);
      return question;
    }
    await sleep(200);
  }
}

export interface Question {
  readonly id: string;
  readonly toolId: string;
  readonly caller: string;
  readonly toolUseId?: string;
}
