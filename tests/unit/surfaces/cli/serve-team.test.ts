import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { text as readText } from "node:stream/consumers";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { makeCertificate } from "../../safe/net/safe-fetch-servers.ts";
import { useCliWorld } from "./cli-world.ts";

const issuer = "https://login.example.com/";
const audience = "https://gate.example.com";

describe("toolgate serve for a team", () => {
  const world = useCliWorld();

  it("listens for other machines with a certificate, and takes the tokens of the identity provider", async () => {
    const { cert, key } = makeCertificate(["gate.example.com"]);
    const keys = await generateKeyPair("ES256", { extractable: true });
    const file = (name: string, text: string) => JSON.stringify(world.inHome(name, text));
    const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), alg: "ES256" }] });
    world.configure(`server:
  host: 0.0.0.0
  hosts: [gate.example.com]
  tls: { cert: ${file("cert.pem", cert)}, key: ${file("key.pem", key)} }
  oauth: { issuer: "${issuer}", audience: "${audience}", jwks_file: ${file("jwks.json", jwks)} }
`);
    const token = (scope: string) =>
      new SignJWT({ iss: issuer, aud: audience, sub: "alice", scope })
        .setExpirationTime("5m")
        .setProtectedHeader({ alg: "ES256" })
        .sign(keys.privateKey);

    await world.serving("--json", async ({ url }) => {
      const servername = "gate.example.com";
      const to = { host: "127.0.0.1", port: new URL(url).port, ca: cert, servername };
      const ask = async (path: string, headers: Record<string, string> = {}) => {
        const asked = request({ ...to, path, headers: { host: servername, ...headers } }).end();
        const [incoming] = (await once(asked, "response")) as [IncomingMessage];
        return { status: incoming.statusCode, headers: incoming.headers, text: await readText(incoming) };
      };
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
    });
  });
});
