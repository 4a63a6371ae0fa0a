/** The section `server` of a configuration file. */
import type { SchemaPart } from "../../safe/files/documents/schema-part.ts";

const names = (description: string, examples: readonly string[]): SchemaPart => ({
  type: "array",
  description,
  items: { type: "string", minLength: 1 },
  examples: [examples],
});
const count = (description: string, standard: number): SchemaPart => ({
  type: "integer",
  minimum: 1,
  description,
  default: standard,
});
const path = (description: string): SchemaPart => ({ type: "string", minLength: 1, description });

export const serverSchema: SchemaPart = {
  type: ["object", "null"],
  description:
    "How `toolgate serve` listens and whom it lets in. Only in files of the user and the administrator.",
  properties: {
    host: {
      type: "string",
      minLength: 1,
      description: "The address to listen on. Anything but loopback needs tls and somebody who may come in.",
      default: "127.0.0.1",
    },
    port: { type: "integer", minimum: 0, description: "0: any that is free.", default: 4655 },
    hosts: names("What the server is called besides its address.", ["gate.example.com"]),
    origins: names("Pages that may ask besides its own.", ["https://console.example.com"]),
    tls: {
      type: "object",
      description: "Certificate and key, as PEM files with absolute paths.",
      properties: { cert: path("The certificate with its chain."), key: path("The private key.") },
      required: ["cert", "key"],
      additionalProperties: false,
    },
    drain_ms: {
      type: "integer",
      minimum: 0,
      description: "How long calls may go on when the server is asked to end.",
      default: 10_000,
    },
    limits: {
      type: "object",
      description: "How much the server takes.",
      properties: {
        max_connections: count("Connections of everybody together.", 8_192),
        max_idle_strangers: count("Idle connections of one address that have shown no token.", 64),
        idle_stranger_ms: count("Milliseconds that such a connection is kept.", 5_000),
        max_in_flight: count("Requests of one principal at the same time.", 50),
        max_per_minute: count("Requests of one principal within a minute.", 1_000),
        max_streams: count("Event streams of one principal at the same time.", 20),
        max_sessions: count("Sessions of MCP clients of one principal.", 200),
      },
      additionalProperties: false,
    },
    oauth: {
      type: "object",
      description: "Also take the access tokens (JWT) of this identity provider.",
      properties: {
        issuer: path("Exactly as in the tokens' iss."),
        audience: path("What tokens for this server have as aud: its public URL."),
        jwks_url: path("Where the issuer's public keys are."),
        jwks_file: path("Or a file with them."),
        scopes: {
          type: "object",
          description:
            "Which scope gives which right. By default toolgate:call, toolgate:read, toolgate:approve and toolgate:admin.",
          additionalProperties: { enum: ["call", "read", "approve", "admin"] },
        },
        principal_claim: {
          type: "string",
          minLength: 1,
          description: "The claim that names who calls.",
          default: "sub",
        },
        capabilities: names("What its principals' calls may use; by default everything that rules allow.", [
          "fs:read",
        ]),
        allow_private: {
          type: "boolean",
          description: "jwks_url may lead to this machine or a private network.",
          default: false,
        },
      },
      required: ["issuer", "audience"],
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};
