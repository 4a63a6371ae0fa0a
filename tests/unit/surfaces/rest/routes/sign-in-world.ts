/** A server whose console people sign in to with a scripted identity provider, for the tests of it. */
import { afterAll, beforeEach } from "vitest";
import type { TokenStore } from "../../../../../src/core/ports/tokens.ts";
import { createSystemClock } from "../../../../../src/gate/system.ts";
import { createSignIn, type SignIn } from "../../../../../src/surfaces/http/sign-in/create-sign-in.ts";
import { createKeySource } from "../../../../../src/surfaces/http/tokens/key-source.ts";
import type { Login, SignInStart } from "../../../../../src/surfaces/rest/contract.ts";
import { allRoutes } from "../../../../../src/surfaces/serve/all-routes.ts";
import { startTestServer, type TestServer } from "../../../../http-server.ts";
import { type IssuerScript, type ScriptedIssuer, startScriptedIssuer } from "../../../../scripted-issuer.ts";
import { type Answered, createApi } from "../../http/api.ts";

export interface SignInWorld {
  readonly issuer: ScriptedIssuer;
  readonly server: TestServer;
  readonly api: ReturnType<typeof createApi>;
  /** How far the server's clock is off. */
  off: number;
  /** A server in place of the one before. `configured: false`: nobody signs in there. */
  start(settings?: object, configured?: boolean): Promise<void>;
  /** What another replica would use. */
  signInWith(tokens: TokenStore, settings?: object): SignIn;
  begin(): Promise<Answered<SignInStart>>;
  finish<Body = Login>(body: object): Promise<Answered<Body>>;
  /** All of it, with an issuer that follows this script. */
  signIn<Body = Login>(script?: IssuerScript): Promise<Answered<Body>>;
  /** How many tokens were given out. */
  given(): Promise<number>;
  close(): Promise<void>;
}

/** For all tests of a file, as new for each of them. */
export async function useSignInWorld(): Promise<SignInWorld> {
  const world = await createSignInWorld();
  beforeEach(() => {
    world.off = 0;
    world.issuer.follow({});
  });
  afterAll(() => world.close());
  return world;
}

async function createSignInWorld(): Promise<SignInWorld> {
  const issuer = await startScriptedIssuer();
  let running: TestServer | undefined;
  const world: SignInWorld = {
    issuer,
    off: 0,
    get server() {
      if (running === undefined) throw new Error("start() comes first.");
      return running;
    },
    get api() {
      return createApi(world.server);
    },
    async start(settings = {}, configured = true) {
      await running?.close();
      running = await startTestServer({
        routes: allRoutes,
        ...(configured && { signIn: (tokens) => world.signInWith(tokens, settings) }),
      });
    },
    signInWith(tokens, more = {}) {
      const clock = createSystemClock();
      const settings = {
        ...{ issuer: issuer.url, allowPrivate: true, capabilities: ["fs:read"], clientId: issuer.clientId },
        clientSecret: () => issuer.clientSecret,
        askedScopes: ["openid", "groups"],
        callerClaim: "email",
        rights: {
          by: "claim",
          claim: "groups",
          values: { approvers: ["read", "approve"], admins: ["admin"] },
        },
        redirectUrl: undefined,
        ...more,
      } as const;
      return createSignIn({
        settings,
        keys: createKeySource({ jwksUrl: issuer.jwksUrl, allowPrivate: true }),
        tokens,
        clock: { now: () => clock.now() + world.off, monotonic: clock.monotonic },
        key: Buffer.alloc(32, 7),
      });
    },
    begin: () => world.api.post("/api/console/sign-in", undefined, fromPage(world)),
    finish: (body) => world.api.post("/api/console/sign-in/finish", body, fromPage(world)),
    async signIn(script = {}) {
      issuer.follow(script);
      const { body } = await world.begin();
      return world.finish({ ...issuer.approve(body.url), tab: body.tab });
    },
    given: async () => (await world.server.parts.store.tokens.list()).tokens.length,
    async close() {
      await running?.close();
      issuer.close();
    },
  };
  return world;
}

function fromPage({ server }: SignInWorld) {
  return { headers: { origin: server.url } };
}
