/** Lets people in with an identity provider: authorization code, PKCE, state and nonce. What comes of it is a console token. */
import type { Clock } from "../../../core/ports/ports.ts";
import type { TokenRecord, TokenStore } from "../../../core/ports/tokens.ts";
import { giveConsoleToken } from "../tokens/console-login.ts";
import type { KeySource } from "../tokens/key-source.ts";
import { createIdTokenCheck } from "./check-id-token.ts";
import { createIssuerDiscovery, hostOf, isGuardedUrl } from "./discover-issuer.ts";
import { exchangeCode } from "./exchange-code.ts";
import { createExchangePlaces } from "./exchange-places.ts";
import { refuseSignIn, type SignInRefusal } from "./refusal.ts";
import type { SignInSettings } from "./sign-in-settings.ts";
import { createSignInStates } from "./sign-in-states.ts";

export interface SignIn {
  /** For people: with whom they sign in. */
  readonly host: string;
  /** `origin`: of the page that asks; its host was checked. */
  begin(origin: string | undefined): Promise<Begun | SignInRefusal>;
  finish(returned: Returned): Promise<SignedIn | SignInRefusal>;
}

export interface Begun {
  readonly ok: true;
  /** Where the browser goes. */
  readonly url: string;
  readonly tab: string;
}

export interface Returned {
  readonly code: string;
  readonly state: string;
  readonly tab: string;
  /** Who answered, where the issuer says it (RFC 9207). */
  readonly iss?: string | undefined;
  readonly origin: string | undefined;
  /** The address of who asks, where it is known. */
  readonly from?: string | undefined;
  readonly signal: AbortSignal;
}

export interface SignedIn {
  readonly ok: true;
  readonly token: string;
  readonly record: TokenRecord;
  readonly name: string;
  readonly subject: string;
}

export interface SignInParts {
  readonly settings: SignInSettings;
  readonly keys: KeySource;
  readonly tokens: TokenStore;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  /** Seals states: of all replicas that browsers may come back to. */
  readonly key: Uint8Array;
}

export function createSignIn({ settings, keys, tokens, clock, key }: SignInParts): SignIn {
  const { issuer, clientId, askedScopes, capabilities } = settings;
  const discover = createIssuerDiscovery(settings, clock.now);
  const states = createSignInStates(key, clock.now);
  const checkIdToken = createIdTokenCheck(settings, keys, clock.now);
  const takePlace = createExchangePlaces(clock);
  const placeOf = (origin: string | undefined) => {
    const place = settings.redirectUrl ?? (origin === undefined ? undefined : `${origin}/login`);
    return place !== undefined && isGuardedUrl(place) ? place : undefined;
  };

  return {
    host: hostOf(issuer),
    async begin(origin) {
      const redirectUrl = placeOf(origin);
      if (redirectUrl === undefined) return noPage;
      const found = await discover();
      if (!found.ok) return found;
      const { state, tab, nonce, challenge } = states.begin(redirectUrl);
      const url = new URL(found.places.authorize);
      const asked = {
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUrl,
        scope: askedScopes.join(" "),
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: "S256",
      };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      return { ok: true, url: url.href, tab };
    },
    async finish({ code, state, tab, iss, origin, from, signal }) {
      const redirectUrl = placeOf(origin);
      if (redirectUrl === undefined) return noPage;
      const taken = states.take({ state, tab, redirectUrl });
      if (!taken.ok) return refuseSignIn("old", whyOld[taken.why], "Sign in again.");
      if (iss !== undefined && iss !== issuer)
        return refuseSignIn("refused", "Another identity provider answered.", "Sign in again.");
      using place = takePlace(from);
      if (place === undefined)
        return refuseSignIn(
          "busy",
          "Too many people sign in at once.",
          "Wait a few seconds, then sign in again.",
        );
      // Not before there is a place: what is remembered is bounded by them.
      if (!taken.use()) return refuseSignIn("old", whyOld.used, "Sign in again.");
      const found = await discover();
      if (!found.ok) return found;
      const { verifier, nonce } = taken;
      const { places } = found;
      const exchanged = await exchangeCode(settings, { code, verifier, redirectUrl, places, signal });
      if (!exchanged.ok) return exchanged;
      const person = await checkIdToken({ ...exchanged, nonce });
      if (!person.ok) return person;
      const { name, subject, rights } = person;
      const given = await giveConsoleToken(tokens, { rights, capabilities, person: name }, clock.now());
      return { ok: true, ...given, name, subject };
    },
  };
}

const noPage = refuseSignIn(
  "refused",
  "Only a page of the console can sign in, at an address that begins with https:// (http:// only on this machine).",
  "Open the console in a browser at such an address, or set server.oauth.console.redirect_url.",
);

const whyOld = {
  unknown: "This sign-in was begun in another tab, at another address or at another server.",
  expired: "This sign-in took longer than five minutes.",
  used: "This sign-in was used already, and each counts once.",
} as const;
