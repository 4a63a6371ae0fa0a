/** Lets a person's browser in: a code of one minute becomes a token of half a day with a name of its own. */
import { randomInt } from "node:crypto";
import type { Clock } from "../../../core/ports/ports.ts";
import type { Right, TokenRecord, TokenStore } from "../../../core/ports/tokens.ts";
import { type GivenToken, hashToken, makeToken } from "./give-token.ts";
import { type TakenCode, takeLoginCode } from "./login-codes.ts";

/** By default no calls: a person who looks and answers needs none. */
export const consoleRights: readonly Right[] = ["read", "approve"];

const sessionMs = 12 * 3_600_000;
/** Whoever signs in without end must not fill the list: the first of theirs end. */
const mostOfOnePerson = 20;
/** A guess is hopeless; whoever tries is slowed down all the same. */
const maxWrong = 10;
const oneWrongMs = 6_000;

export interface ConsoleLogin {
  /** `isForeign`: another user of the machine brings it. */
  login(code: string, isForeign?: () => boolean): Promise<LoggedIn>;
}

export type LoggedIn =
  | ({ readonly ok: true; readonly by: string } & GivenToken)
  | { readonly ok: false; readonly why: "too_many"; readonly retryAfterMs: number }
  | Exclude<TakenCode, { ok: true }>;

export interface ConsoleLoginParts {
  readonly stateFolder: string;
  readonly tokens: TokenStore;
  readonly clock: Pick<Clock, "now" | "monotonic">;
}

export function createConsoleLogin({ stateFolder, tokens, clock }: ConsoleLoginParts): ConsoleLogin {
  let wrong = 0;
  let at = clock.monotonic();
  return {
    async login(code, isForeign) {
      const moment = clock.monotonic();
      wrong = Math.max(0, wrong - (moment - at) / oneWrongMs);
      at = moment;
      const now = clock.now();
      const taken = takeLoginCode(stateFolder, code, now, isForeign);
      if (!taken.ok) {
        // Only wrong codes are slowed down: a stranger who guesses must not keep out the person with the right one.
        if (wrong > maxWrong - 1) return { ok: false, why: "too_many", retryAfterMs: oneWrongMs };
        wrong++;
        return taken;
      }
      const given = await giveConsoleToken(tokens, { rights: taken.rights }, now);
      return { ok: true, ...given, by: taken.by };
    },
  };
}

export interface ConsoleTokenWish {
  readonly rights: readonly Right[];
  /** Default: everything that rules allow. */
  readonly capabilities?: readonly string[];
  /** Who it is, where somebody else vouches for it. */
  readonly person?: string;
}

/** Every browser has a token of its own. */
export async function giveConsoleToken(
  tokens: TokenStore,
  wish: ConsoleTokenWish,
  now: number,
): Promise<GivenToken> {
  const token = makeToken();
  const record = recordOf(token, wish, now);
  await tokens.change((list) => {
    const living = list.filter((one) => !isOldConsole(one, now));
    const tooMany = firstOf(living, wish.person);
    return { tokens: [...living.filter((one) => !tooMany.has(one)), record], result: undefined };
  });
  return { token, record };
}

/** A colon stands in no name that can be chosen, so nobody else is called so. */
const prefix = "console:";

function recordOf(
  token: string,
  { rights, capabilities = ["*"], person }: ConsoleTokenWish,
  now: number,
): TokenRecord {
  return {
    // Not counted: in records, a name must not come back for somebody else.
    name: `${startOf(person)}${randomInt(36 ** 5, 36 ** 6).toString(36)}`,
    rights,
    capabilities,
    sha256: hashToken(token),
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + sessionMs).toISOString(),
  };
}

function startOf(person: string | undefined): string {
  return person === undefined ? prefix : `${prefix}${person}:`;
}

/** Which tokens of a person have to go so that there is room for one more. */
function firstOf(tokens: readonly TokenRecord[], person: string | undefined): ReadonlySet<TokenRecord> {
  if (person === undefined) return new Set();
  const theirs = tokens
    .filter(({ name }) => name.startsWith(startOf(person)))
    .sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt));
  return new Set(theirs.slice(0, Math.max(0, theirs.length + 1 - mostOfOnePerson)));
}

/** Every login would leave a line in the list for ever. */
function isOldConsole({ name, expiresAt }: TokenRecord, now: number): boolean {
  return name.startsWith(prefix) && expiresAt !== undefined && Date.parse(expiresAt) <= now;
}
