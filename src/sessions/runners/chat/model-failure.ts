/** Why a model did not answer, in words for people, and whether it is worth asking again. */
import { isRecord } from "../../../core/input/json.ts";
import { cutText } from "../../../core/text/cut-text.ts";
import { exactDuration } from "../../../core/text/duration.ts";
import type { FetchRefusal } from "../../../safe/net/refusal.ts";
import { createRedactor } from "../../../safe/redact/redact.ts";
import { RunnerError, type RunnerErrorCode } from "../../runner.ts";

export class ModelFailure extends RunnerError {
  /** Nothing of an answer was seen, and the next try may go better. */
  readonly mayRetry: boolean;
  /** How long the endpoint wants to be left alone. */
  readonly waitMs: number | undefined;
  readonly status: number | undefined;

  constructor(
    message: string,
    more: {
      readonly mayRetry?: boolean;
      readonly isOverloaded?: boolean;
      readonly retryable?: boolean;
      readonly waitMs?: number | undefined;
      readonly status?: number | undefined;
    } = {},
  ) {
    const { mayRetry = false, isOverloaded = false, retryable = mayRetry, waitMs, status } = more;
    const code: RunnerErrorCode = isOverloaded ? "model_overloaded" : "model_failed";
    super(code, message, { retryable });
    this.mayRetry = mayRetry;
    this.waitMs = waitMs;
    this.status = status;
  }
}

const overloadedStatuses: ReadonlySet<number> = new Set([429, 503, 529]);
/** Of the network: what passes by itself. A certificate or a name that nobody knows does not. */
const passing: ReadonlySet<string | undefined> = new Set([
  undefined,
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** The failures of one endpoint. What it says is shown without the key, which some repeat in their errors. */
export class ModelFailures {
  readonly #host: string;

  constructor(host: string) {
    this.#host = host;
  }

  unreachable({ code, message, hint, systemCode }: FetchRefusal): ModelFailure {
    const mayRetry = code === "timed_out" || (code === "network_error" && passing.has(systemCode));
    return new ModelFailure(`The model at ${this.#host} cannot be reached: ${message} ${hint}`, { mayRetry });
  }

  refused(
    status: number,
    headers: Readonly<Record<string, string>>,
    text: string,
    key: string | undefined,
  ): ModelFailure {
    const words = this.#words(wordsOf(text), key);
    const isOverloaded = overloadedStatuses.has(status);
    return new ModelFailure(
      `The model at ${this.#host} answered with HTTP ${status}${words}${hintFor(status)}`,
      {
        mayRetry: isOverloaded || status >= 500 || status === 408,
        isOverloaded,
        waitMs: waitOf(headers),
        status,
      },
    );
  }

  /** Said inside of a stream. */
  told(
    { type, message }: { readonly type: string; readonly message: string },
    hasBegun: boolean,
    key: string | undefined,
  ): ModelFailure {
    const isOverloaded = /overloaded|rate_limit|429|503|529/.test(type);
    const isPassing = isOverloaded || /server|api_error|internal|timeout|unavailable|^5\d\d$/.test(type);
    const words = this.#words(`${type}: ${message}`, key);
    const when = hasBegun ? " in the middle of its answer" : "";
    return new ModelFailure(`The model at ${this.#host} reported an error${when}${words}.`, {
      mayRetry: isPassing && !hasBegun,
      isOverloaded,
      retryable: isPassing,
    });
  }

  cutOff(hasBegun: boolean, characters: number): ModelFailure {
    const what = hasBegun
      ? `broke off in the middle of the model's answer, after ${characters} characters. It is not asked again by itself, because a part of the answer has been seen`
      : "broke off before the model's answer began";
    return new ModelFailure(`The connection to ${this.#host} ${what}.`, {
      mayRetry: !hasBegun,
      retryable: true,
    });
  }

  silent(silenceMs: number): ModelFailure {
    return new ModelFailure(
      `The model at ${this.#host} has sent nothing for ${exactDuration(silenceMs)}; the request was given up.`,
      { retryable: true },
    );
  }

  unreadable(what: string): ModelFailure {
    return new ModelFailure(`The model at ${this.#host} ${what}`);
  }

  #words(text: string, key: string | undefined): string {
    // Some show the ends of a key that they do not like: what looks like one goes, too.
    const redactor = createRedactor({ secrets: key === undefined ? [] : [key] });
    const plain = key === undefined || key === "" ? text : text.replaceAll(key, "[key]");
    const shown = cutText(redactor.redactText(plain.slice(0, 4_000)).replace(/\s+/g, " ").trim(), 300);
    return shown === "" ? "" : `: ${shown.replace(/\.+$/, "")}`;
  }
}

/** Endpoints wrap it in several ways; a proxy before them answers with a page. */
function wordsOf(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return /^\s*</.test(text) ? "" : text;
  }
  const first = Array.isArray(value) ? value[0] : value;
  if (!isRecord(first)) return "";
  const { error, message, detail } = first;
  const inner = isRecord(error) ? error.message : error;
  return [inner, message, detail].find((one) => typeof one === "string") ?? "";
}

function hintFor(status: number): string {
  if (status === 401 || status === 403) return ". Check the key of this runner.";
  if (status === 404) return ". Check its base URL and the name of the model.";
  if (status === 413) return ". The conversation is too long for it: set contextTokens lower.";
  return status >= 300 && status < 400
    ? ". Redirects are not followed: write the final address into the configuration."
    : ".";
}

/** Seconds, milliseconds or a date. */
function waitOf(headers: Readonly<Record<string, string>>): number | undefined {
  const ms = headers["retry-after-ms"];
  if (ms !== undefined && /^\d{1,9}$/.test(ms)) return Number(ms);
  const after = headers["retry-after"]?.trim();
  if (after === undefined) return undefined;
  if (/^\d{1,7}(?:\.\d+)?$/.test(after)) return Number(after) * 1_000;
  const at = Date.parse(after);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
