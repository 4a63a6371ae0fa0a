/** Reads what came back over HTTP, and says what an upstream server does wrong there in words for people. */
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import type { OriginAnswer } from "../../../safe/net/origin-client.ts";
import { UpstreamError } from "../talk/connection.ts";

/** The server has forgotten the session. The request was not looked at and may be sent again on a new one. */
export class StaleSession extends UpstreamError {}

/** For whoever tries to find out what the server speaks. */
export class HttpStatusError extends UpstreamError {
  readonly status: number;

  constructor(status: number, message: string) {
    super("unavailable", message);
    this.status = status;
  }
}

/** Some say so with 400 and words only. Words of the request itself, said back, end nobody's session. */
export function saysSessionIsGone(status: number, text: string, params: JsonObject | undefined): boolean {
  if (status !== 400) return status === 404;
  return /session/i.test(text) && !/session/i.test(JSON.stringify(params ?? {}));
}

/** Other statuses are about one caller's request, and say nothing about those of others. */
export function concernsEverybody(status: number): boolean {
  return status >= 500 || status < 400 || everybodys.has(status);
}

/** No credentials, no such address, not this way, too many of us. */
const everybodys = new Set([401, 404, 405, 407, 429]);

export function parseMessage(text: string): JsonObject | unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

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
