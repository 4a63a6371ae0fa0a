import { describe, expect, it } from "vitest";
import { useCliWorld } from "./cli-world.ts";
import { expectEnd, refuses, says } from "./expect-end.ts";

describe("toolgate console", () => {
  const world = useCliWorld(() => {}, "file");

  it("needs a server that runs, and says how to start one", async () => {
    await refuses(world.run("console --print"), "toolgate serve");
  });

  it("gives a person a link that logs in once, listed and revoked like every token, and an agent none", async () => {
    await world.serving("", async ({ said }) => {
      const [, url = "", code] = /(http:\/\/127\.0\.0\.1:\d+)\/#k=([\w-]{22})\n/.exec(said) ?? [];
      const login = (code: string | undefined) =>
        fetch(`${url}/api/console/login`, {
          method: "POST",
          headers: { "content-type": "application/json", origin: url },
          body: JSON.stringify({ code }),
        });
      expect((await login(code)).status).toBe(200);
      expect((await login(code)).status).toBe(410);

      const began = Date.now();
      const link = await world.json("console --print --admin");
      expect(link.rights).toEqual(["call", "read", "approve", "admin"]);
      expect(Date.parse(link.expiresAt) - began).toBeGreaterThan(50_000);
      const { token, caller } = JSON.parse(await (await login(link.url.split("#k=")[1])).text());
      const as = (path: string) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      expect((await as("/api/me")).status).toBe(200);
      const { agents } = JSON.parse(await (await as("/api/agents")).text());
      const claude = agents.find(({ name }: { name: string }) => name === "claude-code");
      expect(claude.can.length).toBeGreaterThan(3);
      await says(world.run("tokens list"), `${caller}: call, read, approve, admin;`);
      await says(world.run(`tokens revoke ${caller}`));
      expect((await as("/api/me")).status).toBe(401);
      await refuses(world.run("console --print", { env: { CLAUDECODE: "1" } }), "a person's decision");
    });
  });

  it("is not offered to an agent that starts the server", async () => {
    const serving = world.serving("", undefined, { env: { CLAUDECODE: "1" } });
    await expectEnd(serving, { out: "toolgate serves http://", never: "#k=" });
  });
});
