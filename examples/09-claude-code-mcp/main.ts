/** Claude Code through the gate. The official client plays the agent: it reads the same `.mcp.json` and sends what Claude Code sends. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const home = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-claude-")));
const project = join(home, "project");
cpSync(fileURLToPath(new URL("project", import.meta.url)), project, { recursive: true });
writeFileSync(join(project, ".env"), "KEY=secret\n");
const env = { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter), HOME: home };
const toolgate = (...args: string[]) =>
  execFileSync(process.execPath, [cli, ...args], {
    cwd: project,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

/** The person at the agent. */
const asked: string[] = [];
let says: "approve" | "deny" = "deny";

const client = new Client({ name: "claude-code", version: "2.1.0" }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  asked.push(params.message);
  return { action: "accept", content: { decision: says } };
});
try {
  // A project's file can refuse at once, and approve only after you have read it.
  toolgate("trust", "--yes");

  const { mcpServers } = JSON.parse(readFileSync(join(project, ".mcp.json"), "utf8")) as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  const { command, args } = mcpServers.toolgate ?? assert.fail("no server of this name");
  assert.equal(command, "toolgate");
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli, ...args],
      cwd: project,
      env,
      stderr: "ignore",
    }),
  );
  const { tools } = await client.listTools();
  console.log(`Claude Code sees ${tools.length} tools: mcp__toolgate__${tools[0]?.name}, ...`);

  // 1. What the policies approve runs at once.
  await shows("fs_read", { path: "src/check.mjs" }, /All is well/);
  await shows("fs_write", { path: "src/note.txt", content: "checked" }, /src\/note\.txt/);
  await shows("shell_exec", { command: "node src/check.mjs" }, /All is well\./);

  // 2. What they refuse does not, and the model reads why. Nobody is asked, also where the command hides in another one.
  await shows("fs_read", { path: ".env" }, /\.env is protected/);
  await shows("shell_exec", { command: "cat .env" }, /\.env is protected/);
  await shows("shell_exec", { command: "node src/check.mjs && git push" }, /done by a person/);
  assert.equal(asked.length, 0);

  // 3. The rest is asked, in Claude Code itself.
  await shows("fs_write", { path: "notes.txt", content: "hello" }, /denied/);
  says = "approve";
  await shows("fs_write", { path: "notes.txt", content: "hello" }, /notes\.txt/, "toolu_01");
  assert.equal(readFileSync(join(project, "notes.txt"), "utf8"), "hello");
  assert.equal(asked.length, 2);
  console.log(`\nWhat the person read:\n${asked[1]?.replaceAll(/^/gm, "  ")}\n`);
  await client.close();

  // 4. The record names the agent's own id of the call: what its hook recorded and what ran here belong together.
  const found = toolgate("audit", "query", "--text", "toolu_01", "--kinds", "completion", "--json");
  const [record] = JSON.parse(found) as { tool: string; body: Record<string, unknown> }[];
  assert(record);
  const { tool, body } = record;
  console.log(`The record: ${tool}, ${body.verdict}, ${JSON.stringify(body.approval)}`);
  assert.equal(body.surface, "mcp");
  assert.equal(body.toolUseId, "toolu_01");
} finally {
  await client.close();
  rmSync(home, { recursive: true, force: true });
}

async function shows(name: string, input: Record<string, unknown>, expected: RegExp, toolUseId = "toolu_00") {
  const { content } = await client.callTool({
    name,
    arguments: input,
    _meta: { "claudecode/toolUseId": toolUseId },
  });
  const text = (content as { text: string }[]).map((block) => block.text).join("\n");
  console.log(`${name} ${JSON.stringify(input)}\n  ${text.trim().replaceAll("\n", "\n  ")}`);
  assert.match(text, expected);
}
