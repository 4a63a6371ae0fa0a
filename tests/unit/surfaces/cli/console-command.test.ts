import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliWorld, createCliWorld } from "./cli-world.ts";

describe("toolgate console", () => {
  let world: CliWorld;
  beforeAll(() => {
    world = createCliWorld();
  });
  afterAll(() => world.close());

  it("needs a server that runs, and says how to start one", async () => {
    const { code, out, err } = await world.run(["console", "--print"]);
    expect([code, out, err]).toEqual([1, "", expect.stringContaining("toolgate serve")]);
  });

  it("gives a person a link that logs in once, listed and revoked like every token, and an agent none", async () => {
    const ending = new AbortController();
    const { promise: said, resolve: tell } = Promise.withResolvers<string>();
    const over = world.run(["serve", "--port", "0"], { signal: ending.signal, onOut: tell });
    try {
      const first = await said;
      const printed = /(http:\/\/127\.0\.0\.1:\d+)\/#k=([\w-]{22})\n/.exec(first) ?? [];
      const url = printed[1] as string;
      const login = (code: string | undefined) =>
        fetch(`${url}/api/console/login`, {
          method: "POST",
          headers: { "content-type": "application/json", origin: url },
          body: JSON.stringify({ code }),
        });
      expect((await login(printed[2])).status).toBe(200);
      expect((await login(printed[2])).status).toBe(410);

      const { code, out } = await world.run(["console", "--print", "--json", "--admin"]);
      const link = JSON.parse(out) as { url: string; rights: string[]; expiresAt: string };
      expect([code, link.rights]).toEqual([0, ["call", "read", "approve", "admin"]]);
      expect(Date.parse(link.expiresAt) - Date.now()).toBeGreaterThan(50_000);
      const answer = await login(link.url.split("#k=")[1]);
      const { token, caller } = (await answer.json()) as { token: string; caller: string };
      const me = () => fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
      expect((await me()).status).toBe(200);
      const agents = await fetch(`${url}/api/agents`, { headers: { authorization: `Bearer ${token}` } });
      const { agents: table } = (await agents.json()) as { agents: { name: string; can: string[] }[] };
      expect(table.find(({ name }) => name === "claude-code")?.can.length).toBeGreaterThan(3);
      expect((await world.run(["tokens", "list"])).out).toContain(`${caller}: call, read, approve, admin;`);
      expect((await world.run(["tokens", "revoke", caller])).code).toBe(0);
      expect((await me()).status).toBe(401);

      const agent = await world.run(["console", "--print"], { env: { CLAUDECODE: "1" } });
      expect([agent.code, agent.out, agent.err]).toEqual([
        1,
        "",
        expect.stringContaining("a person's decision"),
      ]);
    } finally {
      ending.abort();
      await over;
    }
  });

  it("is not offered to an agent that starts the server", async () => {
    const ending = new AbortController();
    const over = world.run(["serve", "--port", "0"], {
      env: { CLAUDECODE: "1" },
      signal: ending.signal,
      onOut: () => ending.abort(),
    });
    const { code, out } = await over;
    expect(code).toBe(0);
    expect(out).toContain("toolgate serves http://");
    expect(out).not.toContain("#k=");
  });
});
