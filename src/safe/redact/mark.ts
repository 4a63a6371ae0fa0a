/** What is written in place of a secret. Redacting twice changes nothing. */
import { createHmac } from "node:crypto";

/** Takes the kind and the secret; answers the text that replaces it. */
export type Mark = (kind: string, secret: string) => string;

/** With a key, equal secrets get equal marks (`[redacted:token#9f2c...]`): records can be compared. */
export function createMark(correlationKey?: string | Uint8Array): Mark {
  if (correlationKey === undefined) return (kind) => `[redacted:${kind}]`;
  return (kind, secret) => {
    const digest = createHmac("sha256", correlationKey).update(secret).digest("hex").slice(0, 12);
    return `[redacted:${kind}#${digest}]`;
  };
}

export function isMark(text: string): boolean {
  return text.startsWith("[redacted:") && wholeMark.test(text);
}

/** Also "Bearer [redacted:jwt]". Anything more could be a secret behind a faked mark. */
export function isMarked(text: string): boolean {
  return text.includes("[redacted:") && markedValue.test(text);
}

const wholeMark = /^\[redacted:[a-z0-9-]{1,40}(?:#[0-9a-f]{12})?\]$/;
const markedValue =
  /^\s{0,8}(?:[A-Za-z]{1,12}\s{1,4})?\[redacted:[a-z0-9-]{1,40}(?:#[0-9a-f]{12})?\]\s{0,8}$/;
