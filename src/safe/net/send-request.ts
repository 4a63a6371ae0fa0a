/** Writes one HTTP/1.1 request on a checked connection, and waits for the head of the answer. */
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import type { Socket } from "node:net";
import type { RequestParts } from "./request-parts.ts";

export function sendRequest(
  url: URL,
  parts: RequestParts,
  socket: Socket,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = openRequest({
      url,
      parts,
      defaults: { accept: "*/*" },
      fields: { "accept-encoding": "gzip, br, deflate", connection: "close" },
      bodyBytes: parts.body?.byteLength,
      // With a connection of its own there is no agent: no pool, no proxy from the environment, no reuse.
      how: { createConnection: () => socket, maxHeaderSize: maxHeaderBytes, signal },
      reject,
    });
    request.on("response", resolve);
    request.on("close", () => reject(new Error("closed before an answer")));
    request.end(parts.body);
  });
}

export interface Opening {
  readonly url: URL;
  readonly parts: RequestParts;
  /** Fields that the request may have set otherwise, and fields that are ours. */
  readonly defaults?: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly bodyBytes: number | undefined;
  readonly how: RequestOptions;
  readonly reject: (error: Error) => void;
}

/** The body is still to be sent, and who waits for the answer is still to be told. */
export function openRequest({
  url,
  parts,
  defaults,
  fields,
  bodyBytes,
  how,
  reject,
}: Opening): ClientRequest {
  const request = httpRequest({
    ...how,
    method: parts.method,
    path: url.pathname + url.search,
    setHost: false,
    headers: {
      host: url.host,
      ...defaults,
      "user-agent": "toolgate",
      ...Object.fromEntries(parts.headers),
      ...fields,
      ...(bodyBytes === undefined ? {} : { "content-length": String(bodyBytes) }),
    },
    insecureHTTPParser: false,
  });
  request.on("upgrade", (_response, upgraded) => {
    upgraded.destroy();
    reject(new Error("the server switched protocols"));
  });
  request.on("error", reject);
  return request;
}

/** Lower-case names to values; a plain object would let a header named `__proto__` play tricks. */
export function headersOf(response: IncomingMessage): Readonly<Record<string, string>> {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    if (values !== undefined) headers[name] = values.join(", ");
  }
  return Object.freeze(headers);
}

const maxHeaderBytes = 32 * 1024;
