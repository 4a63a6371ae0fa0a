/** The token of a request, from the one place where tokens may be. */

/** Undefined: there is none, or what stands there is none. */
export function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length > maxLength) return undefined;
  return form.exec(authorization)?.[1];
}

/** A JWT with many claims is a few kilobytes. */
const maxLength = 8_192;

const form = /^Bearer +([\w.~+/-]+=*)$/i;
