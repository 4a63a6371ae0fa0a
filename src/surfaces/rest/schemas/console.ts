/** How people come in to the console, and what is given out: codes, tokens, the agents of the machine. */
import { Type } from "typebox";
import { rights } from "../../http/rights.ts";
import { closed, oneOf, time } from "./shapes.ts";

const text = Type.String();
const held = Type.Array(oneOf(rights));

export const loginBody = closed({ code: Type.String({ minLength: 1, maxLength: 100 }) }, "LoginBody", [
  { code: "RkU2Y0p0b3hXQ2dVd0p3Zw" },
]);

export const login = closed(
  {
    token: Type.String({ description: "Shown once; only its hash is kept." }),
    caller: Type.String({
      description: "`console:` and a few characters, after a sign-in with who it is; the token's name.",
    }),
    rights: held,
    expiresAt: time,
  },
  "Login",
);

export const loginWays = closed(
  {
    oidc: Type.Optional(closed({ host: Type.String({ description: "Of the issuer, for people." }) }, "Oidc")),
  },
  "LoginWays",
);

export const signInStart = closed(
  {
    url: Type.String({ description: "Where the browser goes: a page of the issuer." }),
    tab: Type.String({ description: "A secret of the tab that began; it is needed to finish." }),
  },
  "SignInStart",
);

const brought = (maxLength: number) => Type.String({ minLength: 1, maxLength });

export const signInBody = closed(
  {
    code: brought(4_096),
    state: brought(200),
    tab: brought(100),
    iss: Type.Optional(brought(2_000)),
  },
  "SignInBody",
);

export const token = closed(
  {
    name: Type.String({ description: "The caller of every call made with it." }),
    rights: held,
    capabilities: Type.Array(text, { description: "What its calls may use; `*`: all that rules allow." }),
    createdAt: time,
    expiresAt: Type.Optional(time),
    expired: Type.Boolean(),
  },
  "Token",
);

export const tokenList = closed({ tokens: Type.Array(token) }, "TokenList");

export const tokenBody = closed(
  {
    name: Type.String({ minLength: 1, maxLength: 64 }),
    rights: Type.Array(oneOf(rights), { minItems: 1, maxItems: rights.length }),
    capabilities: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 })),
    expiresInMs: Type.Optional(Type.Integer({ minimum: 1_000, maximum: 10 * 366 * 86_400_000 })),
  },
  "TokenBody",
  [{ name: "ci", rights: ["call", "read"], expiresInMs: 2_592_000_000 }],
);

export const givenToken = closed(
  { ...token.properties, token: Type.String({ description: "Shown once; only its hash is kept." }) },
  "GivenToken",
);

export const tokenRevoked = closed({ name: text, revoked: Type.Literal(true) }, "TokenRevoked");

export const agent = closed(
  {
    name: text,
    title: text,
    version: Type.Optional(text),
    onMachine: Type.Boolean(),
    installed: Type.Array(text, { description: "In whose settings the hook is; `plugin`: by a plugin." }),
    measured: Type.Optional(
      Type.String({ description: "The version that was tried; else by documentation." }),
    ),
    can: Type.Array(text),
    cannot: Type.Array(text),
    holes: Type.Array(text),
  },
  "Agent",
);

export const agentList = closed({ agents: Type.Array(agent) }, "AgentList");
