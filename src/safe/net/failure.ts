/** Words for the ways a fetch fails on its way: cancelled, too slow, or broken by the network. */
import { exactDuration } from "../../core/text/duration.ts";
import { UncheckedAddress } from "./connect.ts";
import { type FetchRefusal, refuse } from "./refusal.ts";

export function aborted(): FetchRefusal {
  return refuse("aborted", "The fetch was cancelled.", "Call again if it is still wanted.");
}

export function tooSlow(timeoutMs: number): FetchRefusal {
  return refuse(
    "timed_out",
    `No complete answer came within ${exactDuration(timeoutMs)}.`,
    "Try again, or allow more time.",
  );
}

export function networkError(error: unknown): FetchRefusal {
  if (error instanceof UncheckedAddress) {
    return refuse(
      "blocked_address",
      error.message,
      "Check the machine's network set-up: something redirects connections.",
    );
  }
  const systemCode = codeOf(error);
  const code = systemCode ?? "unknown reason";
  const isCertificate = /CERT|SSL|TLS|ISSUER|SELF_SIGNED|ALTNAME/.test(code);
  const refusal = refuse(
    "network_error",
    isCertificate
      ? `The server's certificate was not accepted (${code}).`
      : `The connection failed (${code}).`,
    isCertificate
      ? "Have the server's certificate fixed; it is always verified."
      : "Check the host, the port and the network.",
  );
  return systemCode === undefined ? refusal : { ...refusal, systemCode };
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : undefined;
}
