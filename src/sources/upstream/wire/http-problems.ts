/** What an upstream server over HTTP does wrong, in words for whoever called it and for who wrote the configuration. */
import type { OriginAnswer } from "../../../safe/net/origin-client.ts";
import { UpstreamError } from "../talk/connection.ts";
import { HttpStatusError, StaleSession } from "./http-answer.ts";

export class HttpProblems {
  readonly #name: string;
  readonly #redact: (text: string) => string;

  constructor({ name, redact }: { readonly name: string; readonly redact: (text: string) => string }) {
    this.#name = name;
    this.#redact = redact;
  }

  of(code: "unavailable" | "bad_answer", what: string, hint?: string): UpstreamError {
    const message = `The upstream server "${this.#name}" ${what}.`.replace(/\.+$/, ".");
    return new UpstreamError(code, message, undefined, hint);
  }

  refused({ status }: OriginAnswer, text: string): UpstreamError {
    const words = this.#redact(text.slice(0, 2_000)).replace(/\s+/g, " ").trim().slice(0, 200);
    const { message } = this.of(
      "unavailable",
      `answered with HTTP ${status}${words === "" ? "" : `: ${words}`}`,
    );
    return new HttpStatusError(status, `${message}${hintFor(status)}`);
  }

  stale(): StaleSession {
    return new StaleSession("unavailable", `The upstream server "${this.#name}" has ended the session.`);
  }

  tooLong(maxBytes: number): UpstreamError {
    return this.of("bad_answer", `sent a message of more than ${maxBytes} bytes (the limit for one message)`);
  }

  /** Whatever was thrown. */
  from(error: unknown): UpstreamError {
    return error instanceof UpstreamError ? error : this.of("unavailable", "cannot be reached");
  }
}

function hintFor(status: number): string {
  if (status === 401 || status === 403) return " Check its headers or oauth settings in the configuration.";
  if (status >= 300 && status < 400)
    return " It answers with a redirect; write the final address into the configuration.";
  return status === 404 || status === 405
    ? " Check the address; servers that only know the old transport, HTTP with SSE, cannot be used."
    : "";
}
