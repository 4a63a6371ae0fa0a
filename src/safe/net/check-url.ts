/**
 * Takes only URLs that every reader understands in the same way, so that what a rule saw is what is fetched.
 */
import { type FetchRefusal, refuse } from "./refusal.ts";

export type CheckedUrl = { readonly ok: true; readonly url: URL } | FetchRefusal;

export function checkUrl(text: string, base?: URL): CheckedUrl {
  if (text.length > maxLength)
    return bad("it is longer than 16,384 characters", "Send long values in the body.");
  // WHATWG parsing silently drops tabs and newlines, trims blanks and turns `\` into `/`: a pattern that
  // looked at the text would have seen another host.
  if (hasControl.test(text)) {
    return bad("it holds control characters", "Percent-encode them or leave them out.");
  }
  if (text !== text.trim()) return bad("it starts or ends with a blank", "Remove the blank.");
  if (text.includes("\\"))
    return bad("it holds a backslash", "Write / as separator, or %5C for the character.");
  if (base === undefined && !/^https?:\/\/[^/?#]/i.test(text)) {
    return bad("it is not an absolute http or https URL", "Write it in full: https://host/path.");
  }
  if (!URL.canParse(text, base?.href))
    return bad("it cannot be parsed", "Check the host and the port (1 to 65535).");
  const url = new URL(text, base?.href);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return bad("it is neither http nor https", "Only http and https are fetched.");
  }
  if (url.username !== "" || url.password !== "" || authorityOf(text).includes("@")) {
    return bad("it holds a user name or password", "Send credentials in a header.");
  }
  if (url.port === "0") return bad("port 0 is no port", "Use a port from 1 to 65535.");
  if (url.hostname === "") return bad("it has no host", "Write it in full: https://host/path.");
  return { ok: true, url };
}

/** The port that will be connected to, also where the URL leaves it out. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

const maxLength = 16_384;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const hasControl = /[\u0000-\u001f\u007f-\u009f]/;

function authorityOf(text: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i.exec(text)?.[1] ?? "";
}

function bad(reason: string, hint: string): FetchRefusal {
  return refuse("bad_url", `The URL was refused: ${reason}.`, hint);
}
