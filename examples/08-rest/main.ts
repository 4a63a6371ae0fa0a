/** A real `toolgate serve`, called from a shell script and by a typed client; an agent asks, a person answers. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createClient, ProblemError } from "./client.ts";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "toolgate-rest-"));
const env = { PATH: process.env.PATH, HOME: folder };
const toolgate = (...args: string[]) =>
  execFileSync(process.execPath, [cli, ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

const server = spawn(
  process.execPath,
  [cli, "serve", "--port", "0", "--json", "--enable-tool-categories", "editing"],
  {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  },
);
try {
  const lines = createInterface({ input: server.stdout });
  const [first] = await Promise.race([
    new Promise<[string]>((resolve) => lines.once("line", (line) => resolve([line]))),
    new Promise<never>((_, reject) =>
      server.once("exit", (code) => reject(new Error(`serve ended with ${code}`))),
    ),
  ]);
  const { url, tokenFile } = JSON.parse(first) as { url: string; tokenFile: string };
  console.log("The server listens.");

  // 1. From a shell.
  const script = fileURLToPath(new URL("calls.sh", import.meta.url));
  const said = execFileSync("bash", [script], {
    env: { ...env, URL: url, TOKEN_FILE: tokenFile },
    encoding: "utf8",
  });
  console.log(said.trimEnd());
  assert.match(said, /without: 401/);
  assert.match(said, /info: {4}\{"ok":true,/);
  assert.match(said, /refused: "code":"category_disabled"/);
  assert.match(said, /unknown: "status":404/);
  assert.match(said, /ledger: {2}"surface":"http"/);

  // 2. An agent has a token of its own, which can call and nothing else.
  const agent = createClient({
    url,
    token: toolgate("tokens", "create", "agent", "--rights", "call").trim(),
  });
  const person = createClient({ url, token: readFileSync(tokenFile, "utf8").trim() });
  const { counts } = await agent.tools();
  console.log(`An agent sees ${counts.total} tools.`);
  await assert.rejects(
    agent.approvals(),
    (error) => error instanceof ProblemError && error.problem.code === "forbidden",
  );

  // 3. It asks for something that a person must decide. The person is told, and shortens it.
  const leaving = new AbortController();
  const events = person.events(["approval-request"], leaving.signal);
  assert.equal((await events.next()).value?.kind, "ready");
  const writing = agent.call("fs.write", {
    input: { path: "note.txt", content: "a long story" },
    sessionId: "s-1",
  });
  const asked = (await events.next()).value;
  assert.ok(asked?.kind === "approval-request");
  console.log(`${asked.data.caller} asks: ${asked.data.tool}, because: ${asked.data.reason}`);
  await person.answer(asked.data.id, {
    decision: "approve",
    input: { path: "note.txt", content: "a story" },
  });
  const written = await writing;
  assert.ok(written.ok);
  assert.equal(readFileSync(join(folder, "note.txt"), "utf8"), "a story");
  leaving.abort();

  // 4. What would happen, what happened, and that nobody changed the record.
  const { verdict } = await agent.explain({ tool: "fs.read", input: { path: ".env" } });
  console.log(`Reading .env: ${verdict}.`);
  assert.equal(verdict, "deny");
  const { entries } = await person.record(written.callId);
  console.log(`The call left: ${entries.map(({ kind }) => kind).join(", ")}.`);
  assert.equal((await person.verify()).ok, true);
} finally {
  const ended = new Promise((resolve) => server.once("exit", resolve));
  if (server.exitCode === null && server.kill("SIGTERM")) await ended;
  rmSync(folder, { recursive: true, force: true });
}
