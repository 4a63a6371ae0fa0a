/** Addresses and numbers that people enter at an issuer themselves: has it checked that they are theirs? */
import type { JWTPayload } from "jose";

/** By OpenID Connect Core, 5.1. */
const marks = new Map([
  ["email", "email_verified"],
  ["phone_number", "phone_number_verified"],
]);

/** True also for claims that nobody enters themselves. Undefined: the issuer does not say. */
export function isChecked(payload: JWTPayload, claim: string): boolean | undefined {
  const mark = marks.get(claim);
  if (mark === undefined) return true;
  const said = payload[mark];
  // Some issuers write it as text.
  return said === undefined ? undefined : said === true || said === "true";
}
