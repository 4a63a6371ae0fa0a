import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeCertificate } from "../../safe/net/safe-fetch-servers.ts";
import { type CliWorld, createCliWorld } from "./cli-world.ts";

const issuer = "https://login.example.com/";
const audience = "https://gate.example.com";

describe("toolgate serve for a team", () => {
  let world: CliWorld;
  beforeEach(() => {
    world = createCliWorld();
  });
  afterEach(() => world.close());

  it("listens for other machines with a certificate, and takes the tokens of the identity provider", async () => {
    const { cert, key } = makeCertificate(["gate.example.com"]);
    const keys = await generateKeyPair("ES256", { extractable: true });
    const folder = join(world.home, ".config", "toolgate");
    mkdirSync(folder, { recursive: true });
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return JSON.stringify(join(folder, name));
    };
    const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), alg: "ES256" }] });
    file(
      "config.yaml",
      [
        "server:",
        "  host: 0.0.0.0",
        "  hosts: [gate.example.com]",
        `  tls: { cert: ${file("cert.pem", cert)}, key: ${file("key.pem", key)} }`,
        `  oauth: { issuer: "${issuer}", audience: "${audience}", jwks_file: ${file("jwks.json", jwks)} }`,
        "",
      ].join("\n"),
    );
    const token = (scope: string) =>
      new SignJWT({ iss: issuer, aud: audience, sub: "alice", scope })
        .setExpirationTime("5m")
        .setProtectedHeader({ alg: "ES256" })
        .sign(keys.privateKey);

    const ending = new AbortController();
    const { promise: said, resolve: tell } = Promise.withResolvers<string>();
    const over = world.run(["serve", "--port", "0", "--json"], { signal: ending.signal, onOut: tell });
    const first = await Promise.race([said, over.then(({ err }) => Promise.reject(new Error(err)))]);
    const port = Number(new URL((JSON.parse(first) as { url: string }).url).port);
    const ask = (path: string, headers: Record<string, string> = {}) =>
      new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
        request(
          {
            host: "127.0.0.1",
            port,
            path,
            ca: cert,
            servername: "gate.example.com",
            headers: { host: "gate.example.com", ...headers },
          },
          (incoming) => {
            let text = "";
            incoming.on("data", (chunk) => {
              text += chunk;
            });
            incoming.on("end", () =>
              resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
            );
          },
        )
          .on("error", reject)
          .end();
      });
    try {
      const metadata = await ask("/.well-known/oauth-protected-resource");
      expect(JSON.parse(metadata.text)).toMatchObject({
        resource: audience,
        authorization_servers: [issuer],
      });
      expect(metadata.headers["strict-transport-security"]).toContain("max-age");

      const nobody = await ask("/api/me");
      expect(nobody.status).toBe(401);
      expect(nobody.headers["www-authenticate"]).toContain(
        'resource_metadata="https://gate.example.com/.well-known/oauth-protected-resource"',
      );
      const alice = { authorization: `Bearer ${await token("toolgate:read")}` };
      const me = await ask("/api/me", alice);
      expect(me.status).toBe(200);
      expect(me.text).toContain("oauth:alice");
      expect((await ask("/api/ledger", alice)).status).toBe(200);
      expect(
        (await ask("/api/ledger", { authorization: `Bearer ${await token("toolgate:call")}` })).status,
      ).toBe(403);
      expect((await ask("/api/me", { ...alice, host: "other.example.com" })).status).toBe(403);
    } finally {
      ending.abort();
      await over;
    }
  });
});
