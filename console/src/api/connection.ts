/** The one way to the gate: requests with the tab's token, answers as JSON or a RequestError. */
import type { Problem } from "toolgate/contract";
import { RequestError } from "./problem.ts";
import type { ServerClock } from "./server-clock.ts";

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface RequestOptions {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Connection {
  readonly clock: ServerClock;
  request<Answer>(path: string, options?: RequestOptions): Promise<Answer>;
  /** The raw answer, for streams and downloads. */
  open(path: string, options?: RequestOptions): Promise<Response>;
}

export interface ConnectionOptions {
  readonly clock: ServerClock;
  readonly token: () => string | undefined;
  /** The token is not valid any more: revoked, expired, or of another server. */
  readonly onUnauthorized: () => void;
}

export function createConnection({ clock, token, onUnauthorized }: ConnectionOptions): Connection {
  const open = async (path: string, options: RequestOptions = {}) => {
    const askedAt = Date.now();
    const answer = await send(path, options, token());
    clock.hear(answer.headers.get("date"), askedAt, Date.now());
    if (answer.ok) return answer;
    if (answer.status === 401) onUnauthorized();
    throw new RequestError(answer.status, await readProblem(answer));
  };
  return {
    clock,
    open,
    async request<Answer>(path: string, options?: RequestOptions) {
      const answer = await open(path, options);
      const text = await answer.text();
      return (text === "" ? undefined : JSON.parse(text)) as Answer;
    },
  };
}

async function send(path: string, options: RequestOptions, token: string | undefined): Promise<Response> {
  const { method = "GET", query, body, signal, headers } = options;
  try {
    return await fetch(addressOf(path, query), {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestError(0, {
      code: "offline",
      detail: "The gate does not answer.",
      hint: "Is it running? Start it with: toolgate serve",
    });
  }
}

/** Relative to the page, which may lie below a prefix. */
function addressOf(path: string, query: Query = {}): URL {
  const address = new URL(path, document.baseURI);
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) address.searchParams.append(name, one);
    else if (value !== undefined && value !== "") address.searchParams.set(name, String(value));
  }
  address.hash = "";
  return address;
}

async function readProblem(answer: Response): Promise<Partial<Problem>> {
  try {
    const body: unknown = await answer.json();
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}
