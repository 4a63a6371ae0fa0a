/** Sessions of the server of this user, asked over REST with the owner's token. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, ToolgateError } from "../../../core/call/errors.ts";
import { createSseReader } from "../../../core/text/read-sse.ts";
import { visible } from "../../../core/text/visible.ts";
import { createOriginClient, type OriginAnswer } from "../../../safe/net/origin-client.ts";
import type { Problem, SessionStreamEvent } from "../../rest/contract.ts";
import type { Announcement } from "../../serve/announcement.ts";
import type { EventsOptions, SessionClient } from "./session-client.ts";

const maxEventBytes = 64 * 1024 * 1024;
const maxTries = 5;

export function createServedClient({ url, tokenFile }: Announcement): SessionClient {
  const token = readToken(tokenFile);
  const never = new AbortController().signal;

  async function send(asked: Asked): Promise<OriginAnswer> {
    const { method, path, body, headers = {}, signal = never } = asked;
    // A server on every address of the machine is reached on this one.
    const base = url.replace(/^(https?:\/\/)(?:0\.0\.0\.0|\[::\])(?=:)/, "$1127.0.0.1");
    const made = createOriginClient({ url: `${base}${path}` });
    if (!made.ok) throw new ToolgateError(made.message);
    const answer = await made.client.send({
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    });
    if (!answer.ok) throw new Unreachable(`The server at ${url} does not answer: ${answer.message}`);
    return answer;
  }

  async function ask<Body>(asked: Asked): Promise<Body> {
    const answer = await send(asked);
    const chunks: Buffer[] = [];
    await answer.body.read((chunk) => chunks.push(chunk));
    const read = JSON.parse(Buffer.concat(chunks).toString()) as Body & Problem;
    if (answer.status >= 300) throw new ToolgateError(told(read));
    return read;
  }

  /** A connection that breaks is made again, from where it was. */
  async function* events(id: string, { after, deltas, signal }: EventsOptions) {
    let seen = after;
    for (let tries = 0; tries < maxTries && !signal.aborted; tries++) {
      // It keeps the process alive: nothing else does while there is no connection.
      if (tries > 0) await sleep(500 * tries, undefined, { signal }).catch(() => {});
      try {
        const query = deltas === false ? "?deltas=false" : "";
        const headers = seen === undefined ? {} : { "last-event-id": seen };
        const path = `/api/sessions/${encodeURIComponent(id)}/events${query}`;
        const answer = await send({ method: "GET", path, headers, signal });
        if (answer.status >= 300) throw new ToolgateError(await problemOf(answer));
        for await (const event of eventsIn(answer, signal)) {
          tries = 0;
          if ("id" in event && event.id !== undefined) seen = event.id;
          yield event;
        }
        // The session was removed, or the server ends.
        if (!signal.aborted)
          await ask({ method: "GET", path: `/api/sessions/${encodeURIComponent(id)}?limit=0` });
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Unreachable) || tries + 1 === maxTries) throw error;
      }
    }
  }

  const of = (id: string, rest = "") => `/api/sessions/${encodeURIComponent(id)}${rest}`;
  return {
    isServed: true,
    runners: () => ask({ method: "GET", path: "/api/runners" }),
    start: (body) => ask({ method: "POST", path: "/api/sessions", body }),
    list: ({ owner, state = [], limit, after }) => {
      const query = new URLSearchParams();
      for (const one of state) query.append("state", one);
      if (owner !== undefined) query.set("owner", owner);
      if (limit !== undefined) query.set("limit", String(limit));
      if (after !== undefined) query.set("after", after);
      return ask({ method: "GET", path: `/api/sessions?${query}` });
    },
    view: (id, { after, limit } = {}) => {
      const query = new URLSearchParams();
      if (after !== undefined) query.set("after", after);
      if (limit !== undefined) query.set("limit", String(limit));
      return ask({ method: "GET", path: `${of(id)}?${query}` });
    },
    send: (id, body) => ask({ method: "POST", path: of(id, "/messages"), body }),
    cancel: (id, turn) =>
      ask({ method: "POST", path: of(id, "/cancel"), body: turn === undefined ? {} : { turn } }),
    remove: (id) => ask({ method: "DELETE", path: of(id) }),
    events,
    async [Symbol.asyncDispose]() {},
  };
}

interface Asked {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

class Unreachable extends ToolgateError {}

async function* eventsIn(answer: OriginAnswer, signal: AbortSignal): AsyncGenerator<SessionStreamEvent> {
  let ready: SessionStreamEvent[] = [];
  let wake = () => {};
  let ended: unknown;
  const reader = createSseReader({
    maxBytes: maxEventBytes,
    onTooLong: () => answer.body.destroy(),
    onEvent: ({ id, event, data }) => {
      const kind = event ?? "message";
      const isItem = kind !== "session" && kind !== "message-delta" && kind !== "reset";
      ready.push({ kind, data: JSON.parse(data), ...(isItem && { id }) } as unknown as SessionStreamEvent);
      wake();
    },
  });
  const reading = answer.body
    .read((chunk) => reader.push(chunk))
    .then(
      () => true,
      () => new Unreachable("The server ended the connection."),
    );
  void reading.then((how) => {
    ended = how;
    wake();
  });
  const leave = () => answer.body.destroy();
  signal.addEventListener("abort", leave, { once: true });
  try {
    while (!signal.aborted) {
      const events = ready;
      ready = [];
      yield* events;
      if (ready.length > 0) continue;
      if (ended instanceof Unreachable) throw ended;
      if (ended !== undefined) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    signal.removeEventListener("abort", leave);
    answer.body.destroy();
  }
}

async function problemOf(answer: OriginAnswer): Promise<string> {
  const chunks: Buffer[] = [];
  await answer.body.read((chunk) => chunks.push(chunk));
  return told(JSON.parse(Buffer.concat(chunks).toString()) as Problem);
}

function told({ code, detail, title, hint, issues = [] }: Problem): string {
  const what = issues.map(({ path, message }) => `${path}: ${message}`);
  const parts = [detail || title, ...what, hint, commandHints[code]];
  return visible(parts.filter(Boolean).join(" "), { keepNewlines: true });
}

/** What the command can do about it that other clients of the server cannot. */
const commandHints: Readonly<Record<string, string>> = {
  folder_outside:
    "The server of this user was asked, because one runs. To run it in this process instead, in any folder: --local.",
  rules_broken: "The server of this user was asked, because one runs; --local runs it in this process.",
};

function readToken(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new ToolgateError(
      `A server runs, and its token cannot be read: ${messageOf(error)} Use --local to run it in this process.`,
    );
  }
}
