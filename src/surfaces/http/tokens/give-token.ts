/** Gives tokens out and takes them back. */
import { hash, randomBytes } from "node:crypto";
import { ToolgateError } from "../../../core/call/errors.ts";
import type { Right, TokenRecord, TokenStore } from "../../../core/ports/tokens.ts";
import { shownName } from "../../../core/text/visible.ts";

export interface TokenWish {
  readonly name: string;
  readonly rights: readonly Right[];
  /** Default: everything that rules allow. */
  readonly capabilities?: readonly string[] | undefined;
  readonly expiresInMs?: number | undefined;
  /** Takes the place of the token that has this name now. */
  readonly replace?: boolean | undefined;
}

export interface GivenToken {
  /** Shown once; only its hash is kept. */
  readonly token: string;
  readonly record: TokenRecord;
}

/** Throws a ToolgateError that says what to choose instead. */
export async function giveToken(
  store: TokenStore,
  wish: TokenWish,
  now: Date = new Date(),
): Promise<GivenToken> {
  const { name, rights, capabilities = ["*"], expiresInMs, replace = false } = wish;
  const badName = explainBadTokenName(name);
  if (badName !== undefined) throw new ToolgateError(badName);
  if (rights.length === 0) throw new ToolgateError("A token needs at least one right.");
  const token = makeToken();
  const record: TokenRecord = {
    name,
    rights: [...new Set(rights)],
    capabilities: [...new Set(capabilities)],
    sha256: hashToken(token),
    createdAt: now.toISOString(),
    ...(expiresInMs !== undefined && { expiresAt: new Date(now.getTime() + expiresInMs).toISOString() }),
  };
  await store.change((tokens) => {
    const others = tokens.filter((one) => one.name !== name);
    if (others.length < tokens.length && !replace)
      throw new ToolgateError(
        `There is a token "${name}" already. Revoke it (toolgate tokens revoke ${name}), replace it (--replace), or choose another name.`,
      );
    return { tokens: [...others, record], result: undefined };
  });
  return { token, record };
}

export function explainBadTokenName(name: unknown): string | undefined {
  if (typeof name !== "string" || !/^[A-Za-z0-9][\w.@-]{0,63}$/.test(name))
    return `${shownName(String(name))} cannot be a token's name: letters, digits, "_", ".", "@" and "-", at most 64.`;
  return reserved.has(name) ? `"${name}" is toolgate's own name; choose another one.` : undefined;
}

/** Long enough that nobody guesses it, and fit for a header. */
export function isTokenText(token: unknown): token is string {
  return typeof token === "string" && /^[\w.~+/-]{32,512}=*$/.test(token);
}

/** The caller of the command line, of public routes, and of the token file of the first start. */
const reserved = new Set(["local", "nobody", "owner"]);

/** The tokens that are gone. */
export function revokeTokens(store: TokenStore, names: readonly string[]): Promise<readonly TokenRecord[]> {
  return store.change((tokens) => {
    const gone = tokens.filter(({ name }) => names.includes(name));
    return {
      tokens: gone.length === 0 ? tokens : tokens.filter((one) => !gone.includes(one)),
      result: gone,
    };
  });
}

/** 256 bits. The prefix lets people and scanners see what it is. */
export function makeToken(): string {
  return `tgk_${randomBytes(32).toString("base64url")}`;
}

/** The token has 256 bits of its own: a slow hash would protect nothing more. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}
