/** What went wrong with a request, as a value that a view can show: what happened, what to do. */
import type { Problem } from "toolgate/contract";

export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly issues: Problem["issues"];

  constructor(status: number, body: Partial<Problem>) {
    super(body.detail ?? body.title ?? `The gate answered ${status}.`);
    this.name = "RequestError";
    this.status = status;
    this.code = body.code ?? "unknown";
    this.hint = body.hint;
    this.issues = body.issues;
  }
}

/** The server is there but does not have this route: an older gate, or a part that is switched off. */
export function isMissing(error: unknown): boolean {
  return error instanceof RequestError && (error.status === 404 || error.status === 405);
}

export function isForbidden(error: unknown): boolean {
  return error instanceof RequestError && error.status === 403;
}

/** Nobody answered: the network is away, or the server is. */
export function isOffline(error: unknown): boolean {
  return error instanceof RequestError && error.status === 0;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
