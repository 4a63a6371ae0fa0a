import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createFileTokens } from "../../src/stores/files/file-tokens.ts";
import { giveToken, revokeTokens } from "../../src/surfaces/http/tokens/give-token.ts";
import { ask } from "../raw-http.ts";
import type { Serving } from "./cli-process.ts";
import { useCliWorld } from "./use-cli-world.ts";

describe("toolgate serve", () => {
  let serving: Serving;
  const world = useCliWorld(async ({ serve }) => {
    serving = await serve();
  });
  afterAll(() => serving.kill());
  const state = (name: string) => join(world.state, name);
  const authorized = (more: Record<string, string> = {}) => ({
    authorization: `Bearer ${serving.token}`,
    ...more,
  });
  const callInfo = () =>
    ask(`${serving.url}/api/tools/workspace.info/call`, {
      method: "POST",
      headers: authorized({ "content-type": "application/json" }),
      body: '{"input":{}}',
    });

  it("listens on this machine, and says where in a file that only the owner can read", () => {
    expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(JSON.parse(readFileSync(state("server.json"), "utf8"))).toMatchObject({
      url: serving.url,
      pid: serving.child.pid,
    });
    for (const name of ["server.json", "token"]) expect(statSync(state(name)).mode & 0o777, name).toBe(0o600);
    expect(serving.tokenFile).toBe(state("token"));
    expect(serving.token).toMatch(/^tgk_[\w-]{43}$/);
  });

  it("lists tools and calls one for whoever has the token, and records the call", async () => {
    const tools = await ask(`${serving.url}/api/tools`, { headers: authorized() });
    expect(tools.status).toBe(200);
    expect((JSON.parse(tools.text) as { counts: { builtin: number } }).counts.builtin).toBeGreaterThan(40);
    const called = await callInfo();
    expect(called.status).toBe(200);
    const { ok, callId } = JSON.parse(called.text) as { ok: boolean; callId: string };
    expect(ok).toBe(true);
    const recorded = await ask(`${serving.url}/api/ledger/entries/${callId}`, { headers: authorized() });
    expect(recorded.text).toContain('"caller":"owner"');
  });

  it("takes tokens that were created meanwhile, and refuses them once they are revoked", async () => {
    const tokens = () => createFileTokens(world.state);
    const { token: given } = await giveToken(tokens(), { name: "watcher", rights: ["read"] });
    const look = () => ask(`${serving.url}/api/tools`, { headers: { authorization: `Bearer ${given}` } });
    expect((await look()).status).toBe(200);
    await revokeTokens(tokens(), ["watcher"]);
    expect((await look()).status).toBe(401);
  });

  it("takes new rules from the configuration without a restart, and keeps the last good ones", async () => {
    const file = world.file(
      "toolgate.yaml",
      "policies:\n  no-info: { tools: workspace.info, action: deny }\n",
    );
    const runs = async () => JSON.parse((await callInfo()).text).ok as boolean;
    await expect.poll(runs).toBe(false);
    writeFileSync(file, "policies: [broken\n");
    // Long enough for the change to be seen.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await runs()).toBe(false);
    writeFileSync(file, "policies: {}\n");
    await expect.poll(runs).toBe(true);
  });

  it("ends when it is asked to, with nothing left of it but what lasts", async () => {
    serving.child.kill("SIGTERM");
    const { code, out, err } = await serving.over;
    expect(code, err).toBe(0);
    expect(existsSync(state("server.json"))).toBe(false);
    expect(out + err).not.toContain(serving.token);
  });
});
