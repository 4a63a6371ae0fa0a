/** The hook's route for agents that ask by themselves, over real HTTP. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { createFileTokens } from "../../../../../src/stores/files/file-tokens.ts";
import { giveToken } from "../../../../../src/surfaces/http/tokens/give-token.ts";
import { hidden, twice } from "../../../../attack/hook-payloads.ts";
import { bash, createFastHookWorld, type RunningServer, rules } from "../../../../fast-hook-world.ts";

const closed = "policies:\n  none: {tools: Bash, action: deny, reason: Not in here.}\n";

async function serve(text: string = rules) {
  const world = createFastHookWorld();
  world.user(text);
  const server = await world.serve();
  // Another project, without rules of its own.
  const elsewhere = join(world.base, "elsewhere");
  world.write(join(elsewhere, ".git/HEAD"), "");
  return { world, server, elsewhere, cwd: world.project };
}

const ask = ({ http, token }: RunningServer, body: unknown, headers = {}, init: RequestInit = {}) =>
  fetch(`${http.url}/api/hook/claude-code`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });

const told = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).text();

it("gives an agent its own JSON, and an empty object where no rule speaks", async () => {
  const { server, cwd } = await serve();
  const denied = await ask(server, bash("git push --force", { cwd }));
  expect([denied.status, await denied.json()]).toMatchObject([
    200,
    { hookSpecificOutput: { permissionDecision: "deny" } },
  ]);
  const silent = await ask(server, bash("echo hello", { cwd }));
  expect([silent.status, await silent.json()]).toEqual([200, {}]);
});

it("denies where the configuration cannot be used", async () => {
  const { server, cwd } = await serve("routes: [");
  const response = await ask(server, bash("ls", { cwd }));
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringContaining("every call is denied"),
  ]);
});

it("shows what a call hides, and refuses one that says something twice", async () => {
  const { server, cwd } = await serve(
    "routes:\n  repeat: {tool: Bash, pattern: '^no ([^]*)$', message: 'Not: $1'}\npolicies:\n  fine: {tools: [Bash, Read], action: approve}\n",
  );
  const [, bidi] = hidden.find(([name]) => name === "a bidi override") ?? ["", ""];
  const shown = await told(server, bash(`no ${bidi}`, { cwd }));
  expect(shown).toContain("Not: \\\\u{202E}dewolla\\\\u{202C}");
  for (const [name, payload] of twice) {
    const response = await ask(server, payload);
    expect([response.status, (await response.text()).includes("allow")], name).toEqual([400, false]);
  }
});

it("takes back the question of an agent that goes away", async () => {
  const { server, cwd } = await serve();
  const gone = new AbortController();
  const asked = ask(server, bash("deploy prod", { cwd }), {}, { signal: gone.signal }).catch(() => {});
  await expect.poll(() => server.store.approvals.pending()).toHaveLength(1);
  gone.abort();
  await asked;
  await expect.poll(() => server.store.approvals.pending()).toEqual([]);
});

it("holds an agent to the rules of the folder in which its session began, or of the project that it names", async () => {
  const { world, server, elsewhere, cwd } = await serve();
  world.write("toolgate.yaml", closed);
  const at = (folder: string, session: string) => bash("ls", { cwd: folder, session_id: session });
  expect(await told(server, at(cwd, "one"))).toContain("Not in here.");
  expect(await told(server, at(elsewhere, "one"))).toContain("Not in here.");
  expect(await told(server, at(elsewhere, "two"))).not.toContain("Not in here.");
  const named = { "toolgate-project": cwd };
  expect(await told(server, at(elsewhere, "three"), named)).toContain("Not in here.");
});

it("holds an agent to the rules of its own folder when another caller was first with the session's name", async () => {
  const { world, server, elsewhere, cwd } = await serve();
  world.write("toolgate.yaml", closed);
  const eve = await giveToken(createFileTokens(world.state), { name: "eve", rights: ["call"] });
  const first = bash("ls", { cwd: elsewhere, session_id: "one" });
  await ask(server, first, { authorization: `Bearer ${eve.token}` });
  expect(await told(server, bash("ls", { cwd, session_id: "one" }))).toContain("Not in here.");
});

it("knows no agent of another kind", async () => {
  const { server } = await serve();
  const response = await fetch(`${server.http.url}/api/hook/other`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${server.token}` },
    body: "{}",
  });
  expect(response.status).toBe(404);
});
