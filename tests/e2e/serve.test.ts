import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFileTokens } from "../../src/stores/files/file-tokens.ts";
import { giveToken, revokeTokens } from "../../src/surfaces/http/tokens/give-token.ts";
import { ask } from "../raw-http.ts";
import { type CliWorld, createCliWorld, ended } from "./cli-process.ts";

interface Serving {
  readonly url: string;
  readonly pid: number;
  readonly tokenFile: string;
}

describe("toolgate serve", () => {
  let world: CliWorld;
  let child: ReturnType<CliWorld["start"]>;
  let serving: Serving;
  let token: string;
  let over: ReturnType<typeof ended>;
  const state = (name: string) => join(world.folder, "home", ".local", "state", "toolgate", name);
  const authorized = (more: Record<string, string> = {}) => ({ authorization: `Bearer ${token}`, ...more });

  beforeAll(async () => {
    world = createCliWorld();
    child = world.start(["serve", "--port", "0", "--json"]);
    over = ended(child);
    serving = await new Promise<Serving>((resolve, reject) => {
      child.stdout?.once("data", (line: string) => resolve(JSON.parse(line) as Serving));
      void over.then(({ err }) => reject(new Error(err)));
    });
    token = readFileSync(serving.tokenFile, "utf8").trim();
  }, 30_000);

  afterAll(() => {
    child.kill("SIGKILL");
    world.close();
  });

  it("listens on this machine, and says where in a file that only the owner can read", () => {
    expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(JSON.parse(readFileSync(state("server.json"), "utf8"))).toMatchObject({
      url: serving.url,
      pid: child.pid,
    });
    for (const name of ["server.json", "token"]) expect(statSync(state(name)).mode & 0o777, name).toBe(0o600);
    expect(serving.tokenFile).toBe(state("token"));
    expect(token).toMatch(/^tgk_[\w-]{43}$/);
  });

  it("lists tools and calls one for whoever has the token, and records the call", async () => {
    const tools = await ask(`${serving.url}/api/tools`, { headers: authorized() });
    expect(tools.status).toBe(200);
    expect((JSON.parse(tools.text) as { counts: { builtin: number } }).counts.builtin).toBeGreaterThan(40);
    const called = await ask(`${serving.url}/api/tools/workspace.info/call`, {
      method: "POST",
      headers: authorized({ "content-type": "application/json" }),
      body: '{"input":{}}',
    });
    expect(called.status).toBe(200);
    const { ok, callId } = JSON.parse(called.text) as { ok: boolean; callId: string };
    expect(ok).toBe(true);
    const recorded = await ask(`${serving.url}/api/ledger/entries/${callId}`, { headers: authorized() });
    expect(recorded.text).toContain('"caller":"owner"');
  });

  it("answers 401 without the token and 403 for a wrong Host or Origin", async () => {
    const url = `${serving.url}/api/tools`;
    expect((await ask(url)).status).toBe(401);
    expect((await ask(url, { headers: authorized({ host: "evil.example" }) })).status).toBe(403);
    expect((await ask(url, { headers: authorized({ origin: "https://evil.example" }) })).status).toBe(403);
  });

  it("takes tokens that were created meanwhile, and refuses them once they are revoked", async () => {
    const stateFolder = dirname(serving.tokenFile);
    const { token: given } = await giveToken(createFileTokens(stateFolder), {
      name: "watcher",
      rights: ["read"],
    });
    const look = () => ask(`${serving.url}/api/tools`, { headers: { authorization: `Bearer ${given}` } });
    expect((await look()).status).toBe(200);
    await revokeTokens(createFileTokens(stateFolder), ["watcher"]);
    expect((await look()).status).toBe(401);
  }, 20_000);

  it("takes new rules from the configuration without a restart, and keeps the last good ones", async () => {
    const file = join(world.project, "toolgate.yaml");
    const called = async () => {
      const { text } = await ask(`${serving.url}/api/tools/workspace.info/call`, {
        method: "POST",
        headers: authorized({ "content-type": "application/json" }),
        body: '{"input":{}}',
      });
      return (JSON.parse(text) as { ok: boolean }).ok;
    };
    const until = async (wanted: boolean) => {
      for (let attempt = 0; attempt < 100 && (await called()) !== wanted; attempt++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      return called();
    };
    writeFileSync(file, "policies:\n  no-info: { tools: workspace.info, action: deny }\n");
    expect(await until(false)).toBe(false);
    writeFileSync(file, "policies: [broken\n");
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await called()).toBe(false);
    writeFileSync(file, "policies: {}\n");
    expect(await until(true)).toBe(true);
  }, 20_000);

  it("ends when it is asked to, with nothing left of it but what lasts", async () => {
    child.kill("SIGTERM");
    const { code, out, err } = await over;
    expect(code, err).toBe(0);
    expect(existsSync(state("server.json"))).toBe(false);
    expect(out + err).not.toContain(token);
  }, 20_000);
});
