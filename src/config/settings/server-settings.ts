/** The section `server` of a configuration file: how `toolgate serve` listens and whom it lets in. */
import {
  byName,
  choice,
  closed,
  count,
  duration,
  flag,
  named,
  section,
  text,
} from "../../core/input/shape.ts";
import type { SettingsOf } from "./read-section.ts";

const word = { minLength: 1 } as const;
const names = <const Example extends string>(description: string, example: Example) =>
  ({ type: "array", description, items: { type: "string", minLength: 1 }, examples: [[example]] }) as const;
const atLeastOne = (description: string, standard: number) => count(1, description, { default: standard });

export const serverShape = section(
  {
    host: text("The address to listen on. Anything but loopback needs tls and somebody who may come in.", {
      ...word,
      default: "127.0.0.1",
    }),
    port: count(0, "0: any that is free.", { default: 4655 }),
    hosts: names("What the server is called besides its address.", "gate.example.com"),
    origins: names("Pages that may ask besides its own.", "https://console.example.com"),
    tls: closed(
      { cert: text("The certificate with its chain.", word), key: text("The private key.", word) },
      ["cert", "key"],
      "Certificate and key, as PEM files with absolute paths.",
    ),
    console: choice(["on", "off"], "The web console, at the server's address.", { default: "on" }),
    drain_ms: duration(0, "How long calls may go on when the server is asked to end.", { default: "10s" }),
    limits: {
      type: "object",
      description: "How much the server takes.",
      properties: {
        max_connections: atLeastOne("Connections of everybody together.", 8_192),
        max_idle_strangers: atLeastOne("Idle connections of one address that have shown no token.", 64),
        idle_stranger_ms: duration(1, "How long such a connection is kept.", { default: "5s" }),
        max_in_flight: atLeastOne("Requests of one caller at the same time.", 50),
        max_per_minute: atLeastOne("Requests of one caller within a minute.", 1_000),
        max_streams: atLeastOne("Event streams of one caller at the same time.", 20),
        max_sessions: atLeastOne("Sessions of MCP clients of one caller.", 200),
      },
      additionalProperties: false,
    },
    oauth: closed(
      {
        issuer: text("Exactly as in the tokens' iss.", word),
        audience: text("What tokens for this server have as aud: its public URL.", word),
        jwks_url: text("Where the issuer's public keys are.", word),
        jwks_file: text("Or a file with them.", word),
        scopes: {
          type: "object",
          description:
            "Which scope gives which right. By default toolgate:call, toolgate:read, toolgate:approve and toolgate:admin.",
          additionalProperties: { enum: ["call", "read", "approve", "admin"] },
        },
        caller_claim: text("The claim that names who calls.", { ...word, default: "sub" }),
        principal_claim: text("The old name of caller_claim.", word),
        capabilities: names(
          "What its callers' calls may use; by default everything that rules allow.",
          "fs:read",
        ),
        allow_private: flag(
          "jwks_url, and the issuer itself, may lead to this machine or a private network.",
          { default: false },
        ),
        console: closed(
          {
            client_id: text("As which client the issuer knows the console.", word),
            client_secret_env: text(
              "The environment variable that holds the client's secret. A public client has none. Secrets do not belong into this file.",
              { ...named, examples: ["TOOLGATE_CLIENT_SECRET"] },
            ),
            client_secret_file: text("Or the file that holds it, with its absolute path.", word),
            scopes: names(
              "What the issuer is asked for besides openid. By default the scopes that give rights, unless the key rights is there.",
              "profile",
            ),
            rights_claim: text("The claim of the ID token that the key rights is about.", {
              ...word,
              default: "groups",
            }),
            rights: byName(
              { type: "array", items: { enum: ["call", "read", "approve", "admin"] }, minItems: 1 },
              "Which value of that claim gives which rights. Without it, the scopes that the issuer grants give them.",
              { examples: [{ "gate-approvers": ["read", "approve"] }] },
            ),
            caller_claim: text(
              "The claim that names the person, such as email. By default that of the section.",
              word,
            ),
            redirect_url: text(
              "Where the issuer sends browsers back to. By default /login of the address that the console was opened at.",
              { ...word, examples: ["https://gate.example.com/login"] },
            ),
          },
          ["client_id"],
          "Let people sign in to the web console with this identity provider (OpenID Connect).",
        ),
      },
      ["issuer", "audience"],
      "Also take the access tokens (JWT) of this identity provider.",
    ),
  },
  "How `toolgate serve` listens and whom it lets in. Only in files of the user and the administrator.",
);

export type ServerSettings = SettingsOf<typeof serverShape>;
