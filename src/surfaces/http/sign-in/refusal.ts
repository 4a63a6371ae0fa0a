/** Why nobody came in by a sign-in, as a value with what to do about it. */

export interface SignInRefusal {
  readonly ok: false;
  /** `old`: begin again. `refused`: it would end the same way. `away`: the issuer cannot be asked. `busy`: wait. */
  readonly why: "old" | "refused" | "away" | "busy";
  readonly message: string;
  readonly hint: string;
}

export function refuseSignIn(why: SignInRefusal["why"], message: string, hint: string): SignInRefusal {
  return { ok: false, why, message, hint };
}
