/** The list of tokens: who holds one, what it allows, until when. Of a token only its hash is kept. */

/** Each by itself: whoever may call tools may not thereby approve them. */
export const rights = ["call", "read", "approve", "admin"] as const;

export type Right = (typeof rights)[number];

export function isRight(value: unknown): value is Right {
  return rights.includes(value as Right);
}

export interface TokenRecord {
  /** The caller of every call made with it. */
  readonly name: string;
  readonly rights: readonly Right[];
  /** What its calls may use; `*`: everything that rules allow. */
  readonly capabilities: readonly string[];
  /** Of the token, in hexadecimal. */
  readonly sha256: string;
  /** ISO times. */
  readonly createdAt: string;
  readonly expiresAt?: string;
}

export type TokenList =
  | { readonly ok: true; readonly tokens: readonly TokenRecord[] }
  /** No token counts while the list cannot be read. */
  | {
      readonly ok: false;
      readonly tokens: readonly [];
      readonly message: string;
      /** It is there, and cannot be reached now. */
      readonly isAway?: boolean;
    };

export interface TokenChange<Result> {
  /** The list as it shall be. The very list that was given: nothing is written. */
  readonly tokens: readonly TokenRecord[];
  readonly result: Result;
}

export interface TokenStore {
  /**
   * As it is now: asked at every request, so that a token that was taken back is refused at once. The very
   * same object for as long as nothing has changed.
   */
  list(): TokenList | Promise<TokenList>;
  /** One change after the other, in all processes. Rejects if the list cannot be read: it would be lost. */
  change<Result>(change: (tokens: readonly TokenRecord[]) => TokenChange<Result>): Promise<Result>;
}
