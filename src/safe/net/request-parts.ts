/** Checks method, headers and body of a request: our fields stay ours, no header line ends early. */
import { validateHeaderName, validateHeaderValue } from "node:http";
import { wordSet } from "../../core/text/words.ts";
import { type FetchRefusal, refuse } from "./refusal.ts";

export interface RequestParts {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array | undefined;
}

export function checkRequest(
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array | undefined,
): { readonly ok: true; readonly parts: RequestParts } | FetchRefusal {
  const upper = method.toUpperCase();
  if (!methods.has(upper)) {
    return refuse("bad_request", "The HTTP method is not allowed.", `Use one of ${[...methods].join(", ")}.`);
  }
  const checked = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (ours.has(lower) || lower.startsWith("proxy-") || lower.startsWith("sec-")) {
      return refuse("bad_request", `The header ${lower} is set by toolgate itself.`, "Leave it out.");
    }
    if (checked.has(lower)) {
      return refuse("bad_request", `The header ${lower} is given twice.`, "Give each header once.");
    }
    if (!isHeader(name, value)) {
      return refuse(
        "bad_request",
        "A header holds characters that HTTP forbids.",
        "Remove line breaks and control characters.",
      );
    }
    checked.set(lower, value);
  }
  if (body !== undefined && (upper === "GET" || upper === "HEAD")) {
    return refuse(
      "bad_request",
      `A ${upper} request has no body.`,
      "Use POST, or put the values into the query.",
    );
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { ok: true, parts: { method: upper, headers: checked, body: bytes } };
}

const methods = wordSet("GET HEAD POST PUT PATCH DELETE OPTIONS");
/** Framing, hop-by-hop and host fields: a caller could smuggle a request or ask for another host. */
const ours = wordSet(
  "host connection keep-alive te trailer transfer-encoding upgrade http2-settings content-length expect accept-encoding",
);

function isHeader(name: string, value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
